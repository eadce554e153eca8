"""One step of the tracker at a time: what is remembered, one look, and what is told of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from companion.tabletop.observations import Box, Motion, Sighting, Thing, What
from companion.tracking.fusion import FusedOdds
from companion.tracking.tracker import Patience, TrackerMemory, track
from companion.tracking.tracks import Gone, Track
from tests.tracking.looks import Look, card, die

R7, B8 = card("r7", 100, 100), card("b8", 300, 100)
ELSEWHERE = card("r7", 400, 300)
NOW = 10.0
STIRRED = 9.0
"""When a hand last moved; whatever is followed was last seen before that."""


def lies(seen: Sighting, number: int = 1, **more: float) -> Track:
    """Something told that lies there, last seen at 8 unless said otherwise."""
    evidence = FusedOdds().heard(seen.odds)
    at = more.get("seen_at", 8.0)
    since = more.get("since", 1.0)
    thing = Thing(number, seen.kind, evidence.odds, seen.quad, seen.turn, since)
    return Track(thing, evidence, seen, since, at, at, told=True, missed=more.get("missed", 0.0))


def due(seen: Sighting, votes: float = 1.0) -> Track:
    """Something seen before and not told yet."""
    track_of = lies(seen, 0)
    return replace(track_of, told=False, votes=votes, seen_at=9.9, known_at=9.9)


def remembered(*tracks: Track, gone: tuple[Gone, ...] = ()) -> TrackerMemory:
    return TrackerMemory(tracks, gone, things=5, changes=7, still_at=9.9, stirred_at=STIRRED)


def look(*seen: Sighting, looked: bool = True, part: Box | None = None) -> Look:
    return Look(1, NOW, Motion.STILL, seen, looked, part)


@dataclass(frozen=True)
class Case:
    name: str
    memory: TrackerMemory
    look: Look
    told: tuple[str, ...]
    """Changes, by what and label."""
    table: tuple[str | int | None, ...]
    settled: bool
    patience: Patience = field(default_factory=Patience)


AT_ONCE = Patience(appear=1.0, vanish=1.0)

CASES = (
    Case("an empty table", TrackerMemory(), look(), (), (), True),
    Case("one look at a card is not enough", remembered(), look(R7), (), (), False),
    Case(
        "unless patience says so", remembered(), look(R7), ("appeared r7",), ("r7",), True, AT_ONCE
    ),
    Case("two are", remembered(due(R7)), look(R7), ("appeared r7",), ("r7",), True),
    Case("half a vote is not", remembered(due(R7, 1.4)), look(R7, looked=False), (), (), False),
    Case(
        "two halves are",
        remembered(due(R7, 1.5)),
        look(R7, looked=False),
        ("appeared r7",),
        ("r7",),
        True,
    ),
    Case("a card seen once and missed was none", remembered(due(R7)), look(), (), (), True),
    Case("what lies there still does", remembered(lies(R7)), look(R7), (), ("r7",), True),
    Case("missed once it may be hidden", remembered(lies(R7)), look(), (), ("r7",), False),
    Case(
        "missed often enough it has gone",
        remembered(lies(R7, missed=2.0)),
        look(),
        ("vanished r7",),
        (),
        True,
    ),
    Case(
        "what had only just come was never there",
        remembered(lies(R7, missed=2.0, since=8.0)),
        look(),
        ("withdrawn r7",),
        (),
        True,
    ),
    Case(
        "while nothing stirs, missing it is the eye's mistake",
        remembered(lies(R7, missed=2.0, seen_at=9.5)),
        look(),
        (),
        ("r7",),
        True,
    ),
    Case(
        "of what was not looked at nothing is said",
        remembered(lies(R7, missed=2.0)),
        look(part=(200, 0, 500, 400)),
        (),
        ("r7",),
        False,
    ),
    Case(
        "carried elsewhere",
        remembered(lies(R7)),
        look(ELSEWHERE),
        ("moved r7",),
        ("r7",),
        True,
        AT_ONCE,
    ),
    Case("perhaps carried elsewhere", remembered(lies(R7)), look(ELSEWHERE), (), ("r7",), False),
    Case(
        "another card on it",
        remembered(lies(R7)),
        look(card("b8", 100, 100)),
        ("appeared b8",),
        ("r7", "b8"),
        True,
        AT_ONCE,
    ),
    Case(
        "turned by a quarter",
        remembered(lies(R7)),
        look(card("r7", 100, 100, turn=90)),
        ("turned r7",),
        ("r7",),
        True,
        AT_ONCE,
    ),
    Case(
        "turned over",
        remembered(lies(R7)),
        look(card("back", 100, 100)),
        ("flipped back",),
        ("back",),
        True,
        AT_ONCE,
    ),
    Case(
        "rolled",
        remembered(lies(die(2, 50, 50))),
        look(die(5, 50, 50)),
        ("rolled 5",),
        (5,),
        True,
        AT_ONCE,
    ),
    Case(
        "back on its spot it was only overlooked",
        remembered(gone=(Gone(lies(R7, 3), 8.5),)),
        look(R7),
        ("withdrawn r7",),
        ("r7",),
        True,
        AT_ONCE,
    ),
    Case(
        "back on its spot too late it is new",
        remembered(gone=(Gone(lies(R7, 3), 6.9),)),
        look(R7),
        ("appeared r7",),
        ("r7",),
        True,
        AT_ONCE,
    ),
    Case(
        "the whole table was bumped",
        remembered(lies(R7, 1), lies(B8, 2), lies(card("k1", 200, 300), 3)),
        look(card("r7", 130, 110), card("b8", 330, 110), card("k1", 230, 310)),
        (),
        ("r7", "b8", "k1"),
        True,
    ),
    Case("a shadow", remembered(), look(replace(R7, found=0.29)), (), (), True, AT_ONCE),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_one_look(case: Case) -> None:
    memory, changes = track(case.memory, case.look, case.patience)
    assert tuple(f"{each.what} {each.thing.label}" for each in changes) == case.told
    assert tuple(thing.label for thing in memory.table) == case.table
    assert memory.settled is case.settled
    assert memory.changes == case.memory.changes + len(changes)


@pytest.mark.parametrize("motion", [Motion.MOVING, Motion.HANDS])
def test_nothing_is_concluded_while_something_moves(motion: Motion) -> None:
    before = remembered(lies(R7, missed=2.0), due(B8))
    memory, changes = track(before, replace(look(), motion=motion), AT_ONCE)
    assert changes == ()
    assert memory == before
    assert memory.stirred_at == (NOW if motion is Motion.HANDS else STIRRED)


def test_a_table_that_was_not_still_for_long_was_stirred() -> None:
    before = replace(remembered(lies(R7)), still_at=NOW - 0.8)
    assert track(before, look(R7))[0].stirred_at == NOW
    before = replace(remembered(lies(R7)), still_at=NOW - 0.6)
    assert track(before, look(R7))[0].stirred_at == STIRRED


def test_a_new_thing_gets_the_next_number_and_keeps_it_when_carried() -> None:
    memory, (came,) = track(remembered(), look(R7), AT_ONCE)
    assert (came.what, came.number, came.thing.number, came.before) == (What.APPEARED, 8, 6, None)
    later = Look(2, NOW + 2, Motion.STILL, (ELSEWHERE,), True)
    stirred = replace(memory, stirred_at=NOW + 1)
    _, (moved,) = track(stirred, later, AT_ONCE)
    assert (moved.what, moved.number, moved.thing.number) == (What.MOVED, 9, 6)
    assert moved.before is not None
    assert moved.before.middle == R7.middle


def test_of_cards_with_copies_two_may_read_alike() -> None:
    wolves = look(card("wolf", 100, 100), card("wolf", 300, 100))
    once, _ = track(remembered(), wolves, AT_ONCE)
    twice, _ = track(remembered(), wolves, replace(AT_ONCE, copies=True))
    assert [thing.label for thing in once.table] == ["wolf"]
    assert [thing.label for thing in twice.table] == ["wolf", "wolf"]


def test_a_step_changes_nothing_it_was_given_and_is_the_same_each_time() -> None:
    before = remembered(lies(R7), due(B8))
    seen = look(R7, B8)
    assert track(before, seen) == track(before, seen)
    assert before == remembered(lies(R7), due(B8))
