"""Whole games of Valhal, step by step, without a camera: what bots lay is what is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.game import Accepted
from companion.deciding.scene import Scene
from companion.games.valhal import reading as reader
from companion.games.valhal import rules as valhal
from companion.games.valhal.layout import ZONES
from companion.games.valhal.rules.state import State
from companion.sim.players import By, Lying, Playing, Step, play
from companion.sim.spelling import one_spelling
from companion.tabletop.observations import Odds, TableChange, Thing, What
from companion.tabletop.readings import Reading
from tests.tracking.looks import quad_at

told = one_spelling("valhal")


@dataclass
class RowResult:
    """A table followed from step to step as if every look were right."""

    state: State
    numbers: dict[str, int] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    things: dict[str, Thing] = field(default_factory=dict)
    odds: dict[str, Odds] = field(default_factory=dict)
    """What pieces look like that are hard to read."""

    def scene(self, step: Step) -> Scene:
        now = {one.piece: self._thing(one) for one in step.table}
        changes = [
            *(_change(What.VANISHED, one) for key, one in self.things.items() if key not in now),
            *(_change(What.APPEARED, one) for key, one in now.items() if key not in self.things),
            *(
                _change(What.MOVED, one, self.things[key])
                for key, one in now.items()
                if key in self.things and one.middle != self.things[key].middle
            ),
        ]
        self.things = now
        return Scene(tuple(now.values()), ZONES, dict(self.names), tuple(changes))

    def read(self, step: Step) -> tuple[Reading, ...]:
        return reader.read(self.state, self.scene(step))

    def enter(self, lines: tuple[str, ...], reading: Reading | None = None) -> None:
        self.names |= dict(() if reading is None else reading.names)
        for line in lines:
            verdict = valhal.judge(self.state, valhal.parse(line))
            assert isinstance(verdict, Accepted), line
            self.state = verdict.state

    def _thing(self, one: Lying) -> Thing:
        number = self.numbers.setdefault(f"{one.piece} {one.face}", len(self.numbers) + 1)
        label = int(one.face) if one.kind == "die" else one.face
        odds = self.odds.get(one.face, ((label, 0.999),))
        size = (16.0, 16.0) if one.kind == "die" else (20.0, 20.0)
        turn = round(one.turn / 90) * 90 % 360
        return Thing(number, one.kind, odds, quad_at(one.x, one.y, 0, size), turn)


def _change(what: What, thing: Thing, before: Thing | None = None) -> TableChange:
    return TableChange(thing.number, 0.0, what, thing, before or thing)


def followed(how: Playing) -> Iterator[tuple[RowResult, Step, tuple[Reading, ...]]]:
    script = play(how)
    table = RowResult(valhal.start(script.setup))
    for step in script.steps:
        readings = table.read(step)
        yield table, step, readings
        table.enter(step.lines, readings[0] if readings else None)


games = st.builds(
    Playing,
    st.just("valhal"),
    seats=st.integers(2, 4),
    seed=st.integers(0, 10_000),
    mistakes=st.integers(0, 5),
    sloppy=st.sampled_from([0.0, 0.3]),
)


@settings(max_examples=6, deadline=None)
@given(games)
def test_what_is_laid_is_what_is_read(how: Playing) -> None:
    for _, step, readings in followed(how):
        if step.by is not By.CAMERA:
            continue
        best = readings[0] if readings else Reading((), 1.0)
        if step.refused:
            assert [told(line) for line in best.lines] == [told(step.refused)]
            assert not best.legal
            assert best.blamed
            assert best.p >= 0.7  # one look; several make it surer, or it is asked
        elif step.lines:
            assert [told(line) for line in best.lines] == [told(line) for line in step.lines]
            assert best.p >= 0.9
        else:
            assert best.lines == (), step.what


def test_what_the_cloth_seems_to_show_changes_no_reading() -> None:
    """A die in its pattern, beside the trays and hardly read; a token on a town's print."""
    script = play(Playing("valhal", seats=3, seed=5))
    table = RowResult(valhal.start(script.setup))
    table.odds = {"6": ((6, 0.6), (1, 0.2))}
    ghosts = (Lying("ghost", "6", 177, 211, kind="die"), Lying("print", "season", 410, 249))
    steps = islice(script.steps, 40)
    read = []
    for step in steps:
        seen = replace(step, table=(*step.table, *(ghosts if "lay" in step.what else ghosts[:1])))
        readings = table.read(seen)
        if step.by is By.CAMERA and step.lines and "6" not in " ".join(step.lines):
            assert [told(line) for line in readings[0].lines] == [told(x) for x in step.lines]
            read.append(step.what)
        table.enter(step.lines, readings[0] if readings else None)
    assert {"lay", "roll"} <= set(read)


@settings(max_examples=4, deadline=None)
@given(games)
def test_tidying_is_never_called_a_disagreement(how: Playing) -> None:
    script = play(how)
    table = RowResult(valhal.start(script.setup))
    for step in script.steps:
        scene = table.scene(step)
        table.enter(step.lines)
        if not step.refused and step.what != "take back":
            assert reader.disagreement(table.state, scene) is None, step.what
