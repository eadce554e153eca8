"""A deck learnt by playing: how this table's cards looked in plays that stood.

They are only gathered: a single look would take over cards that were not shown. Once nearly every
card has been seen, a deck is made of them, if its owner wants it and it reads better.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from urllib.parse import quote, unquote

import numpy as np

from companion.foundation.errors import BadInput
from companion.foundation.files import replace_file
from companion.foundation.messages import N_, Message, message
from companion.tabletop.deck_offers import DeckOffer
from companion.vision import decks
from companion.vision.crops import HIGH, WIDE, card_crops
from companion.vision.decks import Deck
from companion.vision.enrolment.deck_making import Sample, enrolled, pictured
from companion.vision.networks import network
from companion.vision.pictures import small_picture

log = logging.getLogger(__name__)

MOST_OF_ONE_CARD = 3
"""Looks of each card that are kept: one to learn from, the others to see what was learnt."""
NEARLY_WHOLE = 0.9
"""The share of a deck's cards that must have been seen before a deck is offered."""
SURELY = 0.9
"""A card read at least this surely is read."""

Quads = np.ndarray


@dataclass(frozen=True, slots=True)
class PlayedLook:
    """One card as it lay there when it was played."""

    label: str
    file: Path
    read: bool
    """Whether the camera had read it, and surely so."""


class PlayedLooks:
    """Pictures in the folder of the decks; whatever is no picture of a card is left out."""

    def __init__(self, folder: Path, quad: Quads) -> None:
        """`quad` is where in its picture each card is."""
        self._folder = folder
        self._quad = quad

    def add(self, deck: str, label: str, picture: bytes, *, read: bool) -> None:
        """A further look, unless there are enough of that card. A full disk is no reason to stop a
        game: then it is not kept."""
        if small_picture(picture, (WIDE, HIGH)) is None:
            return
        mine = [each for each in self.of(deck) if each.label == label]
        if len(mine) >= MOST_OF_ONE_CARD:
            return
        folder = self._folder_of(deck)
        name = f"{quote(label, safe='')}~{len(mine) + 1}~{'read' if read else 'unread'}.jpg"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            replace_file(folder / name, picture)
        except OSError as full:
            log.warning("the look of %s cannot be kept (%s)", label, full)

    def of(self, deck: str) -> list[PlayedLook]:
        """All looks of a deck, those of a card together."""
        files = sorted(self._folder_of(deck).glob("*~*~*read.jpg"))
        rows = [(file.stem.rsplit("~", 2), file) for file in files]
        return [PlayedLook(unquote(name), file, how == "read") for (name, _, how), file in rows]

    def samples(self, looks: Sequence[PlayedLook]) -> Iterator[Sample]:
        for each in looks:
            image = small_picture(each.file.read_bytes(), (WIDE, HIGH))
            if image is not None:
                yield Sample(each.label, image, self._quad, str(each.file))

    def _folder_of(self, deck: str) -> Path:
        return self._folder / f"{deck}.played"


@dataclass(frozen=True, slots=True)
class DeckComparison:
    """Of looks a deck had not learnt from: how many were read surely in play, and by the deck."""

    looks: int
    before: int
    after: int


def made_of(
    name: str, played: PlayedLooks, looks: Sequence[PlayedLook]
) -> tuple[Deck, DeckComparison]:
    """The deck that these looks make, and what it would have read better. One look of each card is
    learnt from first and the others are read; then all are learnt from."""
    by_card = [list(mine) for _, mine in groupby(looks, key=lambda each: each.label)]
    first = [mine[0] for mine in by_card]
    rest = [each for mine in by_card for each in mine[1:]]
    trial = _enrolled(name, played, first)
    samples = list(played.samples(rest))
    after = 0
    if samples:
        cuts = [card_crops(each.image, np.asarray(each.quad)[None])[0] for each in samples]
        seen = trial.match(network("embedder").run(np.stack(cuts)))
        pairs = zip(seen, samples, strict=True)
        after = sum(m.label == one.label and m.p >= SURELY for m, one in pairs)
    before = sum(each.read for each in rest)
    deck = trial if not rest else _enrolled(name, played, looks)
    return deck, DeckComparison(len(samples), before, after)


def _enrolled(name: str, played: PlayedLooks, looks: Sequence[PlayedLook]) -> Deck:
    return enrolled(name, [pictured(each) for each in played.samples(looks)]).deck


class DeckKeeper:
    """Offers a deck once it is nearly whole, and makes it beside the game. Any thread may ask."""

    def __init__(self, played: PlayedLooks, folder: Path, changed: Callable[[], None]) -> None:
        """`changed` is called when there is something new to say."""
        self._played = played
        self._folder = folder
        self._changed = changed
        self._lock = threading.Lock()
        self._making: threading.Thread | None = None
        self._told: dict[str, Message] = {}

    def offer(self, deck: str, cards: Sequence[str]) -> DeckOffer | None:
        """What to say of a deck of these cards; None as long as too few of them were seen."""
        told = self._told.get(deck)
        if (self._folder / f"{deck}.deck").exists() and told is None:
            return None  # its owner has shown it already
        looks = [each for each in self._played.of(deck) if each.label in cards]
        seen = {each.label for each in looks}
        if told is None and len(seen) < NEARLY_WHOLE * len(cards):
            return None
        making = self._making is not None and self._making.is_alive()
        missing = tuple(label for label in cards if label not in seen)
        unread = sum(not each.read for each in looks)
        return DeckOffer(deck, len(seen), len(cards), missing, len(looks), unread, making, told)

    def keep(self, deck: str, name: str, cards: Sequence[str]) -> None:
        """Begins to make it. `name` is how its owner calls it; the game uses it from then on."""
        if not decks.is_name(name) or (name in decks.built_in() and name != deck):
            raise BadInput(
                "deck-name-letters",
                N_("%(name)s: a deck is called by letters, digits and -, and not like a game's."),
                name=name,
            )
        with self._lock:
            if self._making is not None and self._making.is_alive():
                raise BadInput("deck-is-being-made", N_("The deck is being made already."))
            looks = [each for each in self._played.of(deck) if each.label in cards]
            if not looks:
                raise BadInput("no-looks-of-deck", N_("None of its cards has been seen in play."))
            self._making = threading.Thread(
                target=self._make, args=(deck, name, looks), name="deck", daemon=True
            )
            self._making.start()

    def wait(self) -> None:
        """Until nothing is being made."""
        if self._making is not None:
            self._making.join()

    def _make(self, deck: str, name: str, looks: Sequence[PlayedLook]) -> None:
        try:
            made, compared = made_of(deck, self._played, looks)
            self._told[deck] = self._kept(made, compared, name)
        except BadInput as bad:
            self._told[deck] = bad.message
        except OSError as full:
            self._told[deck] = message(
                "deck-not-written",
                N_("The deck cannot be written (%(why)s)."),
                why=full.strerror or str(full),
            )
        self._changed()

    def _kept(self, made: Deck, compared: DeckComparison, name: str) -> Message:
        if compared.after < compared.before:
            return message(
                "deck-reads-no-better",
                N_(
                    "It would not read better: of %(looks)s looks %(before)s were read surely in "
                    "play, and %(after)s by the new deck. Nothing has changed."
                ),
                looks=compared.looks,
                before=compared.before,
                after=compared.after,
            )
        self._folder.mkdir(parents=True, exist_ok=True)
        for each in dict.fromkeys((name, made.name)):  # under its name, and for this game
            replace(made, name=each).save(self._folder / f"{each}.deck")
        return message(
            "deck-learnt-by-playing",
            N_(
                "Kept as %(name)s, and used from the next game on. Of %(looks)s looks it had not "
                "learnt from it reads %(after)s surely; in play %(before)s were."
            ),
            name=name,
            looks=compared.looks,
            before=compared.before,
            after=compared.after,
        )
