// Remembered people sit down and get up with a tap; without it names are typed, or chosen from the list.
"use strict";

// A block of its own: other scripts of the page have names too.
{
  const form = document.querySelector(".setup");
  const places = [...form.querySelectorAll("input[name=name]")];
  const known = form.querySelector("[data-known]");
  const plain = (text) => text.trim().toLocaleLowerCase();

  function seated(name) {
    return places.find((place) => plain(place.value) === plain(name));
  }

  // Nobody sits between two empty chairs.
  function close() {
    const names = places.map((place) => place.value.trim()).filter(Boolean);
    places.forEach((place, at) => (place.value = names[at] ?? ""));
  }

  function shown() {
    for (const chip of known?.querySelectorAll("[data-name]") ?? [])
      chip.setAttribute("aria-pressed", String(Boolean(seated(chip.dataset.name))));
    for (const place of places) place.parentElement.querySelector("[data-clear]").hidden = !place.value;
  }

  known?.addEventListener("click", (event) => {
    const chip = event.target.closest("[data-name]");
    if (!chip) return;
    const place = seated(chip.dataset.name);
    if (place) place.value = "";
    close();
    const free = places.find((each) => !each.value.trim());
    if (!place && free) free.value = chip.dataset.name;
    shown();
  });

  form.querySelector("[data-lineups]")?.addEventListener("click", (event) => {
    const names = event.target.closest("[data-names]")?.dataset.names.split("|");
    if (!names) return;
    places.forEach((place, at) => (place.value = names[at] ?? ""));
    shown();
  });

  form.addEventListener("click", (event) => {
    const clear = event.target.closest("[data-clear]");
    if (!clear) return;
    clear.parentElement.querySelector("input").value = "";
    close();
    shown();
  });

  // Another edition has other values: only the options are asked for again.
  for (const each of form.querySelectorAll("input[name=edition]"))
    each.addEventListener("change", async () => {
      const game = form.querySelector("[name=game]").value;
      const reply = await fetch(`?game=${encodeURIComponent(game)}&edition=${encodeURIComponent(each.value)}`);
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      const options = form.querySelector(".options");
      const { open } = options;
      options.replaceWith(page.querySelector(".options"));
      form.querySelector(".options").open = open;
    });

  form.addEventListener("input", shown);
  for (const each of form.querySelectorAll("[data-known], [data-lineups]")) each.hidden = false;
  shown();
}
