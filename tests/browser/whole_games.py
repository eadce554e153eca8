"""Whole games, and a page that looks on: after every step, is the verdict in view, and what one
does next?"""

from __future__ import annotations

import json
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

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
  const whole = (each) => {
    const box = each.getBoundingClientRect();
    const at = (y) => document.elementFromPoint(box.left + 9, y);
    return each.contains(at(box.top + 4)) && each.contains(at(box.bottom - 4));
  };
  const say = (each) => each.textContent.trim().replace(/\\s+/g, " ").slice(0, 30);
  // A refusal, a question or a reading that is shown comes first: it may lie over the entry.
  const over = document.querySelector(".takes-over");
  const acts = [...document.querySelectorAll(over ? ".takes-over .ways button"
    : ".entry button:not([type=button]), .entry .tab-row label, .entry .cell")].filter(seen);
  const needed = [acts[0], acts.find((each) => each.matches(".main"))].filter(Boolean);
  if (over || !document.querySelector(".valhal")) needed.push(...acts);
  const found = needed.filter((each) => !inside(each) || !free(each)).map(say);
  const verdict = document.querySelector(".verdict");
  if (!verdict || !inside(verdict) || !whole(verdict)) found.push("the verdict");
  if (!acts.length) found.push("anything to do");
  const ended = document.querySelector(".board").dataset.phase === "over";
  if (ended && !document.querySelector(".over h2")) found.push("the podium");
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
    """What was out of view after a step, on a screen of one size."""

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
    browser: Browser,
    companion: Companion,
    game: Game,
    seldom: Iterable[tuple[int, int]] = (),
    enough: int | None = None,
) -> Iterator[Look]:
    """Plays the game, and looks at every size after each step. Sizes in `seldom` are looked at only
    where a phase is new, and at the end. A kind of step that was looked at `enough` times is made,
    but not looked at again."""
    post(companion, "/games", _opening(game))
    context = browser.new_context(reduced_motion="reduce", locale="en")
    page = context.new_page()
    page.goto(companion.address)
    phases: set[str] = set()
    kinds: Counter[tuple[str, str]] = Counter()
    sizes = [each for each in looking.SIZES if each not in seldom]
    seq = str(view(companion)["seq"])
    for step, line in enumerate(("", *game.lines)):
        if line:
            post(companion, "/act", [("say", line), ("seq", seq)])
        now = view(companion)
        seq, phase = str(now["seq"]), str(now["table"]["phase"])
        new = phase not in phases or step == len(game.lines)
        kind = phase, _verb(line)
        if not new and enough is not None and kinds[kind] >= enough:
            continue
        phases.add(phase)
        kinds[kind] += 1
        drawn(page, seq)
        sizes.reverse()  # the last size is the next step's first: it stands already
        for size in looking.SIZES if new else sizes:
            yield Look(step, line, size, out_of_view(page, size))
    context.close()


def _verb(line: str) -> str:
    """What is done: names of people and pieces differ, and look alike."""
    return next((word for word in line.split() if word.isalpha() and word.islower()), "")


def out_of_view(page: Page, size: tuple[int, int]) -> list[str]:
    """What one needs and does not see on a screen of this size."""
    if page.viewport_size != {"width": size[0], "height": size[1]}:
        looking.resize(page, size)
    found: list[str] = page.evaluate(_HIDDEN)
    return found


def drawn(page: Page, seq: str) -> None:
    there = "seq => document.querySelector('.board')?.dataset.seq === seq"
    page.wait_for_function(there, arg=seq, timeout=PATIENCE_SECONDS * 1000)


def _opening(game: Game) -> list[tuple[str, str]]:
    fields = [("game", game.name), ("sure", "yes"), *(("name", each) for each in NAMES)]
    return fields + [(f"option.{name}", value) for name, value in game.options]


def post(companion: Companion, path: str, fields: list[tuple[str, str]]) -> None:
    data = urllib.parse.urlencode(fields).encode()
    asked = urllib.request.Request(companion.address + path, data, {"X-Live": "1"})
    with urllib.request.urlopen(asked, timeout=PATIENCE_SECONDS) as reply:
        verdict = reply.headers.get("X-Verdict", "accepted")
        assert verdict == "accepted", (fields, verdict)


def view(companion: Companion) -> dict[str, Any]:
    with urllib.request.urlopen(f"{companion.address}/view.json", timeout=PATIENCE_SECONDS) as it:
        found: dict[str, Any] = json.load(it)
    return found
