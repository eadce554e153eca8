"""Which lamps are lit: a function of the books and of what the camera makes of the table."""

from __future__ import annotations

from enum import StrEnum

from companion.ledger.referee import Moment
from companion.tabletop.readings import Shown


class Lamp(StrEnum):
    GREEN = "green"  # the last entry is in the books
    AMBER = "amber"  # the table is asked something, or the machine needs help
    RED = "red"  # the last play is against the rules


def lamps_for(moment: Moment) -> frozenset[Lamp]:
    """All are dark while no game has been set up."""
    session = moment.session
    if session is None:
        return frozenset()
    lit = set()
    if session.refusal is not None:
        lit.add(Lamp.RED)
    elif session.latest is not None:
        lit.add(Lamp.GREEN)
    # What is shown is entered by itself; whatever else the camera says is a question.
    camera_asks = moment.opinion is not None and not isinstance(moment.opinion, Shown)
    if session.game.needs_answer(session.state) or moment.trouble or camera_asks:
        lit.add(Lamp.AMBER)
    return frozenset(lit)
