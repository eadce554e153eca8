// The mat from straight above, as pictures: asked for only while somebody looks.
"use strict";

const EVERY_MS = 1000;

function drawn(kind, attributes, text = "") {
  const shape = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, value);
  shape.textContent = text;
  return shape;
}

// Shows the newest picture in the place; whether there is one.
async function newest(place) {
  const image = place.querySelector(".mat img");
  const reply = await fetch(place.dataset.picture);
  if (reply.status !== 200) return false;
  const url = URL.createObjectURL(await reply.blob());
  image.onload = () => URL.revokeObjectURL(url);
  image.src = url;
  return true;
}

// Every thing in its outline, its top edge thick, with what it is taken for.
function outlines(svg, { mat, things }) {
  svg.setAttribute("viewBox", `0 0 ${mat[0]} ${mat[1]}`);
  svg.replaceChildren();
  for (const { label, p, quad } of things) {
    const sure = p >= 0.9 ? "sure" : "unsure";
    const [x, y] = [0, 1].map((axis) => quad.reduce((sum, corner) => sum + corner[axis], 0) / 4);
    svg.append(
      drawn("polygon", { points: quad.join(" "), class: sure }),
      drawn("polyline", { points: quad.slice(0, 2).join(" "), class: `${sure} top` }),
      drawn("text", { x, y, class: sure }, label),
    );
  }
}

async function lookOn(place) {
  if (place.open && !document.hidden) {
    try {
      const seen = await newest(place);
      place.querySelector(".mat").hidden = !seen;
      place.querySelector(".unseen-yet").hidden = seen;
      if (seen) outlines(place.querySelector("svg"), await (await fetch(place.dataset.lying)).json());
    } catch {
      // the companion is away: the page says so, and this goes on by itself
    }
  }
  setTimeout(() => lookOn(place), EVERY_MS);
}

const above = document.getElementById("above");
if (above) lookOn(above);
