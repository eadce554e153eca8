"""How far an owner's looks are held back beside a built-in deck: `python -m models.train.handicap`.

One suit of a drawn printing is added to the built-in playing cards, one picture a card, and views of
all cards of that printing are read. Held back too little, the shown suit takes over the other suit
of its colour; too much, and showing it was in vain.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from companion.sim.faces import playing
from companion.sim.render.crops import DrawnFace, drawn, view
from companion.vision import decks
from companion.vision.crops import corners
from companion.vision.decks import Deck, Match
from companion.vision.enrolment.deck_making import Sample, learnt
from companion.vision.networks import network

SEED = 31_337
_PRINTINGS = 16
_VIEWS = 4
_TRIED = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4)
_COLOUR = {"S": "C", "C": "S", "H": "D", "D": "H"}


def scanned(card: DrawnFace) -> Sample:
    high, wide = card.pixels.shape[:2]
    page = np.full((high + 80, wide + 80, 3), 120, np.uint8)
    page[40:-40, 40:-40] = card.pixels
    return Sample(card.face.label, page, (corners(wide, high) + 40).astype(np.float64))


def held_back(deck: Deck, known: int, handicap: float) -> Deck:
    """The deck with that handicap on all looks but the first `known`."""
    looks = [*deck.looks[:known], *(replace(k, handicap=handicap) for k in deck.looks[known:])]
    return replace(deck, looks=tuple(looks))


def counted(tally: Counter[str], suit: str, truth: str, match: Match) -> None:
    group = {suit: "shown", _COLOUR[suit]: "its colour"}.get(truth[1], "the rest")
    tally[group] += 1
    if match.label is not None and match.p >= 0.5:
        tally[f"{group} {'right' if match.label == truth else 'WRONG'}"] += 1


def main() -> None:
    base = decks.named("playing-cards")
    tallies: dict[float, Counter[str]] = {handicap: Counter() for handicap in _TRIED}
    for number in range(_PRINTINGS):
        rng = np.random.default_rng([SEED, number])
        style = playing.printing(rng)
        cards = [drawn(playing.face(label, style)) for label in playing.LABELS]
        suit = "SHDC"[number % 4]
        deck = learnt(base, [scanned(c) for c in cards if c.face.label[1] == suit])
        names = [c.face.label for c in cards for _ in range(_VIEWS)]
        cuts = [
            view(c, rng, turn=180 * int(rng.integers(2)), others=cards[:3], covered=0.1)
            for c in cards
            for _ in range(_VIEWS)
        ]
        points = network("embedder").run(np.stack(cuts))
        for handicap, tally in tallies.items():
            for truth, match in zip(
                names, held_back(deck, len(base.looks), handicap).match(points), strict=True
            ):
                counted(tally, suit, truth, match)
    for handicap, tally in tallies.items():
        print(handicap, dict(sorted(tally.items())), flush=True)


if __name__ == "__main__":
    main()
