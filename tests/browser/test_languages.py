"""Six languages in a real browser: nothing is wider than the smallest phone, and a page speaks."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from companion.views.speech import LANGUAGES
from tests.browser.conftest import Seat, Sit

pytestmark = pytest.mark.browser

SMALLEST = {"width": 320, "height": 640}
ANY_TIME = (
    *("/new", "/learn/odin", "/sheet/valhal", "/rules/valhal", "/set-up", "/join", "/who"),
    *("/who/devices", "/install", "/licences", "/away"),
)
AT_LAST = ("/home", "/games", "/people", "/people/1", "/wall", "/games/1", "/games/1/resume")
GAMES: dict[str, tuple[str, ...]] = {
    "odin": ("deal A", "A r1 r2 r3 r4 r5 r6 r7 r8 r9", "count 0 9 9", "deal B", "B r5", "C b2"),
    "valhalla": ("A first", "all ready"),
    "valhal": ("first A",),
}
WIDER = """async (languages) => {
  // Once loaded, a page is drawn again in each language: style sheets and typefaces stay.
  const most = document.documentElement.clientWidth;
  const wide = (each) => {
    const box = each.getBoundingClientRect();
    return box.width > 0 && box.right > most + 1 && !each.closest("svg, .unseen");
  };
  const found = {};
  for (const language of languages) {
    const reply = await fetch(location.pathname, { headers: { "Accept-Language": language } });
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    document.documentElement.lang = page.documentElement.lang;
    document.body.className = page.body.className;
    document.body.innerHTML = page.body.innerHTML;
    if (page.documentElement.lang !== language) found[language] = ["another language"];
    if (document.documentElement.scrollWidth > most)
      found[language] = [document.documentElement.scrollWidth,
        ...[...document.querySelectorAll("body *")].filter(wide).slice(0, 5)
          .map((each) => `${each.className}: ${each.textContent.trim().slice(0, 40)}`)];
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


def test_no_page_is_wider_than_the_smallest_phone_in_any_language(sit: Sit) -> None:
    seat = sit(size=SMALLEST)
    found: dict[str, object] = {}

    def look(paths: tuple[str, ...]) -> None:
        for path in paths:
            seat.page.goto(seat.address + path, wait_until="domcontentloaded")
            wider = seat.page.evaluate(WIDER, list(LANGUAGES))
            if wider:
                found[path] = wider

    look(ANY_TIME)
    for game, lines in GAMES.items():
        names = ("Wolfgang-Amadeus", "Bo", "Cleopatra")
        post(seat, "/games", game=game, name=names, sure="yes")
        for line in lines:
            enter(seat, line)
        look(("/",))
        assert f"/rules/{game}" in seat.page.content()
    look(AT_LAST)
    assert found == {}


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
