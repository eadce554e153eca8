"""Every page of the companion, and every state of a table that looks different: for tests that
promise something of all of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import expect

from companion.games.valhal.owner_sheet import SHEET as RULES
from companion.ledger.sheets import OwnersSheet
from tests.browser.conftest import Seat
from tests.browser.driving import VALHALLA, open_game, say
from tests.games.valhal.rules.tables import SHEET

NAMES = ("Anna", "Ben", "Cleo")
ANY_TIME = (
    *("/new", "/new?game=valhalla", "/new?game=valhal", "/learn/odin", "/sheet/valhal"),
    *("/rules/odin", "/rules/valhalla", "/rules/valhal", "/boards/valhal", "/install", "/away"),
    *("/licences", "/set-up", "/join", "/who", "/who/devices", "/recovery", "/settings"),
    *("/settings/club", "/health", "/print", "/setup", "/setup/you", "/setup/buttons"),
)
"""Whoever plays, and without a camera."""
AFTER_GAMES = ("/home", "/games", "/games/1", "/games/1/resume", "/people", "/people/1", "/wall")
SCANNED = ("/scan", "/scan/round/settlement")
"""While Valhal is on the table."""
WATCHED = (
    *("/home", "/wall", "/new", "/zones/odin", "/zones/valhal", "/setup/camera", "/setup/zones"),
    *("/setup/table?way=markers", "/setup/table?way=corners", "/setup/table?way=cards"),
    *("/setup/table/lens", "/setup/deck", "/setup/try"),
)
"""What there is to see where a camera watches."""
ELSEWHERE = (
    *("/", "/right/1", "/own", "/join/code", "/setup/deck/mine"),
    *("/boards/valhal/new", "/boards/valhal/1", "/scan/1"),
)
"""Pages that need something first: the tests go there by themselves."""

BATTLE = (
    *("first A", "lay v1", "lay v2", "lay v3", "A rolls 5", "B rolls 2"),
    *("A attacks v1 with warriors on 1", "B stays", "A rolls 1", "town rolls 4"),
)
"""Valhal up to the second round of a battle."""


def fill_in_sheet(folder: Path) -> None:
    """The owner's copy of Valhal, described."""
    OwnersSheet("valhal", RULES, folder).write(SHEET)


def states(seat: Seat) -> Iterator[str]:
    """A table of each game in every state that looks different. Its name, once it is there."""
    yield from _odin(seat)
    yield from _valhalla(seat)
    yield from _valhal(seat)


def _odin(seat: Seat) -> Iterator[str]:
    open_game(seat, "odin", NAMES, hand_size="2", limit="2")
    yield "odin: deal"
    say(seat, "deal A", "A r5")
    yield "odin: turn"
    seat.lay("blue 2")
    expect(seat.page.locator(".refusal")).to_be_visible()
    yield "odin: refused"
    seat.page.locator(".why-fold summary").click()
    yield "odin: refused, with the rule"
    seat.tap("Change it")
    for sheet in ("history", "points", "hands", "more"):
        seat.open_sheet(sheet)
        yield f"odin: sheet {sheet}"
        seat.close_sheet(sheet)
    seat.page.request.post(f"{seat.address}/seat", form={"name": "Ben"})
    seat.open()
    expect(seat.page.locator(".mine")).to_be_visible()
    yield "odin: Ben's phone"
    seat.page.request.post(f"{seat.address}/seat", form={"name": ""})
    say(seat, "B pass", "C pass", "A r6")
    yield "odin: count"
    say(seat, "count 0 2 2")
    expect(seat.page.locator(".podium")).to_be_visible()
    yield "odin: over"


def _valhalla(seat: Seat) -> Iterator[str]:
    open_game(seat, "valhalla", NAMES)
    yield "valhalla: who is first"
    say(seat, *VALHALLA[:2])
    yield "valhalla: reveal"
    say(seat, *VALHALLA[2:6])
    yield "valhalla: Draugr"
    say(seat, *VALHALLA[6:10])
    yield "valhalla: battle"
    say(seat, *VALHALLA[10:])
    yield "valhalla: last stand"


def _valhal(seat: Seat) -> Iterator[str]:
    open_game(seat, "valhal", NAMES[:2])
    yield "valhal: who is first"
    say(seat, *BATTLE[:4])
    yield "valhal: Vikingfahrt"
    say(seat, *BATTLE[4:6])
    yield "valhal: raid"
    say(seat, *BATTLE[6:])
    expect(seat.page.locator(".vh-battle")).to_be_attached()
    yield "valhal: battle"
    say(seat, "A rolls 6", "town rolls 1", "A draws l2")
    yield "valhal: loot"
    say(seat, "lay f1", "lay f2", "lay v4", "A builds longboat with coin wood")
    yield "valhal: settlement"
    say(seat, "agree", "event e1")
    yield "valhal: winter"
