"""A first game against bots, without a camera: it is in nobody's journal and can be left at any
time."""

from __future__ import annotations

from companion.core.catalog import game_named, pack_named
from companion.core.game import Reason, Refused
from companion.core.notation import Seat
from companion.foundation.errors import NoSuchGame
from companion.foundation.messages import N_
from companion.ledger.events import Event, Fact, Opened, Proposal, Source
from companion.ledger.session import Session, begin, rule, settled
from companion.sim.players import play
from companion.sim.steps import Playing, Step
from companion.sim.visitors import Asked, Visitors
from companion.views.lessons import LessonPlan

MOST_STEPS = 10_000
"""A game of bots is far shorter; beyond, something goes round in circles."""
NEWCOMER = Seat.A


def lesson_plan(game: str) -> LessonPlan[object]:
    """Raises `NoSuchGame` for a game that cannot be taught."""
    facet = pack_named(game).lesson
    if facet is None or pack_named(game).bots is None:
        raise NoSuchGame("no-lesson", N_("there is no lesson for %(game)s"), game=repr(game))
    return facet()


class Lesson:
    """One newcomer among bots. It waits whenever they have to choose."""

    def __init__(self, game: str, seed: int, edition: str = "en") -> None:
        plan = lesson_plan(game)
        self.game = game
        self.plan = plan
        self.told: tuple[Fact, ...] = ()
        """What has happened since the newcomer chose last."""
        self.objections: tuple[Reason, ...] = ()
        """Why what they chose last was refused."""
        self.seen: set[str] = set()
        """The hints they have been given."""
        self._visitors = Visitors()
        self._visitors.sit(NEWCOMER)
        known = game_named(game).EDITIONS
        how = Playing(
            game,
            plan.seats,
            seed,
            edition=edition if edition in known else next(iter(known)),
            changes=plan.changes,
            fidgets=0.0,
        )
        script = play(how, self._visitors)
        opened = Opened(script.setup, game_named(game).VERSION)
        self.session: Session = begin(Event(1, 0, 0, "", "", opened))
        self._steps = script.steps
        self._go_on()

    @property
    def asked(self) -> Asked | None:
        return self._visitors.asked

    @property
    def hand(self) -> tuple[str, ...]:
        return self._visitors.hand

    def say(self, *words: str) -> None:
        """What the newcomer chooses; raises `BadInput` if that cannot be chosen."""
        self._visitors.say(*words)
        self._go_on()

    def _go_on(self) -> None:
        """Until the newcomer has to choose again, or the game is over."""
        told: list[Fact] = []
        self.objections = ()
        for _ in range(MOST_STEPS):
            step = next(self._steps, None)
            if step is None or self.session.over:
                break
            told += self._entered(step)
            if step.refused:
                self.objections = self._objected(step.refused)
            if step.what == "think" and self.asked is not None:
                break
        self.told = tuple(told)

    def _entered(self, step: Step) -> list[Fact]:
        facts: list[Fact] = []
        for line in step.lines:
            ruling = rule(self.session, Proposal(line, self.session.seq, Source.RECORD))
            if isinstance(ruling, Refused):
                raise AssertionError(f"a bot's line was refused: {line}")
            after = Event(self.session.seq + 1, 0, self.session.seq, "", "", ruling.fact)
            self.session = settled(ruling, after)
            facts.append(ruling.fact)
        return facts

    def _objected(self, line: str) -> tuple[Reason, ...]:
        ruling = rule(self.session, Proposal(line, self.session.seq, Source.RECORD))
        return ruling.reasons if isinstance(ruling, Refused) else ()
