"""Teaching a deck its own cards: views of every picture, a head fitted to them, a forecast."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.vision import decks
from companion.vision.crops import Floats, Image
from companion.vision.decks import Deck, Vectors
from companion.vision.enrolment.augmentation import astray, sibling, varied
from companion.vision.enrolment.head_fitting import PART, WHOLE, Care, Views, fitted
from companion.vision.networks import network

_SEED = 11
_VIEWS = 24
"""Views of a picture each way up: enough that more change nothing, and 54 cards take seconds."""
_MOST_VIEWS = 2_600
"""Of a large deck each picture is varied less, so that it takes a minute and no quarter of an hour;
..."""
_LEAST_VIEWS = 6
"""... but not less than this."""
_ASTRAY = 6
"""Views of a picture that miss its card."""
_SIBLINGS = 8
"""Made-up cards of the deck for each picture, and as many points where such would be."""
_NEAREST = 4
"""Such a point is a card, and what tells two of its so many nearest apart."""
_SHOWN = 0.95
"""If it is as alike as this to a card that was shown, it is that card."""
_SAME_FACE = 0.6
"""A built-in look as alike as this to a picture may be the same face in another printing."""
HANDICAP = 0.25
"""How much more alike an owner's single look must be than one that was known before. Of sixteen
drawn printings one suit each was added to the built-in cards: without it a quarter of the other
suit of its colour was taken for it, with it hardly more than before, and all shown are still read.
"""
_NAME_PARTS = tuple(
    re.compile(pattern)
    for pattern in (r"(.+?)[\s_-]+([^\s_-]+)", r"([^\W\d]+)(\d+)", r"(\d+)([^\W\d]+)", r"(.)(.)")
)
"""Names in two parts: two words, letters and a number, two characters."""
_DOUBTFUL = 0.05
"""Two cards are told as a pair if so large a share of one's held-out views is read as the other."""
_NAMED, _SURE = 0.5, 0.9


@dataclass(frozen=True, slots=True, eq=False)
class ShownCard:
    """One picture a deck is made from, opened."""

    label: str
    pixels: Image
    quad: Floats


@dataclass(frozen=True, slots=True)
class Forecast:
    """How well a deck will read its cards, from views it had not learnt from."""

    right: float
    """The share of views named right,"""
    wrong: float
    """and of those named wrong;"""
    sure: float
    """the share named right and surely so."""
    pairs: tuple[tuple[str, str, float], ...] = ()
    """Cards taken for each other, and how often, the worst first."""


Progress = Callable[[Sequence[ShownCard]], Iterable[ShownCard]]


def taught(
    deck: Deck, shown: Sequence[ShownCard], progress: Progress = iter
) -> tuple[Deck, Forecast]:
    """The deck with a head fitted to its pictures, and how well that will do. The same pictures
    give the same head."""
    gaps = has_gaps(deck.labels)
    views = _views(deck, shown, progress, siblings=gaps)
    columns = _columns(deck, [look.label for look in deck.looks])
    care = PART if gaps else WHOLE
    head = fitted(deck.vectors, columns, views, care)
    head = head.against(_not_shown(deck), HANDICAP, care.steeper / WHOLE.steeper)
    forecast = _forecast(deck, columns, views, care)
    return replace(deck, head=head, doubts=forecast.pairs), forecast


def has_gaps(labels: Sequence[str]) -> bool:
    """Whether the names tell that cards of the deck were not shown: some but not all of a built-in
    deck's, or of names in two parts (`red 7`) not every first part with every second."""
    shown = set(labels)
    for name in decks.built_in():
        words = set(decks.named(name).labels)
        if shown <= words:
            return bool({word for word in words if not word.endswith("back")} - shown)
    pairs = {pair for label in labels if (pair := _two_parts(label)) is not None}
    firsts, seconds = ({pair[side] for pair in pairs} for side in (0, 1))
    grid = len(firsts) * len(seconds)
    several = len(firsts) > 1 and len(seconds) > 1 and len(pairs) > len(labels) / 2
    return several and len(pairs) > grid / 4 and len(pairs) < grid


def _two_parts(label: str) -> tuple[str, str] | None:
    for pattern in _NAME_PARTS:
        if (found := pattern.fullmatch(label)) is not None:
            return found[1], found[2]
    return None


def _columns(deck: Deck, labels: Sequence[str]) -> npt.NDArray[Any]:
    place = {label: i for i, label in enumerate(deck.labels)}
    return np.array([place[label] for label in labels], np.intp)


def _views(deck: Deck, shown: Sequence[ShownCard], progress: Progress, *, siblings: bool) -> Views:
    """Varied views; with `siblings`, also of cards that such a deck may have besides."""
    rng = np.random.default_rng(_SEED)
    turns = (0, 1, 2, 3) if deck.four_ways else (0, 2)
    many = int(np.clip(_MOST_VIEWS // max(len(shown), 1), _LEAST_VIEWS, _VIEWS))
    points, labels, missed = [], [], []
    for each in progress(shown):
        others = [shown[int(i)].pixels for i in rng.integers(len(shown), size=4)]
        others = [pixels for pixels in others if pixels is not each.pixels]
        for turn in turns:
            cuts = varied(each.pixels, np.roll(each.quad, turn, 0), others, many, rng)
            points.append(network("embedder").run(cuts))
            labels += [each.label] * many
        missed.append(network("embedder").run(astray(each.pixels, each.quad, _ASTRAY, rng)))
        if siblings:
            missed.append(network("embedder").run(_made_up(each, shown, rng)))
    strange = np.concatenate([*missed, _strangers(deck)])
    if siblings:
        strange = np.concatenate([strange, _by_analogy(deck, rng)])
    return Views(np.concatenate(points), _columns(deck, labels), strange)


def _made_up(card: ShownCard, shown: Sequence[ShownCard], rng: np.random.Generator) -> Image:
    """Views of cards that nobody showed, as this deck might have them."""
    cuts = []
    for _ in range(_SIBLINGS):
        other = shown[int(rng.integers(len(shown)))]
        pixels = sibling(card.pixels, None if other is card else other.pixels, rng)
        cuts.append(varied(pixels, np.roll(card.quad, 2 * int(rng.integers(2)), 0), [], 1, rng))
    return np.concatenate(cuts)


def _by_analogy(deck: Deck, rng: np.random.Generator) -> Vectors:
    """Where cards that nobody showed may be: from each look on by what tells two others apart. (As
    red five is to red six, so is blue five to blue six.)"""
    alike = deck.vectors @ deck.vectors.T
    labels = np.array([look.label for look in deck.looks])
    turns = np.array([look.turn for look in deck.looks])
    out = []
    for one in np.repeat(np.arange(len(labels)), _SIBLINGS // 2):
        others = np.flatnonzero((labels != labels[one]) & (turns == turns[one]))
        if len(others) < 2:
            break
        first = _near_one(alike[one], others, rng)
        second = _near_one(alike[first], others[others != first], rng)
        point = deck.vectors[one] + deck.vectors[second] - deck.vectors[first]
        point = point / max(float(np.linalg.norm(point)), 1e-6)
        if (deck.vectors @ point).max() < _SHOWN:
            out.append(point)
    return np.array(out, np.float32).reshape(-1, decks.WIDE)


def _near_one(alike: Vectors, others: Vectors, rng: np.random.Generator) -> int:
    nearest = others[np.argsort(-alike[others])[:_NEAREST]]
    return int(nearest[int(rng.integers(len(nearest)))])


def _strangers(deck: Deck) -> Vectors:
    """Looks of the built-in decks' cards that are none of this deck's."""
    looks = np.concatenate([decks.named(name).vectors for name in decks.built_in()])
    near = (looks @ deck.vectors.T).max(1)
    out: Vectors = looks[near < _SAME_FACE]
    return out


def _not_shown(deck: Deck) -> Vectors:
    """Of a game's deck, the built-in looks of cards that were not shown: else they would be named
    after the most alike that were. Left out are looks that were shown under another name."""
    if deck.name not in decks.built_in():
        return np.zeros((0, decks.WIDE), np.float32)
    known = decks.named(deck.name)
    missing = np.array([look.label not in deck.labels for look in known.looks])
    strange = (known.vectors @ deck.vectors.T).max(1) < _SAME_FACE
    out: Vectors = known.vectors[missing & strange]
    return out


def _forecast(deck: Deck, columns: Vectors, views: Views, care: Care) -> Forecast:
    """Twice: learnt from one half of the views, and tried on the other."""
    odds, truth = [], []
    half = np.arange(len(views.points)) % 2
    for this in (0, 1):
        learnt, tried = half == this, half != this
        part = Views(views.points[learnt], views.cards[learnt], views.strange)
        head = fitted(deck.vectors, columns, part, care)
        odds.append(replace(deck, head=head).odds(views.points[tried]))
        truth.append(views.cards[tried])
    return _told(deck.labels, np.concatenate(odds), np.concatenate(truth))


def _told(labels: Sequence[str], odds: Vectors, truth: Vectors) -> Forecast:
    best, p = odds.argmax(1), odds.max(1)
    right, named = best == truth, (best < len(labels)) & (p >= _NAMED)
    likelier = odds[:, :-1].argmax(1)  # a view nobody would name may still be nearer to another
    pairs: dict[tuple[str, str], float] = {}
    for card in range(len(labels)):
        taken = np.bincount(likelier[truth == card], minlength=len(labels))
        for other in np.flatnonzero(taken):
            share = float(taken[other] / taken.sum())
            if other != card and share >= _DOUBTFUL:
                a, b = sorted((labels[card], labels[int(other)]))
                pairs[a, b] = max(pairs.get((a, b), 0.0), share)
    worst = sorted(((a, b, share) for (a, b), share in pairs.items()), key=lambda row: -row[2])
    return Forecast(
        float((right & named).mean()),
        float((~right & named).mean()),
        float((right & named & (p >= _SURE)).mean()),
        tuple(worst),
    )
