"""Boards of one print that only people can tell apart."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AlikeBoard:
    """A board in view that is one of several of one print."""

    number: int
    picture: bytes
    """As JPEG."""
    may_be: tuple[tuple[str, str], ...]
    """The names of the boards it may be, and whose they are."""
