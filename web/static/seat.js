// Keeps what a phone shows of its own seat in step with the table, and lets it buzz when the turn comes.
"use strict";

{
  const place = document.getElementById("mine");
  const table = document.getElementById("table");

  const mine = () => place.querySelector(".mine");
  const turn = () => Boolean(place.querySelector(".your-turn"));

  // Where a game has a tab for each seat, the own one is open first.
  function ownFirst() {
    const seat = mine()?.dataset.seat;
    if (!seat) delete table.dataset.own;
    const tab = seat && table.querySelector(`.tab-row input[value="${seat}"]`);
    if (!tab || table.dataset.own === seat) return;
    table.dataset.own = seat;
    tab.checked = true;
    tab.dispatchEvent(new Event("change", { bubbles: true }));
  }

  let asked = false;
  async function look() {
    asked = false;
    const before = turn();
    try {
      const reply = await fetch(place.dataset.part);
      if (reply.ok) {
        const open = place.querySelector("details")?.open;
        place.innerHTML = await reply.text();
        if (open) place.querySelector("details")?.setAttribute("open", "");
      }
    } catch {
      return; // the box is away: the page says so
    }
    if (turn() && !before) navigator.vibrate?.([60, 40, 60]);
    ownFirst();
  }

  if (place && table) {
    const seen = () => table.querySelector("template[data-version]")?.dataset.version;
    let version = seen();
    new MutationObserver(() => {
      if (seen() === version || asked) return;
      version = seen();
      asked = true;
      setTimeout(look, 30);
    }).observe(table, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-version"] });
    ownFirst();
  }
}
