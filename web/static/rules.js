// Searches the rules as one types; without it the page is simply all of them.
"use strict";

// A block of its own: other scripts of the page have names too.
{
  const field = document.querySelector("[data-rules-search]");
  const none = document.querySelector("[data-none]");
  const plain = (text) => text.normalize("NFD").replace(/\p{Diacritic}/gu, "").toLowerCase();

  function search() {
    const words = plain(field.value).split(/\s+/).filter(Boolean);
    let found = 0;
    for (const chapter of document.querySelectorAll(".chapter")) {
      const title = plain(chapter.querySelector("h2").textContent);
      let here = 0;
      for (const rule of chapter.querySelectorAll("[data-rule]")) {
        const text = `${title} ${plain(rule.textContent)}`;
        rule.hidden = !words.every((word) => text.includes(word));
        here += !rule.hidden;
      }
      chapter.hidden = here === 0;
      found += here;
    }
    none.hidden = found > 0;
  }

  field.addEventListener("input", search);
  search(); // a browser may have kept what was typed
}
