"""The table of `companion track --bars`: how well each game must be followed, and how it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.sim.goals import COLUMNS, Least, Most
from companion.sim.players import bots_of, played_games
from companion.trials.scoring import FirstLookTally, Tally

FIT_SEEDS = range(1_000, 2_000)
"""Seeds of games that thresholds and probabilities may be fitted on."""
JUDGE_SEEDS = range(8_000, 9_000)
"""Seeds of games that are only for judging."""
EYES = ("real", "perfect")
"""The kinds of eyes the table is about."""


@dataclass(frozen=True, slots=True)
class Row:
    """A goal of one game."""

    name: str
    game: str
    light: str
    bars: tuple[Least | Most, ...]
    """One for each of `COLUMNS`."""
    boards: bool = False
    """On an owner's boards, which only real eyes can find."""

    @property
    def eyes(self) -> tuple[str, ...]:
        return EYES[:1] if self.boards else EYES


def rows() -> tuple[Row, ...]:
    """The goals of every game that has bots."""
    return tuple(
        Row(goal.name, game, goal.light, goal.bars, goal.boards)
        for game in played_games()
        for goal in bots_of(game).goals
    )


@dataclass(frozen=True, slots=True)
class RowResult:
    """How the games of a row were followed with one kind of eyes."""

    whole: Tally
    raw: FirstLookTally
    """What the first looks alone would have got right."""

    def __add__(self, other: RowResult) -> RowResult:
        return RowResult(self.whole + other.whole, self.raw + other.raw)

    def figures(self) -> tuple[tuple[int, int], ...]:
        """How many of how many, for each of `COLUMNS`."""
        t = self.whole
        return (
            (t.right, t.plays),
            (t.asked, t.plays),
            (t.wrong + t.ghosts, t.plays),
            (t.accused, t.plays),
            (t.caught, t.illegal),
            (t.perfect, t.games),
        )

    def raw_figures(self) -> tuple[tuple[int, int] | None, ...]:
        """The same for the first looks; they neither ask nor object."""
        r = self.raw
        return (
            (r.right, r.plays),
            None,
            (r.plays - r.right, r.plays),
            None,
            (r.caught, r.illegal),
            (r.perfect, r.games),
        )


Results = Mapping[tuple[str, str], RowResult]
"""By the name of the row and the name of the eyes."""


def markdown(results: Results) -> Iterator[str]:
    """The table as Markdown. "Raw" is the first look alone, without votes over several looks and
    without the rules; "after fusion" is with them."""
    yield f"| game | eyes | {' | '.join(COLUMNS)} |"
    yield "|---" * (len(COLUMNS) + 2) + "|"
    for row in rows():
        yield _line(f"**{row.name}**", "bar", [str(bar) for bar in row.bars])
        for eyes in row.eyes:
            found = results.get((row.name, eyes))
            if found is None:
                yield _line("", eyes, ["not measured"] * len(COLUMNS))
                continue
            raw = [_told(each) for each in found.raw_figures()]
            yield _line("", f"{eyes}, raw", raw)
            said = [
                f"{_told(each)} {'met' if bar.met(*each) else '**not met**'}"
                for each, bar in zip(found.figures(), row.bars, strict=True)
            ]
            yield _line("", f"{eyes}, after fusion", said)


def _line(name: str, eyes: str, cells: Sequence[str]) -> str:
    return f"| {name} | {eyes} | {' | '.join(cells)} |"


def _told(figure: tuple[int, int] | None) -> str:
    if figure is None:
        return "–"
    many, of = figure
    return f"{many:,} of {of:,}" + (f" ({many / of:.1%})" if of else "")


def as_json(results: Results) -> list[dict[str, object]]:
    """The same table for programs."""
    return [
        {
            "game": row.name,
            "eyes": eyes,
            "raw": _named(found.raw_figures()),
            "after_fusion": _named(found.figures()),
            "met": {
                name: bar.met(*each)
                for name, each, bar in zip(COLUMNS, found.figures(), row.bars, strict=True)
            },
        }
        for row in rows()
        for eyes in row.eyes
        if (found := results.get((row.name, eyes))) is not None
    ]


def _named(figures: Sequence[tuple[int, int] | None]) -> dict[str, tuple[int, int] | None]:
    return dict(zip(COLUMNS, figures, strict=True))
