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

  follow();
}
