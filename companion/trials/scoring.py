"""How well the companion followed a game of which the truth is known.

What was expected (the lines of the script's steps) and what was reported (entries and refusals, in
their order) are two lists of lines. They are paired at the least cost. Every pair, and every line
without a partner, counts as one kind of success or failure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from math import hypot

from companion.ledger.events import Event, Retracted, Source
from companion.sim.render.scene import Truth
from companion.sim.spelling import Told, one_spelling
from companion.sim.steps import By, Step
from companion.tabletop.observations import Corner, Sighting

_NEAR_MM = 10.0
"""How far a sighting may be off its piece."""
_IN_VIEW = 0.25
"""The share of a piece that must be in view; a look is not blamed for missing one that is not."""


@dataclass(frozen=True, slots=True)
class ExpectedLine:
    """A line a referee who misses nothing would enter; or, if it is not legal, object to."""

    line: str
    legal: bool = True
    by: By = By.CAMERA


@dataclass(frozen=True, slots=True)
class ReportedLine:
    """A line the companion did enter, or objected to."""

    line: str
    legal: bool = True
    """False: it objected."""
    asked: bool = False
    """It was not sure, and people had to choose."""
    offered: tuple[str, ...] = ()
    """The lines they could choose from."""


@dataclass(frozen=True, slots=True)
class RefusedPlay:
    """The companion objected to `line` when the log stood at `seq`."""

    seq: int
    line: str


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of one game, or of many added up."""

    games: int = 0
    plays: int = 0
    """Legal plays the camera had to read."""
    right: int = 0
    """Plays entered as they were, without a question."""
    asked: int = 0
    """Plays people were asked about."""
    offered: int = 0
    """Of those: the truth was among the readings offered."""
    wrong: int = 0
    """Plays entered as something else."""
    missed: int = 0
    """Plays not entered at all."""
    ghosts: int = 0
    """Entries of plays that never were."""
    illegal: int = 0
    """Plays against the rules."""
    caught: int = 0
    """Of those: it objected."""
    overlooked: int = 0
    """Of those: it did not."""
    accused: int = 0
    """Objections where there was nothing to object to."""
    scores: int = 0
    """Games with the right points at the end."""
    perfect: int = 0
    """Games with every entry and the final score right."""

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, each.name) + getattr(other, each.name) for each in _FIELDS))

    def rows(self) -> Iterator[tuple[str, int, int]]:
        """What is printed of it: a name, how many, and of how many."""
        yield "right without asking", self.right, self.plays
        yield "asked", self.asked, self.plays
        yield "asked, the truth among the answers", self.offered, self.asked
        yield "wrong entries", self.wrong, self.plays
        yield "missed", self.missed, self.plays
        yield "ghosts", self.ghosts, self.plays
        yield "illegal plays caught", self.caught, self.illegal
        yield "illegal plays overlooked", self.overlooked, self.illegal
        yield "false accusations", self.accused, self.plays
        yield "final scores right", self.scores, self.games
        yield "games with every entry right", self.perfect, self.games


_FIELDS = fields(Tally)


@dataclass(frozen=True, slots=True)
class FirstLookTally:
    """How often the first look after a step already named everything right, without votes over
    several looks and without rules. Counts of one game, or of many added up."""

    right: int = 0
    plays: int = 0
    caught: int = 0
    """Plays against the rules of which every card was named right."""
    illegal: int = 0
    perfect: int = 0
    games: int = 0

    def __add__(self, other: FirstLookTally) -> FirstLookTally:
        return FirstLookTally(
            *(
                getattr(self, each.name) + getattr(other, each.name)
                for each in fields(FirstLookTally)
            )
        )

    def counted(self, *, legal: bool, right: bool) -> FirstLookTally:
        if legal:
            return replace(self, right=self.right + right, plays=self.plays + 1)
        return replace(self, caught=self.caught + right, illegal=self.illegal + 1)

    def ended(self) -> FirstLookTally:
        """The counts of a game that is over."""
        every = self.right == self.plays and self.caught == self.illegal
        return replace(self, perfect=int(every), games=1)


def first_look_is_right(
    before: Sequence[Truth], after: Sequence[Truth], seen: Sequence[Sighting]
) -> bool:
    """Whether a look names everything right that came, moved or turned, and shows nothing that is
    gone. `before` and `after` are the truth about the table before and after the step."""
    came = [each for each in after if each.visible >= _IN_VIEW and not _lay(each, before)]
    gone = [each for each in before if not _shown(each, [(o.label, _middle(o)) for o in after])]
    named = [(each.label, each.middle) for each in seen]
    return all(_shown(each, named) for each in came) and not any(
        _shown(each, named) for each in gone
    )


def _lay(one: Truth, before: Sequence[Truth]) -> bool:
    """Whether it lay just so before."""
    return any(
        one.label == other.label and bool((one.quad_mm == other.quad_mm).all()) for other in before
    )


def _shown(one: Truth, named: Iterable[tuple[str | int | None, Corner]]) -> bool:
    """Whether something of its name is shown near its place."""
    x, y = _middle(one)
    return any(one.label == label and hypot(x - a, y - b) <= _NEAR_MM for label, (a, b) in named)


def _middle(one: Truth) -> Corner:
    x, y = one.quad_mm.mean(0)
    return float(x), float(y)


def expected_lines(steps: Iterable[Step]) -> tuple[ExpectedLine, ...]:
    """What should be reported of the steps."""
    out = []
    for step in steps:
        if step.refused:
            out.append(ExpectedLine(step.refused, legal=False, by=step.by))
        out += [ExpectedLine(line, by=step.by) for line in step.lines]
    return tuple(out)


def reported_lines(
    events: Iterable[Event],
    refusals: Iterable[RefusedPlay] = (),
    asked: Mapping[int, tuple[str, ...]] | None = None,
) -> tuple[ReportedLine, ...]:
    """What the companion reported, from its journal and its refusals. `asked` are the lines people
    could choose from, by the seq of the entry that came of it.

    What the camera itself took back does not count as reported; what people undid does, as an
    error. Entries made by hand are no merit of the camera and are left out.
    """
    questions = asked or {}
    said: list[tuple[int, int, ReportedLine]] = []
    for event in events:
        fact = event.fact
        if event.action:
            if event.source == Source.PAGE and event.seq not in questions:
                continue
            offered = questions.get(event.seq, ())
            reported = ReportedLine(event.action, asked=event.seq in questions, offered=offered)
            said.append((event.seq, 0, reported))
        elif isinstance(fact, Retracted) and event.source == Source.CAMERA:
            del said[max(0, len(said) - fact.entries) :]
    said += [(each.seq, 1, ReportedLine(each.line, legal=False)) for each in refusals]
    return tuple(reported for _, _, reported in sorted(said, key=lambda each: each[:2]))


def tally(
    game: str,
    expected: Sequence[ExpectedLine],
    reported: Sequence[ReportedLine],
    points: tuple[tuple[int, ...], tuple[int, ...]] | None = None,
) -> Tally:
    """The counts of one game. `points` are the true final ones and those of the books, if both
    games came to an end."""
    told = one_spelling(game)
    counts = dict.fromkeys((each.name for each in _FIELDS), 0)
    counts["plays"] = sum(one.legal and one.by is By.CAMERA for one in expected)
    counts["illegal"] = sum(not one.legal for one in expected)
    for one, other in _side_by_side(expected, reported, told):
        for name in _kinds(one, other, told):
            counts[name] += 1
    counts["games"] = 1
    counts["scores"] = int(points is not None and points[0] == points[1])
    bad = ("wrong", "missed", "ghosts", "overlooked", "accused")
    counts["perfect"] = int(counts["scores"] and not any(counts[name] for name in bad))
    return Tally(**counts)


def _kinds(one: ExpectedLine | None, other: ReportedLine | None, told: Told) -> Iterator[str]:
    """Which counts of the tally go up for this pair."""
    if one is None:
        if other is not None:
            yield "ghosts" if other.legal else "accused"
        return
    if not one.legal:
        yield "caught" if other is not None and not other.legal else "overlooked"
    elif other is not None and not other.legal:
        yield from ("accused", "missed") if one.by is By.CAMERA else ("accused",)
    elif one.by is By.CAMERA:
        yield from _play(one, other, told)
    elif other is not None and told(one.line) != told(other.line):
        yield "ghosts"


def _play(one: ExpectedLine, other: ReportedLine | None, told: Told) -> Iterator[str]:
    """The same for a legal play the camera had to read, and to which nothing was objected."""
    if other is None:
        yield "missed"
        return
    if other.asked:
        yield "asked"
        if told(one.line) in {told(line) for line in other.offered}:
            yield "offered"
    if told(one.line) != told(other.line):
        yield "wrong"
    elif not other.asked:
        yield "right"


def _side_by_side(
    expected: Sequence[ExpectedLine], reported: Sequence[ReportedLine], told: Told
) -> list[tuple[ExpectedLine | None, ReportedLine | None]]:
    """Pair the two lists in their order at the least cost: an edit distance, walked back."""
    apart = _mismatches(expected, reported, told)
    cost = _alignment_costs(apart, len(expected), len(reported))
    pairs: list[tuple[ExpectedLine | None, ReportedLine | None]] = []
    i, j = len(expected), len(reported)
    while i or j:
        if i and j and cost[i][j] == cost[i - 1][j - 1] + apart[i - 1][j - 1]:
            i, j = i - 1, j - 1
            pairs.append((expected[i], reported[j]))
        elif i and cost[i][j] == cost[i - 1][j] + 1:
            i -= 1
            pairs.append((expected[i], None))
        else:
            j -= 1
            pairs.append((None, reported[j]))
    return pairs[::-1]


def _mismatches(
    expected: Sequence[ExpectedLine], reported: Sequence[ReportedLine], told: Told
) -> list[list[float]]:
    """What it costs to pair each expected line with each reported one."""
    here, there = [told(one.line) for one in expected], [told(one.line) for one in reported]

    def apart(i: int, j: int) -> float:
        line = 0.0 if here[i] == there[j] else 1.0
        return line + (0.0 if expected[i].legal == reported[j].legal else 0.9)

    return [[apart(i, j) for j in range(len(reported))] for i in range(len(expected))]


def _alignment_costs(apart: list[list[float]], rows: int, columns: int) -> list[list[float]]:
    """The least cost of pairing the first i lines of one list with the first j of the other; a
    line without a partner costs 1."""
    cost = [[float(i + j) for j in range(columns + 1)] for i in range(rows + 1)]
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            cost[i][j] = min(
                cost[i - 1][j - 1] + apart[i - 1][j - 1],
                cost[i - 1][j] + 1,
                cost[i][j - 1] + 1,
            )
    return cost
