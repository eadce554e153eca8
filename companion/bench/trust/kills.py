"""Kills a companion in the middle of a game, again and again, and looks for what was promised.

Each child opens the journal, resumes, plays on and says down a pipe what it is about to do and
what it was promised. The parent kills it without a warning at a random point, opens the journal
and looks for everything that was promised, once and in order."""

from __future__ import annotations

import os
import signal
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import NoReturn, TypeAlias

from companion.bench.games import setup
from companion.bench.trust.pieces import in_pieces
from companion.bench.trust.promise import Promise, Tested
from companion.core.game import Refused
from companion.ledger.events import Proposal, Source, Undo
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.ledger.session import Session, replayed, told

KILLS_A_FILE = 50
PIECE = 250
"""Kills after which is written down what was found."""
OPENED = "opened"
SEED = 1116

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
        tell(f"saying {OPENED}")
        tell(f"kept {referee.open(setup(3), Source.PAGE).seq} {OPENED}")
        return
    proposal = a_proposal(session, rng)
    tell(f"saying {proposal.action if isinstance(proposal, Proposal) else 'undo'}")
    ruling = referee.propose(proposal)
    after = referee.moment.session
    if isinstance(ruling, Refused) or after is None:
        tell("refused")
    else:
        tell(f"kept {after.seq} {told(ruling.fact)}")


def a_proposal(session: Session, rng: Random) -> Proposal | Undo:
    """Mostly something that could come next, with slips, takings-back and plays let stand."""
    seq, game = session.seq, session.game
    likely = list(islice(game.actions(session.state), rng.randint(1, 30)))
    if session.latest is not None and (not likely or rng.random() < 0.1):
        return Undo(seq, Source.BUTTON)
    if session.latest is not None and rng.random() < 0.1:  # what was said before, once more
        return Proposal(session.latest.action, seq, Source.CAMERA, stand=rng.random() < 0.5)
    return Proposal(game.format(likely[-1]), seq, Source.PAGE)


# The parent


@dataclass
class KillCount:
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


class Lost(Exception):
    """Something promised is not there, or something is there that nobody said."""


def lived(path: Path, rng: Random, words: int, longer: float) -> Life:
    """A child that is killed `longer` seconds after it has said so many words."""
    ear, mouth = os.pipe()
    seed = rng.random()
    pid = os.fork()
    if pid == 0:
        os.close(ear)
        try:
            child(path, Random(seed), lambda line: _say(mouth, line))  # noqa: S311
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
        raise Lost(f"the child ended by itself after {lines[-3:]}")
    return Life(lines)


def _say(mouth: int, line: str) -> None:
    os.write(mouth, f"{line}\n".encode())


def looked_up(path: Path) -> Log:
    """The whole log as it is on the disk; the game played last must replay to its end."""
    log = Log()
    with Journal(path) as journal:
        latest = Referee(journal).resume()
        for game in journal.games(most=1000):
            events = journal.events(game.number)
            log += [(event.seq, _entry(told(event.fact))) for event in events]
    log.sort()
    if latest is not None and latest.seq != log[-1][0]:
        raise Lost(f"the latest game ends at {latest.seq}, the log at {log[-1]}")
    return log


def _entry(line: str) -> str:
    return OPENED if line.endswith(f" {OPENED}") else line


def replay_all(path: Path) -> int:
    """Every game of the file must replay, and the chain hold; says how many there are."""
    with Journal(path) as journal:
        problem = journal.verify().problem
        if problem is not None:
            raise Lost(str(problem))
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
        raise Lost(f"expected {expected[-5:]} and {said}, found {found[-5:]}")
    return True


def killings(folder: Path, rng: Random, kills: int) -> KillCount:
    """Game after game in the same file, as long as it lasts; then in the next."""
    tally = KillCount()
    for start in range(0, kills, KILLS_A_FILE):
        path, log = folder / f"journal-{start}.db", Log()
        for _ in range(min(KILLS_A_FILE, kills - start)):
            words = rng.randrange(3) if rng.random() < 0.2 else rng.randrange(3, 50)
            life = lived(path, rng, words, rng.random() * rng.choice((0.0005, 0.002, 0.006)))
            found = looked_up(path)
            tally.add(life, kept_too=checked(log, life, found))
            log = found
        tally.games += replay_all(path)
        for each in folder.glob(f"{path.name}*"):
            each.unlink()
    return tally


def killings_at_birth(folder: Path, rng: Random, kills: int) -> KillCount:
    """Killed while the file is only just being made, then another goes on with it."""
    tally = KillCount()
    for number in range(kills // 2):
        path, log = folder / f"newborn-{number}.db", Log()
        for words in (1, 10):
            life = lived(path, rng, words, rng.random() * 0.012)
            found = looked_up(path)
            tally.add(life, kept_too=checked(log, life, found))
            log = found
        for each in folder.glob(f"{path.name}*"):
            each.unlink()
    return tally


def tried(folder: Path, rng: Random, many: int) -> Counter[str]:
    """So many kills, a fifth of them at birth; what was promised, and where they hit."""
    counts = Counter[str](kills=many)
    try:
        rounds = (
            killings(folder, rng, many - many // 5),
            killings_at_birth(folder, rng, many // 5),
        )
    except Lost as lost:
        return counts + Counter({f"lost: {lost}": 1})
    for each in rounds:
        counts["promised"] += each.promised
        counts += Counter({f"killed while {step}": hit for step, hit in each.killed_in.items()})
    return counts


def kills(folder: Path, *, long: bool) -> Tested:
    count = 10_000 if long else 300
    seen = in_pieces(folder, count, partial(tried, folder), most=PIECE, seed=SEED)
    lost = [what for what in seen if what.startswith("lost: ")]
    hit = Counter({what: number for what, number in seen.items() if what.startswith("killed ")})
    where = ", ".join(f"{number:,} {step}" for step, number in hit.most_common(4))
    found = f"{len(lost)} lost of {seen['promised']:,} promised entries ({where})"
    return Tested(
        met=not lost,
        found="; ".join((found, *lost[:3])),
        size=f"{seen['kills']:,} kills",
    )


PROMISE = Promise(
    "kills", "a kill at any moment loses nothing that was promised", "0 lost, 10,000 kills", kills
)
