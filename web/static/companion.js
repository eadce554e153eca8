// The live page. Everything here also works without it: forms post, pages reload.
"use strict";

const table = document.getElementById("table");
const away = document.getElementById("away");

// What people are in the middle of choosing outlives a redraw of the table.
const chosen = new Set();

function redraw(html) {
  const focused = document.activeElement?.getAttribute?.("value");
  const open = [...table.querySelectorAll("details")].map((each) => each.open);
  table.innerHTML = html;
  table.querySelectorAll("details").forEach((each, n) => (each.open = open[n] ?? each.open));
  for (const card of table.querySelectorAll("input[type=checkbox]")) {
    card.checked = chosen.has(card.value);
    if (card.value === focused) card.focus({ preventScroll: true });
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

function toast(text) {
  const place = document.getElementById("toast");
  place.textContent = text;
  place.hidden = false;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => (place.hidden = true), 6000);
}

function isAway(gone) {
  if (gone === !away.hidden && away.textContent !== away.dataset.back) return;
  clearTimeout(isAway.timer);
  away.textContent = gone ? away.dataset.away : away.dataset.back;
  if (gone) away.hidden = false;
  else isAway.timer = setTimeout(() => (away.hidden = true), 2000);
}

async function send(form, button) {
  if (form.dataset.ask && !confirm(form.dataset.ask)) return;
  const data = new FormData(form, button);
  button?.setAttribute("aria-busy", "true");
  try {
    const reply = await fetch(form.action, {
      method: "POST",
      body: new URLSearchParams(data),
      headers: { "X-Live": "1" },
    });
    const text = await reply.text();
    if (!reply.ok) return toast(text);
    if (reply.headers.get("X-Verdict") === "accepted" && "clears" in form.dataset) chosen.clear();
    redraw(text);
  } catch {
    isAway(true);
  } finally {
    button?.removeAttribute("aria-busy");
  }
}

// Follow the stream; where there is no place on it, look in now and then.
function follow() {
  const stream = new EventSource(table.dataset.stream);
  stream.onopen = () => !away.hidden && isAway(false);
  stream.onerror = () => {
    isAway(true);
    if (stream.readyState === EventSource.CLOSED) setTimeout(look, 1000);
  };
  stream.addEventListener("table", (message) => redraw(message.data));
  stream.addEventListener("entry", (message) => {
    document.getElementById("heard").textContent = message.data;
  });
}

async function look(times = 5) {
  try {
    const reply = await fetch(table.dataset.table);
    if (reply.ok) redraw(await reply.text());
    isAway(!reply.ok);
  } catch {
    isAway(true);
  }
  setTimeout(() => (times > 1 ? look(times - 1) : follow()), 3000);
}

if (table) {
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
