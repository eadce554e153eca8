// Where the browser allows it: keeps the page for times when the box is away, and keeps the screen awake at the table.
"use strict";

{
  if ("serviceWorker" in navigator && isSecureContext)
    navigator.serviceWorker.register("/worker.js").catch(() => {}); // a browser may forbid it; the page works without

  // The screen stays on while a game is on the table. Browsers offer that over HTTPS only; elsewhere a silent
  // film of a few frames does it, once somebody has tapped.
  const table = document.getElementById("table");
  let lock = null;

  async function ask() {
    if (document.visibilityState !== "visible" || lock) return;
    try {
      lock = await navigator.wakeLock.request("screen");
      lock.addEventListener("release", () => (lock = null));
    } catch {
      lock = null; // the battery is low, or the person said no
    }
  }

  function film() {
    const video = document.createElement("video");
    video.muted = video.loop = video.playsInline = true;
    video.className = "keeps-awake";
    video.setAttribute("aria-hidden", "true");
    video.tabIndex = -1;
    video.src = table.dataset.awake;
    document.body.append(video);
    const play = () => document.visibilityState === "visible" && video.play().catch(() => {});
    document.addEventListener("visibilitychange", play);
    play();
  }

  if (table?.dataset.awake !== undefined) {
    if ("wakeLock" in navigator) {
      document.addEventListener("visibilitychange", ask);
      ask();
    } else if (matchMedia("(pointer: coarse)").matches) {
      addEventListener("pointerup", film, { once: true });
    }
  }
}
