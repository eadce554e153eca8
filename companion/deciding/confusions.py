"""What the camera confuses in this evening's light, learnt from what people put right.

A lamp of strong colour makes every green card look orange, and surely so. Once people have said so
of one card, the others are doubted as well: they are asked about instead of entered wrong, until
answers have shown how often that is right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from companion.tabletop.observations import Odds, Thing

_ANY = "*"
_AT_FIRST = 2
"""Answers there seem to have been before the first one: one misread card is no proof."""
_MOST = 12
_MOST_DOUBTED = 0.9
"""However many confusions there are of a card, it may still be what it reads as."""
_FLATTER = 9.0
"""How much less sure all cards are, in logits, for a confusion that always happens."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """What reads as the one may be the other."""

    read: str
    meant: str
    """Words, or what two words of a colour and a number differ in: `o*` and `g*`."""
    wrong: int = 0
    right: int = 0
    """How often people said that it was the other, and that it was not."""

    @property
    def share(self) -> float:
        """Of those that read so, how many are the other."""
        return self.wrong / (self.wrong + self.right + _AT_FIRST)

    def other(self, word: str) -> str | None:
        """What a word that was read may be instead."""
        if word == self.read:
            return self.meant
        if _ANY not in self.read or len(word) != len(self.read):
            return None
        pairs = zip(word, self.read, self.meant, strict=True)
        found = [meant if letter == read else _ANY for letter, read, meant in pairs]
        at = self.read.index(_ANY)
        found[at] = word[at]
        return None if _ANY in found else "".join(found)


Confusions = tuple[Confusion, ...]


def put_right(confusions: Confusions, read: str, meant: str) -> Confusions:
    """People said that what was read is something else."""
    kind = _kind(read, meant)
    if kind is None:
        return confusions
    known = next((each for each in confusions if (each.read, each.meant) == kind), Confusion(*kind))
    others = tuple(each for each in confusions if each is not known)
    return (*others, replace(known, wrong=known.wrong + 1))[-_MOST:]


def confirmed(confusions: Confusions, word: str) -> Confusions:
    """People said that it is what was read."""
    return tuple(
        each if each.other(word) is None else replace(each, right=each.right + 1)
        for each in confusions
    )


def _kind(read: str, meant: str) -> tuple[str, str] | None:
    """In what they differ; None if in everything, for then it was no misreading."""
    if read == meant:
        return None
    if len(read) != 2 or len(meant) != 2:
        return read, meant
    if read[1] == meant[1]:
        return read[0] + _ANY, meant[0] + _ANY
    if read[0] == meant[0]:
        return _ANY + read[1], _ANY + meant[1]
    return None


def doubted(
    things: Iterable[Thing], confusions: Confusions, word_of: Callable[[str | int], str]
) -> tuple[Thing, ...]:
    """The things with the odds that the confusions leave them."""
    if not confusions:
        return tuple(things)
    return tuple(_doubted(thing, confusions, word_of) for thing in things)


def _flatter(odds: Odds, confusions: Confusions) -> Odds:
    """Light that makes one colour another makes all of them less sure."""
    much = 1 / (1 + _FLATTER * max(confusion.share for confusion in confusions))
    flat = [(label, p**much) for label, p in odds]
    less = sum(p for _, p in odds) / max(sum(p for _, p in flat), 1e-12)
    return tuple((label, p * less) for label, p in flat)


def _doubted(thing: Thing, confusions: Confusions, word_of: Callable[[str | int], str]) -> Thing:
    flat = _flatter(thing.odds, confusions) if thing.kind == "card" else thing.odds
    odds: dict[str | int, float] = dict(flat)
    label_of = {word_of(label): label for label in odds}
    for label, p in flat:
        others = [(confusion.other(word_of(label)), confusion.share) for confusion in confusions]
        may_be = [(other, share) for other, share in others if other is not None]
        less = min(1.0, _MOST_DOUBTED / max(sum(share for _, share in may_be), 1e-12))
        for other, share in may_be:
            moved = p * share * less
            odds[label] -= moved
            named = label_of.setdefault(other, other)
            odds[named] = odds.get(named, 0.0) + moved
    return replace(thing, odds=tuple(sorted(odds.items(), key=lambda each: -each[1])))
