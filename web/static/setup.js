// Set-up: the camera's picture, alive, with what is found drawn over it, and what people do with it by finger, mouse or
// keyboard.
"use strict";

const PICTURE_MS = 400;
const ASK_MS = 700;
const FINGER_PX = 12; // a finger that moved less has tapped

const shot = document.getElementById("shot");
const said = document.getElementById("said");
const toast = document.getElementById("toast");
const live = { headers: { "X-Live": "1" }, cache: "no-store" };

function drawn(kind, attributes, ...inside) {
  const shape = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, value);
  shape.append(...inside);
  return shape;
}

function made(kind, attributes, ...inside) {
  const part = document.createElement(kind);
  for (const [name, value] of Object.entries(attributes)) part.setAttribute(name, value);
  part.append(...inside);
  return part;
}

const icon = (name) => drawn("svg", { class: "icon", "aria-hidden": "true" }, drawn("use", { href: `#icon-${name}` }));

function say(words) {
  if (said && said.textContent !== words) said.textContent = words;
}

function trouble(words) {
  toast.hidden = !words;
  if (toast.textContent !== words) toast.textContent = words;
}

// -- the picture ------------------------------------------------------------------------------------------------------

const image = shot?.querySelector("img");
const svg = shot?.querySelector("svg");
let wide = 960;
let high = 540;

function sized() {
  if (!image.naturalWidth) return;
  [wide, high] = [image.naturalWidth, image.naturalHeight];
  [image.width, image.height] = [wide, high];
  svg.setAttribute("viewBox", `0 0 ${wide} ${high}`);
}

async function newest() {
  const reply = await fetch(shot.dataset.picture);
  shot.classList.toggle("away", reply.status !== 200);
  if (reply.status !== 200) return;
  const tag = reply.headers.get("ETag");
  if (tag && tag === shot.dataset.tag) return;
  const url = URL.createObjectURL(await reply.blob());
  const old = image.src;
  image.src = url;
  await image.decode().catch(() => {});
  if (old.startsWith("blob:")) URL.revokeObjectURL(old);
  shot.dataset.tag = tag ?? "";
  sized();
}

async function lookOn() {
  if (!document.hidden) await newest().catch(() => shot.classList.add("away"));
  setTimeout(lookOn, PICTURE_MS);
}

const inPixels = (quad) => quad.map(([x, y]) => [x * wide, y * high]);
const middle = (quad) => [0, 1].map((axis) => quad.reduce((sum, corner) => sum + corner[axis], 0) / quad.length);
const polygon = (quad, className) => drawn("polygon", { points: inPixels(quad).join(" "), class: className });

function label(quad, words) {
  const [x, y] = middle(inPixels(quad));
  return drawn("text", { x, y, "font-size": wide / 28 }, words);
}

// -- what is asked about it -------------------------------------------------------------------------------------------

async function ask(address, show) {
  const reply = await fetch(address, live);
  if (!reply.ok) return;
  const answer = await reply.json();
  trouble(answer.problem ?? "");
  if (!answer.problem) show(answer);
  else laid.held = false; // what it was held for has gone
}

async function keepAsking(address, show) {
  if (!document.hidden) await ask(address(), show).catch(() => {});
  setTimeout(keepAsking, ASK_MS, address, show);
}

// -- how well it sees -------------------------------------------------------------------------------------------------

function gauges({ gauges: found }) {
  const list = document.getElementById("gauges");
  const words = JSON.parse(list.dataset.words);
  while (list.children.length > found.length) list.lastChild.remove();
  found.forEach(({ name, share, tone, said: told }, at) => {
    const line =
      list.children[at] ?? list.appendChild(made("li", {}, made("b", {}), made("meter", { min: 0, max: 1 }), made("small", {})));
    line.className = tone;
    line.dataset.gauge = name;
    line.children[0].textContent = words[name];
    line.children[1].value = share;
    line.children[1].setAttribute("aria-label", words[name]);
    if (line.children[2].textContent !== told) line.children[2].textContent = told;
  });
}

// -- where the table is -----------------------------------------------------------------------------------------------

function outlined({ outline, pieces, error, said: told }) {
  const shapes = pieces.map((each) => polygon(each, "piece"));
  if (outline.length) shapes.push(polygon(outline, "found"));
  svg.replaceChildren(...shapes);
  shot.dataset.found = outline.length ? "yes" : "no";
  if (told) say(told);
  else if (error != null) say(`${said.dataset.error} ${error.toLocaleString(document.documentElement.lang)} mm.`);
  else say(said.dataset.found);
}

function byCorners() {
  const kept = JSON.parse(shot.dataset.outline || "[]");
  const inside = kept.length === 4 && kept.flat().every((value) => value >= 0 && value <= 1);
  const spots = inside ? kept : [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]];
  const field = document.querySelector("#place [name=corners]");
  const names = JSON.parse(shot.dataset.corners);
  const loupe = shot.querySelector(".loupe");
  const handles = names.map((name) => made("button", { type: "button", class: "corner", "aria-label": name }));

  function placed() {
    spots.forEach(([x, y], at) => {
      handles[at].style.left = `${100 * x}%`;
      handles[at].style.top = `${100 * y}%`;
    });
    svg.replaceChildren(polygon(spots, "found"));
    field.value = JSON.stringify(spots.map((spot) => spot.map((value) => Number(value.toFixed(5)))));
  }

  function magnified([x, y]) {
    const canvas = loupe.querySelector("canvas");
    const size = canvas.width;
    const part = wide / 10; // so much of the picture fills the loupe
    const brush = canvas.getContext("2d");
    brush.fillRect(0, 0, size, size);
    if (image.naturalWidth) brush.drawImage(image, x * wide - part / 2, y * high - part / 2, part, part, 0, 0, size, size);
    brush.strokeStyle = "#fff";
    brush.lineWidth = 2;
    brush.beginPath();
    for (const [a, b, c, d] of [[size / 2, 0, size / 2, size], [0, size / 2, size, size / 2]]) {
      brush.moveTo(a, b);
      brush.lineTo(c, d);
    }
    brush.stroke();
    loupe.hidden = false;
    loupe.classList.toggle("right", x < 0.5);
  }

  const within = (value) => Math.min(1, Math.max(0, value));
  function moved(at, x, y) {
    spots[at] = [within(x), within(y)];
    placed();
    magnified(spots[at]);
  }

  handles.forEach((handle, at) => {
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      handle.focus();
      handle.setPointerCapture(event.pointerId);
      const box = image.getBoundingClientRect();
      const [x, y] = spots[at];
      const [dx, dy] = [x - event.clientX / box.width, y - event.clientY / box.height];
      const move = (now) => moved(at, dx + now.clientX / box.width, dy + now.clientY / box.height);
      const end = () => {
        loupe.hidden = true;
        handle.removeEventListener("pointermove", move);
      };
      handle.addEventListener("pointermove", move);
      for (const kind of ["pointerup", "pointercancel"]) handle.addEventListener(kind, end, { once: true });
      magnified(spots[at]);
    });
    handle.addEventListener("keydown", (event) => {
      const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      const way = ways[event.key];
      if (!way) return;
      event.preventDefault();
      const far = event.shiftKey ? 10 : 1;
      moved(at, spots[at][0] + (way[0] * far) / wide, spots[at][1] + (way[1] * far) / high);
    });
    handle.addEventListener("blur", () => (loupe.hidden = true));
  });
  shot.append(...handles);
  placed();
  image.addEventListener("load", placed);
  say(said.dataset.drag);
}

// The size that is chosen goes along with every question.
function bySeeing() {
  const place = document.getElementById("place");
  const chosen = () => new URLSearchParams([...new FormData(place)].filter(([name]) => name !== "way"));
  keepAsking(() => `${shot.dataset.asks}&${chosen()}`, outlined);
}

// The calibration sheet: each new slant is taken by itself.
function byLens() {
  const bar = document.querySelector("#slants progress");
  const many = document.querySelector("#slants b");
  const keep = document.querySelector("#lens button");
  keepAsking(() => shot.dataset.asks, ({ taken, spots, enough }) => {
    svg.replaceChildren(...spots.map(([x, y]) => drawn("circle", { cx: x * wide, cy: y * high, r: wide / 160, class: "spot" })));
    bar.value = taken;
    many.textContent = `${taken}/${bar.max}`;
    keep.disabled = !enough;
    if (taken >= bar.max) say(said.dataset.all);
    else say(spots.length ? said.dataset.another : said.dataset.none);
  });
}

// -- cards that are to be learnt --------------------------------------------------------------------------------------

const laid = { token: "", quads: [], names: [], away: new Set(), held: false, picked: -1, again: false };
const kept = () => laid.quads.map((_quad, at) => at).filter((at) => !laid.away.has(at));
const nameOf = (at) => laid.names[kept().indexOf(at)];

function showLaid(answer) {
  if (laid.held && answer.token === laid.token) return;
  Object.assign(laid, { away: new Set(), held: false, picked: -1 }, answer);
  drawLaid();
}

function drawLaid() {
  svg.replaceChildren(
    ...laid.quads.map((quad, at) => {
      const words = nameOf(at)?.words ?? "";
      const state = laid.away.has(at) ? "gone" : "card";
      return drawn("g", { "data-at": at, class: state }, polygon(quad, state), label(quad, words || "✕"));
    }),
  );
  const list = document.getElementById("laid-names");
  const focused = document.activeElement?.dataset?.focus;
  list.replaceChildren(...laid.quads.map((_quad, at) => laidLine(list, at)));
  if (focused) list.querySelector(`[data-focus="${focused}"]`)?.focus();
  const many = kept().filter((at) => nameOf(at)).length;
  const form = document.getElementById("keep");
  form.querySelector("button").disabled = !many;
  form.elements.token.value = laid.token;
  form.elements.labels.value = JSON.stringify(laid.quads.map((_quad, at) => nameOf(at)?.label ?? ""));
  document.getElementById("look-again").hidden = !laid.held;
  shot.dataset.seen = many;
  if (laid.again) say(said.dataset.again);
  else if (!laid.quads.length) say(said.dataset.none);
  else if (many < laid.names.length) say(said.dataset.few.replace("%(seen)s", many).replace("%(asked)s", laid.names.length));
  else say(said.dataset.all);
}

function laidLine(list, at) {
  const words = nameOf(at)?.words ?? "–";
  const gone = laid.away.has(at);
  const name = made("button", { type: "button", class: "button", "data-focus": `n${at}`, "aria-pressed": laid.picked === at }, words);
  name.setAttribute("aria-label", `${list.dataset.swap} ${words}`);
  name.disabled = gone || !nameOf(at);
  name.addEventListener("click", () => picked(at));
  const cross = made("button", { type: "button", class: "button quiet round", "data-focus": `x${at}`, "aria-pressed": gone }, icon("x"));
  cross.setAttribute("aria-label", `${list.dataset.away}: ${at + 1}`);
  cross.addEventListener("click", () => tappedAway(at));
  return made("li", {}, name, cross);
}

function hold(change) {
  laid.held = true;
  change();
  drawLaid();
}

const tappedAway = (at) => hold(() => (laid.away.has(at) ? laid.away.delete(at) : laid.away.add(at)));

function swap(one, other) {
  const [a, b] = [kept().indexOf(one), kept().indexOf(other)];
  if (a < 0 || b < 0 || a === b) return;
  const most = Math.max(a, b);
  while (laid.names.length <= most) laid.names.push({ label: "", words: "" });
  [laid.names[a], laid.names[b]] = [laid.names[b], laid.names[a]];
}

function picked(at) {
  hold(() => {
    if (laid.picked >= 0) {
      swap(laid.picked, at);
      laid.picked = -1;
    } else laid.picked = at;
  });
}

// A name is dragged from one outline to another; a tap takes the outline away.
function laidByFinger() {
  const spot = (event) => {
    const box = svg.getBoundingClientRect();
    return [((event.clientX - box.left) * wide) / box.width, ((event.clientY - box.top) * high) / box.height];
  };
  const nearest = ([x, y]) => {
    const far = laid.quads.map((quad) => Math.hypot(middle(inPixels(quad))[0] - x, middle(inPixels(quad))[1] - y));
    return far.indexOf(Math.min(...far));
  };
  let from = null;
  // Within a drawing `touch-action` alone does not keep the browser from taking the finger for scrolling.
  svg.addEventListener("touchstart", (event) => event.target.closest("g") && event.preventDefault(), { passive: false });
  svg.addEventListener("pointerdown", (event) => {
    const card = event.target.closest("g");
    if (!card) return;
    event.preventDefault();
    laid.held = true;
    svg.setPointerCapture(event.pointerId);
    from = { at: Number(card.dataset.at), x: event.clientX, y: event.clientY };
  });
  svg.addEventListener("pointermove", (event) => {
    if (!from) return;
    const words = svg.querySelector(`g[data-at="${from.at}"] text`);
    const [x, y] = spot(event);
    words?.setAttribute("x", x);
    words?.setAttribute("y", y);
  });
  svg.addEventListener("pointerup", (event) => {
    if (!from) return;
    const { at, x, y } = from;
    from = null;
    if (Math.hypot(event.clientX - x, event.clientY - y) < FINGER_PX) tappedAway(at);
    else hold(() => swap(at, nearest(spot(event))));
  });
  svg.addEventListener("pointercancel", () => {
    from = null;
    drawLaid();
  });
}

function learning() {
  laidByFinger();
  document.getElementById("look-again").addEventListener("click", () => (laid.held = false));
  keepAsking(() => shot.dataset.asks + (laid.held ? `?token=${laid.token}` : ""), showLaid);
  const form = document.getElementById("keep");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    laid.held = true;
    const reply = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), ...live }).catch(() => null);
    if (reply?.ok) location.reload();
    else {
      laid.held = false;
      if (reply) trouble(await reply.text());
    }
  });
}

// -- photographs: one at a time, so that each is told of by itself ----------------------------------------------------

const photographs = document.getElementById("photographs");

async function send(event) {
  event.preventDefault();
  const files = [...photographs.elements.photograph.files];
  const sent = document.getElementById("sent");
  const list = document.getElementById("sent-trouble");
  const button = photographs.querySelector("button");
  let many = 0;
  list.replaceChildren();
  button.disabled = true;
  for (const [at, file] of files.entries()) {
    sent.textContent = photographs.dataset.sending.replace("%(at)s", at + 1).replace("%(many)s", files.length);
    const body = new FormData();
    body.append("photograph", file);
    try {
      const reply = await fetch(photographs.action, { method: "POST", body, ...live });
      const text = await reply.text();
      const { shown, told } = text.startsWith("{") ? JSON.parse(text) : { shown: [], told: [text] };
      many += shown.length;
      for (const each of told) list.append(made("li", {}, `${file.name}: ${each}`));
    } catch {
      list.append(made("li", {}, `${file.name}: ${photographs.dataset.failed}`));
    }
  }
  sent.textContent = photographs.dataset.done.replace("%(many)s", many);
  button.disabled = false;
  if (many && !list.children.length) location.reload();
}

photographs?.addEventListener("submit", send);

// -- a deck that is being made ----------------------------------------------------------------------------------------

const making = document.getElementById("making");

function learnt({ state, learnt: now, cards }) {
  if (state !== "going-on") return location.reload();
  const bar = making.querySelector("progress");
  [bar.max, bar.value] = [cards, now];
  making.querySelector(".progress b").textContent = `${now}/${cards}`;
}

if (making) keepAsking(() => making.dataset.asks, learnt);

// -- trying it --------------------------------------------------------------------------------------------------------

function practising() {
  const steps = document.getElementById("try-steps");
  const done = (name, words) => {
    const step = steps.querySelector(`[data-try=${name}]`);
    if (step.classList.contains("done")) return;
    step.classList.add("done");
    step.querySelector("[role=status]").textContent = words;
  };
  keepAsking(() => shot.dataset.asks, ({ cards, round }) => {
    svg.replaceChildren(...cards.map(({ label: words, quad }) => drawn("g", {}, polygon(quad, "card"), label(quad, words || "?"))));
    const words = cards.map((card) => card.label || steps.dataset.unknown).join(", ");
    const sees = words ? `${steps.dataset.sees} ${words}` : said.dataset.nothing;
    if (round.lay) done("lay", sees);
    if (round.take) done("take", said.dataset.gone);
    if (round.pass) done("pass", said.dataset.passed);
    say(round.lay && round.take && round.pass ? said.dataset.done : sees);
  });
}

for (const form of document.querySelectorAll("form[data-quietly]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form, event.submitter));
    await fetch(form.action, { method: "POST", body, ...live }).catch(() => {});
  });
}

// -- cameras to choose from: their pictures come one after the other, each camera opens slowly ------------------------

async function glances() {
  for (const each of document.querySelectorAll("[data-glance]")) {
    const reply = await fetch(each.dataset.glance).catch(() => null);
    if (reply?.status !== 200) continue;
    const url = URL.createObjectURL(await reply.blob());
    each.onload = () => URL.revokeObjectURL(url);
    each.src = url;
    each.hidden = false;
  }
  if (document.querySelector("[data-glance]")) setTimeout(glances, 3000);
}
glances();

const WATCHES = {
  quality: () => keepAsking(() => shot.dataset.asks, gauges),
  markers: bySeeing,
  cards: bySeeing,
  corners: byCorners,
  laid: learning,
  practice: practising,
  lens: byLens,
};

if (shot) {
  lookOn();
  WATCHES[shot.dataset.watch]?.();
}
