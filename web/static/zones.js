// Zones over the picture of the table: dragged, or made larger by their corner. Works with mouse,
// pen and finger; the forms below it work without a script.
"use strict";

const zoning = document.getElementById("zoning");
const svg = zoning.querySelector("svg");
const [WIDE, HIGH] = JSON.parse(zoning.dataset.mat);
const LEAST = 10; // millimetres
const HANDLE = 11;

svg.setAttribute("viewBox", `0 0 ${WIDE} ${HIGH}`);
zoning.querySelector(".mat").hidden = false;

const within = (value, least, most) => Math.min(Math.max(value, least), Math.max(least, most));

function place(zone) {
  const [x, y, w, h] = zone.box;
  const { rect, handle, text } = zone;
  for (const [name, value] of Object.entries({ x, y, width: w, height: h })) rect.setAttribute(name, value);
  handle.setAttribute("x", x + w - HANDLE);
  handle.setAttribute("y", y + h - HANDLE);
  text.setAttribute("x", x + 3);
  text.setAttribute("y", y + 10);
}

async function keep(zone, before) {
  const [x, y, w, h] = zone.box.map((value) => value.toFixed(1));
  const toast = document.getElementById("toast");
  const said = document.getElementById("said");
  try {
    const reply = await fetch(zoning.dataset.move, {
      method: "POST",
      body: new URLSearchParams({ zone: zone.name, x, y, w, h }),
      headers: { "X-Live": "1" },
    });
    toast.hidden = reply.ok;
    if (reply.ok) said.textContent = said.dataset.kept;
    else [toast.textContent, zone.box] = [await reply.text(), before];
  } catch {
    zone.box = before;
  }
  place(zone);
}

// Millimetres under the pointer.
function spot(event) {
  const box = svg.getBoundingClientRect();
  return [((event.clientX - box.left) * WIDE) / box.width, ((event.clientY - box.top) * HIGH) / box.height];
}

function drags(zone, grip, moved) {
  grip.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    grip.setPointerCapture(event.pointerId);
    const [from, before] = [spot(event), zone.box];
    const move = (now) => {
      const [x, y] = spot(now);
      zone.box = moved(before, x - from[0], y - from[1]);
      place(zone);
    };
    grip.addEventListener("pointermove", move);
    const end = (lost) => {
      grip.removeEventListener("pointermove", move);
      grip.removeEventListener("pointerup", end);
      grip.removeEventListener("pointercancel", end);
      if (lost.type === "pointercancel") zone.box = before;
      if (zone.box.join() !== before.join()) keep(zone, before);
      place(zone);
    };
    grip.addEventListener("pointerup", end);
    grip.addEventListener("pointercancel", end);
  });
}

for (const zone of JSON.parse(zoning.dataset.zones)) {
  zone.rect = drawn("rect", { class: "zone", "data-zone": zone.name });
  zone.handle = drawn("rect", { class: "handle", width: HANDLE, height: HANDLE, "data-handle": zone.name });
  zone.text = drawn("text", { class: "zone" }, zone.words);
  zone.rect.append(drawn("title", {}, zone.words));
  svg.append(zone.rect, zone.text, zone.handle);
  drags(zone, zone.rect, ([x, y, w, h], dx, dy) => [
    within(x + dx, 0, WIDE - w),
    within(y + dy, 0, HIGH - h),
    w,
    h,
  ]);
  drags(zone, zone.handle, ([x, y, w, h], dx, dy) => [
    x,
    y,
    within(w + dx, LEAST, WIDE - x),
    within(h + dy, LEAST, HIGH - y),
  ]);
  place(zone);
}

(async function refresh() {
  if (!document.hidden) await newest(zoning).catch(() => false);
  setTimeout(refresh, 2000);
})();
