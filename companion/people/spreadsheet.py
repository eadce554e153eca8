"""Every finished game as a table for a spreadsheet, a line for each seat."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO

from companion.people.register import Register
from companion.people.summaries import Summary

COLUMNS = ("game", "number", "opened", "finished", "seat", "person", "points", "rank", "won")


def as_csv(register: Register, summaries: Iterable[Summary]) -> str:
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for each in summaries:
        if not each.over or each.broken:
            continue
        for seat, name in enumerate(each.names):
            person = register.who(name, each.number)
            writer.writerow(
                (
                    each.game,
                    each.number,
                    each.opened_at,
                    each.last_at,
                    seat + 1,
                    "" if person is None else _harmless(person.name),
                    each.points[seat],
                    each.ranks[seat],
                    "yes" if seat in each.winners else "no",
                )
            )
    return out.getvalue()


def _harmless(name: str) -> str:
    """A spreadsheet takes what begins so for a formula."""
    return f"'{name}" if name[:1] in "-+=@" else name
