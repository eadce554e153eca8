"""What a glance at the table tells: a handful of named values, for a dashboard or a wall; and what
one seat wants to see of its own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Glance:
    """One value; `key` is for programs, `label` and `value` are for people."""

    key: str
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """What somebody's own phone shows first: their cards as far as everybody knows them, and a
    few values of theirs."""

    cards: tuple[str, ...] = ()
    """In notation."""
    values: tuple[Glance, ...] = ()
