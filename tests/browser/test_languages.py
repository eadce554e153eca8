"""Six languages in a real browser: nothing is wider than the smallest phone, no text is cut off,
and a page speaks."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from companion.views.speech import LANGUAGES
from tests.browser import every_page, looking
from tests.browser.conftest import Companion, Seat, Sit

pytestmark = pytest.mark.browser

SMALLEST = {"width": 320, "height": 640}
GAMES: dict[str, tuple[str, ...]] = {
    "odin": ("deal A", "A r1 r2 r3 r4 r5 r6 r7 r8 r9", "count 0 9 9", "deal B", "B r5", "C b2"),
    "valhalla": ("A first", "all ready"),
    "valhal": ("first A",),
}
UNFIT = """async (languages) => {
  // Once loaded, a page is drawn again in each language: style sheets and typefaces stay.
  const most = document.documentElement.clientWidth;
  const say = (each) => `${each.className}: ${each.textContent.trim().slice(0, 60)}`;
  const wide = (each) => {
    const box = each.getBoundingClientRect();
    return box.width > 0 && box.right > most + 1 && !each.closest("svg, .unseen");
  };
  // Words that do not fit where they stand. Names are people's own: they may be of any length. A
  // notice in one line has all its words in its sheet.
  const words = (node) => node.nodeType === Node.TEXT_NODE && node.data.trim();
  const own = (each) => [...each.childNodes].some(words);
  const cut = (each) => {
    if (!own(each) || each.closest(".unseen, svg, select, [class*=name], .told")) return false;
    const style = getComputedStyle(each);
    if (!each.checkVisibility() || style.position === "absolute" || style.overflowX === "visible")
      return false;
    if (each.scrollWidth > each.clientWidth + 1) return style.overflowX !== "auto";
    return style.webkitLineClamp !== "none" && each.scrollHeight > each.clientHeight + 2;
  };
  const found = {};
  for (const language of languages) {
    const where = location.pathname + location.search;
    const reply = await fetch(where, { headers: { "Accept-Language": language } });
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    document.documentElement.lang = page.documentElement.lang;
    document.body.className = page.body.className;
    document.body.innerHTML = page.body.innerHTML;
    const all = [...document.querySelectorAll("body *")];
    const faults = all.filter(cut).slice(0, 5).map((each) => `cut: ${say(each)}`);
    if (page.documentElement.lang !== language) faults.push("another language");
    if (document.documentElement.scrollWidth > most)
      faults.push(document.documentElement.scrollWidth, ...all.filter(wide).slice(0, 5).map(say));
    if (faults.length) found[language] = faults;
  }
  return found;
}"""
HEARD = """
window.said = [];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, "speechSynthesis", { value: {
  speak: (each) => window.said.push([each.lang, each.text]), cancel() {}, getVoices: () => [],
} });
"""


def post(seat: Seat, path: str, **form: str | tuple[str, ...]) -> None:
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    seat.page.request.post(seat.address + path, data=urlencode(form, doseq=True), headers=kind)


def enter(seat: Seat, line: str) -> None:
    """As any page does, having seen the table as it is now."""
    table = seat.page.request.get(f"{seat.address}/table").text()
    seen = re.search(r'name="seq" value="(\d+)"', table)
    assert seen is not None
    post(seat, "/act", say=line, seq=seen[1])


class Reading:
    """Looks at pages in all six languages, and keeps what does not fit."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.found: dict[str, object] = {}

    def look(self, *paths: str, where: str = "") -> None:
        for path in paths:
            self.seat.page.goto(self.seat.address + path, wait_until="domcontentloaded")
            unfit = self.seat.page.evaluate(UNFIT, list(LANGUAGES))
            if unfit:
                self.found[where or path] = unfit


def test_every_page_fits_the_smallest_phone_in_any_language(sit: Sit) -> None:
    seat = sit(size=SMALLEST)
    reading = Reading(seat)
    reading.look(*every_page.ANY_TIME)
    for game, lines in GAMES.items():
        names = ("Wolfgang-Amadeus", "Bo", "Cleopatra")
        post(seat, "/games", game=game, name=names, sure="yes")
        for line in lines:
            enter(seat, line)
        reading.look("/", where=game)
        assert f"/rules/{game}" in seat.page.content()
    reading.look(*every_page.SCANNED, *every_page.AFTER_GAMES)
    assert reading.found == {}


def test_every_watched_page_fits_the_smallest_phone_in_any_language(
    sit: Sit, companion: Companion
) -> None:
    companion.kill(15)
    companion.words = ("--camera", "simulated:odin,seed=5,speed=4")
    companion.start()
    seat = sit(size=SMALLEST)
    seat.expected = looking.CROP_GONE
    seat.open()
    card = seat.page.locator("#above .mat a[href]").last
    card.wait_for(state="attached", timeout=120_000)
    reading = Reading(seat)
    reading.look(card.get_attribute("href") or "", where="put right")
    reading.look("/", *every_page.WATCHED)
    assert reading.found == {}


def test_a_page_becomes_the_voice_of_the_table(sit: Sit) -> None:
    speaking, other = sit(language="de"), sit()
    speaking.page.add_init_script(HEARD)
    other.set_up(("Anna", "Ben"))
    enter(other, "deal A")
    speaking.open()
    speaking.page.locator("[data-voice]").evaluate("each => each.click()")
    expect(speaking.page.locator("[data-voice]")).to_be_checked()

    def heard() -> list[list[str]]:
        said: list[list[str]] = speaking.page.evaluate("window.said")
        return said

    assert heard() == [["de", "Diese Seite spricht jetzt."]]
    speaking.page.wait_for_timeout(200)  # it asks what has been said so far
    for line, words in (("A r5", "Anna, rot 5."), ("B b3", "Nicht erlaubt: 3 schlägt 5 nicht.")):
        enter(other, line)
        speaking.page.wait_for_function(
            "words => said.some((each) => each[1] === words)", arg=words
        )
    speaking.page.reload()  # the phone remembers that it speaks, and tells no old news
    expect(speaking.page.locator("[data-voice]")).to_be_checked()
    assert heard() == []
