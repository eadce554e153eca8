"""The decks of a box: those that come along and its owner's; which one a game is played with."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from companion.foundation.errors import BadInput
from companion.foundation.files import replace_file
from companion.foundation.messages import N_, Message
from companion.foundation.ownership import keep
from companion.tabletop.layout import PLAYING_CARDS, layouts
from companion.vision import decks
from companion.vision.decks import Deck, Size
from companion.vision.enrolment.deck_making import opened

MOST_DECK_BYTES = 40_000_000
"""Of a deck that somebody brings along."""
_ENDING = ".deck"


@dataclass(frozen=True, slots=True)
class ShelvedDeck:
    name: str
    cards: int
    built_in: bool
    used_for: tuple[str, ...]
    """The games that are played with it."""
    problem: Message | None = None


class DeckShelf:
    def __init__(self, folder: Path) -> None:
        """`folder` is where the owner's decks lie."""
        self.folder = folder

    def own(self) -> tuple[str, ...]:
        return tuple(sorted(each.stem for each in self.folder.glob(f"*{_ENDING}")))

    def decks(self) -> tuple[ShelvedDeck, ...]:
        """Those of its owner first."""
        own = [self._told(name, self.folder / f"{name}{_ENDING}", own=True) for name in self.own()]
        shipped = [self._told(n, decks.file_of(n), own=False) for n in decks.built_in()]
        return (*own, *shipped)

    def _told(self, name: str, file: Path, *, own: bool) -> ShelvedDeck:
        used = tuple(game for game, deck in self.used().items() if deck == (name, own))
        try:
            many = len([w for w in decks.load(file).labels if not w.endswith("back")])
        except BadInput as bad:
            return ShelvedDeck(name, 0, not own, used, bad.message)
        return ShelvedDeck(name, many, not own, used)

    def used(self) -> dict[str, tuple[str, bool]]:
        """By game: the name of its deck, and whether it is the owner's."""
        out = {}
        for game, deck in game_decks().items():
            file = decks.file_of(deck, self.folder)
            out[game] = (file.stem, file.parent == self.folder)
        return out

    def card_size(self, game: str = "") -> Size | None:
        """The size of the cards of that game's deck, as it was measured; None if it was not, or
        there are several. Without a game, of the owner's decks that are played with."""
        used = self.used()
        names = [used[game]] if game in used else [each for each in used.values() if each[1]]
        for name, own in names:
            try:
                sizes = decks.load(self.file(name) if own else decks.file_of(name)).sizes
            except BadInput:
                continue
            if len(sizes) == 1:
                return sizes[0]
        return None

    def choose(self, game: str, name: str, *, own: bool) -> None:
        """The game is played with that deck from now on. Raises `BadInput` if cards of it are
        called as no card of the game is."""
        deck = game_decks().get(game)
        if deck is None:
            raise BadInput("game-not-watched", N_("%(game)s cannot be watched."), game=game)
        if own:
            self._checked(name, deck)
        elif name != deck:
            raise BadInput(
                "deck-of-other-game",
                N_("%(name)s is no deck of %(game)s."),
                name=name,
                game=game,
            )
        chosen = {**decks.chosen_in(self.folder), deck: name if own else ""}
        self._choose(chosen)

    def _checked(self, name: str, deck: str) -> None:
        words = set(decks.words(deck))
        labels = self.get(name).labels
        if not words & set(labels):
            raise BadInput(
                "no-card-in-common",
                N_("None of the cards of %(name)s is called as one of %(deck)s."),
                name=name,
                deck=deck,
            )

    def _choose(self, chosen: Mapping[str, str]) -> None:
        data = json.dumps(chosen).encode()

        def write(path: Path) -> None:
            replace_file(path, data)

        keep(self.folder / decks.CHOSEN_FILE, self.folder.parent, write)

    def get(self, name: str) -> Deck:
        """An owner's deck."""
        return decks.load(self.file(name))

    def file(self, name: str) -> Path:
        """Where an owner's deck lies; raises `BadInput` if there is none."""
        file = self.folder / f"{name}{_ENDING}"
        if not decks.is_name(name) or not file.is_file():
            raise BadInput("no-own-deck", N_("You have no deck %(name)s."), name=name[:60])
        return file

    def put(self, deck: Deck) -> Path:
        """On the shelf, in place of one of that name."""
        file = self.folder / f"{deck.name}{_ENDING}"
        keep(file, self.folder.parent, deck.save)
        return file

    def take_in(self, file: Path, name: str) -> Deck:
        """A deck from somebody else's box, under that name; raises `BadInput`."""
        self.check_free(name)
        deck = replace(opened(str(file)), name=name)
        self.put(deck)
        return deck

    def rename(self, name: str, to: str) -> None:
        deck = self.get(name)
        self.check_free(to)
        self.put(replace(deck, name=to))
        chosen = decks.chosen_in(self.folder)
        self._choose({game: to if deck == name else deck for game, deck in chosen.items()})
        self.file(name).unlink()

    def delete(self, name: str) -> None:
        """Games that were played with it go back to the printed deck."""
        file = self.file(name)
        chosen = decks.chosen_in(self.folder)
        self._choose({game: deck for game, deck in chosen.items() if deck != name})
        file.unlink()

    def check_free(self, name: str) -> None:
        check_name(name)
        if (self.folder / f"{name}{_ENDING}").exists():
            raise BadInput("deck-name-taken", N_("There is a deck %(name)s already."), name=name)


def game_decks() -> dict[str, str]:
    """By game, the deck it is usually played with; and ordinary playing cards, which several are
    played with."""
    return {**{game: each.deck for game, each in layouts().items()}, PLAYING_CARDS: PLAYING_CARDS}


def check_name(name: str) -> None:
    if not decks.is_name(name):
        raise BadInput(
            "deck-s-name-letters", N_("%(name)s: a deck's name is letters, digits and -"), name=name
        )


def strange_words(deck: str, labels: Sequence[str]) -> list[str]:
    """Names of cards that the game of this deck does not know: those of the owner's sheet, where
    its cards are called so. Raises `BadInput` where they are not: such cards would never be read.
    A deck that is no game's may call its cards as it likes."""
    words = decks.words(deck) if deck in decks.built_in() else labels
    strange = [label for label in labels if label not in words]
    if strange and not _named_by_owner(deck):
        raise BadInput(
            "no-card-called-so",
            N_("%(strange)s: no card of %(name)s is called so; they are %(words)s"),
            strange=strange[0],
            name=deck,
            words=", ".join(words),
        )
    return strange


def _named_by_owner(deck: str) -> bool:
    """Whether some of its cards are called as the owner's sheet calls them."""
    return any(each.named_by_owner for each in layouts().values() if each.deck == deck)


def kind_of(labels: Iterable[str]) -> str:
    """The built-in deck whose cards are called so; empty if it is nobody's."""
    given = set(labels)
    return next((n for n in decks.built_in() if given and given <= _words(n)), "")


@cache
def _words(deck: str) -> frozenset[str]:
    return frozenset(decks.words(deck))
