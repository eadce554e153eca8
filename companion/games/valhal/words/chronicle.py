"""A game over its seasons: curves of what everybody had, and the turn of a season in a line for the
voice."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.notation import Seat
from companion.games.valhal.rules.state import Mark, Score, State, scored
from companion.games.valhal.words.naming import piece
from companion.views.chart import Chart, chart
from companion.views.speech import N_, Speech

CURVES = (
    ("glory", N_("Glory")),
    ("favour", N_("Favour")),
    ("coins", N_("Coins")),
    ("units", N_("Units")),
)


@dataclass(frozen=True, slots=True)
class Curve:
    key: str
    words: str
    chart: Chart


def curves(speech: Speech, state: State) -> tuple[Curve, ...]:
    """From the end of the first season on; the last point is now."""
    if not state.chronicle:
        return ()
    rows = [mark.scores for mark in state.chronicle] + [scored(state)]
    return tuple(Curve(key, speech.say(words), _chart(speech, rows, key)) for key, words in CURVES)


def _chart(speech: Speech, rows: list[tuple[Score, ...]], key: str) -> Chart:
    seats = zip(*rows, strict=True)
    lines = tuple(tuple(int(getattr(each, key)) for each in line) for line in seats)
    return chart(speech.names, lines, None)


def season_over(speech: Speech, mark: Mark) -> str:
    """How everybody stood when a season ended, in a line: for the page and for the voice."""
    each = N_("%(seat)s: favour %(favour)s, glory %(glory)s")
    stand = [
        speech.say(each, seat=seat, favour=score.favour, glory=score.glory)
        for seat, score in zip(Seat, mark.scores, strict=False)
    ]
    over = N_("The season is over: %(season)s. %(stand)s.")
    return speech.say(over, season=piece(speech, mark.season), stand="; ".join(stand))
