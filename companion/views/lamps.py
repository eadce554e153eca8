"""Which lamps are lit: a function of the view."""

from __future__ import annotations

from enum import StrEnum

from companion.views.public import PublicView


class Lamp(StrEnum):
    GREEN = "green"  # the last entry is in the books
    AMBER = "amber"  # the table is asked something, or the machine needs help
    RED = "red"  # the last play is against the rules


def lamps_for(view: PublicView | None) -> frozenset[Lamp]:
    if view is None:
        return frozenset()
    lit = set()
    if view.refusing is not None:
        lit.add(Lamp.RED)
    elif view.history:
        lit.add(Lamp.GREEN)
    asked = view.opinion is not None and view.opinion.urgent
    if view.waiting.urgent or view.trouble or asked:
        lit.add(Lamp.AMBER)
    return frozenset(lit)
