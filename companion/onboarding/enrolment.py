"""Learning a deck of somebody's own: cards laid before the camera or photographed by a phone, kept
as a draft, and made a deck beside everything else that goes on."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from companion.foundation.errors import BadInput
from companion.foundation.frames import Frame
from companion.foundation.messages import N_, Message, message
from companion.onboarding.deck_draft import (
    CardShot,
    DeckDraft,
    draft_file,
    drafts_in,
    load_draft,
    save_draft,
)
from companion.onboarding.deck_shelf import DeckShelf, check_name
from companion.onboarding.deck_workshop import DeckOrder, DeckWorkshop
from companion.onboarding.table_place import NO_PICTURE, Spot
from companion.vision import decks
from companion.vision.calibration import Plane
from companion.vision.crops import Image, card_crops
from companion.vision.decks import WIDE, Vectors
from companion.vision.enrolment.deck_making import Enrolled, LookAlike, Sample, pictured
from companion.vision.enrolment.laid_out import cards_in
from companion.vision.networks import network
from companion.vision.pictures import uploaded_picture

AT_ONCE = 9
"""Cards laid before the camera at a time."""
PHOTOGRAPH_PX = 1600
"""A photograph is looked at no larger than this."""
SAME_CARD = 0.97
"""How alike two pictures of a card are that was not touched in between."""
MOST_OF_THEM = 0.5
LOOKS_KEPT = 4
"""Pictures with outlines that can still be kept from: several phones may look at once."""


@dataclass(frozen=True, slots=True, eq=False)
class LaidCards:
    """Cards found in one picture, in reading order, and the names that are asked for."""

    token: str
    image: Image
    quads: tuple[Image, ...]
    names: tuple[str, ...]
    plane: Plane | None
    again: bool = False
    """They are the cards that were kept last: nobody has laid others yet."""

    @property
    def outlines(self) -> tuple[tuple[Spot, ...], ...]:
        high, wide = self.image.shape[:2]
        return tuple(
            tuple((round(float(x) / wide, 4), round(float(y) / high, 4)) for x, y in quad)
            for quad in self.quads
        )


class Making(StrEnum):
    NOTHING = "nothing"
    GOING_ON = "going-on"
    DONE = "done"
    FAILED = "failed"


@dataclass(slots=True)
class MakingState:
    """How far the making of a deck has come; replaced as a whole when another begins."""

    name: str = ""
    state: Making = Making.NOTHING
    learnt: int = 0
    cards: int = 0
    result: Enrolled | None = None
    problem: Message | None = None
    alike: tuple[str, ...] = field(default=())
    """Two cards that look the same: one of them has to be shown again."""


class Enrolment:
    """Any thread may ask; one picture is looked at at a time, and one deck is made at a time."""

    def __init__(
        self,
        shelf: DeckShelf,
        frame: Callable[[], Frame | None],
        plane: Callable[[Frame], Plane | None] = lambda _frame: None,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        """`plane` is where the table is, if that is known: then cards are measured too. `changed`
        is called when a deck is another from now on."""
        self.shelf = shelf
        self._frame = frame
        self._plane = plane
        self._changed = changed
        self._looking = threading.Lock()
        self._writing = threading.Lock()
        self._looks: dict[str, LaidCards] = {}
        self._numbers = itertools.count(1)
        self._seen: tuple[int, str, LaidCards] | None = None
        self._kept: Vectors | None = None
        self._making = MakingState()
        self._workshop = DeckWorkshop()
        self._thread: threading.Thread | None = None

    # -- the draft ------------------------------------------------------------------------------

    def begin(self, name: str, words: Sequence[str], *, adding: bool = False) -> DeckDraft:
        """A draft of that name; one that is there already goes on."""
        check_name(name)
        with self._writing:
            if name in self.drafts():
                return load_draft(self.shelf.folder, name)
            if adding:
                self.shelf.file(name)
            else:
                self.shelf.check_free(name)
            draft = DeckDraft(name, tuple(dict.fromkeys(words)), adding=adding)
            save_draft(self.shelf.folder, draft)
            return draft

    def drafts(self) -> tuple[str, ...]:
        return drafts_in(self.shelf.folder)

    def draft(self, name: str) -> DeckDraft:
        check_name(name)
        return load_draft(self.shelf.folder, name)

    def drop(self, name: str) -> None:
        check_name(name)
        draft_file(self.shelf.folder, name).unlink(missing_ok=True)

    def change(self, name: str, how: Callable[[DeckDraft], DeckDraft]) -> DeckDraft:
        check_name(name)
        with self._writing:
            draft = how(load_draft(self.shelf.folder, name))
            save_draft(self.shelf.folder, draft)
            return draft

    # -- before the camera ----------------------------------------------------------------------

    def look(self, name: str) -> LaidCards:
        """The cards that lie there now, under the names that come next."""
        frame = self._frame()
        if frame is None:
            raise BadInput("no-camera-picture", NO_PICTURE)
        names = self.draft(name).missing[:AT_ONCE]
        with self._looking:
            seen = self._seen
            if seen is not None and seen[:2] == (frame.number, name) and seen[2].names == names:
                return seen[2]
            plane = self._plane(frame)
            quads = cards_in(frame.pixels, plane, len(names) or None)
            again = self._lie_there_still(frame.pixels, quads)
            token = f"{next(self._numbers)}"
            laid = LaidCards(token, frame.pixels, tuple(quads), names, plane, again)
            self._looks[laid.token] = laid
            while len(self._looks) > LOOKS_KEPT:
                self._looks.pop(next(iter(self._looks)))
            self._seen = (frame.number, name, laid)
            return laid

    def _lie_there_still(self, image: Image, quads: Image) -> bool:
        """Whether most of these cards were kept a moment ago: under the next names they would be
        learnt as other cards."""
        if self._kept is None or not len(quads):
            return False
        alike = (_vectors(image, quads) @ self._kept.T).max(axis=1)
        return bool((alike >= SAME_CARD).mean() > MOST_OF_THEM)

    def looked_at(self, token: str) -> LaidCards:
        """A look that somebody still works on: it is kept a while longer."""
        with self._looking:
            laid = self._looks.pop(token, None)
            if laid is None:
                raise _look_gone()
            self._looks[token] = laid
            return laid

    def keep(self, name: str, token: str, labels: Sequence[str]) -> DeckDraft:
        """The cards of that look under these names; an empty name leaves an outline out."""
        with self._looking:
            laid = self._looks.get(token)
        if laid is None or len(labels) != len(laid.quads):
            raise _look_gone()
        if laid.again:
            raise BadInput("cards-kept-already", N_("These cards are kept. Lay the next ones."))
        named = [(label, quad) for label, quad in zip(labels, laid.quads, strict=True) if label]
        self._check_labels(name, [label for label, _ in named])
        shots = [_shot(Sample(label, laid.image, quad, label, laid.plane)) for label, quad in named]
        draft = self.change(name, lambda draft: draft.with_shots(shots))
        with self._looking:  # what was kept is not kept twice
            self._looks.clear()
            self._seen = None
            self._kept = _vectors(laid.image, np.array([quad for _, quad in named]))
        return draft

    # -- photographs ----------------------------------------------------------------------------

    def add_photograph(self, name: str, data: bytes, file: str) -> tuple[str, ...]:
        """The cards of a photograph: one called like a card shows that card, others show the cards
        that come next. Which ones they are taken for."""
        image = uploaded_picture(data, file, PHOTOGRAPH_PX)
        with self._looking:
            quads = cards_in(image)
        draft = self.draft(name)
        stem = file.rsplit("/", 1)[-1].rsplit(".", 1)[0].strip()
        labels: Sequence[str] = draft.missing
        if stem in draft.words or not draft.words:
            labels = (stem,)
            quads = quads if len(quads) == 1 else quads[:0]
        if not labels:
            raise BadInput("all-cards-shown", N_("Every card has been shown already."))
        self._check_labels(name, list(labels[:1]))
        if len(quads):
            samples = [Sample(label, image, q) for label, q in zip(labels, quads, strict=False)]
        else:
            samples = [Sample(labels[0], image, source=file)]
        with self._looking:
            shots = [_shot(sample) for sample in samples]
        self.change(name, lambda draft: draft.with_shots(shots))
        return tuple(each.label for each in shots)

    def _check_labels(self, name: str, labels: list[str]) -> None:
        words = self.draft(name).words
        twice = [label for label in labels if labels.count(label) > 1]
        strange = [label for label in labels if words and label not in words]
        if twice or strange or any(len(label) > 60 for label in labels):
            raise BadInput(
                "cards-names-wrong",
                N_("Each card needs a name of its own, and one that is asked for: %(names)s."),
                names=", ".join(twice or strange)[:200],
            )

    # -- making it ------------------------------------------------------------------------------

    @property
    def making(self) -> MakingState:
        return self._making

    def make(self, name: str) -> None:
        """Begins to make the deck of its draft. What is there is kept until it is done."""
        draft = self.draft(name)
        if not draft.shots:
            raise BadInput("no-cards-shown", N_("No card has been shown yet."))
        with self._writing:
            if self._thread is not None and self._thread.is_alive():
                raise BadInput("deck-is-being-made", N_("The deck is being made already."))
            self._making = MakingState(name, Making.GOING_ON, cards=len(draft.shots))
            self._thread = threading.Thread(
                target=self._make, args=(draft, self._making), name="enrolment", daemon=True
            )
            self._thread.start()

    def close(self) -> None:
        """Ends the making of a deck; its draft is still there."""
        self._workshop.close()
        if self._thread is not None:
            self._thread.join()

    def _make(self, draft: DeckDraft, told: MakingState) -> None:
        def learnt(now: int, of: int) -> None:
            told.learnt, told.cards = now, of

        try:
            before = self.shelf.get(draft.name) if draft.adding else None
            fresh = tuple(each.picture for each in draft.shots)
            order = DeckOrder(draft.name, fresh, before, draft.shown)
            told.result = self._workshop.make(order, learnt)
            self.shelf.put(told.result.deck)
            draft_file(self.shelf.folder, draft.name).unlink(missing_ok=True)
            told.state = Making.DONE
            self._changed()
        except LookAlike as alike:
            told.problem, told.alike, told.state = alike.message, alike.pair, Making.FAILED
        except BadInput as bad:
            told.problem, told.state = bad.message, Making.FAILED
        except Exception as broken:  # told on the page; the draft is still there
            told.problem = message(
                "deck-not-made", N_("The deck could not be made (%(why)s)."), why=broken
            )
            told.state = Making.FAILED


def _look_gone() -> BadInput:
    return BadInput("look-gone", N_("The picture has changed meanwhile; look again."))


def asked_words(deck: str) -> tuple[str, ...]:
    """The cards of a built-in deck that an owner is asked to show, in order; no backs."""
    return tuple(word for word in decks.words(deck) if not word.endswith("back"))


def _vectors(image: Image, quads: Image) -> Vectors:
    """What the embedder makes of the cards in these places."""
    if not len(quads):
        return np.zeros((1, WIDE), np.float32)
    return network("embedder").run(card_crops(image, quads))


def _shot(sample: Sample) -> CardShot:
    picture = pictured(sample)
    return CardShot(picture.label, picture.jpeg, picture.size)
