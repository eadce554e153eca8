// Caring for the box: lists that fill themselves while something is looked at or drawn.
"use strict";

async function follow(place) {
  let pause = 700;
  try {
    const answer = await fetch(place.dataset.polls, { cache: "no-store", headers: { "X-Live": "1" } });
    if (answer.ok && answer.status !== 204) {
      const text = await answer.text();
      if (text !== place.dataset.shown) place.innerHTML = text;
      place.dataset.shown = text;
    }
    pause = Number(answer.headers.get("X-Again") ?? pause);
    if (answer.headers.get("X-Done")) {
      if (place.dataset.goes) location.assign(place.dataset.goes);
      return;
    }
  } catch {
    // the box is away: it is asked again
  }
  setTimeout(follow, pause, place);
}

for (const place of document.querySelectorAll("[data-polls]")) follow(place);
