"""Which sighting of a look belongs to which thing that is followed, and which to none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from companion.tabletop.geometry import hidden, is_die_aside, nearest_first, of_a_size, paired
from companion.tabletop.observations import Sighting, Thing
from companion.tracking.matching import (
    CLEAR,
    alike,
    glimpses,
    is_card_aside,
    is_something,
    laid_over,
    not_made_up,
)
from companion.tracking.tracks import Track

PARTLY = 0.25
"""Share of a known card on other cards from which on a look may misread it."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Tracks and sightings are named by their places in their lists."""

    here: Mapping[int, Sighting]
    """By track: what is seen where it lies."""
    away: Mapping[int, Sighting]
    """By track: where its like is seen now, if it is not where it lay."""
    partly: frozenset[int]
    """Tracks with other cards over or under some of them."""
    free: tuple[Sighting, ...]
    """What belongs to nothing that is known."""


def pair_up(
    tracks: Sequence[Track], seen: Sequence[Sighting], stirred_at: float, *, copies: bool
) -> Pairs:
    """`stirred_at` is when anything last moved: only then can a thing have come to lie elsewhere.
    `copies`: whether the deck has cards that look alike."""
    sightings = list(seen)
    here = paired([track.thing for track in tracks], sightings)
    here |= {} if copies else _aside(tracks, sightings, here)
    partly = frozenset(
        at for at, track in enumerate(tracks) if _overlain(track, sightings, here.get(at))
    )
    here |= _glimpsed(tracks, sightings, here, partly)
    lost = {at: track for at, track in enumerate(tracks) if at not in here}
    still = {at: track.thing for at, track in lost.items() if stirred_at <= track.seen_at}
    here |= nearest_first(still, _free(sightings, here), is_die_aside)
    away = _carried(lost, _free(sightings, here), stirred_at, copies=copies)
    taken = {*here.values(), *away.values()}
    left = [each for at, each in enumerate(sightings) if at not in taken and is_something(each)]
    return Pairs(
        here={at: sightings[spot] for at, spot in here.items()},
        away={at: sightings[spot] for at, spot in away.items()},
        partly=partly,
        free=tuple(not_made_up(left, [tracks[at].thing for at in here])),
    )


def _free(sightings: Sequence[Sighting], here: Mapping[int, int]) -> dict[int, Sighting]:
    taken = set(here.values())
    return {spot: each for spot, each in enumerate(sightings) if spot not in taken}


def _aside(
    tracks: Sequence[Track], sightings: Sequence[Sighting], here: Mapping[int, int]
) -> dict[int, int]:
    """Cards that exist once and are seen a little beside where they lay."""
    told = {at: each.thing for at, each in enumerate(tracks) if each.told and at not in here}
    return nearest_first(told, _free(sightings, here), is_card_aside)


def _overlain(track: Track, sightings: Sequence[Sighting], its: int | None) -> bool:
    """Whether other cards that are clearly seen lie on some of it, or under it."""
    others = [
        each.quad
        for spot, each in enumerate(sightings)
        if spot != its and each.kind == "card" and each.label is not None and each.p >= CLEAR
        if of_a_size(each.quad, track.thing.quad)
    ]
    return hidden(track.thing.quad, others, PARTLY)


def _glimpsed(
    tracks: Sequence[Track],
    sightings: list[Sighting],
    here: Mapping[int, int],
    partly: frozenset[int],
) -> dict[int, int]:
    """Known cards of which little can be seen, by what was found on them. They lie where they
    lay: the sightings are put there."""
    known = {at: tracks[at].thing for at in partly - set(here) if tracks[at].told}
    found = glimpses(known, _free(sightings, here))
    for at, spot in found.items():
        quad, turn = known[at].quad, known[at].turn
        sightings[spot] = replace(sightings[spot], quad=quad, turn=turn)
    return found


def _carried(
    lost: Mapping[int, Track], free: Mapping[int, Sighting], stirred_at: float, *, copies: bool
) -> dict[int, int]:
    """Told things that are not where they lay, by where their like is seen now."""
    told = {
        at: track.thing for at, track in lost.items() if track.told and stirred_at > track.seen_at
    }
    return nearest_first(told, free, partial(_is_elsewhere, copies=copies))


def _is_elsewhere(thing: Thing, each: Sighting, *, copies: bool) -> bool:
    return alike(thing, each) and not (copies and laid_over(thing, each))
