"""Putting one card right: the crop large, what else it may have been as drawn cards, and any other
card by a picker. A card that no entry rests on yet can be taught to the camera instead."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from flask import Blueprint, Response, render_template, request
from werkzeug.exceptions import NotFound

from companion.core.game import Refused
from companion.dashboard.access.callers import device_name
from companion.dashboard.forms import home, seen, whole, word
from companion.dashboard.language import reader_language
from companion.dashboard.parts import Parts
from companion.dashboard.watched.parts import LOOKED_BACK
from companion.foundation.errors import BadInput, CompanionError
from companion.foundation.messages import N_
from companion.ledger.session import Session
from companion.tabletop.readings import Alternatives
from companion.views import explain, speech_for
from companion.views.public import retold
from companion.views.speech import Speech
from companion.views.words import HandCard, words_of

LIKELIEST = 4
"""Cards offered at once."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One card it may have been, and the line the entry would then be; empty if there is none."""

    word: str
    line: str
    card: HandCard


@dataclass(frozen=True, slots=True)
class Doubted:
    """One card on the table, and the entry that rests on it: 0 if none does yet."""

    thing: int
    entry: int
    line: str
    sentence: str
    taken_for: HandCard | None
    likely: tuple[Offer, ...]
    others: tuple[Offer, ...]
    disputed: bool


class PutRightPage:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("put_right", __name__)
        blueprint.add_url_rule("/right/<int:thing>", view_func=self.show, methods=["GET"])
        blueprint.add_url_rule("/right/<int:thing>", view_func=self.put_right, methods=["POST"])
        return blueprint

    def show(self, thing: int, problem: str = "") -> str:
        session = self._parts.referee.moment.session
        if self._parts.table is None or session is None:
            raise NotFound
        speech = speech_for(session.setup, reader_language(self._parts.language))
        doubted = self._doubted(session, speech, thing)
        return render_template(
            "put_right.html",
            doubted=doubted,
            game=session.setup.game,
            seq=session.seq,
            problem=problem,
        )

    def put_right(self, thing: int) -> Response | tuple[str, int]:
        """The entry with another card; or, without an entry, what the card is."""
        table, session = self._parts.table, self._parts.referee.moment.session
        if table is None or session is None:
            raise NotFound
        try:
            entry = whole("entry", "0")
            if not entry:
                table.learn(thing, word("card", 60))
            elif request.form.get("dispute") == "yes":
                table.dispute(entry)
                self._parts.referee.wake()
            else:
                done = table.correct(entry, word("line"), seen(), device_name())
                if isinstance(done, Refused):
                    speech = speech_for(session.setup, reader_language(self._parts.language))
                    why = " ".join(explain(speech, each) for each in done.reasons)
                    return self.show(thing, why), 400
        except BadInput as bad:
            speech = Speech(reader_language(self._parts.language))
            return self.show(thing, speech.told(bad.message)), 400
        return home()

    def _doubted(self, session: Session, speech: Speech, thing: int) -> Doubted:
        table = self._parts.table
        if table is None:
            raise BadInput("no-camera", N_("There is no camera that could have pictures of it."))
        found = self._rests_on(session, thing)
        if found is None:
            likely = table.likely(thing)
            seq, line, taken = 0, "", likely[:1]
        else:
            seq, line, alternatives = found
            taken, likely = alternatives.words[:1], alternatives.words[1:]
        offered = dict.fromkeys((*taken, *likely) if seq == 0 else likely)
        cards = [each for each in words_of(speech.game).deck(session.state) if each not in offered]
        return Doubted(
            thing,
            seq,
            line,
            retold(speech, line) if line else "",
            next(iter(_drawn(speech, taken)), None),
            _offers(speech, tuple(offered)[:LIKELIEST], line, taken),
            _offers(speech, tuple(each for each in cards if each not in taken), line, taken),
            bool(seq and table.disputed(seq)),
        )

    def _rests_on(self, session: Session, thing: int) -> tuple[int, str, Alternatives] | None:
        """The last entry that was read from this thing."""
        table = self._parts.table
        for entry in islice(session.entries, LOOKED_BACK):
            for each in () if table is None else table.alternatives(entry.event.seq):
                if each.thing == thing:
                    return entry.event.seq, entry.action, each
        return None


def _drawn(speech: Speech, cards: tuple[str, ...]) -> tuple[HandCard, ...]:
    try:
        return words_of(speech.game).hand(speech, cards)
    except CompanionError:  # the back of a card, or whatever else lies there
        return ()


def _offers(
    speech: Speech, cards: tuple[str, ...], line: str, taken: tuple[str, ...]
) -> tuple[Offer, ...]:
    """Each card, with the line in which it stands in the place of the one it was taken for."""
    return tuple(
        Offer(each, " ".join(_replaced(line.split(), taken, each)), drawn)
        for each in cards
        for drawn in _drawn(speech, (each,))
    )


def _replaced(words: list[str], taken: tuple[str, ...], other: str) -> list[str]:
    if taken and taken[0] in words:
        words[words.index(taken[0])] = other
    return words
