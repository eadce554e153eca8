// Small things of every page. Everything works without them.
"use strict";

document.documentElement.classList.add("alive");

// The buttons beside a number.
addEventListener("click", (event) => {
  const step = event.target.closest?.(".step");
  if (!step) return;
  const field = step.parentElement.querySelector("input");
  if (step.dataset.step > 0) field.stepUp();
  else field.stepDown();
  field.dispatchEvent(new Event("change", { bubbles: true }));
});

// Light or dark: remembered by this browser, and drawn by the box from the first moment on.
function themeShown() {
  for (const each of document.querySelectorAll(".themes input")) each.checked = each.value === (document.documentElement.dataset.theme ?? "");
}

addEventListener("change", (event) => {
  if (!event.target.matches?.(".themes input")) return;
  const theme = event.target.value;
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  document.cookie = `theme=${theme}; path=/; max-age=${theme ? 31536000 : 0}; samesite=lax`;
});
addEventListener("toggle", themeShown, { capture: true }); // the sheet may have come later
themeShown();

// A name that is there already is replaced by typing over it.
addEventListener("focusin", (event) => {
  if (event.target.matches?.("[data-selects]")) event.target.select();
});

// Where the box was away or starts anew: back to the table as soon as it answers. What is asked is never answered from
// what a phone has kept.
const returns = document.querySelector("[data-returns]")?.dataset;

async function tryAgain() {
  try {
    if ((await fetch(returns.asks, { cache: "no-store" })).ok) return location.assign(returns.returns);
  } catch {
    // still away
  }
  setTimeout(tryAgain, 1000);
}

if (returns) setTimeout(tryAgain, 2500);
