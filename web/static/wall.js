// A screen on the wall: it follows the stream, and looks again by itself when the box was away.
"use strict";

{
  const wall = document.getElementById("wall");
  const part = document.getElementById("wall-part");
  const away = document.getElementById("away");
  const SILENCE = 25000; // a stream beats every ten seconds

  async function look() {
    const reply = await fetch(wall.dataset.part);
    if (reply.ok) part.innerHTML = await reply.text();
    away.hidden = reply.ok;
  }

  let asked = null;
  const soon = () => {
    clearTimeout(asked);
    asked = setTimeout(() => look().catch(() => (away.hidden = false)), 40);
  };

  function follow() {
    const stream = new EventSource(wall.dataset.stream);
    let silence;
    const again = (seconds) => {
      stream.close();
      away.hidden = false;
      clearTimeout(silence);
      setTimeout(follow, seconds * 1000);
    };
    const here = () => {
      away.hidden = true;
      clearTimeout(silence);
      silence = setTimeout(again, SILENCE, 0);
    };
    stream.onopen = here;
    stream.onerror = () => stream.readyState === EventSource.CLOSED && again(5);
    stream.addEventListener("beat", here);
    stream.addEventListener("table", () => {
      here();
      soon();
    });
  }

  // The picture is fetched again as soon as the last one has come, twice a second at most.
  const picture = wall.querySelector(".wall-picture");
  function show() {
    const next = new Image();
    next.onload = () => {
      picture.src = next.src;
      picture.hidden = false;
      setTimeout(show, 400);
    };
    next.onerror = () => setTimeout(show, 3000);
    next.src = `${wall.dataset.picture}?${Date.now()}`;
  }

  if (picture) show();
  follow();
}
