"""`companion replay-case`: a disputed play, read again from its pictures."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import msgspec

from companion.errors import BadInput
from companion.events import Proposal, Source
from companion.evidence import Evidence
from companion.frames import Frame
from companion.journal import Journal
from companion.loop import Eye, Parts, TableLoop
from companion.referee import Referee
from companion.rules.core import Refused, Setup
from companion.session import told
from companion.settings import read_settings

FRAME_SECONDS = 0.1
STILL_FRAMES = 80
"""Each picture is shown for so long that whatever is read of it is entered."""


@click.command("replay-case")
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--settings", "file", type=click.Path(path_type=Path), help="Another settings file.")
def replay_case(folders: tuple[Path, ...], file: Path | None) -> None:
    """Reads disputed plays (FOLDERS below disputes/) again, and compares them with the truth
    written in their entry.json."""
    data = read_settings(file).data_folder
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
    case = _read(folder)
    with (
        TemporaryDirectory(prefix="companion-case-") as name,
        Journal(Path(name) / "journal.db") as journal,
    ):
        referee = Referee(journal)
        referee.open(msgspec.convert(case["setup"], Setup), Source.RECORD)
        for line in case["before"]:
            _enter(referee, line)
        known = len(_entries(referee))
        loop = TableLoop(Parts(_NoCamera(), _eye_maker(data), referee, Evidence(Path(name))))
        for frame in _frames(folder):
            loop.step(frame)
        return list(case["truth"]), _entries(referee)[known:]


def _read(folder: Path) -> Any:
    try:
        case = msgspec.json.decode((folder / "entry.json").read_bytes())
        if case["setup"] is None:
            raise BadInput(f"{folder}: the case does not say which game it is from")
        return {"setup": case["setup"], "before": case["before"], "truth": case["truth"]}
    except (OSError, msgspec.MsgspecError, KeyError, TypeError):
        raise BadInput(f"{folder}: not a disputed play") from None


def _enter(referee: Referee, line: str) -> None:
    session = referee.moment.session
    seq = 0 if session is None else session.seq
    ruling = referee.propose(Proposal(line, seq, Source.RECORD, stand=True))
    if isinstance(ruling, Refused):
        raise BadInput(f"{line!r} cannot be entered any more: {ruling.reasons[0]}")


def _entries(referee: Referee) -> list[str]:
    session = referee.moment.session
    if session is None:
        return []
    return [told(entry.event.fact) for entry in session.entries][::-1]


def _eye_maker(data: Path) -> Any:
    from companion.eyes import Eyes

    eyes = Eyes(data, lambda _notice: None)

    def eye_for(setup: Setup, frame: Frame) -> Eye | None:
        return eyes(setup, frame)

    return eye_for


def _frames(folder: Path) -> list[Frame]:
    """The table as it was looked at last, for a while; books and table are compared, so what lay
    there before is not needed."""
    import cv2
    import numpy as np

    pictures = sorted(folder.glob("look-*.jpg"))
    if not pictures:
        raise BadInput(f"{folder}: there are no pictures in it")
    pixels = cv2.imread(str(pictures[-1]))
    if pixels is None:
        raise BadInput(f"{pictures[-1]}: not a picture")
    image = np.asarray(pixels, np.uint8)
    return [Frame(image, at * FRAME_SECONDS, at) for at in range(STILL_FRAMES)]


class _NoCamera:
    def newest(self) -> Frame | None:
        return None
