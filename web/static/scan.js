// A phone as a camera: a picture is shrunk before it is sent, and sent as soon as it is taken.
"use strict";

const LONG_SIDE_PX = 1600; // as large as the box reads it
const QUALITY = 0.88;

const busy = document.getElementById("busy");
const toast = document.getElementById("toast");

async function shrunk(file) {
  try {
    const image = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, LONG_SIDE_PX / Math.max(image.width, image.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(image.width * scale));
    canvas.height = Math.max(1, Math.round(image.height * scale));
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    image.close();
    const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
    return blob ?? file;
  } catch {
    return file; // what this phone cannot open, the box may; or it says why not
  }
}

function trouble(words) {
  toast.hidden = !words;
  toast.textContent = words;
}

async function send(form) {
  const input = form.querySelector("input[type=file]");
  if (!input.files.length) return;
  trouble("");
  busy.textContent = busy.dataset.words;
  const fields = new FormData();
  for (const field of form.querySelectorAll("input[type=hidden]")) fields.append(field.name, field.value);
  for (const file of input.files) fields.append("picture", await shrunk(file), file.name || "picture.jpg");
  try {
    const reply = await fetch(form.action, { method: "POST", body: fields, headers: { "X-Live": "1" } });
    if (reply.ok) return location.assign(reply.url);
    trouble((await reply.text()).trim());
  } catch {
    const away = document.getElementById("away");
    trouble(away ? away.dataset.away : "");
  }
  busy.textContent = "";
  input.value = "";
}

for (const form of document.querySelectorAll("form[data-scan]")) {
  form.addEventListener("change", () => send(form));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}
