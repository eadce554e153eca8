// The four corners of a board, dragged over its photograph with mouse, pen or finger. The fields below the
// picture hold the same numbers, and work without a script.
"use strict";

const cornering = document.getElementById("cornering");
const svg = cornering.querySelector("svg");
const fields = [...document.querySelectorAll("input[name=corner]")];
const FINGER = 44; // pixels: what a finger hits

function shape(kind, attributes) {
  const one = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
  svg.append(one);
  return one;
}

const outline = shape("polygon", { class: "outline" });
const marks = fields.map((field, at) => shape("ellipse", { class: at ? "corner" : "corner first", "data-corner": at }));
const spots = fields.map((field) => field.value.split(" ").map(Number));
const within = (value) => Math.min(Math.max(value, 0), 1);

function draw() {
  const box = svg.getBoundingClientRect();
  outline.setAttribute("points", spots.map((spot) => spot.join(",")).join(" "));
  marks.forEach((mark, at) => {
    mark.setAttribute("cx", spots[at][0]);
    mark.setAttribute("cy", spots[at][1]);
    mark.setAttribute("rx", FINGER / 2 / Math.max(box.width, 1));
    mark.setAttribute("ry", FINGER / 2 / Math.max(box.height, 1));
  });
}

marks.forEach((mark, at) => {
  mark.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
  mark.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    mark.setPointerCapture(event.pointerId);
    const move = (now) => {
      const box = svg.getBoundingClientRect();
      spots[at] = [within((now.clientX - box.left) / box.width), within((now.clientY - box.top) / box.height)];
      fields[at].value = spots[at].map((value) => value.toFixed(4)).join(" ");
      draw();
    };
    const end = () => {
      mark.removeEventListener("pointermove", move);
      mark.removeEventListener("pointerup", end);
      mark.removeEventListener("pointercancel", end);
    };
    mark.addEventListener("pointermove", move);
    mark.addEventListener("pointerup", end);
    mark.addEventListener("pointercancel", end);
  });
});
fields.forEach((field, at) =>
  field.addEventListener("input", () => {
    const given = field.value.trim().split(/\s+/).map(Number);
    if (given.length === 2 && given.every(Number.isFinite)) spots[at] = given.map(within);
    draw();
  }),
);
addEventListener("resize", draw);
cornering.querySelector("img").addEventListener("load", draw);
draw();

// Another kind of board has another usual size, until somebody has measured.
const kind = document.querySelector("select[data-usual]");
kind?.addEventListener("change", () => {
  const { wide, high } = kind.selectedOptions[0].dataset;
  document.querySelector("input[name=wide]").value = wide;
  document.querySelector("input[name=high]").value = high;
});
