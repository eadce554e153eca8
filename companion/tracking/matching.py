"""What a look says of what is known: whether it is the same, something else, or nothing at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from companion.tabletop.geometry import apart, hidden, of_a_size, one_to_one, reach
from companion.tabletop.observations import Sighting, Thing, What
from companion.tabletop.polygons import overlap

BACK = "back"
UNREAD = 0.5
"""Finds that show no clear face must be surer: grain and lines look like cards, too."""
PLAINLY = 0.75
"""Found so surely, what cannot be read is a card all the same."""
CLEAR = 0.8
"""Labels less probable than this never say that a known card is another one now."""
STILL_MAYBE = 0.03
"""How likely a look must hold the known card to be for it to be no other one."""
SURE = 0.97
"""From this probability on one look is as good as two."""
PUSHED = 22.0
"""Millimetres a card is pushed at most without being taken up."""
ON_IT = 0.6
"""Share of a find that must lie on a known card to be a glimpse of it."""
MADE_UP = 0.6
"""Share of a find on cards in plain view from which on it is none: on them it would hide them, and
under them not enough is left of it."""


def one_name_each(sightings: Iterable[Sighting], known: Sequence[Thing]) -> list[Sighting]:
    """Of faces that exist once: the known card keeps its name, else whoever shows it best; what
    seems to be the same again cannot be read."""

    def rank(one: Sighting) -> tuple[bool, float]:
        return not any(_is_it(one, thing) for thing in known), -one.p * one.found

    out: list[Sighting] = []
    for one in sorted(sightings, key=rank):
        named = one.kind == "card" and one.label is not None and not is_back(one.label)
        again = named and any(one.label == other.label for other in out)
        out.append(replace(one, label=None, p=one.found) if again else one)
    return out


def _is_it(one: Sighting, thing: Thing) -> bool:
    return thing.label == one.label and apart(thing.middle, one.middle) <= reach(one.kind)


def glimpses(known: Mapping[int, Thing], free: Mapping[int, Sighting]) -> dict[int, int]:
    """Finds that lie on known cards and do not show plainly that a card lies there instead."""
    pairs = []
    for i, thing in known.items():
        for j, each in free.items():
            clear = each.p >= (SURE if each.label == thing.label else CLEAR)
            plain = each.label is not None and clear
            share = overlap(each.quad, [thing.quad]) if of_a_size(each.quad, thing.quad) else 0.0
            if thing.kind == each.kind == "card" and not plain and share >= ON_IT:
                pairs.append((each.label != thing.label, -share, i, j))
    return one_to_one((i, j) for *_, i, j in sorted(pairs))


def is_card_aside(thing: Thing, each: Sighting) -> bool:
    """A card that exists once, seen a little further than it lay: pushed, or badly placed by one
    look."""
    same = thing.kind == each.kind == "card" and thing.label == each.label is not None
    near = apart(thing.middle, each.middle) <= PUSHED
    return same and near and not is_back(thing.label)


def not_made_up(free: Sequence[Sighting], seen: Iterable[Thing]) -> list[Sighting]:
    """Without what is hardly found or not clearly read, and is made of cards in plain view."""
    plain = [each for each in free if not faint(each)]
    known = [(each.kind, each.p, each.quad) for each in seen]
    known += [(each.kind, each.p, each.quad) for each in plain]
    cards = [quad for kind, p, quad in known if kind == "card" and p >= CLEAR]
    return [
        each
        for each in free
        if each.kind != "card"
        or (each.p >= CLEAR and not faint(each))
        or not hidden(each.quad, [quad for quad in cards if of_a_size(quad, each.quad)], MADE_UP)
    ]


def faint(sighting: Sighting) -> bool:
    """Neither found nor read for sure."""
    return sighting.label is None or (sighting.found < UNREAD and sighting.p < SURE)


def covers(sighting: Sighting) -> bool:
    """Whether a card can be under it: not if it is nothing but the bare table, badly seen."""
    return sighting.label is not None or sighting.found >= PLAINLY


def is_something(sighting: Sighting) -> bool:
    clear = sighting.label is not None and sighting.p >= CLEAR
    return clear or sighting.found >= UNREAD


def alike(thing: Thing, sighting: Sighting) -> bool:
    """Whether the thing may have come to lie where that is seen; dice show anything."""
    if thing.covered or thing.kind != sighting.kind:
        return False
    if sighting.kind == "die":
        return True
    sure = sighting.p >= 0.5 and thing.p >= 0.5
    return sure and sighting.label is not None and sighting.label == thing.label


def plainly(thing: Thing, sighting: Sighting) -> bool:
    return sighting.label == thing.label and sighting.p >= CLEAR


def laid_over(thing: Thing, sighting: Sighting) -> bool:
    """Its like covers it, further away than a card is pushed."""
    far = apart(thing.middle, sighting.middle) > PUSHED
    return far and thing.kind == "card" and hidden(thing.quad, [sighting.quad])


def differs(thing: Thing, sighting: Sighting) -> What | None:
    """What a look says of a known thing that is not so in memory."""
    if sighting.label != thing.label:
        clear = sighting.label is not None and sighting.p >= CLEAR
        maybe = dict(sighting.odds).get(thing.label or "", 0.0)
        if not clear or maybe >= STILL_MAYBE or thing.likely(sighting.label or "") >= 0.2:
            return None
        if thing.kind == "die":
            return What.ROLLED
        if is_back(thing.label) != is_back(sighting.label):
            return What.FLIPPED
        return What.APPEARED
    turned = sighting.turn != thing.turn and sighting.p >= CLEAR and thing.kind == "card"
    return What.TURNED if turned else None


def is_back(label: str | int | None) -> bool:
    return isinstance(label, str) and (label == BACK or label.endswith(f"-{BACK}"))


def same(one: Sighting, other: Sighting) -> bool:
    near = apart(one.middle, other.middle) <= reach(one.kind)
    return near and one.label == other.label and one.turn == other.turn
