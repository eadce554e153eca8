"""A game over its seasons: curves of what everybody had, and the turn of a season in a line for the
voice."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.valhal.rules.state import Happening, Score, State, scored
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


def summary(speech: Speech, state: State) -> str:
    """How everybody stands when a season has just turned; empty at any other time."""
    if not any(note.what is Happening.SEASON for note in state.notes):
        return ""
    each = tuple(
        speech.say(
            N_("%(seat)s: glory %(glory)s, favour %(favour)s"),
            seat=seat,
            glory=player.glory,
            favour=player.favour,
        )
        for seat, player in zip(state.seats, state.players, strict=True)
    )
    return "; ".join(each) + "."
