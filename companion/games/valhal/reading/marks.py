"""Markers, and cards that say by the way they lie what the books know already: glory and favour,
the battle tableau, the season, stages of projects, wounds.

They follow from the entries, so they are no entries themselves. But where a hand has just moved
one to something else than the books say, both are shown. A marker nobody moves is no trouble.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.core.game import Refused
from companion.core.notation import Seat
from companion.deciding.scene import Scene
from companion.games.valhal import rules as valhal
from companion.games.valhal.layout import FAR_SEATS, SITES, TRACKS
from companion.games.valhal.rules.raid.battle import front_fighter, tableau
from companion.games.valhal.rules.state import Phase, State
from companion.games.valhal.rules.vocabulary import SEASONS
from companion.tabletop.observations import Thing, What
from companion.tabletop.readings import Desync, Reading
from companion.tracking.matching import BACK

MARKS = {"glory": "marker", "favour": "raven", "enemy": "marker", "attack": "marker",
         "front": "marker"}  # fmt: skip
MOVES = (What.APPEARED, What.MOVED)
CLEAR = 0.9
"""A marker less sure than this, or a card, is not held against the books."""


@dataclass(frozen=True, slots=True)
class _Differs:
    books: str
    table: str
    thing: Thing
    line: str = ""
    """What would make the books say what the table shows."""


Placed = Mapping[str, Sequence[Thing]]


def placed(scene: Scene) -> Placed:
    """Things by the zone they lie in: worked out once, as this mat has many zones."""
    found: dict[str, list[Thing]] = {}
    for each in scene.things:
        found.setdefault(scene.zone(each) or "", []).append(each)
    return found


def disagreement(state: State, scene: Scene) -> Desync | None:
    if state.over or state.phase is Phase.ASK:
        return None
    if not any(each.what in (*MOVES, What.TURNED, What.FLIPPED) for each in scene.changes):
        return None
    lying = placed(scene)
    found = [
        *_standings(state, scene, lying),
        *_battle(state, scene, lying),
        *_season(state, scene, lying),
        *_stages(state, scene, lying),
    ]
    if not found:
        return None
    readings = tuple(
        Reading((each.line,), each.thing.p, legal=False) for each in found if each.line
    )
    return Desync(
        tuple(each.books for each in found),
        tuple(each.table for each in found),
        readings,
        tuple(each.thing for each in found),
    )


def fresh_mark(
    scene: Scene, lying: Placed, track: str, least: float = CLEAR
) -> tuple[int, Thing] | None:
    """The marker that came last to a space of this track, if it lies there still and alone."""
    name = track.rpartition(".")[2]
    marks = {
        each.number: (number, each)
        for number in TRACKS[name]
        for each in lying.get(f"{track}-{number}", ())
        if not each.covered and each.likely(MARKS[name]) >= least
    }
    touched = [each.thing.number for each in scene.changes if each.what in MOVES]
    last = [number for number in touched if number in marks]
    return marks[last[-1]] if last and len(marks) == 1 else None


def _standings(state: State, scene: Scene, lying: Placed) -> Iterator[_Differs]:
    for seat in state.seats:
        for name in ("glory", "favour"):
            found, have = (
                fresh_mark(scene, lying, f"{seat}.{name}"),
                int(getattr(state.players[seat], name)),
            )
            if found is not None and found[0] != have:
                line = f"{seat} has {name} {found[0]}"
                stands = not isinstance(valhal.let_stand(state, valhal.parse(line)), Refused)
                yield _Differs(f"{seat} {name} {have}", f"{seat} {name} {found[0]}", found[1],
                               line if stands else "")  # fmt: skip


def _battle(state: State, scene: Scene, lying: Placed) -> Iterator[_Differs]:
    """VHAL-BAT-1 and -5: the three markers, and whether the front-line unit is wounded."""
    marks = tableau(state) if state.phase in (Phase.BATTLE, Phase.STRIKE) else None
    if marks is None:
        return
    for name, number in (
        ("enemy", marks.enemy_hp),
        ("attack", marks.base),
        ("front", marks.front_hp),
    ):
        found = fresh_mark(scene, lying, name)
        if found is not None and found[0] != number:
            yield _Differs(f"{name} {number}", f"{name} {found[0]}", found[1])
    front = front_fighter(state.raids[0])
    if front is None:
        return
    for thing in _turned(scene, lying, "attackers", front.name):
        wounded = thing.turn == 180
        if wounded != front.wounded and thing.turn in (0, 180):
            yield _Differs(_health(front.name, wounded=front.wounded),
                           _health(front.name, wounded=wounded), thing)  # fmt: skip


def _health(unit: str, *, wounded: bool) -> str:
    return f"{unit} {'wounded' if wounded else 'healthy'}"


def _turned(scene: Scene, lying: Placed, zone: str, label: str) -> list[Thing]:
    """Cards of that face there that a hand has just turned."""
    turned = {each.thing.number for each in scene.changes if each.what is What.TURNED}
    return [
        each
        for each in lying.get(zone, ())
        if each.number in turned and each.likely(label) >= CLEAR
    ]


def _season(state: State, scene: Scene, lying: Placed) -> Iterator[_Differs]:
    """VHAL-SEA-1; the next season is an entry and no mistake, while all commission."""
    moved = {each.thing.number for each in scene.changes if each.what in MOVES}
    for season in SEASONS:
        due = season is state.season
        due = due or (state.phase is Phase.COMMISSION and season is state.season.next)
        for thing in lying.get(f"season-{season}", ()):
            if not due and thing.number in moved and thing.likely("season") >= CLEAR:
                yield _Differs(str(state.season), str(season), thing)


def _stages(state: State, scene: Scene, lying: Placed) -> Iterator[_Differs]:
    """VHAL-CON-1: a quarter turn counter-clockwise for every payment."""
    for seat in state.seats:
        projects = state.players[seat].projects
        for project in projects:
            stages, left = state.sheet.back(project.kind).stages, project.left
            alone = sum(each.kind is project.kind for each in projects) == 1
            face = f"{project.kind}-{BACK}"
            if stages is None or left is None or not alone:
                continue
            for at in range(SITES):
                for thing in _turned(scene, lying, f"{seat}.site-{at + 1}", face):
                    shown = stages - (-thing.turn - _facing(seat)) // 90 % 4
                    if shown != left:
                        named = f"{seat} {project.kind}"
                        yield _Differs(f"{named} {left}", f"{named} {shown}", thing)
    yield from _finished(state, scene, lying)


def _finished(state: State, scene: Scene, lying: Placed) -> Iterator[_Differs]:
    """VHAL-CON-2: a project turned face up while the books have it under way."""
    flipped = {each.thing.number for each in scene.changes if each.what is What.FLIPPED}
    for seat in state.seats:
        up = [
            each
            for at in range(SITES)
            for each in lying.get(f"{seat}.site-{at + 1}", ())
            if each.number in flipped
        ]
        for project in state.players[seat].projects:
            named = f"{seat} {project.kind}"
            for thing in up:
                if thing.likely(project.kind) >= CLEAR:
                    yield _Differs(f"{named} {project.left}", f"{named} 0", thing)


def _facing(seat: Seat) -> int:
    return 180 if seat.name in FAR_SEATS else 0
