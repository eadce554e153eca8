// The live page. Everything here also works without it: forms post, pages reload.
"use strict";

const table = document.getElementById("table");
const away = document.getElementById("away");

// What people are in the middle of choosing outlives a redraw of the table.
const chosen = new Set();

// A fold is known by its words and by whom it belongs to, wherever it moves to.
function named(fold) {
  const owner = fold.closest("[data-asked], [data-seat]")?.dataset;
  return [owner?.asked ?? owner?.seat, fold.querySelector("summary").textContent.trim()].join("|");
}

// A field is known by its fold and its label.
function labelled(field) {
  const fold = field.closest("details");
  const label = field.ariaLabel ?? field.closest("label")?.textContent.trim();
  return [fold && named(fold), label].join("|");
}

// A table redrawn under a finger would lose its tap, and under a form on its way what the form
// says: what comes meanwhile waits.
const busy = { finger: false, form: false, missed: null };

function free(what) {
  busy[what] = false;
  if (busy.finger || busy.form || busy.missed === null) return;
  redraw(busy.missed);
  busy.missed = null;
}

// The click of a lifted finger is still to come.
const lifted = () => setTimeout(free, 50, "finger");

function anew(html) {
  if (busy.finger || busy.form) busy.missed = html;
  else redraw(html);
}

// Tables come by the stream and as answers to forms, and the earlier one may come last.
const shown = () => table.querySelector("template[data-version]").dataset;

function older(next) {
  return next.run === shown().run && Number(next.version) < Number(shown().version);
}

const FIELDS = "input:not([type]), input[type=number], select";

function untouched(field) {
  if (field.tagName !== "SELECT") return field.value === field.defaultValue;
  const first = [...field.options].find((each) => each.defaultSelected) ?? field.options[0];
  return field.value === first?.value;
}

function redraw(html, active = document.activeElement) {
  const made = document.createElement("template");
  made.innerHTML = html;
  if (older(made.content.querySelector("template[data-version]").dataset)) return;
  const open = new Set([...table.querySelectorAll("details[open]")].map(named));
  const typed = new Map();
  for (const field of table.querySelectorAll(FIELDS))
    if (!untouched(field)) typed.set(labelled(field), field.value);
  const focus = table.contains(active) && (active.matches(FIELDS) ? labelled(active) : active.value);
  const marked = active?.type === "text" ? [active.selectionStart, active.selectionEnd] : null;
  table.replaceChildren(made.content);
  for (const each of table.querySelectorAll("details")) each.open ||= open.has(named(each));
  for (const field of table.querySelectorAll(FIELDS)) {
    field.value = typed.get(labelled(field)) ?? field.value;
    if (labelled(field) !== focus) continue;
    field.focus({ preventScroll: true });
    if (marked) field.setSelectionRange(...marked); // somebody is in the middle of a word
  }
  for (const card of table.querySelectorAll("input[type=checkbox]")) {
    card.checked = chosen.has(card.value);
    if (card.value === focus) card.focus({ preventScroll: true });
  }
  worth();
}

// The digits of the chosen cards from high to low: what the set is worth.
function worth() {
  const out = table.querySelector("[data-worth]");
  if (!out) return;
  const digits = [...table.querySelectorAll("input[data-digit]:checked")].map((c) => c.dataset.digit);
  out.textContent = digits.sort().reverse().join("");
  table.querySelector("[data-play]").disabled = digits.length === 0;
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

async function send(form, button) {
  if (form.dataset.ask && !confirm(form.dataset.ask)) return;
  const data = new FormData(form, button);
  const active = document.activeElement;
  button?.setAttribute("aria-busy", "true");
  busy.form = table.inert = true; // a second tap would speak of a table that is about to change
  try {
    const reply = await fetch(form.action, {
      method: "POST",
      body: new URLSearchParams(data),
      headers: { "X-Live": "1" },
      signal: AbortSignal.timeout?.(15000), // the plug may be out: the page must not stay locked
    });
    const text = await reply.text();
    isAway(false);
    if (!reply.ok) return toast(text);
    if (reply.headers.get("X-Verdict") === "accepted") {
      form.reset(); // what was typed has been said
      if ("clears" in form.dataset) chosen.clear();
    }
    if (reply.headers.get("X-Verdict") === "stale") toast(table.dataset.stale);
    const said = reply.headers.get("X-Said");
    if (said) toast(decodeURIComponent(said), "good");
    redraw(text, active);
  } catch {
    isAway(true);
  } finally {
    table.inert = false;
    button?.removeAttribute("aria-busy");
    free("form");
  }
}

// A stream beats every ten seconds; one whose plug was pulled ends without a word.
const SILENCE = 25000;

// Follow the stream; where there is no place on it, look in now and then.
function follow() {
  const stream = new EventSource(table.dataset.stream);
  let silence;
  const here = () => {
    isAway(false);
    clearTimeout(silence);
    silence = setTimeout(() => {
      stream.close();
      isAway(true);
      follow();
    }, SILENCE);
  };
  stream.onopen = here;
  stream.onerror = () => {
    clearTimeout(silence);
    isAway(true);
    if (stream.readyState === EventSource.CLOSED) setTimeout(look, 1000);
  };
  stream.addEventListener("beat", here);
  stream.addEventListener("table", (message) => {
    here();
    anew(message.data);
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

if (table) {
  table.addEventListener("pointerdown", () => (busy.finger = true));
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, lifted);
  table.addEventListener("submit", (event) => {
    if (!("live" in event.target.dataset)) return;
    event.preventDefault();
    send(event.target, event.submitter);
  });
  table.addEventListener("change", (event) => {
    if (event.target.type !== "checkbox") return;
    if (event.target.checked) chosen.add(event.target.value);
    else chosen.delete(event.target.value);
    worth();
  });
  worth();
  follow();
}
