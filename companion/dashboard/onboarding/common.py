"""What the pages of set-up share: the desk, the steps, answers for the script."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
from flask import Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.core.catalog import packs
from companion.dashboard.language import reader_language
from companion.dashboard.parts import Parts
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_, Message
from companion.onboarding.steps import SetupProgress, SetupStep, StepState, progress
from companion.tabletop.layout import PLAYING_CARDS, layouts
from companion.views.speech import Speech
from companion.views.watched import thing_named

if TYPE_CHECKING:  # it brings the picture libraries with it
    from companion.onboarding.desk import Desk

STEP_WORDS = {
    SetupStep.YOU: N_("Your table"),
    SetupStep.CAMERA: N_("Camera"),
    SetupStep.TABLE: N_("Where the table is"),
    SetupStep.DECK: N_("Your deck"),
    SetupStep.ZONES: N_("Zones"),
    SetupStep.BUTTONS: N_("Buttons and lamps"),
    SetupStep.TRY: N_("Try it"),
}
STEP_ABOUT = {
    SetupStep.YOU: N_("Its name, its language, and who owns the box."),
    SetupStep.CAMERA: N_("Which camera looks down on the table, and how well it sees."),
    SetupStep.TABLE: N_("By markers, by four corners, or by any four cards."),
    SetupStep.DECK: N_("The printed one, ordinary playing cards, or your own."),
    SetupStep.ZONES: N_("Where cards lie in your game."),
    SetupStep.BUTTONS: N_("If your box has any: press each, see each."),
    SetupStep.TRY: N_("Lay a card, take it back. It says what it sees."),
}
STEP_ICONS = {
    SetupStep.YOU: "home",
    SetupStep.CAMERA: "camera",
    SetupStep.TABLE: "target",
    SetupStep.DECK: "layers",
    SetupStep.ZONES: "hand",
    SetupStep.BUTTONS: "box",
    SetupStep.TRY: "sparkles",
}
STEP_PAGES = {
    SetupStep.YOU: "setup_you.show",
    SetupStep.CAMERA: "setup.camera",
    SetupStep.TABLE: "setup_table.show",
    SetupStep.DECK: "setup_deck.show",
    SetupStep.ZONES: "setup.zones",
    SetupStep.BUTTONS: "buttons.show",
    SetupStep.TRY: "setup_try.show",
}


@dataclass(frozen=True, slots=True)
class NextStep:
    """The step of set-up that comes next."""

    words: str
    about: str
    href: str
    begun: bool


class SetupDoor:
    """What every page of set-up needs."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts

    @property
    def desk(self) -> Desk:
        if self.parts.desk is None:
            raise BadInput("no-set-up", N_("This companion cannot be set up on the page."))
        return self.parts.desk()

    def tell(self, words: Message) -> str:
        return Speech(reader_language(self.parts.language)).told(words)

    def progress(self) -> SetupProgress:
        marked = {} if self.parts.steps is None else self.parts.steps.read()
        return progress(marked, self._seen())

    def _seen(self) -> dict[SetupStep, Callable[[], bool]]:
        """What can be told without asking anybody."""
        parts, table = self.parts, self.parts.table
        seen: dict[SetupStep, Callable[[], bool]] = {
            SetupStep.YOU: lambda: parts.access.asked or bool(parts.name_now),
            SetupStep.BUTTONS: lambda: parts.trial is None,
        }
        if parts.desk is None or table is None:
            return seen
        return {
            **seen,
            SetupStep.CAMERA: lambda: parts.simulated is None and parts.picture() is not None,
            SetupStep.TABLE: lambda: self.desk.place.fits,
            SetupStep.DECK: lambda: any(own for _, own in self.desk.shelf.used().values()),
            SetupStep.ZONES: lambda: any(map(table.zones.moved, watchable_games())),
        }

    def cards_are_shown(self, simulated: tuple[str, ...]) -> None:
        """For the next seconds what lies there is shown and not played; on a simulated table these
        cards are laid, as far as it has them."""
        if self.parts.table is not None:
            self.parts.table.rest()
        table = self.parts.simulated
        if table is not None:
            known = simulated_cards(table.text)
            table.lay_out(tuple(each for each in simulated if each in known))

    def polled(self, answer: Callable[[], object]) -> Response:
        """An answer for a page that asks again and again: what is wrong is said in it, for it is
        no fault of the page."""
        try:
            return as_json(answer())
        except BadInput as bad:
            return as_json({"problem": self.tell(bad.message)})

    def mark(self, step: SetupStep, state: StepState = StepState.DONE) -> None:
        if self.parts.steps is not None:
            self.parts.steps.mark(step, state)

    def next_step(self) -> NextStep | None:
        """What is to be set up next, for pages that lead there; None if nothing is."""
        if self.parts.desk is None or self.parts.steps is None:
            return None
        progress = self.progress()
        step = progress.next
        if step is None:
            return None
        return NextStep(
            STEP_WORDS[step], STEP_ABOUT[step], url_for(STEP_PAGES[step]), progress.begun
        )

    def page(self, template: str, step: SetupStep, **values: object) -> str:
        """One step's page, with where it stands among the others."""
        every = list(SetupStep)
        at = every.index(step)
        following = every[at + 1] if at + 1 < len(every) else None
        return render_template(
            template,
            step=step,
            number=at + 1,
            many=len(every),
            title=STEP_WORDS[step],
            state=self.progress().states[step],
            following=None if following is None else url_for(STEP_PAGES[following]),
            before=url_for(STEP_PAGES[every[at - 1]]) if at else url_for("setup.show"),
            watched=self.parts.table is not None,
            simulated=self.parts.simulated is not None,
            **values,
        )


def simulated_cards(text: str) -> tuple[str, ...]:
    """The cards of the game that is shown on a simulated table."""
    from companion.onboarding.deck_shelf import game_decks
    from companion.onboarding.enrolment import asked_words

    return asked_words(game_decks()[text.partition(",")[0]])


def to(endpoint: str, **values: str) -> AnyResponse:
    return redirect(url_for(endpoint, _external=False, **values), 303)


def as_json(value: object) -> Response:
    data = msgspec.json.encode(value)
    return Response(data, headers={"Cache-Control": "no-store"}, mimetype="application/json")


def by_script() -> bool:
    return "X-Live" in request.headers


def card_words(labels: tuple[str, ...], language: str) -> dict[str, str]:
    """What people call these cards: *red 5*, if they are cards of a game; else as they are."""
    from companion.onboarding.deck_shelf import kind_of

    kind = kind_of(labels)
    layout = next(((g, each) for g, each in layouts().items() if each.deck == kind), None)
    if layout is None or kind == PLAYING_CARDS:
        return {label: _suited(label) if kind == PLAYING_CARDS else label for label in labels}
    game, lying = layout
    speech = Speech(language, game)
    return {label: thing_named(speech, lying.word_of(label)) for label in labels}


def _suited(label: str) -> str:
    """A playing card by its sign: 7H is 7♥."""
    signs = {"H": "♥", "D": "♦", "S": "♠", "C": "♣"}
    return label[:-1] + signs[label[-1]] if label[-1:] in signs and len(label) <= 3 else label


def watchable_games() -> tuple[str, ...]:
    return tuple(name for name, pack in packs().items() if pack.watchable)
