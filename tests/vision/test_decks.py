"""Decks: matching, the file, and files that are not decks."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.foundation.errors import BadInput
from companion.vision.decks import Deck, Look, Picture, Sureness, built, load, named


def _deck(labels: str = "abc") -> Deck:
    rng = np.random.default_rng(5)
    size = {"a": (63.0, 88.0)}
    rows = [
        (Look(label, turn, size.get(label)), rng.normal(0, 1, 128))
        for label in labels
        for turn in (0, 180)
    ]
    return built("test", rows, Sureness(20.0, 0.6), 0.7)


def test_a_known_look_is_named_with_its_turn() -> None:
    deck = _deck()
    for look, vector in zip(deck.looks, deck.vectors, strict=True):
        (match,) = deck.match(vector[None])
        assert (match.label, match.turn) == (look.label, look.turn)
        assert match.p > 0.99


def test_a_stranger_is_none_of_these() -> None:
    stranger = np.random.default_rng(99).normal(0, 1, (20, 128)).astype(np.float32)
    stranger /= np.linalg.norm(stranger, axis=1, keepdims=True)
    for match in _deck().match(stranger):
        assert match.label is None
        assert match.p > 0.9
        assert len(match.others) == 3


@settings(deadline=None)
@given(st.floats(0.0, 1.0))
def test_probabilities_add_up(share: float) -> None:
    deck = _deck()
    mixed = deck.vectors[0] * share + deck.vectors[2] * (1 - share)
    (match,) = deck.match((mixed / np.linalg.norm(mixed))[None].astype(np.float32))
    assert 0 < match.p <= 1
    assert match.p + sum(p for _, p in match.others) <= 1.0001


def test_a_small_thing_is_no_large_card() -> None:
    both = np.random.default_rng(1).normal(0, 1, 128)
    rows = [(Look("coin", size=(20.0, 20.0)), both), (Look("town", size=(56.0, 56.0)), both)]
    deck = built("test", rows, Sureness(20.0, 0.6), 1.0)
    measured = np.array([(19.0, 21.0), (55.0, 58.0), (63.0, 88.0), (np.nan, np.nan)])
    small, large, other, unknown = deck.match(np.repeat(deck.vectors[:1], 4, 0), measured)
    assert (small.label, large.label, other.label) == ("coin", "town", None)
    assert unknown.label is not None
    assert unknown.p == pytest.approx(0.5, abs=0.01)


def test_no_looks_no_matches() -> None:
    assert _deck().match(np.zeros((0, 128), np.float32)) == []


def test_look_alikes_are_told_worst_first() -> None:
    deck = _deck()
    twin = deck.vectors[0] + 0.1 * deck.vectors[3]
    like = deck.with_looks([Look("d")], (twin / np.linalg.norm(twin))[None])
    assert [pair[:2] for pair in like.hard_pairs()] == [("a", "d")]


def test_a_card_can_be_taken_out_and_put_in_again() -> None:
    deck = _deck()
    less = deck.without("b")
    assert less.labels == ("a", "c")
    more = less.with_looks([Look("b")], deck.vectors[2:3])
    assert more.match(deck.vectors[2:3])[0].label == "b"


def test_the_file_holds_everything(tmp_path: Path) -> None:
    deck = _deck()
    deck.save(tmp_path / "x.deck")
    again = load(tmp_path / "x.deck")
    assert (again.name, again.looks, again.sure, again.shape) == (
        deck.name,
        deck.looks,
        deck.sure,
        deck.shape,
    )
    assert np.abs(again.vectors - deck.vectors).max() < 1e-3


def test_the_file_holds_the_pictures(tmp_path: Path) -> None:
    shown = (Picture("a", b"one", (63.0, 88.0)), Picture("b", b"two"))
    deck = replace(_deck(), pictures=shown, base="odin", eyes="these")
    deck.save(tmp_path / "x.deck")
    again = load(tmp_path / "x.deck")
    assert (again.pictures, again.base, again.eyes) == (shown, "odin", "these")


def _numbers(array: np.ndarray) -> bytes:
    data = BytesIO()
    np.save(data, array, allow_pickle=True)
    return data.getvalue()


_HEADERS: dict[str, Callable[[dict[str, Any]], object]] = {
    "newer": lambda header: header.update(format=99),
    "flat": lambda header: header["looks"][0].__setitem__(2, [63, -1]),
    "pictures lost": lambda header: header.update(pictures=[["a", None]]),
    "short": lambda header: header["looks"].pop(),
    "no number": lambda header: header.update(steep=float("nan")),
}
_VAST = _numbers(np.ones((6, 128), np.float16)).replace(
    b"(6, 128), }" + b" " * 10, b"(6, 128" + b"0" * 10 + b"), }"
)
_FILES: dict[str, tuple[str, bytes]] = {
    "nan": ("looks.npy", _numbers(np.full((6, 128), np.nan, np.float16))),
    "narrow": ("looks.npy", _numbers(np.ones((6, 120), np.float16))),
    "pickled": ("looks.npy", _numbers(np.array([{"a": 1}], dtype=object))),
    "vast": ("looks.npy", _VAST),
    "half": ("looks.npy", b""),
    "deep": ("deck.json", b"[" * 100_000),
}


@pytest.mark.parametrize("kind", [*_HEADERS, *_FILES])
def test_damaged_decks_are_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x.deck"
    _deck().save(path)
    with ZipFile(path) as file:
        held = {name: file.read(name) for name in file.namelist()}
    if kind in _HEADERS:
        header = json.loads(held["deck.json"])
        _HEADERS[kind](header)
        held["deck.json"] = json.dumps(header).encode()
    else:
        held |= [_FILES[kind]]
    with ZipFile(path, "w") as file:
        for name, data in held.items():
            file.writestr(name, data)
    with pytest.raises(BadInput, match="show its cards again under Set-up"):
        load(path)


@settings(max_examples=60, deadline=None)
@given(at=st.integers(0, 2000), byte=st.integers(0, 255), packed=st.booleans())
def test_a_deck_with_a_wrong_byte_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, at: int, byte: int, packed: bool
) -> None:
    path = tmp_path_factory.mktemp("deck") / "x.deck"
    _deck().save(path)
    if packed:
        with ZipFile(path) as file:
            held = {name: file.read(name) for name in file.namelist()}
        with ZipFile(path, "w", ZIP_DEFLATED) as file:
            for name, data in held.items():
                file.writestr(name, data)
    spoilt = bytearray(path.read_bytes())
    spoilt[at % len(spoilt)] = byte
    path.write_bytes(spoilt)
    with suppress(BadInput):
        load(path)


def test_what_is_no_deck_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.deck").write_bytes(b"PK but not really")
    with pytest.raises(BadInput, match="not a deck"):
        load(tmp_path / "x.deck")
    with pytest.raises(BadInput, match="no such deck"):
        load(tmp_path / "y.deck")


def test_an_unknown_name_lists_what_there_is(tmp_path: Path) -> None:
    _deck().save(tmp_path / "mine.deck")
    assert named("mine", tmp_path).labels == ("a", "b", "c")
    with pytest.raises(BadInput, match=r"there are odin, .*mine"):
        named("other", tmp_path)
    with pytest.raises(BadInput, match="there are odin"):
        named("..", tmp_path)
