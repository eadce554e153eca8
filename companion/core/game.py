"""What a game is: a start, a judge, and what could come next.

`judge(state, action)` answers `Accepted(state)` or `Refused(reasons)`. A reason is a code with
the id of the rule it rests on and the facts of the case; sentences are made in `views`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, Protocol, TypeAlias, TypeVar

from companion.core.notation import Seat
from companion.core.options import Option

S = TypeVar("S")
A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Reason:
    """An objection, an assumption or a problem: what, by which rule, in which case."""

    code: str
    rule: str
    facts: tuple[tuple[str, object], ...] = ()
    may_stand: bool = True  # may the table overrule it and play on?

    def __str__(self) -> str:
        facts = ", ".join(f"{name}={_plain(value)}" for name, value in self.facts)
        return f"{self.code} [{self.rule}]" + (f" ({facts})" if facts else "")


def reason(code: str, rule: str, /, *, may_stand: bool = True, **facts: object) -> Reason:
    return Reason(code, rule, tuple(facts.items()), may_stand)


def _plain(value: object) -> str:
    return " ".join(str(one) for one in value) if isinstance(value, tuple) else str(value)


@dataclass(frozen=True, slots=True)
class Accepted(Generic[S]):
    """The action is good; `assumes` names what only the hidden cards could contradict."""

    state: S
    assumes: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """The action is against the rules; every objection is named."""

    reasons: tuple[Reason, ...]

    def __post_init__(self) -> None:
        if not self.reasons:
            raise ValueError("a refusal must name at least one reason")

    @property
    def can_stand(self) -> bool:
        return all(each.may_stand for each in self.reasons)


Verdict: TypeAlias = Accepted[S] | Refused


@dataclass(frozen=True, slots=True)
class Setup:
    """Who plays what: `changes` are options set on top of the edition's."""

    game: str
    names: tuple[str, ...]
    edition: str = "en"
    changes: tuple[tuple[str, str], ...] = ()
    rules: int | None = field(default=None, compare=False)  # the version it is judged by, or latest


@dataclass(frozen=True, slots=True)
class Standing:
    """Points and ranks by seat; `winners` is filled when the game is over."""

    points: tuple[int, ...]
    ranks: tuple[int, ...]
    over: bool
    winners: tuple[Seat, ...] = ()


class Game(Protocol[S, A]):
    """A game is a package that fits this. `S` is its state, `A` its closed union of actions."""

    @property
    def NAME(self) -> str: ...  # noqa: N802 - a module constant
    @property
    def VERSION(self) -> int: ...  # noqa: N802
    @property
    def SEATS(self) -> range: ...  # noqa: N802
    @property
    def OPTIONS(self) -> tuple[Option, ...]: ...  # noqa: N802
    @property
    def EDITIONS(self) -> Mapping[str, Mapping[str, str]]: ...  # noqa: N802
    @property
    def Code(self) -> type[StrEnum]:  # noqa: N802
        """Everything it can object; `views` has a sentence for each."""
        ...

    def start(self, setup: Setup, /) -> S:
        """The table before the first card; raises `BadSetup` with every problem."""
        ...

    def judge(self, state: S, action: A, /) -> Verdict[S]: ...

    def let_stand(self, state: S, action: A, /) -> Verdict[S]:
        """As `judge`, but objections that may stand are overruled by the table."""
        ...

    def actions(self, state: S, /) -> Iterator[A]:
        """Every move that `judge` would accept; hidden cards take all values they could have."""
        ...

    def to_move(self, state: S, /) -> Seat | None: ...

    def expected(self, state: S, /) -> A | None:
        """The one thing that can come next, for *confirm* to take; None if people choose."""
        ...

    def needs_answer(self, state: S, /) -> bool:
        """Must people decide or tell something before the play goes on? Lights the amber lamp."""
        ...

    def passing(self, state: S, /) -> A | None:
        """What the *pass* button says now."""
        ...

    def regardless(self, mine: A, theirs: A, /) -> bool:
        """Is `mine` as good after `theirs` for somebody who has not seen it? Only where seats act
        at the same time and apart."""
        ...

    def standing(self, state: S, /) -> Standing: ...

    def parse(self, text: str, /) -> A:
        """An action from its one-line notation; raises `BadNotation` with the column."""
        ...

    def format(self, action: A, /) -> str: ...
