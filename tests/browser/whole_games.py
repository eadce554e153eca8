"""Whole games followed by four screens at once: after every step, is the verdict in view, and what
one does next?"""

from __future__ import annotations

import json
import urllib.parse
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import Browser, Page

from companion.bench.games import random_game
from companion.core.catalog import game_named
from companion.core.game import Setup
from companion.games.valhal import bookkeeping
from tests.browser import looking
from tests.browser.conftest import Companion

NAMES = ("Anna", "Ben", "Cleo")
LONGEST_YEARS = 30
PATIENCE_SECONDS = 60

_HIDDEN = """() => {
  const seen = (each) => each.checkVisibility() && each.getBoundingClientRect().width > 1;
  const inside = (each) => {
    const box = each.getBoundingClientRect();
    if (box.top < -1 || box.left < -1) return false;
    return box.bottom <= innerHeight + 1 && box.right <= innerWidth + 1;
  };
  const free = (each) => {
    const box = each.getBoundingClientRect();
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return Boolean(top) && (each.contains(top) || top.contains(each));
  };
  const say = (each) => each.textContent.trim().replace(/\\s+/g, " ").slice(0, 30);
  const acts = [...document.querySelectorAll(
    ".entry button:not([type=button]), .entry .tab-row label, .entry .cell")].filter(seen);
  const needed = [acts[0], acts.find((each) => each.matches(".main"))].filter(Boolean);
  if (!document.querySelector(".valhal")) needed.push(...acts);
  const found = needed.filter((each) => !inside(each) || !free(each)).map(say);
  const verdict = document.querySelector(".verdict");
  if (!verdict || !inside(verdict)) found.push("the verdict");
  if (!acts.length) found.push("anything to do");
  const over = document.querySelector(".board").dataset.phase === "over";
  if (over && !document.querySelector(".over h2")) found.push("the podium");
  if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the screen");
  return [...new Set(found)];
}"""


@dataclass(frozen=True, slots=True)
class Game:
    """A whole game: its name, options and every line that is entered."""

    name: str
    lines: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Look:
    """What was out of view after a step, on one screen."""

    step: int
    line: str
    size: tuple[int, int]
    hidden: list[str]


def played(name: str, seed: int, *options: tuple[str, str]) -> Game:
    """A game by chance, the same for the same seed."""
    rules = game_named(name)
    steps = random_game(Setup(name, NAMES, "en", options), seed)
    return Game(name, tuple(rules.format(action) for _, action in steps), options)


def settled(seed: int) -> Game:
    """A game of Valhal by a busy table, to its end."""
    steps = bookkeeping.game(seed, LONGEST_YEARS)
    return Game("valhal", tuple(line for _, line in steps))


def follow(
    browser: Browser, companion: Companion, game: Game, *, every: bool = True
) -> Iterator[Look]:
    """Plays the game, and looks at four screens after each step; else where a phase is new, and at
    the end."""
    _post(companion, "/games", _opening(game))
    with _screens(browser, companion) as screens:
        phases: set[str] = set()
        for step, line in enumerate(("", *game.lines)):
            if line:
                _post(companion, "/act", [("say", line), ("seq", str(_view(companion)["seq"]))])
            view = _view(companion)
            phase = str(view["table"]["phase"])  # type: ignore[index]
            if every or phase not in phases or step == len(game.lines):
                phases.add(phase)
                yield from _looks(screens, step, line, str(view["seq"]))


def _looks(screens: Iterable[Page], step: int, line: str, seq: str) -> Iterator[Look]:
    for screen, size in zip(screens, looking.SIZES, strict=True):
        drawn = screen.locator(f".board[data-seq='{seq}']")
        drawn.wait_for(state="attached", timeout=PATIENCE_SECONDS * 1000)
        yield Look(step, line, size, screen.evaluate(_HIDDEN))


@contextmanager
def _screens(browser: Browser, companion: Companion) -> Iterator[list[Page]]:
    contexts = [
        browser.new_context(
            viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", locale="en"
        )
        for size in looking.SIZES
    ]
    try:
        pages = [context.new_page() for context in contexts]
        for page in pages:
            page.goto(companion.address)
        yield pages
    finally:
        for context in contexts:
            context.close()


def _opening(game: Game) -> list[tuple[str, str]]:
    fields = [("game", game.name), ("sure", "yes"), *(("name", each) for each in NAMES)]
    return fields + [(f"option.{name}", value) for name, value in game.options]


def _post(companion: Companion, path: str, fields: list[tuple[str, str]]) -> None:
    data = urllib.parse.urlencode(fields).encode()
    asked = urllib.request.Request(companion.address + path, data, {"X-Live": "1"})
    with urllib.request.urlopen(asked, timeout=PATIENCE_SECONDS) as reply:
        verdict = reply.headers.get("X-Verdict", "accepted")
        assert verdict == "accepted", (fields, verdict)


def _view(companion: Companion) -> dict[str, object]:
    with urllib.request.urlopen(f"{companion.address}/view.json", timeout=PATIENCE_SECONDS) as it:
        found: dict[str, object] = json.load(it)
    return found
