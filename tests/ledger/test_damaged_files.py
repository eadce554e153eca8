"""Damaged files: each is read, or refused in one sentence. `companion bench trust` tries more."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from companion.bench.trust.damage import damaged
from companion.bench.trust.files import SHARES, FileKind, kept_games, kinds, led_to, read_journal
from companion.bench.trust.pages import with_malformed_page


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> dict[str, FileKind]:
    return {kind.name: kind for kind in kinds(tmp_path_factory.mktemp("sound"))}


@pytest.mark.parametrize("name", SHARES)
def test_a_damaged_file_is_never_a_traceback(
    name: str, sound: dict[str, FileKind], tmp_path: Path
) -> None:
    rng = Random(name)
    seen = Counter(
        led_to(sound[name], tmp_path, damaged(sound[name].sound, rng)) for _ in range(SHARES[name])
    )
    assert led_to(sound[name], tmp_path, sound[name].sound) == "read"
    assert set(seen) <= {"read", "refused"}, seen


def test_a_malformed_page_is_never_a_traceback(tmp_path: Path) -> None:
    path = tmp_path / "sound.db"
    kept_games(path, games=1)
    kind, rng = FileKind("journal", path.read_bytes(), read_journal), Random(3)
    seen = Counter(led_to(kind, tmp_path, with_malformed_page(kind.sound, rng)) for _ in range(60))
    assert set(seen) <= {"read", "refused"}, seen
    assert seen["refused"] > 10


def test_an_index_that_points_nowhere(tmp_path: Path) -> None:
    """Rows are gone from their page, and the index still has them: it was a traceback once."""
    path = tmp_path / "journal.db"
    kept_games(path, games=2)
    whole = path.read_bytes()
    rng, kind = Random(29), FileKind("journal", whole, read_journal)
    for _ in range(40):
        wounded = bytearray(whole)
        page = rng.randrange(1, len(whole) // 4096) * 4096
        wounded[page + 3 : page + 5] = rng.randrange(3).to_bytes(2)  # cells on the page
        assert led_to(kind, tmp_path, bytes(wounded)) in ("read", "refused")
