// The live table. Everything here also works without it: forms post, pages reload.
"use strict";

const table = document.getElementById("table");
const away = document.getElementById("away");

// -- Keeping what people are in the middle of -----------------------------------------------------

// What somebody has ticked or typed outlives a redraw; what they have not touched is the server's.
const touched = new WeakSet();

const FIELDS = "input, select, textarea";
const NAMED = "details, button, " + FIELDS;

function ownerOf(node) {
  const owner = node.closest("[data-asked], [data-seat]")?.dataset;
  return owner?.asked ?? owner?.seat ?? "";
}

// A part is known by whom it belongs to, its fold, and what it says, wherever it moves to.
function keyOf(node) {
  const fold = node.parentElement?.closest("details");
  const words = [node.closest(".slot")?.id, ownerOf(node), fold?.querySelector("summary")?.textContent.trim() ?? ""];
  if (node.matches("details")) words.push(node.querySelector("summary")?.textContent.trim());
  else if (node.matches("button")) words.push(node.form?.getAttribute("action"), node.name, node.value || node.textContent.trim());
  else if (/checkbox|radio/.test(node.type)) words.push(node.name, node.value);
  else words.push(node.name, node.ariaLabel ?? node.closest("label")?.textContent.trim());
  return `${node.tagName}|${words.join("|")}`;
}

// Everything that can hold a focus, a tick or words gets an id, so that it is the same after a redraw.
function christen(root) {
  const taken = new Set();
  for (const node of root.querySelectorAll(NAMED)) {
    if ((node.id && !node.id.startsWith("~")) || node.type === "hidden") continue;
    let id = "~" + keyOf(node).replace(/\s+/g, "_");
    while (taken.has(id)) id += "+";
    taken.add(id);
    node.id = id;
  }
  return root;
}

const kept = {
  beforeNodeMorphed: (old, next) => !(old.dataset && "keep" in old.dataset) && !isLeft(next),
  beforeAttributeUpdated(name, node) {
    if (name === "open") return node.tagName !== "DETAILS";
    return !((name === "checked" || name === "value") && touched.has(node));
  },
};

// -- Parts ----------------------------------------------------------------------------------------

// A table comes in parts (`live.part`), each between two comments. One that says what it said is not even parsed.
const PART = /<!--part (\S+)( later)?-->([\s\S]*?)<!--\/part-->/g;
const SEEN = /name="seq" value="\d+"/g; // differs in every form after every entry, and is kept in step by `catchUp`
const LEFT = "left as it is";
const drawnAs = new Map();

// What is in sheets waits until the verdict has been drawn: name -> html.
const waiting = new Map();

const partOf = (name) => document.getElementById(`part-${name}`);
const isLeft = (node) => node.firstChild?.nodeType === Node.COMMENT_NODE && node.firstChild.data === LEFT;

// The table without what can be left or can wait, and the names of the parts that are left.
function changed(html) {
  const same = [];
  const rest = html.replace(PART, (whole, name, later, words) => {
    const bare = words.replace(SEEN, "");
    const news = drawnAs.get(name) !== bare || waiting.delete(name);
    drawnAs.set(name, bare);
    if (!partOf(name) || (news && !later)) return whole;
    if (news) waiting.set(name, words);
    else same.push(name);
    return `<!--${LEFT}-->`;
  });
  return [rest, same];
}

// A part that was left has seen the entry, too.
function catchUp(names) {
  const seq = board()?.dataset.seq;
  for (const name of names)
    for (const field of partOf(name).querySelectorAll("input[name=seq]")) field.value = seq;
}

// -- Drawing --------------------------------------------------------------------------------------

// A table redrawn under a finger would lose its tap, and under a form on its way what the form
// says: what comes meanwhile waits.
const busy = { finger: false, form: false, missed: null };

function free(what) {
  busy[what] = false;
  if (busy.finger || busy.form) return;
  const missed = busy.missed;
  busy.missed = null;
  if (missed === null || !redraw(missed)) drawWaiting();
}

// The click of a lifted finger is still to come.
const lifted = () => setTimeout(free, 50, "finger");

function anew(html) {
  if (busy.finger || busy.form) busy.missed = html;
  else redraw(html);
}

// A page that was held up finds several tables waiting: only the newest is drawn.
function soon(html) {
  if (soon.newest === undefined)
    setTimeout(() => {
      anew(soon.newest);
      soon.newest = undefined;
    });
  soon.newest = html;
}

// Tables come by the stream and as answers to forms, often the same one twice, and the earlier one
// may come last: each is drawn once.
const shown = () => table.querySelector("template[data-version]").dataset;

function known(next) {
  return next.run === shown().run && Number(next.version) <= Number(shown().version);
}

const board = (root = table) => root.querySelector(".board");

// What was refused and is no longer: its ticks were wrong.
function untick(said) {
  const words = new Set((said ?? "").split(" "));
  for (const card of table.querySelectorAll("input[type=checkbox]:checked"))
    if (words.has(card.value)) card.checked = false;
}

function parsed(html) {
  const made = document.createElement("template");
  made.innerHTML = html;
  return christen(made.content);
}

// Whether it was drawn: one that is known already is not.
function redraw(html) {
  const arrived = performance.now();
  const head = parsed(html.slice(0, html.indexOf("</template>"))).querySelector("template");
  if (known(head.dataset)) return false;
  const refused = board()?.dataset.refused;
  const [rest, same] = changed(html);
  Idiomorph.morph(table, parsed(rest), { morphStyle: "innerHTML", callbacks: kept });
  catchUp(same);
  if (refused !== undefined && board()?.dataset.refused === undefined) untick(refused);
  settle();
  if (document.hidden) drawWaiting();
  else
    requestAnimationFrame(() =>
      setTimeout(() => {
        performance.measure("drawn", { start: arrived, end: performance.now() });
        drawWaiting();
      }),
    );
  return true;
}

// What could wait: nothing under a finger, nor under a form on its way.
function drawWaiting() {
  if (busy.finger || busy.form || !waiting.size) return;
  for (const [name, html] of waiting) {
    const made = parsed(`<div id="part-${name}" class="slot">${html}</div>`);
    if (partOf(name)) Idiomorph.morph(partOf(name), made.firstElementChild, { callbacks: kept });
  }
  waiting.clear();
  settle();
}

// Ticks that only this browser needs, such as those of a list, are still there after a reload.
function storeTick(box) {
  if (box.checked) localStorage.setItem(box.dataset.stored, "on");
  else localStorage.removeItem(box.dataset.stored);
}

function storedTicks() {
  for (const box of table.querySelectorAll("input[data-stored]"))
    box.checked = localStorage.getItem(box.dataset.stored) === "on";
}

// What the page itself knows of a table that was drawn anew.
function settle() {
  storedTicks();
  openOne();
  rove();
  worth();
  globalThis.moments?.(table);
  globalThis.findPicture?.();
}

// Where one of several is always open: whoever was chosen may have gone, then it is the first.
function openOne() {
  for (const row of table.querySelectorAll(".tab-row:has([data-always])"))
    if (!row.querySelector(":checked")) row.querySelector("input").checked = true;
}

// A grid is one stop of the keyboard; arrows walk in it.
function rove(to) {
  for (const grid of table.querySelectorAll("[data-arrows]")) {
    const cells = [...grid.querySelectorAll("input")];
    const at = cells.find((cell) => cell === (to ?? document.activeElement)) ?? cells.find((cell) => cell.tabIndex === 0) ?? cells[0];
    for (const cell of cells) cell.tabIndex = cell === at ? 0 : -1;
  }
}

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

function walk(event) {
  const step = STEPS[event.key];
  const grid = event.target.closest?.("[data-arrows]");
  if (!step || !grid) return;
  event.preventDefault();
  const rows = [...grid.children].map((row) => [...row.querySelectorAll("input")]);
  const y = rows.findIndex((row) => row.includes(event.target));
  const row = rows[(y + step[0] + rows.length) % rows.length];
  const x = rows[y].indexOf(event.target) + step[1];
  const to = row[Math.min((x + row.length) % row.length, row.length - 1)];
  rove(to);
  to.focus({ preventScroll: true });
}

// The digits of the chosen cards from high to low: what the set is worth.
function worth() {
  const out = table.querySelector("[data-worth]");
  if (!out) return;
  const digits = [...table.querySelectorAll("input[data-digit]:checked")].map((c) => c.dataset.digit);
  out.textContent = digits.sort().reverse().join("");
  table.querySelector("[data-play]").disabled = digits.length === 0;
}

function clearTicks() {
  for (const card of table.querySelectorAll("input[type=checkbox]:checked"))
    if (!("kept" in card.dataset)) card.checked = false;
  worth();
}

function toast(text, kind = "") {
  const place = document.getElementById("toast");
  place.textContent = text;
  place.className = `toast ${kind}`;
  place.hidden = false;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => (place.hidden = true), 6000);
}

function isAway(gone) {
  if (!gone && (away.hidden || away.textContent === away.dataset.back)) return;
  clearTimeout(isAway.timer);
  away.textContent = gone ? away.dataset.away : away.dataset.back;
  away.hidden = false;
  if (!gone) isAway.timer = setTimeout(() => (away.hidden = true), 2000);
}

// -- Saying ---------------------------------------------------------------------------------------

async function send(form, button) {
  if (form.dataset.ask && !confirm(form.dataset.ask)) return;
  const data = new FormData(form, button);
  const active = document.activeElement?.id;
  button?.setAttribute("aria-busy", "true");
  busy.form = table.inert = true; // a second tap would speak of a table that is about to change
  try {
    const reply = await fetch(form.action, {
      method: "POST",
      body: form.enctype === "multipart/form-data" ? data : new URLSearchParams(data), // files need the former
      headers: { "X-Live": "1" },
      signal: AbortSignal.timeout?.(15000), // the plug may be out: the page must not stay locked
    });
    const text = await reply.text();
    isAway(false);
    if (!reply.ok) return toast(text);
    heard(reply.headers, form);
    redraw(text);
  } catch {
    isAway(true);
  } finally {
    table.inert = false;
    button?.removeAttribute("aria-busy");
    refocus(active);
    free("form");
  }
}

function heard(headers, form) {
  const verdict = headers.get("X-Verdict");
  if (verdict === "accepted") {
    for (const field of form.querySelectorAll(FIELDS)) touched.delete(field);
    form.reset(); // what was typed has been said
    if ("clears" in form.dataset) clearTicks();
  }
  if (verdict || "closes" in form.dataset)
    form.closest("[popover]:popover-open")?.hidePopover?.(); // what follows is on the table
  if (verdict === "stale") toast(table.dataset.stale);
  const said = headers.get("X-Said");
  if (said) toast(decodeURIComponent(said), "good");
}

// Where the keyboard was before; if that has gone, on what has to be answered, or on the entry.
function refocus(id) {
  const answer = document.getElementById("change-it");
  const at = id && document.getElementById(id);
  if (answer && !at?.closest(".takes-over")) return answer.focus({ preventScroll: true });
  if (at && !at.disabled) return at.focus({ preventScroll: true });
  if (id) table.querySelector(".entry input:not([type=hidden]), .entry button")?.focus({ preventScroll: true });
}

// -- Following ------------------------------------------------------------------------------------

// A stream beats every ten seconds; one whose plug was pulled ends without a word.
const SILENCE = 25000;

// Follow the stream; where there is no place on it, look in now and then.
function follow() {
  const stream = new EventSource(table.dataset.stream);
  let silence;
  const listen = () => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      stream.close();
      isAway(true);
      follow();
    }, SILENCE);
  };
  const here = () => {
    isAway(false);
    listen();
  };
  listen(); // it may never open
  stream.onopen = here;
  stream.onerror = () => {
    clearTimeout(silence);
    isAway(true);
    if (stream.readyState === EventSource.CLOSED) setTimeout(look, 1000);
  };
  stream.addEventListener("beat", here);
  stream.addEventListener("table", (message) => {
    here();
    soon(message.data);
  });
  stream.addEventListener("entry", (message) => {
    document.getElementById("heard").textContent = message.data;
  });
}

async function look(times = 5) {
  try {
    const reply = await fetch(table.dataset.table);
    if (reply.ok) anew(await reply.text());
    isAway(!reply.ok);
  } catch {
    isAway(true);
  }
  setTimeout(() => (times > 1 ? look(times - 1) : follow()), 3000);
}

table.addEventListener("pointerdown", () => (busy.finger = true));
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, lifted);
table.addEventListener("submit", (event) => {
  if (!("live" in event.target.dataset)) return;
  event.preventDefault();
  send(event.target, event.submitter);
});
table.addEventListener("input", (event) => touched.add(event.target));
table.addEventListener("change", (event) => {
  touched.add(event.target);
  if (event.target.dataset.stored) storeTick(event.target);
  worth();
});
table.addEventListener("keydown", walk);
table.addEventListener("focusin", (event) => event.target.closest("[data-arrows]") && rove(event.target));
christen(table);
storedTicks();
rove();
worth();
globalThis.moments?.(table, true);
follow();
