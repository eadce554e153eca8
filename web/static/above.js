// The mat from straight above, as pictures: asked for only while somebody looks, sent only when they
// have changed, and what lies there drawn over them in the reader's words.
"use strict";

// From one look to the next; at least two a second, also where a look itself takes a while.
const EVERY_MS = 350;
const PAUSE_MS = 40;

function drawn(kind, attributes, ...inside) {
  const shape = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, value);
  shape.append(...inside);
  return shape;
}

// Shows the newest picture in the place; whether there is one.
async function newest(place) {
  const image = place.querySelector(".mat img");
  const reply = await fetch(place.dataset.picture);
  if (reply.status !== 200) return false;
  const tag = reply.headers.get("ETag");
  if (tag && tag === place.dataset.tag) return true; // nothing has moved
  const url = URL.createObjectURL(await reply.blob());
  image.onload = () => URL.revokeObjectURL(url);
  image.src = url;
  if (tag) place.dataset.tag = tag;
  place.dataset.pictures = Number(place.dataset.pictures ?? 0) + 1;
  return true;
}

const middle = (quad) => [0, 1].map((axis) => quad.reduce((sum, corner) => sum + corner[axis], 0) / 4);

// Where a label can be read: in the middle of its thing, or below the labels that are there already.
function placed(quad, wide, high, taken, mat) {
  const [x, y] = middle(quad);
  const box = { x: Math.min(Math.max(x, wide / 2 + 2), mat[0] - wide / 2 - 2), y, wide, high };
  const meets = (other) => Math.abs(box.x - other.x) < (wide + other.wide) / 2 && Math.abs(box.y - other.y) < high;
  for (let tries = 0; tries < 6 && taken.some(meets); tries += 1) box.y += high * 1.08;
  box.y = Math.min(box.y, mat[1] - high);
  taken.push(box);
  return box;
}

// What a thing is taken for, on a ground of its own: `size` is the height of its letters in millimetres.
function tag(label, quad, sure, size, taken, mat) {
  const wide = (label.length * 0.56 + 0.8) * size;
  const { x, y, high } = placed(quad, wide, size * 1.45, taken, mat);
  return [
    drawn("rect", { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: high / 3, class: `tag ${sure}` }),
    drawn("text", { x, y, class: sure, "font-size": size }, label),
  ];
}

// One thing in its outline, its top edge thick, with what it is taken for: a tap puts it right.
function outline({ thing, label, p, quad }, right, size, taken, mat) {
  const sure = p >= 0.9 ? "sure" : "unsure";
  const shapes = [
    drawn("polygon", { points: quad.join(" "), class: sure }),
    drawn("polyline", { points: quad.slice(0, 2).join(" "), class: `${sure} top` }),
    ...tag(label, quad, sure, size, taken, mat),
  ];
  if (!right) return drawn("g", { class: "thing-there" }, ...shapes);
  return drawn("a", { href: right.replace("0", thing), "aria-label": label }, ...shapes);
}

function zone({ words, box: [x, y, width, height] }) {
  return drawn("g", { class: "zones" }, drawn("rect", { x, y, width, height, rx: 4 }), drawn("text", { x: x + 4, y: y + 12 }, words));
}

// Readings and zones as layers over the picture; only what has changed is drawn anew.
function layers(place, text) {
  const svg = place.querySelector(".mat svg");
  const said = `${svg.clientWidth} ${text}`;
  // A picture that has no width yet is drawn when it has one: letters are sized by it.
  if (!svg.clientWidth || said === place.dataset.seen) return;
  place.dataset.seen = said;
  const { mat, things, zones = [] } = JSON.parse(text);
  const at = svg.contains(document.activeElement) && document.activeElement.getAttribute("href");
  svg.setAttribute("viewBox", `0 0 ${mat[0]} ${mat[1]}`);
  place.querySelector(".mat").style.aspectRatio = mat.join(" / "); // boards lie in any shape
  const size = (Number.parseFloat(getComputedStyle(svg).fontSize) * mat[0]) / svg.clientWidth; // as large on every screen
  const taken = [];
  svg.replaceChildren(...zones.map(zone), ...things.map((each) => outline(each, place.dataset.right, size, taken, mat)));
  if (at) svg.querySelector(`a[href="${at}"]`)?.focus({ preventScroll: true });
}

const seen = (place) => !document.hidden && place.offsetParent !== null;

async function lookOn(place) {
  if (!place.isConnected) return;
  const began = performance.now();
  if (seen(place)) {
    try {
      const lying = fetch(place.dataset.lying).then((reply) => reply.text());
      const [there, text] = await Promise.all([newest(place), lying]);
      place.querySelector(".mat").hidden = !there;
      place.querySelector(".unseen-yet").hidden = there;
      if (there) layers(place, text);
    } catch {
      // the companion is away: the page says so, and this goes on by itself
    }
  }
  setTimeout(() => lookOn(place), Math.max(PAUSE_MS, EVERY_MS - (performance.now() - began)));
}

// Which layers somebody wants to see is remembered by their browser.
function remember(place) {
  for (const choice of place.querySelectorAll("[data-layer]")) {
    const key = `layer-${choice.dataset.layer}`;
    choice.checked = (localStorage.getItem(key) ?? choice.dataset.usual) === "on";
    const show = () => place.classList.toggle(`with-${choice.dataset.layer}`, choice.checked);
    show();
    choice.addEventListener("change", () => {
      localStorage.setItem(key, choice.checked ? "on" : "off");
      show();
    });
  }
}

// The live table may bring a picture later, when a camera comes.
function findPicture() {
  const above = document.getElementById("above");
  if (!above || above.dataset.watched) return;
  above.dataset.watched = "yes";
  remember(above);
  lookOn(above);
}

findPicture();
