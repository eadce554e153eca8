"""Markers compared with the books: glory and favour, the battle tableau, the season; and cards that
say something by the way they lie, as stages of projects and wounds do.

All of that follows from the entries, so it is no entry itself. But if somebody has just moved a
marker to something else than the books say, the table is shown both. A marker that nobody moves may
lie anywhere.
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
from companion.games.valhal.rules.state import Phase, Project, State
from companion.games.valhal.rules.vocabulary import SEASONS
from companion.tabletop.observations import Thing, What
from companion.tabletop.readings import Desync, Reading
from companion.tracking.matching import BACK

MARKS = {"glory": "marker", "favour": "raven", "enemy": "marker", "attack": "marker",
         "front": "marker"}  # fmt: skip
MOVES = (What.APPEARED, What.MOVED)
"""Changes after which a marker has just been moved."""
CLEAR = 0.9
"""A marker or card less sure than this is not compared with the books."""


@dataclass(frozen=True, slots=True)
class _Differs:
    """One thing that says something else than the books."""

    books: str
    table: str
    thing: Thing
    line: str = ""
    """What would have to be entered for the books to agree with the table."""


ThingsByZone = Mapping[str, Sequence[Thing]]


def by_zone(scene: Scene) -> ThingsByZone:
    """Things by the zone they lie in. Worked out once, because this mat has many zones."""
    found: dict[str, list[Thing]] = {}
    for each in scene.things:
        found.setdefault(scene.zone(each) or "", []).append(each)
    return found


def disagreement(state: State, scene: Scene) -> Desync | None:
    """How the markers and cards that were just moved differ from the books; None if they do not."""
    if state.over or state.phase is Phase.ASK:
        return None
    if not any(each.what in (*MOVES, What.TURNED, What.FLIPPED) for each in scene.changes):
        return None
    lying = by_zone(scene)
    found = [
        *_standings(state, scene, lying),
        *_battle(state, scene, lying),
        *_season(state, scene, lying),
        *_stages(state, scene, lying),
        *_finished(state, scene, lying),
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
    scene: Scene, lying: ThingsByZone, track: str, least: float = CLEAR
) -> tuple[int, Thing] | None:
    """The number on a track that a marker was moved to last, and the marker; None if it does not
    lie there any more, or not alone."""
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


def _standings(state: State, scene: Scene, lying: ThingsByZone) -> Iterator[_Differs]:
    """Each Jarl's glory and favour."""
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


def _battle(state: State, scene: Scene, lying: ThingsByZone) -> Iterator[_Differs]:
    """VHAL-BAT-1 and -5: the tableau's three markers, and the front-line unit's wound."""
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


def _turned(scene: Scene, lying: ThingsByZone, zone: str, label: str) -> list[Thing]:
    """The cards of that face in a zone that somebody has just turned."""
    turned = {each.thing.number for each in scene.changes if each.what is What.TURNED}
    return [
        each
        for each in lying.get(zone, ())
        if each.number in turned and each.likely(label) >= CLEAR
    ]


def _season(state: State, scene: Scene, lying: ThingsByZone) -> Iterator[_Differs]:
    """VHAL-SEA-1: the season's marker. While all commission, moving it on is an entry."""
    moved = {each.thing.number for each in scene.changes if each.what in MOVES}
    for season in SEASONS:
        due = season is state.season
        due = due or (state.phase is Phase.COMMISSION and season is state.season.next)
        for thing in lying.get(f"season-{season}", ()):
            if not due and thing.number in moved and thing.likely("season") >= CLEAR:
                yield _Differs(str(state.season), str(season), thing)


def _stages(state: State, scene: Scene, lying: ThingsByZone) -> Iterator[_Differs]:
    """VHAL-CON-1: the stages left of each project. Its card is turned by a quarter
    counter-clockwise for every payment."""
    for seat in state.seats:
        projects = state.players[seat].projects
        for project in projects:
            alone = sum(each.kind is project.kind for each in projects) == 1
            if alone:  # of two alike nobody could tell which is which
                yield from _stage(state, scene, lying, seat, project)


def _stage(
    state: State, scene: Scene, lying: ThingsByZone, seat: Seat, project: Project
) -> Iterator[_Differs]:
    """The stages left of one project, if its card was just turned and says something else."""
    stages, left = state.sheet.back(project.kind).stages, project.left
    if stages is None or left is None:
        return
    named = f"{seat} {project.kind}"
    for site in _sites(seat):
        for thing in _turned(scene, lying, site, f"{project.kind}-{BACK}"):
            shown = stages - (-thing.turn - _facing(seat)) // 90 % 4
            if shown != left:
                yield _Differs(f"{named} {left}", f"{named} {shown}", thing)


def _finished(state: State, scene: Scene, lying: ThingsByZone) -> Iterator[_Differs]:
    """VHAL-CON-2: projects just turned face up that the books have under way."""
    flipped = {each.thing.number for each in scene.changes if each.what is What.FLIPPED}
    for seat in state.seats:
        on_sites = [each for site in _sites(seat) for each in lying.get(site, ())]
        for project in state.players[seat].projects:
            yield from _turned_up(f"{seat} {project.kind}", project, on_sites, flipped)


def _turned_up(
    named: str, project: Project, on_sites: Sequence[Thing], flipped: set[int]
) -> Iterator[_Differs]:
    """The cards of one project that were just turned face up."""
    for thing in on_sites:
        if thing.number in flipped and thing.likely(project.kind) >= CLEAR:
            yield _Differs(f"{named} {project.left}", f"{named} 0", thing)


def _sites(seat: Seat) -> list[str]:
    """The zones of a Jarl's projects."""
    return [f"{seat}.site-{at + 1}" for at in range(SITES)]


def _facing(seat: Seat) -> int:
    """How a Jarl's things are turned on the mat, in degrees."""
    return 180 if seat.name in FAR_SEATS else 0
