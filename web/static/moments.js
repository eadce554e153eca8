// Moments: a second of motion, a sound made on the spot, a short buzz. They are the page's own doing: a part with
// `data-moment` has its moment when its `data-moment-key` is new. Sound has its switch; what matters is also felt, with
// or without sound. Nothing moves or buzzes where people ask for less.
"use strict";

{
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const SOUND = "sound";
  const wanted = () => localStorage.getItem(SOUND) === "on";
  let speaker = null;

  // -- Sound: struck wood, a low horn, a drum. No files.
  function voice(at, { kind = "sine", from, to = from, long, loud = 0.2 }) {
    const tone = speaker.createOscillator();
    const level = speaker.createGain();
    tone.type = kind;
    tone.frequency.setValueAtTime(from, at);
    tone.frequency.exponentialRampToValueAtTime(to, at + long);
    level.gain.setValueAtTime(0.0001, at);
    level.gain.exponentialRampToValueAtTime(loud, at + 0.012);
    level.gain.exponentialRampToValueAtTime(0.0001, at + long);
    tone.connect(level).connect(speaker.destination);
    tone.start(at);
    tone.stop(at + long + 0.05);
  }

  function horn(at, from, long) {
    for (const [times, loud] of [[1, 0.16], [2, 0.07], [3, 0.03]])
      voice(at, { kind: "sawtooth", from: from * times, to: from * times * 1.01, long, loud });
  }

  const SOUNDS = {
    laid: (t) => voice(t, { kind: "triangle", from: 420, to: 180, long: 0.12, loud: 0.25 }),
    refused: (t) => [0, 0.16].forEach((d) => voice(t + d, { kind: "square", from: 150, to: 95, long: 0.16, loud: 0.12 })),
    draugr: (t) => [98, 104, 147].forEach((from) => voice(t, { kind: "sawtooth", from, to: from / 2, long: 1.1, loud: 0.1 })),
    battle: (t) => [0, 0.13].forEach((d) => voice(t + d, { kind: "sine", from: 120, to: 50, long: 0.25, loud: 0.4 })),
    built: (t) => [0, 0.09].forEach((d) => voice(t + d, { kind: "triangle", from: 300, to: 140, long: 0.09, loud: 0.18 })),
    season: (t) => [196, 247, 294].forEach((from, n) => voice(t + n * 0.2, { from, long: 0.7, loud: 0.08 })),
    hand: (t) => [294, 392].forEach((from, n) => voice(t + n * 0.14, { kind: "triangle", from, long: 0.4, loud: 0.2 })),
    victory: (t) => [147, 196, 220, 294].forEach((from, n) => horn(t + n * 0.22, from, n === 3 ? 1.2 : 0.3)),
  };

  const BUZZ = { laid: 20, refused: [80, 60, 80], draugr: [200, 80, 200], battle: 40, hand: [40, 40, 40], victory: [60, 50, 60, 50, 250] };
  const FELT = ["refused", "draugr", "hand", "victory"]; // also without sound

  // A page nobody has touched may not buzz: browsers would only complain.
  function buzz(moment) {
    if (still.matches || !navigator.userActivation?.hasBeenActive) return;
    if (wanted() || FELT.includes(moment)) navigator.vibrate?.(BUZZ[moment] ?? 0);
  }

  function sound(moment) {
    if (!wanted() || !SOUNDS[moment]) return;
    speaker ??= new AudioContext();
    speaker.resume().then(() => SOUNDS[moment](speaker.currentTime + 0.02), () => {});
  }

  const seen = new Set();

  // Called after every drawing of the table; at the first nothing is new, it was like that.
  globalThis.moments = (root, first = false) => {
    for (const part of root.querySelectorAll("[data-moment]")) {
      const key = part.dataset.moment + part.dataset.momentKey;
      if (seen.has(key)) continue;
      seen.add(key);
      if (first) continue;
      const moment = part.dataset.moment;
      sound(moment);
      buzz(moment);
      document.documentElement.dataset.lastMoment = moment;
      if (still.matches) continue;
      part.classList.remove("moment");
      void part.offsetWidth; // so that it begins anew
      part.classList.add("moment");
    }
    for (const each of root.querySelectorAll("[data-sound]")) each.checked = wanted();
  };

  addEventListener("change", (event) => {
    if (!event.target.matches?.("[data-sound]")) return;
    localStorage.setItem(SOUND, event.target.checked ? "on" : "off");
    if (event.target.checked) sound("laid");
  });
}
