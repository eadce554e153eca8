"""What the face of a playing card and its corner indices say together.

Either may be wrong: a printing may draw a suit or lay its pips as no other does, and a corner may
be covered or written in another language. What both say is weighed by how often each errs; where
they disagree neither is believed for sure, and both answers are offered.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.vision.crops import ImagePyramid
from companion.vision.decks import Deck, Match
from companion.vision.reading.index import RANKS, SUITS, IndexReading, read_indices
from companion.vision.reading.trust import weights

Floats = npt.NDArray[Any]
LABELS = tuple(rank + suit for suit in SUITS for rank in RANKS)
_SHOWN = 4
"""Labels that are offered at most."""
_TINY = 1e-9


@cache
def _kin() -> Floats:
    """(52, 52): for each card the others of its rank or of its suit, in equal parts: whoever errs
    names one of those."""
    alike = np.array([[a != b and (a[0] == b[0] or a[1] == b[1]) for b in LABELS] for a in LABELS])
    out: Floats = alike / alike.sum(1, keepdims=True)
    return out


def index_labels(deck: Deck) -> tuple[str, ...]:
    """What the deck calls the cards of `LABELS`, if these are ordinary playing cards, known without
    having been shown; else nothing: an enrolled deck may have anything in its corners."""
    called = dict(deck.words)
    names = tuple(called.get(label, label) for label in LABELS)
    return names if deck.head is None and set(names) <= set(deck.labels) else ()


def agreed(
    image: ImagePyramid, quads: Floats, matches: list[Match], names: tuple[str, ...]
) -> list[Match]:
    """The matches of cards at these quads, which begin with a short side, after their indices were
    asked as well."""
    how = weights("index")
    if how is None or not len(quads):
        return matches
    said = read_indices(image, quads)
    return [both(match, index, how, names) for match, index in zip(matches, said, strict=True)]


def both(
    match: Match,
    index: IndexReading,
    errs: tuple[float, ...],
    names: tuple[str, ...] = LABELS,
) -> Match:
    """What face and index say together; `errs` is how often each of them is wrong, `names` what
    the deck calls the cards of `LABELS`."""
    if match.label is not None and match.label not in names:
        return match  # a back, or a joker
    face, none = _as_odds(match, names)
    face = (1 - errs[0]) * face + errs[0] * (face @ _kin())
    odds = np.append(face * likelihood(index, errs[1]), none)
    odds /= odds.sum()
    order = np.argsort(-odds)[: _SHOWN + 1].tolist()
    named = [(names[i], float(odds[i])) for i in order if i < len(names)][:_SHOWN]
    if order[0] == len(names):
        return Match(None, match.turn, float(odds[-1]), tuple(named[: _SHOWN - 1]))
    return Match(named[0][0], match.turn, named[0][1], tuple(named[1:]))


def _as_odds(match: Match, names: tuple[str, ...]) -> tuple[Floats, float]:
    """How probable the face makes each card, and none of them."""
    face = np.full(len(names), _TINY)
    named = [*match.others] if match.label is None else [(match.label, match.p), *match.others]
    for label, p in named:
        if label in names:
            face[names.index(label)] = max(p, _TINY)
    return face, max(1 - float(face.sum()), _TINY)


def likelihood(index: IndexReading, errs: float) -> Floats:
    """How many times as likely the corners look so if it is each card as if it were any card."""
    read = float(index.ranks.sum() * index.suits.sum())
    ranks = _evened(index.ranks, errs)
    suits = _evened(index.suits, errs)
    out: Floats = read * np.outer(suits, ranks).ravel() * len(LABELS) + (1 - read)
    return out


def _evened(odds: Floats, errs: float) -> Floats:
    whole = odds / max(float(odds.sum()), _TINY)
    out: Floats = (1 - errs) * whole + errs / len(whole)
    return out
