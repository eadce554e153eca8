// The mat from straight above, as pictures: asked for only while somebody looks, sent only when they
// have changed, and what lies there drawn over them in the reader's words.
"use strict";

const EVERY_MS = 350;

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

// One thing in its outline, its top edge thick, with what it is taken for: a tap puts it right.
function outline({ thing, label, p, quad }, right) {
  const sure = p >= 0.9 ? "sure" : "unsure";
  const [x, y] = middle(quad);
  const shapes = [
    drawn("polygon", { points: quad.join(" "), class: sure }),
    drawn("polyline", { points: quad.slice(0, 2).join(" "), class: `${sure} top` }),
    drawn("text", { x, y, class: sure }, label),
  ];
  if (!right) return drawn("g", {}, ...shapes);
  return drawn("a", { href: right.replace("0", thing), "aria-label": label }, ...shapes);
}

function zone({ words, box: [x, y, width, height] }) {
  return drawn("g", { class: "zones" }, drawn("rect", { x, y, width, height, rx: 4 }), drawn("text", { x: x + 4, y: y + 12 }, words));
}

// Readings and zones as layers over the picture; only what has changed is drawn anew.
function layers(place, text) {
  if (text === place.dataset.seen) return;
  place.dataset.seen = text;
  const { mat, things, zones = [] } = JSON.parse(text);
  const svg = place.querySelector(".mat svg");
  const at = svg.contains(document.activeElement) && document.activeElement.getAttribute("href");
  svg.setAttribute("viewBox", `0 0 ${mat[0]} ${mat[1]}`);
  place.querySelector(".mat").style.aspectRatio = mat.join(" / "); // boards lie in any shape
  svg.replaceChildren(...zones.map(zone), ...things.map((each) => outline(each, place.dataset.right)));
  if (at) svg.querySelector(`a[href="${at}"]`)?.focus({ preventScroll: true });
}

const seen = (place) => !document.hidden && place.offsetParent !== null;

async function lookOn(place) {
  if (!place.isConnected) return;
  if (seen(place)) {
    try {
      const there = await newest(place);
      place.querySelector(".mat").hidden = !there;
      place.querySelector(".unseen-yet").hidden = there;
      if (there) layers(place, await (await fetch(place.dataset.lying)).text());
    } catch {
      // the companion is away: the page says so, and this goes on by itself
    }
  }
  setTimeout(() => lookOn(place), EVERY_MS);
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
