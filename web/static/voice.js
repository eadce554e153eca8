// Speaks what happens at the table, with the browser's own speech. Each sentence is said to its end
// and once: what was there before is not said, and after a correction only what was corrected.
"use strict";

{
  const shown = document.getElementById("table") ?? document.getElementById("wall-part");
  const speech = window.speechSynthesis;
  const place = () => document.querySelector("[data-said]"); // drawn anew with the table
  const ON = "voice";
  const SILENT = "voice-silent"; // the topics that this page does not say

  // What this page has heard: the game, and a key for each topic and place.
  let heard = null;

  const at = (each) => `${each.topic} ${each.place}`;

  // The same fold as `listened` of companion/views/voice.py.
  function listen({ game, most, said }) {
    const before = heard;
    const keys = new Map(said.map((each) => [at(each), each.key]));
    heard = { game, keys, last: Math.max(0, ...said.map((each) => each.place)) };
    if (before === null || before.game !== game) return [];
    const fresh = [];
    for (const each of said) {
      if (before.keys.get(at(each)) === each.key) continue;
      const play = before.keys.get(`plays ${each.place}`);
      if (each.place === 0 || each.place > before.last) fresh.push(each);
      else if (play !== undefined && play !== keys.get(`plays ${each.place}`))
        fresh.push({ ...each, text: each.corrected });
    }
    const spoken = fresh.filter((each) => each.text);
    const plays = spoken.filter((each) => each.topic === "plays");
    const late = plays.length > most ? plays.slice(0, -1) : [];
    return spoken.filter((each) => !late.includes(each));
  }

  function speak(text) {
    const words = new SpeechSynthesisUtterance(text);
    words.lang = document.documentElement.lang;
    words.voice = speech.getVoices().find((each) => each.lang.startsWith(words.lang)) ?? null;
    speech.speak(words); // the browser queues them: none is cut off by the next
  }

  const on = () => localStorage.getItem(ON) === "on";
  const silent = () => new Set(JSON.parse(localStorage.getItem(SILENT) ?? "[]"));

  let asked = false;
  async function look() {
    asked = false;
    try {
      const reply = await fetch(place().dataset.said);
      if (!reply.ok || !on()) return;
      const not = silent();
      for (const each of listen(await reply.json())) if (!not.has(each.topic)) speak(each.text);
    } catch {
      // the box is away: the page says so
    }
  }

  function changed() {
    show(); // the switches were drawn anew, too
    if (!on() || asked) return;
    asked = true;
    setTimeout(look, 30);
  }

  function show() {
    const not = silent();
    for (const box of shown.querySelectorAll("[data-voice]")) box.checked = on();
    for (const box of shown.querySelectorAll("[data-topic]")) box.checked = !not.has(box.value);
  }

  function chosen({ target }) {
    if (target.matches("[data-topic]")) {
      const not = [...shown.querySelectorAll("[data-topic]:not(:checked)")].map((box) => box.value);
      localStorage.setItem(SILENT, JSON.stringify(not));
    }
    if (!target.matches("[data-voice]")) return;
    localStorage.setItem(ON, target.checked ? "on" : "off");
    heard = null;
    if (!on()) return speech.cancel();
    speak(place().dataset.on);
    changed();
  }

  if (shown && speech && place()) {
    document.documentElement.classList.add("speaks");
    shown.addEventListener("change", chosen);
    const drawn = { childList: true, subtree: true, characterData: true, attributes: true };
    new MutationObserver(changed).observe(shown, { ...drawn, attributeFilter: ["data-version"] });
    changed();
  }
}
