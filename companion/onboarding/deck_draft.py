"""A deck while it is being learnt: its cards' pictures so far, in one file, so that a power cut
leaves what was kept before and nothing half done."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from companion.foundation.errors import BadInput
from companion.foundation.files import replace_file
from companion.foundation.messages import N_
from companion.vision.decks import Picture, Size

ENDING = ".draft"
MOST_BYTES = 60_000_000
MOST_CARDS = 400
"""Pictures in one draft."""


class CardShot(msgspec.Struct, frozen=True):
    """One card as it was shown."""

    label: str
    jpeg: bytes
    size: Size | None = None

    @property
    def picture(self) -> Picture:
        return Picture(self.label, self.jpeg, self.size)


class DeckDraft(msgspec.Struct, frozen=True):
    name: str
    words: tuple[str, ...]
    """The cards that are asked for, in order; none: people name each as they show it."""
    shots: tuple[CardShot, ...] = ()
    adding: bool = False
    """To a deck that is there, rather than one made anew."""

    @property
    def shown(self) -> frozenset[str]:
        return frozenset(each.label for each in self.shots)

    @property
    def missing(self) -> tuple[str, ...]:
        """The cards not shown yet, in order."""
        return tuple(each for each in self.words if each not in self.shown)

    def with_shots(self, shots: Iterable[CardShot]) -> DeckDraft:
        """A card shown again replaces what was shown of it."""
        fresh = {each.label: each for each in shots}
        old = [each for each in self.shots if each.label not in fresh]
        every = (*old, *fresh.values())
        if len(every) > MOST_CARDS:
            raise BadInput("draft-full", N_("A deck has room for %(most)s cards."), most=MOST_CARDS)
        order = {word: at for at, word in enumerate(self.words)}
        ranked = sorted(every, key=lambda each: order.get(each.label, len(order)))
        return msgspec.structs.replace(self, shots=tuple(ranked))

    def without(self, label: str) -> DeckDraft:
        left = tuple(each for each in self.shots if each.label != label)
        return msgspec.structs.replace(self, shots=left)

    def renamed(self, label: str, to: str) -> DeckDraft:
        """The card is another; if that was shown already, the two change names."""
        swap = {label: to, to: label}
        shots = [
            msgspec.structs.replace(each, label=swap.get(each.label, each.label))
            for each in self.shots
        ]
        return msgspec.structs.replace(self, shots=()).with_shots(shots)


def draft_file(folder: Path, name: str) -> Path:
    return folder / f"{name}{ENDING}"


def load_draft(folder: Path, name: str) -> DeckDraft:
    """Raises `BadInput` if there is none, or it is damaged."""
    file = draft_file(folder, name)
    try:
        data = file.read_bytes()
        if len(data) > MOST_BYTES:
            raise ValueError
        return msgspec.msgpack.decode(data, type=DeckDraft)
    except FileNotFoundError:
        raise BadInput("no-draft", N_("No deck %(name)s is being learnt."), name=name) from None
    except (OSError, ValueError, msgspec.MsgspecError):
        raise BadInput(
            "draft-damaged",
            N_("What was shown of the deck %(name)s cannot be read any more; begin it anew."),
            name=name,
        ) from None


def save_draft(folder: Path, draft: DeckDraft) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(draft_file(folder, draft.name), msgspec.msgpack.encode(draft))
    except OSError as full:
        raise BadInput(
            "draft-not-kept",
            N_("This could not be kept, so nothing was changed (%(why)s)."),
            why=full.strerror,
        ) from None


def drafts_in(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(each.stem for each in folder.glob(f"*{ENDING}")))
