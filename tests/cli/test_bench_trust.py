"""`companion bench trust`: every row can be asked for, and says what it found."""

from __future__ import annotations

import json
from importlib import import_module

from companion.bench.trust import NAMES
from companion.bench.trust.promise import Promise
from tests.cli.calling import companion


def test_every_row_is_there_and_has_its_name() -> None:
    for name in NAMES:
        row: Promise = import_module(f"companion.bench.trust.{name}").PROMISE
        assert row.name == name
        assert row.text
        assert row.bar


def test_an_unknown_row() -> None:
    answer = companion("bench", "trust", "--row", "moon")
    assert answer.code == 2
    assert "no row moon; there are flips, " in answer.err


def test_rows_belong_to_trust() -> None:
    answer = companion("bench", "keeping", "--long")
    assert (answer.code, "belong to `companion bench trust`" in answer.err) == (2, True)


def test_a_row_says_what_it_found() -> None:
    answer = companion("bench", "trust", "--row", "flips", "--json")
    told = json.loads(answer.text)
    assert answer.code == 0
    assert (told["row"], told["met"], told["size"]) == ("flips", True, "500 flipped bits")
    assert told["found"].startswith("0 unnoticed, ")
