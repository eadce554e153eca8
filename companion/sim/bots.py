"""What the bots of every game have in common: they write down what they do, show the table after
it, and ask a visitor who sits in their place."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np

from companion.core.game import Accepted, Game, Refused
from companion.core.notation import Seat
from companion.sim.steps import By, Lying, Playing, Step
from companion.sim.visitors import Asked, Visitors

S = TypeVar("S")
A = TypeVar("A")


@dataclass(slots=True, eq=False)
class BotTable(ABC, Generic[S, A]):
    """A table of bots playing one game: its state and what still has to go wrong."""

    game: Game[S, A]
    how: Playing
    rng: np.random.Generator
    state: S
    visitors: Visitors
    owed: int = field(init=False)
    """Mistakes still to be made."""

    def __post_init__(self) -> None:
        self.owed = self.how.mistakes

    @abstractmethod
    def table(self) -> tuple[Lying, ...]:
        """Everything that lies there, the last on top."""

    @abstractmethod
    def hands(self) -> tuple[tuple[str, ...], ...]:
        """What the seats hold."""

    @abstractmethod
    def mistaken(self, action: A) -> Iterator[Step]:
        """The steps of a play against the rules, and of taking it back once the referee objects."""

    # -- doing it ---------------------------------------------------------------------------

    def fits(self, action: A) -> bool:
        """Whether the rules allow it now."""
        return isinstance(self.game.judge(self.state, action), Accepted)

    def enter(self, action: A) -> str:
        """Do it, and return its line. What is done is what the line says, because the books will
        know no more than that."""
        line = self.game.format(action)
        verdict = self.game.judge(self.state, self.game.parse(line))
        if isinstance(verdict, Refused):
            raise AssertionError(f"a bot played {line}: {verdict.reasons}")
        self.state = verdict.state
        return line

    def step(
        self,
        what: str,
        seat: Seat | None,
        *,
        lines: tuple[str, ...] = (),
        refused: str = "",
        by: By = By.CAMERA,
        press: str = "",
    ) -> Step:
        """A step with the table and the hands as they are now."""
        hands = self.hands()
        self.visitors.holds(hands)
        return Step(what, seat, self.table(), lines, refused, by, press, hands)

    # -- somebody in a bot's place ------------------------------------------------------------

    def said(self, seat: Seat, asked: Asked) -> Generator[Step, None, tuple[str, ...] | None]:
        """Wait for what a visitor says; None if no visitor sits there, or not any more."""
        while self.visitors.sits(seat):
            said = self.visitors.answer(seat, asked)
            if said is not None:
                return said
            yield self.step("think", seat)
        return None

    def picked(self, seat: Seat, asked: Asked, usual: str) -> Generator[Step, None, str]:
        """What a visitor chooses; without a visitor `usual`, which is what the bot would do."""
        said = yield from self.said(seat, asked)
        return usual if said is None else said[0]

    def decided(self, seat: Seat, asked: Asked) -> Generator[Step, None, str | None]:
        """The line a visitor chooses, or the word for choosing nothing; None without a visitor.
        A visitor's mistakes are taken back like a bot's, and the question is asked again."""
        while True:
            said = yield from self.said(seat, asked)
            if said is None or said[0] not in asked.wrong:
                return None if said is None else said[0]
            yield from self.mistaken(self.game.parse(said[0]))


def in_any_order(*verbs: str, until: str = "") -> Callable[[list[str]], list[str]]:
    """Puts the words of a line in one order where they may be said in any: those after a seat and
    one of the verbs, up to the word `until`. Cards that are shown together are such, and dice."""

    def ordered(words: list[str]) -> list[str]:
        if not words[1:2] or words[1] not in verbs:
            return words
        end = words.index(until) if until in words else len(words)
        return [*words[:2], *sorted(words[2:end]), *words[end:]]

    return ordered
