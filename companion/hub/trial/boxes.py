"""Simulated boxes of a club, several in one process: each has a real journal, referee, uplink and
bridge, and bots that play by the rules, as fast as they are told to.

    python -m companion.hub.trial.boxes FOLDER PACE_SECONDS [BROKER]

`FOLDER` has a folder for each box with its membership. What was entered is told on standard output,
a line each: box, seq and time. Killed and started again, they go on where their journals end."""

from __future__ import annotations

import random
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from companion.core.catalog import packs
from companion.core.game import Game, Refused, Setup
from companion.foundation.notices import Notices
from companion.ledger.events import Proposal, Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.mqtt.household import Household
from companion.mqtt.opening import open_bridge
from companion.outbox.uplink import open_uplink
from companion.sim.players import bots_of

NAMES = ("Anna", "Ben", "Cleo", "Dora", "Emil", "Finn")
MOST_ACTIONS = 40
"""Ways to go on that a bot looks at."""


class PlayingBox:
    """One box whose table plays by itself."""

    def __init__(self, folder: Path, broker: str, stack: ExitStack) -> None:
        self.journal = stack.enter_context(Journal(folder / "journal.db"))
        self.referee = Referee(self.journal)
        self.referee.resume()
        notices = Notices(self.referee.wake)
        stack.enter_context(open_uplink(folder, self.journal, self.referee, notices))
        if broker:
            stack.enter_context(open_bridge(broker, Household(self.referee, self.journal, notices)))
        self._chance = random.Random(folder.name)  # noqa: S311 - it plays, it keeps no secret

    def play(self) -> int:
        """Enters one thing; the number of the event."""
        session = self.referee.moment.session
        if session is None or session.over:
            session = self.referee.open(self._setup(), Source.RECORD)
            return session.seq
        action = self._choose(session.game, session.state)
        line = session.game.format(action)
        said = self.referee.propose(Proposal(line, session.seq, Source.RECORD))
        if isinstance(said, Refused):
            raise RuntimeError(f"a bot broke a rule: {line}: {said}")
        after = self.referee.moment.session
        return 0 if after is None else after.seq

    def _setup(self) -> Setup:
        game = next(iter(packs()))
        people = self._chance.sample(NAMES, 3)
        return Setup(game, tuple(people), changes=bots_of(game).short)

    def _choose(self, game: Game[Any, Any], state: Any) -> Any:
        expected = game.expected(state)
        if expected is not None:
            return expected
        ways = [way for way, _ in zip(game.actions(state), range(MOST_ACTIONS), strict=False)]
        return self._chance.choice(ways)


def main(folder: Path, pace_seconds: float, broker: str = "") -> None:
    with ExitStack() as stack:
        boxes = [PlayingBox(each, broker, stack) for each in sorted(folder.iterdir())]
        threads = [
            threading.Thread(target=_play_on, args=(box, pace_seconds), daemon=True)
            for box in boxes
        ]
        for thread in threads:
            thread.start()
        sys.stdin.read()  # until whoever started this goes away or closes it
        _STOPPING.set()
        for thread in threads:
            thread.join()


_STOPPING = threading.Event()


def _play_on(box: PlayingBox, pace_seconds: float) -> None:
    while not _STOPPING.wait(random.uniform(0.5, 1.5) * pace_seconds):  # noqa: S311
        seq = box.play()
        # One write, so that lines of several threads do not mix.
        sys.stdout.write(f"{box.journal.box} {seq} {time.monotonic():.4f}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "")
