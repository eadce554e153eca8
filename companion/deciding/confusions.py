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


Features = Callable[[str], tuple[str, ...]]
"""The parts of a card's word that a camera may misread one by one, such as colour and number."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """What reads as the one may be the other: part by part, `*` standing for any."""

    read: tuple[str, ...]
    meant: tuple[str, ...]
    wrong: int = 0
    """How often people said that it was the other,"""
    right: int = 0
    """and how often that it was not."""

    @property
    def share(self) -> float:
        """Of those that read so, how many are the other."""
        return self.wrong / (self.wrong + self.right + _AT_FIRST)

    def other(self, word: str, features: Features) -> str | None:
        """What a word that was read may be instead."""
        parts = features(word)
        if len(parts) != len(self.read):
            return None
        if any(read not in (_ANY, part) for part, read in zip(parts, self.read, strict=True)):
            return None
        pairs = zip(parts, self.meant, strict=True)
        return "".join(part if meant == _ANY else meant for part, meant in pairs)


Confusions = tuple[Confusion, ...]


def put_right(confusions: Confusions, read: str, meant: str, features: Features) -> Confusions:
    """People said that what was read is something else."""
    kind = _kind(read, meant, features)
    if kind is None:
        return confusions
    known = next((each for each in confusions if (each.read, each.meant) == kind), Confusion(*kind))
    others = tuple(each for each in confusions if each is not known)
    return (*others, replace(known, wrong=known.wrong + 1))[-_MOST:]


def confirmed(confusions: Confusions, word: str, features: Features) -> Confusions:
    """People said that it is what was read."""
    return tuple(
        each if each.other(word, features) is None else replace(each, right=each.right + 1)
        for each in confusions
    )


def _kind(
    read: str, meant: str, features: Features
) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """In what they differ; None if in everything, for then it was no misreading."""
    one, other = features(read), features(meant)
    if read == meant:
        return None
    if len(one) != len(other) or len(one) == 1:
        return (read,), (meant,)
    same = [a == b for a, b in zip(one, other, strict=True)]
    if not any(same):
        return None
    return (
        tuple(_ANY if alike else part for part, alike in zip(one, same, strict=True)),
        tuple(_ANY if alike else part for part, alike in zip(other, same, strict=True)),
    )


def doubted(
    things: Iterable[Thing], confusions: Confusions, features: Features
) -> tuple[Thing, ...]:
    """The things with the odds that the confusions leave them."""
    if not confusions:
        return tuple(things)
    return tuple(_doubted(thing, confusions, features) for thing in things)


def _flatter(odds: Odds, confusions: Confusions) -> Odds:
    """Light that makes one colour another makes all of them less sure."""
    much = 1 / (1 + _FLATTER * max(confusion.share for confusion in confusions))
    flat = [(label, p**much) for label, p in odds]
    less = sum(p for _, p in odds) / max(sum(p for _, p in flat), 1e-12)
    return tuple((label, p * less) for label, p in flat)


def _doubted(thing: Thing, confusions: Confusions, features: Features) -> Thing:
    flat = _flatter(thing.odds, confusions) if thing.kind == "card" else thing.odds
    odds: dict[str | int, float] = dict(flat)
    label_of = {str(label): label for label in odds}
    for label, p in flat:
        others = [(each.other(str(label), features), each.share) for each in confusions]
        may_be = [(other, share) for other, share in others if other is not None]
        less = min(1.0, _MOST_DOUBTED / max(sum(share for _, share in may_be), 1e-12))
        for other, share in may_be:
            moved = p * share * less
            odds[label] -= moved
            named = label_of.setdefault(other, other)
            odds[named] = odds.get(named, 0.0) + moved
    return replace(thing, odds=tuple(sorted(odds.items(), key=lambda each: -each[1])))
