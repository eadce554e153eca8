// Arrow keys step through a game, and "Play" goes on by itself; without it there are the links.
"use strict";

// A block of its own: other scripts of the page have names too.
{
  const replay = document.querySelector(".replay");
  const button = replay.querySelector("[data-play]");
  const step = Number(replay.dataset.step);
  const last = Number(replay.dataset.last);
  const KEPT = "replaying";
  const SECONDS = 1.5;

  const to = (where) => {
    if (where >= 0 && where <= last && where !== step) location.search = `?step=${where}`;
  };

  addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const where = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: last }[event.key];
    if (where === undefined) return;
    event.preventDefault();
    to(where);
  });

  // Where the page stood is kept: stepping must not jump.
  const PLACE = `scroll ${location.pathname}`;
  addEventListener("pagehide", () => sessionStorage.setItem(PLACE, String(scrollY)));
  scrollTo({ top: Number(sessionStorage.getItem(PLACE) ?? 0), behavior: "instant" });
  const steps = replay.querySelector(".steps");
  const current = steps.querySelector("[aria-current]");
  if (current) steps.scrollTop = current.offsetTop - steps.clientHeight / 2; // the page itself stays where it is

  let timer;
  function playing(on) {
    clearTimeout(timer);
    if (on && step < last) {
      sessionStorage.setItem(KEPT, location.pathname);
      timer = setTimeout(() => to(step + 1), SECONDS * 1000);
    } else {
      sessionStorage.removeItem(KEPT);
    }
    button.setAttribute("aria-pressed", String(on && step < last));
  }

  button.hidden = last === 0;
  button.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    playing(on);
    if (on && step === last) {
      sessionStorage.setItem(KEPT, location.pathname);
      to(0);
    }
  });
  playing(sessionStorage.getItem(KEPT) === location.pathname);
}
