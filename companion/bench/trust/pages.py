"""Journals with malformed pages: as a failing card leaves them, and as nobody would write them."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path
from random import Random

from companion.bench.trust.damage import PAGE, damaged
from companion.bench.trust.files import FileKind, counted, kept_games, led_to, read_journal
from companion.bench.trust.pieces import in_pieces
from companion.bench.trust.promise import Promise, Tested

LONG = 20_000
SHORT = 300
PIECE = 500
"""Files after which is written down what was found."""
SEED = 11


def with_malformed_page(data: bytes, rng: Random) -> bytes:
    """One page is damaged inside, where SQLite keeps what lies where."""
    pages = len(data) // PAGE
    start = rng.randrange(pages) * PAGE
    wounded = bytearray(data)
    head = start + (100 if start == 0 else 0)
    for _ in range(rng.choice((1, 2, 4, 16))):
        # The header and the list of cells are at the front of a page, the cells at its end.
        reach = rng.choice((12, 120, PAGE - 100))
        wounded[head + rng.randrange(reach)] = rng.randrange(256)
    return bytes(wounded) if rng.random() < 0.8 else damaged(bytes(wounded), rng)


def tried(folder: Path, sound: FileKind, rng: Random, many: int) -> Counter[str]:
    return Counter(
        led_to(sound, folder, with_malformed_page(sound.sound, rng)) for _ in range(many)
    )


def pages(folder: Path, *, long: bool) -> Tested:
    sound = folder / "sound.db"
    kept_games(sound, games=6)
    piece = partial(tried, folder, FileKind("journal", sound.read_bytes(), read_journal))
    seen = in_pieces(folder, LONG if long else SHORT, piece, most=PIECE, seed=SEED)
    return counted(seen, f"{seen.total():,} journals with malformed pages")


PROMISE = Promise(
    "pages", "a journal with malformed pages is opened or refused", "no traceback in 20,000", pages
)
