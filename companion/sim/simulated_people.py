"""People at a simulated table. They open their game, enter on the page what no camera can see,
press the buttons, and read the page before they go on."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.game import Setup
from companion.core.notation import Seat
from companion.ledger.events import Proposal, Source, Undo
from companion.ledger.referee import Press, Referee
from companion.ledger.session import Session
from companion.sim.players import By, Step
from companion.sim.spelling import one_spelling

Presses = Callable[[str], object]


class SimulatedPeople:
    """They know what really happened. If the books say something else for too long, and nobody
    else corrects them, they do."""

    def __init__(
        self,
        referee: Referee,
        setup: Setup,
        *,
        press: Presses | None = None,
        patience_seconds: float = 30.0,
        speed: Callable[[], float] = lambda: 1.0,
        visits: Callable[[Seat], bool] = lambda _: False,
    ) -> None:
        """`press` is called for each button; None: the referee is told at once. `speed` is how
        fast the table plays: patience is counted in real seconds, however fast that is. `visits`
        says whether somebody sits in that bot's place."""
        self.truth: list[str] = []
        """Every line that should be in the books by now."""
        self._referee = referee
        self._setup = setup
        self._press = press
        self._patience_seconds = patience_seconds
        self._speed = speed
        self._told = one_spelling(setup.game)
        self._visits = visits
        self._objected: Step | None = None
        """The play against the rules that was refused last."""
        self._game: int | None = None

    # -- what the table tells them ------------------------------------------------------------

    def begin(self, setup: Setup | None = None) -> None:
        """Open a new game; of another setup than the last one, if that is given."""
        self.truth.clear()
        self._setup = setup or self._setup
        self._told = one_spelling(self._setup.game)
        self._game = self._referee.open(self._setup, Source.PAGE).number

    def press(self, button: str) -> None:
        if self.session is None:
            return
        if self._press is not None:
            self._press(button)
        else:
            self._referee.press(Press(button))

    def did(self, step: Step) -> None:
        """A step is done, and the hand has left the table."""
        self.truth += step.lines
        if step.by is By.PAGE:
            self._say(step.lines)

    def go_on(self, step: Step, rested: float) -> bool:
        """Whether the next step may begin; `rested` are the seconds since the last one."""
        session = self.session
        if session is None:
            return True
        impatient = rested >= self._patience_seconds * self._speed()
        if step.refused:
            return self._refused(step, session, impatient=impatient)
        if self.agreed:
            return True
        if not impatient:
            return False
        self.put_right()
        return True

    def _refused(self, step: Step, session: Session, *, impatient: bool) -> bool:
        """Bots take a refused play back at once. A visitor's stays until it was answered: they
        have to see why, and what they can do about it."""
        visiting = step.seat is not None and self._visits(step.seat)
        if session.refusal is not None:
            self._objected = step
            return not visiting
        return impatient or self._objected is step

    # -- the books and the truth ----------------------------------------------------------------

    @property
    def session(self) -> Session | None:
        """Their game; None if the companion follows another one by now."""
        session = self._referee.moment.session
        return session if session is not None and session.number == self._game else None

    @property
    def written(self) -> list[str]:
        """The lines that count in the books, oldest first, in one spelling."""
        session = self.session
        entries = () if session is None else session.entries
        return [self._told(entry.action) for entry in entries][::-1]

    @property
    def agreed(self) -> bool:
        """Whether the books say what really happened."""
        return self.written == [self._told(line) for line in self.truth]

    def ahead(self) -> tuple[int, list[str]]:
        """How many lines of the truth the books have right from the beginning, and the lines of
        it they do not have yet."""
        same = 0
        for mine, line in zip(self.written, self.truth, strict=False):
            if mine != self._told(line):
                break
            same += 1
        return same, self.truth[same:]

    def put_right(self) -> None:
        """Take back what the books have too much, and enter what they lack."""
        same, ahead = self.ahead()
        session = self.session
        surplus = len(self.written) - same
        if surplus and session is not None:
            self._referee.propose(Undo(session.seq, Source.PAGE, surplus))
        self._say(ahead)

    def _say(self, lines: tuple[str, ...] | list[str]) -> None:
        for line in lines:
            session = self.session
            if session is not None:
                self._referee.propose(Proposal(line, session.seq, Source.PAGE))
