// Keeps the page useful while the box is away: what was seen last can still be read. It answers from the box
// whenever the box answers; nothing that was typed is kept or sent later.
"use strict";

const KEPT = "table-1";
const AWAY = "/away";
const MOST = 80; // pages, drawings and faces
const NEVER = /^\/(stream|view\.json|table\.jpg|lying\.json|things\/|seat\/|wall|people\.csv|certificate\.crt)/;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.add(AWAY)));
  skipWaiting();
});

addEventListener("activate", (event) => {
  const older = (names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(older).then(() => clients.claim()));
});

async function keep(request, reply) {
  const kept = await caches.open(KEPT);
  await kept.put(request, reply);
  const all = await kept.keys();
  for (const old of all.slice(0, Math.max(0, all.length - MOST))) if (!old.url.endsWith(AWAY)) await kept.delete(old);
}

async function answer(request) {
  try {
    const reply = await fetch(request);
    if (reply.ok && reply.type === "basic" && !reply.redirected) keep(request, reply.clone()).catch(() => {});
    return reply;
  } catch (gone) {
    const kept = await caches.open(KEPT);
    const last = await kept.match(request);
    if (last) return last;
    if (request.mode === "navigate") return (await kept.match(AWAY)) ?? Response.error();
    throw gone;
  }
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const where = new URL(request.url);
  if (request.method !== "GET" || where.origin !== location.origin || NEVER.test(where.pathname)) return;
  event.respondWith(answer(request));
});
