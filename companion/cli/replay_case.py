"""`companion replay-case`: a disputed play, read again from its pictures."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import msgspec

from companion.core.game import Refused, Setup
from companion.foundation.errors import BadInput
from companion.foundation.frames import Frame
from companion.foundation.messages import N_
from companion.ledger.events import Proposal, Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.ledger.session import told
from companion.service.settings import read_settings
from companion.watch.evidence import Evidence
from companion.watch.eye import Eye
from companion.watch.loop import LoopParts, TableLoop

FRAME_SECONDS = 0.1
STILL_FRAMES = 80
"""Each picture is shown for so long that whatever is read of it is entered."""


@click.command("replay-case")
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--settings", "own", type=click.Path(path_type=Path), help="Another settings file.")
@click.pass_obj
def replay_case(file: Path | None, folders: tuple[Path, ...], own: Path | None) -> None:
    """Reads disputed plays (FOLDERS below disputes/) again, and compares them with the truth
    written in their entry.json."""
    data = read_settings(own or file).data_folder
    wrong = 0
    for folder in folders:
        truth, entered = replayed(folder, data)
        right = entered == truth
        wrong += not right
        sign = "right" if right else "WRONG"
        click.echo(f"{folder.name}: {sign}: {'; '.join(entered) or 'nothing entered'}")
        if not right:
            click.echo(f"  the truth is {'; '.join(truth)}")
    sys.exit(1 if wrong else 0)


def replayed(folder: Path, data: Path) -> tuple[list[str], list[str]]:
    """What really happened, and what is entered when the pictures are seen again."""
    setup, before, truth = _read(folder)
    with (
        TemporaryDirectory(prefix="companion-case-") as name,
        Journal(Path(name) / "journal.db") as journal,
    ):
        referee = Referee(journal)
        referee.open(setup, Source.RECORD)
        for line in before:
            _enter(referee, line)
        known = len(_entries(referee))
        loop = TableLoop(LoopParts(_NoCamera(), _eye_maker(data), referee, Evidence(Path(name))))
        for frame in _frames(folder):
            loop.step(frame)
        return truth, _entries(referee)[known:]


class _Case(msgspec.Struct, frozen=True):
    """What entry.json says, as far as it is needed here."""

    setup: Setup | None
    before: list[str]
    truth: list[str]


def _read(folder: Path) -> tuple[Setup, list[str], list[str]]:
    try:
        case = msgspec.json.decode((folder / "entry.json").read_bytes(), type=_Case)
    except (OSError, msgspec.MsgspecError, RecursionError):
        raise BadInput(
            "not-disputed-play", N_("%(folder)s: not a disputed play"), folder=folder
        ) from None
    if case.setup is None:
        raise BadInput(
            "case-does-not-say",
            N_("%(folder)s: the case does not say which game it is from"),
            folder=folder,
        )
    return case.setup, case.before, case.truth


def _enter(referee: Referee, line: str) -> None:
    session = referee.moment.session
    seq = 0 if session is None else session.seq
    ruling = referee.propose(Proposal(line, seq, Source.RECORD, stand=True))
    if isinstance(ruling, Refused):
        raise BadInput(
            "cannot-entered-any-more",
            N_("%(line)s cannot be entered any more: %(reasons)s"),
            line=repr(line),
            reasons=ruling.reasons[0],
        )


def _entries(referee: Referee) -> list[str]:
    session = referee.moment.session
    if session is None:
        return []
    return [told(entry.event.fact) for entry in session.entries][::-1]


def _eye_maker(data: Path) -> Any:
    from companion.watch.eyes import Eyes

    eyes = Eyes(data, lambda _notice: None)

    def eye_for(setup: Setup, frame: Frame) -> Eye | None:
        return eyes(setup, frame)

    return eye_for


def _frames(folder: Path) -> list[Frame]:
    """The table as it was looked at last, for a while; books and table are compared, so what lay
    there before is not needed."""
    from companion.vision.pictures import read_picture

    pictures = sorted(folder.glob("look-*.jpg"))
    if not pictures:
        raise BadInput("no-pictures", N_("%(folder)s: there are no pictures in it"), folder=folder)
    image = read_picture(pictures[-1])
    return [Frame(image, at * FRAME_SECONDS, at) for at in range(STILL_FRAMES)]


class _NoCamera:
    def newest(self) -> Frame | None:
        return None
