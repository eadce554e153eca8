"""Damaged files of every kind the companion reads: each is read, or refused in one sentence."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from companion.bench.games import random_game, setup
from companion.bench.trust.damage import damaged
from companion.bench.trust.pieces import in_pieces
from companion.bench.trust.promise import Promise, Tested
from companion.core.catalog import game_named, packs
from companion.foundation.errors import CompanionError
from companion.foundation.frames import jpeg
from companion.foundation.resources import shipped
from companion.ledger import records
from companion.ledger.events import Did, Fact, Opened, Source
from companion.ledger.journal import Journal, now
from companion.ledger.session import replayed
from companion.ledger.sheets import sheets_in
from companion.service.backup import back_up
from companion.service.restore import restore
from companion.service.settings import read_settings, usable_settings

SEED = 5
LONG = 100_000
SHORT = 700
PIECE = 1000
"""Files after which is written down what was found."""
SHARES = {
    "journal": 30,
    "record": 30,
    "settings": 12,
    "sheet": 10,
    "backup": 10,
    "image": 6,
    "deck": 2,
}
"""Of a hundred: decks take long to read."""


@dataclass(frozen=True, slots=True)
class FileKind:
    """A sound file, and how the companion reads one of its kind."""

    name: str
    sound: bytes
    read: Callable[[Path], object]


def kept_games(path: Path, games: int = 3) -> None:
    with Journal(path) as journal:
        for seed in range(games):
            opened = setup()
            game = game_named(opened.game)
            facts: list[Fact] = [Opened(opened, game.VERSION)]
            facts += [Did(game.format(action)) for _, action in random_game(opened, seed)]
            journal.import_game([(fact, now(), Source.RECORD) for fact in facts])


def read_journal(path: Path) -> None:
    """Everything a companion asks of a journal from its start on."""
    with Journal(path) as journal:
        journal.verify()
        journal.latest_game()
        journal.count_games()
        for kept in journal.games(most=10):
            events, _ = journal.readable(kept.number)
            try:
                if events:
                    replayed(events)
            except CompanionError:
                continue
        journal.rows_since(0, 50)


def _read_record(path: Path) -> None:
    for _ in records.judged(records.read(path.read_bytes())):
        pass


def _read_settings(path: Path) -> None:
    try:
        read_settings(path)
    except CompanionError:
        usable_settings(path)


def _read_image(path: Path) -> None:
    from companion.vision.pictures import read_picture

    read_picture(path)


def _read_deck(path: Path) -> None:
    from companion.vision.decks import load

    load(path)


def _read_backup(path: Path) -> None:
    restore(path, path.parent / "nowhere", path.parent / "companion.toml", dry_run=True)


def kinds(folder: Path) -> Iterator[FileKind]:
    journal = folder / "data" / "journal.db"
    kept_games(journal)
    yield FileKind("journal", journal.read_bytes(), read_journal)
    with Journal(journal) as opened:
        yield FileKind("record", records.write(opened.events(1)).encode(), _read_record)
    told = b'language = "de"\nport = 8080\nhold_seconds = 1.5\ncamera = "usb:1"\n'
    yield FileKind("settings", told, _read_settings)
    for game, sheet in sheets_in(folder / "sheets").items():
        yield FileKind(
            "sheet", sheet.export().encode() + _sheet_lines(game), _replaces(folder, game)
        )
        break
    back_up(folder / "data", None, folder / "backup.zip")
    yield FileKind("backup", (folder / "backup.zip").read_bytes(), _read_backup)
    import numpy as np

    picture = np.linspace(0, 255, 3 * 64 * 48).reshape(48, 64, 3).astype(np.uint8)
    yield FileKind("image", jpeg(picture, 64, 90), _read_image)
    deck = min(shipped("models").glob("*.deck"), key=lambda file: file.stat().st_size)
    yield FileKind("deck", deck.read_bytes(), _read_deck)


def _sheet_lines(game: str) -> bytes:
    """Two entries of a sheet, so that there is something to damage."""
    rules = packs()[game].sheet
    if rules is None:
        return b""
    entries = list(rules().entries(rules().printed))[:40]
    return "".join(f'{path} = "{text}"\n' for path, text in entries).encode()


def _replaces(folder: Path, game: str) -> Callable[[Path], object]:
    (folder / "sheets").mkdir(exist_ok=True)
    return lambda path: sheets_in(folder / "sheets")[game].replace(path.read_bytes())


def led_to(kind: FileKind, folder: Path, data: bytes) -> str:
    """What a damaged file of a kind leads to: `read`, `refused`, or an error's name."""
    path = folder / f"wounded-{kind.name}"
    path.write_bytes(data)
    try:
        kind.read(path)
    except CompanionError:
        return "refused"
    except Exception as error:
        return f"{kind.name}: {type(error).__name__}: {error}"[:160]
    else:
        return "read"
    finally:
        for each in folder.glob(f"{path.name}*"):
            each.unlink()
        shutil.rmtree(folder / "nowhere", ignore_errors=True)


def counted(seen: Counter[str], size: str) -> Tested:
    read, refused = seen.pop("read", 0), seen.pop("refused", 0)
    wrong = "".join(f"; {number} × {what}" for what, number in seen.most_common(4))
    return Tested(
        met=not seen,
        found=f"{seen.total()} tracebacks, {refused:,} refused, {read:,} read{wrong}",
        size=size,
    )


def tried(folder: Path, sound: Sequence[FileKind], rng: Random, many: int) -> Counter[str]:
    """So many damaged files, of each kind its share."""
    return Counter(
        led_to(kind, folder, damaged(kind.sound, rng))
        for kind in sound
        for _ in range(many * SHARES[kind.name] // 100)
    )


def files(folder: Path, *, long: bool) -> Tested:
    piece = partial(tried, folder, list(kinds(folder)))
    seen = in_pieces(folder, LONG if long else SHORT, piece, most=PIECE, seed=SEED)
    return counted(seen, f"{seen.total():,} damaged files of {len(SHARES)} kinds")


PROMISE = Promise(
    "files", "a damaged file is refused in one sentence", "no traceback in 100,000 files", files
)
