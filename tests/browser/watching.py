"""Somebody at a simulated table who knows what the bots really do, and answers what is asked."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

from playwright.sync_api import Locator, expect

from companion.core.catalog import game_named
from companion.core.game import Accepted
from companion.devices.camera.simulated import simulation
from companion.ledger import records
from companion.ledger.session import told
from companion.sim.players import play
from tests.browser import looking
from tests.browser.conftest import Seat

SEED = 13
"""A short game in which two of three beaten cards are discarded in one reach: nobody could see
which one was taken, so the camera has to ask."""
PLAYED = f"odin,seats=2,seed={SEED},short=yes,careless=yes"
PATIENCE_SECONDS = 400


class Truth:
    """What the bots of the short game do, and how it ends."""

    def __init__(self) -> None:
        script = play(simulation(PLAYED).playing)
        steps = list(script.steps)
        self.hands = steps[0].hands
        self.lines = [line for step in steps for line in step.lines]
        game = game_named("odin")
        state = game.start(script.setup)
        for line in self.lines:
            verdict = game.judge(state, game.parse(line))
            assert isinstance(verdict, Accepted)
            state = verdict.state
        self.points = [str(each) for each in game.standing(state).points]

    def after(self, written: list[str]) -> list[str]:
        assert written == self.lines[: len(written)]
        return self.lines[len(written) :]


class Viewer(Seat):
    """Somebody who knows what really happens on the table."""

    @classmethod
    def of(cls, seat: Seat) -> Viewer:
        viewer = cls.__new__(cls)
        viewer.__dict__ = seat.__dict__
        return viewer

    def view(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.address}/view.json", timeout=20) as answer:
            found: dict[str, Any] = json.load(answer)
        return found

    def written(self) -> list[str]:
        """What counts in the books of the game on the table."""
        record = f"{self.address}/games/{self.view()['number']}/record"
        with urllib.request.urlopen(record, timeout=20) as answer:
            loaded = records.read(answer.read())
        session = records.open_record(loaded)
        for each in records.judged(loaded):
            session = each.after
        return [told(entry.event.fact) for entry in session.entries][::-1]

    def deal_short_game(self, speed: str = "10") -> None:
        """Chooses it, and waits until its bots have sat down."""
        self.open("/new")
        for field, value in (("seats", "2"), ("speed", speed)):
            self.page.locator(f"[name={field}][value='{value}']").check(force=True)
        self.page.get_by_label("Number of the deal").fill(str(SEED))
        self.page.locator("[name=short]").check()
        self.page.locator("[name=careless]").check()
        self.tap("Deal")
        expect(self.page.locator(".seats .seat")).to_have_count(2)

    def help(self, truth: Truth) -> bool:
        """Answers what is asked, and puts right what was read wrong. Whether it was asked."""
        view = self.view()
        written = self.written()
        if written != truth.lines[: len(written)]:
            self.page.locator(".history .undo").first.click()
        elif view["refusing"] is not None:
            self.tap("Change it")
            self.type_in(truth.after(written)[0])
        elif (view["notion"] or {}).get("kind") == "question":
            self._answer(view, truth.after(written))
            return True
        elif (view["notion"] or {}).get("kind") == "desync":
            self.tap("The books are right")
        return False

    def _answer(self, view: dict[str, Any], ahead: list[str]) -> None:
        choices: list[list[str]] = [
            choice["lines"].split("; ") for choice in view["notion"]["choices"]
        ]
        if self.page.locator(".notion.question").count():
            assert looking.violations(self.page) == []
        right = [each for each in choices if each == ahead[: len(each)]]
        if right:
            lines = max(("; ".join(each) for each in right), key=len)
            form = self.page.locator(".notion form", has=self.page.locator(f"[value='{lines}']"))
            _tapped(form.locator("button"))
        else:
            self.tap("None of this")
            self.type_in(ahead[0])


def _tapped(button: Locator) -> None:
    """If it is still there: the table may have become clear meanwhile."""
    if button.count():
        button.first.click()
