"""`/setup/try`: a guided round. A card is laid, taken away again, and somebody passes; everything
that is noticed is said."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable

from flask import Blueprint, Response, request
from werkzeug.wrappers import Response as AnyResponse

from companion.dashboard.access.callers import presser
from companion.dashboard.language import reader_language
from companion.dashboard.onboarding.common import (
    SetupDoor,
    card_words,
    simulated_cards,
    to,
    watchable_games,
)
from companion.onboarding.guided_round import GuidedRound
from companion.onboarding.steps import SetupStep

PASS = "pass"


class TryPage:
    def __init__(self, door: SetupDoor) -> None:
        self._door = door
        self._parts = door.parts
        self._lock = threading.Lock()
        self._round = GuidedRound()
        self._laid: tuple[str, ...] = ()

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("setup_try", __name__, url_prefix="/setup/try")
        blueprint.add_url_rule("", "show", self.show, methods=["GET"])
        blueprint.add_url_rule("/seen.json", "seen", self.seen, methods=["GET"])
        blueprint.add_url_rule("/lay", "lay", self.lay, methods=["POST"])
        blueprint.add_url_rule("/pass", "press", self.press, methods=["POST"])
        return blueprint

    def show(self) -> str:
        if self._round.done:
            self._follow(lambda _: GuidedRound())
        shelf = self._door.desk.shelf
        names = [each.name for each in shelf.decks() if each.problem is None]
        used = [name for name, _ in shelf.used().values() if name in names]
        deck = request.args.get("deck", "")
        return self._door.page(
            "setup/try.html",
            SetupStep.TRY,
            decks=tuple(dict.fromkeys(names)),
            deck=deck if deck in names else next(iter((*used, *names)), ""),
            round=self._round,
            games=watchable_games(),
        )

    def lay(self) -> AnyResponse:
        """On a simulated table: lays a card, or takes it away again."""
        table = self._parts.simulated
        if table is not None:
            cards = simulated_cards(table.text)
            self._laid = (random.choice(cards),) if request.form.get("lay") == "card" else ()  # noqa: S311 - any card will do
        return to("setup_try.show")

    def press(self) -> AnyResponse:
        """*Pass* on the page. Where the buttons are drawn, the drawn one is pressed for it."""
        finger, trial = self._parts.finger, self._parts.trial
        if finger is not None and trial is not None:
            self._presses_are_shown()
            finger.press(PASS, presser(request))
        else:
            self._follow(GuidedRound.passes)
        return to("setup_try.show")

    def seen(self) -> Response:
        """What lies there now, read with a deck; and which part of the round is done."""
        return self._door.polled(self._seen)

    def _seen(self) -> object:
        self._door.cards_are_shown(self._laid)
        self._presses_are_shown()
        if self._parts.trial is not None and PASS in self._parts.trial.pressed:
            self._follow(GuidedRound.passes)
        cards = self._door.desk.practice.lying(request.args.get("deck", "")[:60])
        now = self._follow(lambda before: before.sees(len(cards)))
        labels = tuple(each.label for each in cards if each.label)
        words = card_words(labels, reader_language(self._parts.language))
        return {
            "cards": [
                {"label": words.get(each.label, ""), "p": each.p, "quad": each.outline}
                for each in cards
            ],
            "round": {"lay": now.laid, "take": now.taken, "pass": now.passed},
        }

    def _presses_are_shown(self) -> None:
        """While this is tried, the box's own buttons enter nothing."""
        trial = self._parts.trial
        if trial is not None and not trial.going_on and not self._round.passed:
            trial.begin()

    def _follow(self, how: Callable[[GuidedRound], GuidedRound]) -> GuidedRound:
        with self._lock:
            before, self._round = self._round, how(self._round)
            now = self._round
        if now.passed and not before.passed and self._parts.trial is not None:
            self._parts.trial.end()
        if now.done and not before.done:
            self._door.mark(SetupStep.TRY)
        return now
