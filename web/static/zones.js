// Zones over the picture of the table: dragged, or made larger by their corner. Works with mouse,
// pen and finger; the forms below it work without a script.
"use strict";

const zoning = document.getElementById("zoning");
const svg = zoning.querySelector("svg");
const [WIDE, HIGH] = JSON.parse(zoning.dataset.mat);
const LEAST = Number(zoning.dataset.least ?? 10); // millimetres
const HANDLE = 11;
const FINGER = 34; // pixels: what a finger hits, however small the picture

svg.setAttribute("viewBox", `0 0 ${WIDE} ${HIGH}`);
zoning.querySelector(".mat").hidden = false;
zoning.querySelector(".mat").style.aspectRatio = `${WIDE} / ${HIGH}`;

const within = (value, least, most) => Math.min(Math.max(value, least), Math.max(least, most));

function place(zone) {
  const [x, y, w, h] = zone.box;
  const { rect, handle, grip, text } = zone;
  for (const [name, value] of Object.entries({ x, y, width: w, height: h })) rect.setAttribute(name, value);
  handle.setAttribute("x", x + w - HANDLE);
  handle.setAttribute("y", y + h - HANDLE);
  const box = svg.getBoundingClientRect();
  const [wide, high] = [(FINGER * WIDE) / Math.max(box.width, 1), (FINGER * HIGH) / Math.max(box.height, 1)];
  const corner = { x: within(x + w - wide / 2, 0, WIDE - wide), y: within(y + h - high / 2, 0, HIGH - high), width: wide, height: high };
  for (const [name, value] of Object.entries(corner)) grip.setAttribute(name, value);
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
  // Within a drawing `touch-action` alone does not keep the browser from taking the finger for scrolling.
  grip.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
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

const zones = JSON.parse(zoning.dataset.zones);
for (const zone of zones) {
  zone.rect = drawn("rect", { class: "zone", "data-zone": zone.name });
  zone.handle = drawn("rect", { class: "handle", width: HANDLE, height: HANDLE });
  zone.grip = drawn("rect", { class: "grip", "data-handle": zone.name });
  zone.text = drawn("text", { class: "zone" }, zone.words);
  zone.rect.append(drawn("title", {}, zone.words));
  svg.append(zone.rect, zone.text);
  drags(zone, zone.rect, ([x, y, w, h], dx, dy) => [
    within(x + dx, 0, WIDE - w),
    within(y + dy, 0, HIGH - h),
    w,
    h,
  ]);
  drags(zone, zone.grip, ([x, y, w, h], dx, dy) => [
    x,
    y,
    within(w + dx, LEAST, WIDE - x),
    within(h + dy, LEAST, HIGH - y),
  ]);
}
// The corners lie over all zones: a neighbour never hides one.
svg.append(...zones.flatMap((zone) => [zone.handle, zone.grip]));
const placeAll = () => zones.forEach(place);
// A page just opened may not be laid out yet: then the corners get their size when it is.
new ResizeObserver(placeAll).observe(svg);
placeAll();

(async function refresh() {
  if (!document.hidden) await newest(zoning).catch(() => false);
  setTimeout(refresh, 2000);
})();
