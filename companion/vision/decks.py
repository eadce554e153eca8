"""Decks: what each face looks like to the embedder, and what a new look is likeliest to be.

A deck is one file that can be shared: a header in JSON, one row of numbers per known look, and the
pictures an owner's deck was made from: numbers mean nothing to networks other than those that made
them, pictures do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import numpy.typing as npt

from companion.foundation.errors import BadInput
from companion.foundation.files import replacing
from companion.foundation.messages import N_
from companion.foundation.resources import shipped
from companion.tabletop.layout import PLAYING_CARDS, LyingRules, layouts, lying_of
from companion.vision.heads import Head, head_from

Vectors = npt.NDArray[Any]
Size = tuple[float, float]
FORMAT = 3
_OLDER_FORMATS = (2,)
"""Formats that are still read: decks without heads and handicaps."""
UNSEEN = {PLAYING_CARDS: ("joker",)}
"""Cards of a built-in deck that differ too much to be known before an owner shows them."""
WIDE = 128
"""Numbers the embedder describes a face with."""
_LARGEST = 64 * 1024 * 1024
_MOST_LOOKS = 100_000
_MOST_PICTURES = 5_000
NEAR = 0.75
"""Two faces whose looks agree more than this are hard to tell apart."""


_OTHER_SIZE = 12.0
"""Millimetres by which the sides of two different kinds of pieces differ at least."""
_NEVER = -1e4
"""How strongly a look speaks for what it cannot be."""


@dataclass(frozen=True, slots=True)
class Look:
    """One known look of a face. `turn` is how the face was turned when it looked so."""

    label: str
    turn: int = 0
    size: Size | None = None
    """The card's size in millimetres, short side first, if it is known."""
    handicap: float = 0.0
    """How much more alike than other looks it must be: one picture knows less than many."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A card as it was shown to be enrolled, with a little room about it, as JPEG."""

    label: str
    jpeg: bytes
    size: Size | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """A face, how it is turned, and how probable that is."""

    label: str | None
    turn: int
    p: float
    others: tuple[tuple[str, float], ...] = ()
    """The next best labels."""


@dataclass(frozen=True, slots=True)
class Sureness:
    """From likeness to probability: how steep, and how alike is alike enough to be any of these."""

    steep: float = 20.0
    enough: float = 0.6


@dataclass(frozen=True, eq=False)
class Deck:
    name: str
    looks: tuple[Look, ...]
    vectors: Vectors
    sure: Sureness = Sureness()
    shape: float = 63 / 88
    """Width of a card over its height."""
    sizes: tuple[Size, ...] = ()
    """The cards' sizes in millimetres, short side first, if they are known."""
    pictures: tuple[Picture, ...] = ()
    """What an owner showed;"""
    base: str = ""
    """the built-in deck that was added to;"""
    eyes: str = ""
    """and the network that looked at them. Built-in decks say nothing: theirs is beside them."""
    head: Head | None = None
    """What was learnt from the pictures; without one likeness alone decides."""
    doubts: tuple[tuple[str, str, float], ...] = ()
    """Pairs of cards that are hard to tell apart, and how often one is taken for the other: neither
    is named more surely than that, and both are offered."""
    lying: LyingRules = field(default_factory=LyingRules)
    """How its cards lie, in the game it is used for."""
    words: tuple[tuple[str, str], ...] = ()
    """What a game calls its cards: pairs of the label before and after. Not kept in the file."""

    @cached_property
    def four_ways(self) -> bool:
        """Whether the looks tell quarter turns apart by themselves."""
        return any(look.turn % 180 for look in self.looks)

    def several(self, label: str | int | None) -> bool:
        """Whether more than one card of the deck may show this face."""
        return self.lying.copies or str(label).endswith("back")

    @property
    def side_by_side(self) -> bool:
        """Whether its cards are laid beside each other, never half over one another."""
        return self.lying.side_by_side

    @cached_property
    def labels(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(look.label for look in self.looks))

    @cached_property
    def _column(self) -> npt.NDArray[Any]:
        place = {label: i for i, label in enumerate(self.labels)}
        return np.array([place[look.label] for look in self.looks], np.intp)

    @cached_property
    def _handicaps(self) -> npt.NDArray[Any]:
        return np.array([look.handicap for look in self.looks], np.float32)

    @cached_property
    def _sized(self) -> npt.NDArray[Any]:
        unknown = (np.nan, np.nan)
        return np.array([unknown if look.size is None else look.size for look in self.looks])

    def match(self, points: Vectors, sizes: npt.NDArray[Any] | None = None) -> list[Match]:
        """What each look shows, with "none of these" among the answers.

        Where `sizes` (n, 2) in millimetres are known, nothing is taken for a far larger card.
        """
        if not len(points):
            return []
        strength = self._strength(points)
        if sizes is not None:
            apart = np.abs(sizes[:, None] - self._sized[None]).max(2)
            strength[:, :-1] = np.where(apart > _OTHER_SIZE, _NEVER, strength[:, :-1])
        odds = self._odds(strength)
        order = np.argsort(-odds, axis=1)[:, :4]
        first = order[:, :1]
        # Of the likeliest label the look that is nearest; of none of them, no look is.
        mine = np.where(self._column == first, strength[:, :-1], 2 * _NEVER).argmax(1)
        each = zip(order.tolist(), np.take_along_axis(odds, order, 1).tolist(), mine, strict=True)
        return [self._best(labels, likely, look) for labels, likely, look in each]

    def odds(self, points: Vectors) -> Vectors:
        """A row per look: how probable each label is and, last, none of them."""
        return self._odds(self._strength(points))

    def _strength(self, points: Vectors) -> Vectors:
        """A row per point: how strongly each known look speaks for it and, last, none of them."""
        if self.head is not None:
            return self.head.strength(points)
        near = points @ self.vectors.T - self._handicaps
        none = np.full((len(points), 1), self.sure.enough, np.float32)
        return np.concatenate([near, none], 1) * self.sure.steep

    def _odds(self, strength: Vectors) -> Vectors:
        if self.head is None:
            strength = np.concatenate([self._by_label(strength[:, :-1]), strength[:, -1:]], 1)
        odds = np.exp(strength - strength.max(1, keepdims=True))
        odds /= odds.sum(1, keepdims=True)
        if self.head is None:
            return odds
        order, starts = self._ordered
        named = np.add.reduceat(odds[:, order], starts, axis=1)
        self._doubt(named)
        return np.concatenate([named, odds[:, -1:]], 1)

    def _doubt(self, named: Vectors) -> None:
        """Of two cards that are hard to tell apart leave each its share."""
        place = {label: i for i, label in enumerate(self.labels)}
        for a, b, share in self.doubts:
            if a in place and b in place:
                both = [place[a], place[b]]
                whole = named[:, both].sum(1, keepdims=True)
                least = min(share, 0.5) * whole
                named[:, both] = named[:, both].clip(least, whole - least)

    def likeness(self, points: Vectors) -> Vectors:
        """A row per look: how alike it is to the nearest look of each label."""
        return self._by_label(points @ self.vectors.T)

    def like_small(self, points: Vectors, mm: float) -> Vectors:
        """How alike each look is to the nearest known one of pieces smaller than that."""
        small = self.vectors[(self._sized < mm).all(1)]
        out: Vectors = (points @ small.T).max(1, initial=-1.0)
        return out

    def bears(self, label: str | int | None) -> bool:
        """Whether tokens are laid on cards that show this face."""
        return self.lying.paid_on_backs and (label is None or str(label).endswith("-back"))

    @cached_property
    def _ordered(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """The looks in their labels' order, and where each label's begin."""
        order = np.argsort(self._column, kind="stable")
        return order, np.searchsorted(self._column[order], np.arange(len(self.labels)))

    def _by_label(self, near: Vectors) -> Vectors:
        order, starts = self._ordered
        return np.maximum.reduceat(near[:, order], starts, axis=1)

    def _best(self, order: list[int], odds: list[float], look: int) -> Match:
        """The answer from the likeliest labels, how likely they are, and the nearest look."""
        none = len(self.labels)
        named = [(self.labels[i], p) for i, p in zip(order, odds, strict=True) if i < none]
        if order[0] == none:
            return Match(None, 0, odds[0], tuple(named[:3]))
        return Match(named[0][0], self.looks[look].turn, odds[0], tuple(named[1:]))

    def with_looks(self, looks: Sequence[Look], vectors: Vectors) -> Deck:
        handicaps = [look.handicap for look in looks]
        return replace(
            self,
            looks=(*self.looks, *looks),
            vectors=np.concatenate([self.vectors, vectors]),
            head=None if self.head is None else self.head.extended(vectors, handicaps),
        )

    def renamed(self, word_of: Callable[[str | int], str]) -> Deck:
        """The same deck, its cards called as a game writes them."""
        looks = tuple(replace(look, label=word_of(look.label)) for look in self.looks)
        doubts = tuple((word_of(a), word_of(b), share) for a, b, share in self.doubts)
        words = tuple((label, word_of(label)) for label in self.labels)
        return replace(self, looks=looks, doubts=doubts, words=words)

    def without(self, label: str) -> Deck:
        keep = [i for i, look in enumerate(self.looks) if look.label != label]
        head = None if self.head is None else self.head.kept(keep)
        looks = tuple(self.looks[i] for i in keep)
        return replace(self, looks=looks, vectors=self.vectors[keep], head=head)

    def hard_pairs(self, near: float = NEAR) -> list[tuple[str, str, float]]:
        """Pairs of faces that look alike, the worst first."""
        like = self.vectors @ self.vectors.T
        worst: dict[tuple[str, str], float] = {}
        for i, j in zip(*np.nonzero(np.triu(like > near, 1)), strict=True):
            a, b = sorted((self.looks[i].label, self.looks[j].label))
            if a != b:
                worst[a, b] = max(worst.get((a, b), 0.0), float(like[i, j]))
        return sorted(((a, b, v) for (a, b), v in worst.items()), key=lambda row: -row[2])

    def upside_down(self) -> list[tuple[str, str]]:
        """Pairs whose names differ only in 6 and 9 and that look alike some way up: written by
        hand they may be one another turned."""
        alike = {(a, b) for a, b, _ in self.hard_pairs()}
        swap = str.maketrans("69", "96")
        return sorted((a, b) for a, b in alike if a != b and a.translate(swap) == b)

    # -- the file -----------------------------------------------------------------------

    def save(self, path: Path) -> None:
        header = {
            "format": FORMAT,
            "name": self.name,
            "shape": self.shape,
            "steep": self.sure.steep,
            "enough": self.sure.enough,
            "sizes": self.sizes,
            "looks": [[look.label, look.turn, look.size, look.handicap] for look in self.looks],
            "pictures": [[each.label, each.size] for each in self.pictures],
            "base": self.base,
            "eyes": self.eyes,
            "doubts": self.doubts,
        }
        with replacing(path) as out, ZipFile(out, "w") as file:
            file.writestr("deck.json", json.dumps(header))
            file.writestr("looks.npy", _bytes_of(self.vectors.astype(np.float16)))
            if self.head is not None:
                file.writestr(_HEAD_FILE, _bytes_of(self.head.numbers()))
            for number, each in enumerate(self.pictures):
                file.writestr(_picture_file(number), each.jpeg)


_HEAD_FILE = "head.npy"


def _bytes_of(numbers: Vectors) -> bytes:
    out = BytesIO()
    np.save(out, numbers)
    return out.getvalue()


def _picture_file(number: int) -> str:
    return f"pictures/{number:04}.jpg"


def load(path: Path) -> Deck:
    """A deck from its file; anything else is refused in one sentence."""
    try:
        if path.stat().st_size > _LARGEST:
            raise BadInput("too-large-deck", N_("%(path)s: too large for a deck"), path=path)
        with ZipFile(path) as file:
            if sum(info.file_size for info in file.infolist()) > _LARGEST:
                raise BadInput("too-large-deck", N_("%(path)s: too large for a deck"), path=path)
            header = json.loads(file.read("deck.json"))
            vectors = np.load(BytesIO(file.read("looks.npy")), allow_pickle=False)
            many = min(len(header.get("pictures", ())), _MOST_PICTURES)
            pictures = [file.read(_picture_file(number)) for number in range(many)]
            rows = file.read(_HEAD_FILE) if _HEAD_FILE in file.namelist() else None
        deck = _checked(path, header, vectors, pictures)
        if rows is None:
            return deck
        learnt = np.load(BytesIO(rows), allow_pickle=False)
        return replace(deck, head=head_from(learnt, len(deck.looks), WIDE))
    except FileNotFoundError:
        raise BadInput("no-such-deck", N_("%(path)s: no such deck"), path=path) from None
    except BadInput:
        raise
    except Exception:  # a hostile file may break zip, JSON and numpy in any way
        raise BadInput(
            "not-deck-or-damaged",
            N_("%(path)s: not a deck, or damaged; show its cards again under Set-up"),
            path=path,
        ) from None


def _checked(
    path: Path, header: dict[str, Any], vectors: npt.NDArray[Any], jpegs: Sequence[bytes]
) -> Deck:
    if header["format"] not in (FORMAT, *_OLDER_FORMATS):
        raise BadInput(
            "deck-another-version-companion",
            N_("%(path)s: a deck of another version; show its cards again under Set-up"),
            path=path,
        )
    rows = header["looks"]
    if not isinstance(rows, list) or vectors.ndim != 2 or not 0 < len(rows) <= _MOST_LOOKS:
        raise ValueError
    points = vectors.astype(np.float32)
    length = np.linalg.norm(points, axis=1)
    if points.shape != (len(rows), WIDE) or not np.isfinite(points).all() or (length < 0.5).any():
        raise ValueError
    steep, enough, shape = (float(header[each]) for each in ("steep", "enough", "shape"))
    if not np.isfinite((steep, enough, shape)).all():
        raise ValueError
    return Deck(
        str(header["name"]),
        tuple(_look(*row) for row in rows),
        points / length[:, None],
        Sureness(steep, enough),
        shape,
        tuple(_size(size) for size in header["sizes"]),
        tuple(
            Picture(str(label), jpeg, None if size is None else _size(size))
            for jpeg, (label, size) in zip(jpegs, header["pictures"], strict=True)
        ),
        str(header["base"]),
        str(header["eyes"]),
        doubts=tuple(_doubt(*row) for row in header.get("doubts", ())),
        lying=lying_of(str(header["name"])),
    )


def _look(
    label: object, turn: int, size: Sequence[float] | None = None, handicap: float = 0.0
) -> Look:
    if not 0 <= handicap <= 1:
        raise ValueError
    return Look(str(label), int(turn), None if size is None else _size(size), float(handicap))


def _doubt(one: object, other: object, share: float) -> tuple[str, str, float]:
    if not 0 <= share <= 1:
        raise ValueError
    return str(one), str(other), float(share)


def _size(sides: Sequence[float]) -> Size:
    short, long = (float(side) for side in sides)
    if not 5 < short <= long < 500:
        raise ValueError
    return short, long


def named(name: str, folder: Path | None = None) -> Deck:
    """One of the owner's decks, a built-in one, or the file of that name."""
    return load(file_of(name, folder))


def is_name(name: str) -> bool:
    """Whether a deck may be called so: its file is."""
    return re.fullmatch(r"[\w-]{1,60}", name) is not None


CHOSEN_FILE = "chosen.json"
"""In the folder of the owner's decks: which of them is used in place of a game's."""


def chosen_in(folder: Path | None) -> dict[str, str]:
    """By the name of a game's deck, the one its owner wants instead; empty: the built-in one."""
    try:
        found = json.loads((folder / CHOSEN_FILE).read_text()) if folder else {}
        return {str(key): str(each) for key, each in found.items() if not each or is_name(each)}
    except (OSError, ValueError, AttributeError, RecursionError):
        return {}


def file_of(name: str, folder: Path | None = None) -> Path:
    """Where that deck is kept: the one its owner chose for it; else an owner's deck of that name
    goes before the built-in one."""
    if name.endswith(".deck") or "/" in name:
        return Path(name)
    chosen = chosen_in(folder).get(name)
    if folder and chosen and (folder / f"{chosen}.deck").exists():
        return folder / f"{chosen}.deck"
    if chosen == "" and name in built_in():
        return shipped("models") / f"{name}.deck"
    own = folder / f"{name}.deck" if folder and is_name(name) else None
    if own is not None and own.exists():
        return own
    if name in built_in():
        return shipped("models") / f"{name}.deck"
    have = sorted(p.stem for p in folder.glob("*.deck")) if folder and folder.is_dir() else []
    raise BadInput(
        "no-deck-called",
        N_("no deck is called %(name)s; there are %(known)s"),
        name=name,
        known=", ".join((*built_in(), *have)),
    )


def built_in() -> tuple[str, ...]:
    """The decks that come along: those of the games, and ordinary playing cards."""
    models = shipped("models")
    names = dict.fromkeys((*(layout.deck for layout in layouts().values()), PLAYING_CARDS))
    return tuple(name for name in names if (models / f"{name}.deck").exists())


def words(name: str) -> tuple[str, ...]:
    """What the cards of a built-in deck are called; games know them by these names."""
    return (*named(name).labels, *UNSEEN.get(name, ()))


def built(
    name: str,
    rows: Iterable[tuple[Look, Vectors]],
    sure: Sureness,
    shape: float,
    sizes: tuple[Size, ...] = (),
) -> Deck:
    looks, vectors = zip(*rows, strict=True)
    points = np.stack(vectors).astype(np.float32)
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    return Deck(name, tuple(looks), points, sure, shape, sizes, lying=lying_of(name))
