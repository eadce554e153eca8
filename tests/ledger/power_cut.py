"""Plays games and is killed in the middle of it, again and again:
`python -m tests.ledger.power_cut FOLDER SEED KILLS`. Prints where the kills hit, as JSON.

A process of its own and without threads, because it forks: each child opens the journal, resumes,
plays on and says down a pipe what it is about to do and what it was promised. The parent kills
it without a warning, opens the journal and looks for everything that was promised.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from typing import NoReturn, TypeAlias

from companion.core.game import Refused
from companion.games.odin import rules as odin
from companion.ledger.events import Proposal, Source, Undo, decode
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.ledger.session import Session, replayed, told
from tests.ledger.logs import SETUP, at_table, rows

KILLS_A_FILE = 50
OPENING = "odin opened"

Log: TypeAlias = list[tuple[int, str]]  # seq and entry


# The child


def child(path: Path, rng: Random, tell: Callable[[str], None]) -> NoReturn:
    """Switched on, plays, is switched off properly now and then; only a kill ends it."""
    while True:
        tell("opening")
        with Journal(path) as journal:
            referee = Referee(journal)
            tell("resuming")
            referee.resume()
            tell("resumed")
            for _ in range(rng.randint(1, 40)):
                play_on(referee, rng, tell)
            tell("closing")


def play_on(referee: Referee, rng: Random, tell: Callable[[str], None]) -> None:
    session = referee.moment.session
    if session is None or session.over:
        tell(f"saying {OPENING}")
        tell(f"kept {referee.open(SETUP, Source.PAGE).seq} {OPENING}")
        return
    proposal = a_proposal(session, rng)
    tell(f"saying {proposal.action if isinstance(proposal, Proposal) else 'undo'}")
    ruling = referee.propose(proposal)
    if isinstance(ruling, Refused):
        tell("refused")
    else:
        tell(f"kept {at_table(referee).seq} {told(ruling.fact)}")


def a_proposal(session: Session, rng: Random) -> Proposal | Undo:
    """Mostly something that could come next, with slips, takings-back and plays let stand."""
    state, seq = session.state, session.seq
    if session.latest is not None and rng.random() < 0.1:
        return Undo(seq, Source.BUTTON)
    if rng.random() < 0.1:
        seat, card = rng.choice(state.seats), rng.choice(sorted(state.deck, key=str))
        return Proposal(f"{seat} {card}", seq, Source.CAMERA, stand=rng.random() < 0.5)
    passing = odin.passing(state)
    likely = list(islice(odin.actions(state), rng.randint(1, 30)))
    if passing is not None and (not likely or rng.random() < 0.3):
        likely.append(passing)
    return Proposal(odin.format(likely[-1]), seq, Source.PAGE)


# The parent


@dataclass
class Tally:
    """Where the kills hit, and what the children had been promised by then."""

    kills: int = 0
    promised: int = 0
    refused: int = 0
    killed_in: Counter[str] = field(default_factory=Counter)
    kept_unanswered: int = 0
    games: int = 0

    def add(self, life: Life, *, kept_too: bool) -> None:
        self.kills += 1
        self.promised += len(life.promised)
        self.refused += life.said.count("refused")
        self.killed_in[life.killed_in] += 1
        self.kept_unanswered += kept_too


@dataclass(frozen=True)
class Life:
    """One child from its start to its kill: everything it said."""

    said: list[str]

    @property
    def promised(self) -> Log:
        kept = (line.split(" ", 2) for line in self.said if line.startswith("kept "))
        return [(int(seq), entry) for _, seq, entry in kept]

    @property
    def unanswered(self) -> str | None:
        """What it was saying when it was killed."""
        last = self.said[-1] if self.said else ""
        return last.removeprefix("saying ") if last.startswith("saying ") else None

    @property
    def killed_in(self) -> str:
        return self.said[-1].split(" ")[0] if self.said else "starting"


def lived(path: Path, rng: Random, words: int, longer: float) -> Life:
    """A child that is killed `longer` seconds after it has said so many words."""
    ear, mouth = os.pipe()
    seed = rng.random()
    pid = os.fork()
    if pid == 0:
        os.close(ear)
        try:
            child(path, Random(seed), lambda line: _say(mouth, line))
        except BaseException:
            traceback.print_exc()
        os._exit(1)
    os.close(mouth)
    with os.fdopen(ear, "rb") as heard:
        said = [line for line in (heard.readline() for _ in range(words)) if line]
        time.sleep(longer)
        os.kill(pid, signal.SIGKILL)
        status = os.waitpid(pid, 0)[1]
        said += heard.readlines()
    lines = [line.decode().rstrip("\n") for line in said]
    if not os.WIFSIGNALED(status):
        raise AssertionError(f"the child ended by itself after {lines[-3:]}")
    return Life(lines)


def _say(mouth: int, line: str) -> None:
    os.write(mouth, f"{line}\n".encode())


def looked_up(path: Path) -> Log:
    """The whole log as it is on the disk; the game played last must replay to its end."""
    with Journal(path) as journal:
        latest = Referee(journal).resume()
    log = [
        (int(str(seq)), told(decode(str(kind), str(body))))
        for seq, _, _, _, _, kind, body, *_ in rows(path)
    ]
    if latest is not None and latest.seq != log[-1][0]:
        raise AssertionError(f"the latest game ends at {latest.seq}, the log at {log[-1]}")
    return log


def replay_all(path: Path) -> int:
    """Every game of the file must replay; says how many there are."""
    with Journal(path) as journal:
        games = journal.games(most=1000)
        for game in games:
            replayed(journal.events(game.number))
    return len(games)


def checked(before: Log, life: Life, found: Log) -> bool:
    """Everything promised is there once and in order; was the entry never answered kept too?"""
    expected = before + life.promised
    if found == expected:
        return False
    said = life.unanswered
    seq = expected[-1][0] + 1 if expected else 1
    # A play let stand is written with its mark; the child said only the play.
    if said is None or found not in ([*expected, (seq, said)], [*expected, (seq, f"! {said}")]):
        raise AssertionError(f"expected {expected[-5:]} and {said}, found {found[-5:]}")
    return True


def power_cuts(folder: Path, rng: Random, kills: int) -> Tally:
    """Game after game in the same file, as long as it lasts; then in the next."""
    tally = Tally()
    for start in range(0, kills, KILLS_A_FILE):
        path, log = folder / f"journal-{start}.db", Log()
        for _ in range(min(KILLS_A_FILE, kills - start)):
            words = rng.randrange(3) if rng.random() < 0.2 else rng.randrange(3, 50)
            life = lived(path, rng, words, rng.random() * rng.choice((0.0005, 0.002, 0.006)))
            found = looked_up(path)
            tally.add(life, kept_too=checked(log, life, found))
            log = found
        tally.games += replay_all(path)
    return tally


def cut_off_at_birth(folder: Path, rng: Random, kills: int) -> Tally:
    """Killed while the file is only just being made, then another goes on with it."""
    tally = Tally()
    for number in range(kills):
        path, log = folder / f"newborn-{number}.db", Log()
        for words in (1, 10):
            life = lived(path, rng, words, rng.random() * 0.012)
            found = looked_up(path)
            tally.add(life, kept_too=checked(log, life, found))
            log = found
    return tally


if __name__ == "__main__":
    place, seed, count = Path(sys.argv[1]), Random(int(sys.argv[2])), int(sys.argv[3])
    cuts = power_cuts(place, seed, count)
    births = cut_off_at_birth(place, seed, count // 10)
    print(json.dumps({"cuts": vars(cuts), "births": vars(births)}))
