"""What a person or a program may do here. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Role(IntEnum):
    """Each may do everything the ones before it may."""

    NOBODY = 0
    WATCH = 1
    PLAY = 2
    OWN = 3

    @property
    def word(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Policy:
    """What the owner has decided."""

    owned: bool = False
    """Somebody has set an owner's code."""
    codes: bool = False
    """Playing needs to have joined the table."""
    closed: bool = False
    """So does watching."""

    @property
    def for_everybody(self) -> Role:
        """What somebody may do of whom nothing is known. A box without an owner is open: whoever
        comes first sets the code."""
        if not self.owned:
            return Role.OWN
        if not self.codes:
            return Role.PLAY
        return Role.NOBODY if self.closed else Role.WATCH


def role_of(policy: Policy, joined: Role | None) -> Role:
    """Of somebody who has joined as `joined`, or has not."""
    return max(policy.for_everybody, joined or Role.NOBODY)


def role_named(word: str) -> Role | None:
    return {each.word: each for each in Role if each is not Role.NOBODY}.get(word)
