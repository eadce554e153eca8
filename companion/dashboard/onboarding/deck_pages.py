"""`/setup/deck`: the decks of the box, and learning one's own."""

from __future__ import annotations

import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from flask import Blueprint, Response, request, send_file, url_for
from werkzeug.datastructures import FileStorage
from werkzeug.wrappers import Response as AnyResponse

from companion.dashboard.access.needs import PHOTOGRAPH_BYTES
from companion.dashboard.forms import word
from companion.dashboard.language import reader_language
from companion.dashboard.onboarding.common import SetupDoor, as_json, by_script, card_words, to
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.onboarding.steps import SetupStep

if TYPE_CHECKING:
    from companion.onboarding.enrolment import Enrolment

MOST_PHOTOGRAPHS = 60
"""In one request; the script sends one at a time."""
MOST_PAIRS = 8
"""Pairs of cards that are shown as hard to tell apart."""


class DeckPages:
    def __init__(self, door: SetupDoor) -> None:
        self._door = door

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("setup_deck", __name__, url_prefix="/setup/deck")
        for path, name, view, method in (
            ("", "show", self.show, "GET"),
            ("/begin", "begin", self.begin, "POST"),
            ("/use", "use", self.use, "POST"),
            ("/take-in", "take_in", self.take_in, "POST"),
            ("/<name>", "learn", self.learn, "GET"),
            ("/<name>/laid.json", "laid", self.laid, "GET"),
            ("/<name>/keep", "keep", self.keep, "POST"),
            ("/<name>/photographs", "photographs", self.photographs, "POST"),
            ("/<name>/card", "card", self.card, "POST"),
            ("/<name>/card.jpg", "picture", self.picture, "GET"),
            ("/<name>/make", "make", self.make, "POST"),
            ("/<name>/making.json", "making", self.making, "GET"),
            ("/<name>/made", "made", self.made, "GET"),
            ("/<name>/rename", "rename", self.rename, "POST"),
            ("/<name>/delete", "delete", self.delete, "POST"),
            ("/<name>/drop", "drop", self.drop, "POST"),
            ("/<name>.deck", "export", self.export, "GET"),
        ):
            blueprint.add_url_rule(path, name, view, methods=[method])
        return blueprint

    @property
    def _enrolment(self) -> Enrolment:
        return self._door.desk.enrolment

    def _words(self, labels: tuple[str, ...]) -> dict[str, str]:
        return card_words(labels, reader_language(self._door.parts.language))

    # -- the shelf ------------------------------------------------------------------------------

    def show(self, problem: str = "") -> str:
        from companion.onboarding.deck_shelf import game_decks

        shelf = self._door.desk.shelf
        decks = shelf.decks()
        return self._door.page(
            "setup/deck.html",
            SetupStep.DECK,
            own=[each for each in decks if not each.built_in],
            printed=[each for each in decks if each.built_in],
            drafts=self._enrolment.drafts(),
            kinds=game_decks(),
            used=shelf.used(),
            problems={e.name: self._door.tell(e.problem) for e in decks if e.problem is not None},
            problem=problem,
        )

    def begin(self) -> AnyResponse | tuple[str, int]:
        """A deck of one's own, or more cards of one that is there."""
        from companion.onboarding.deck_shelf import game_decks
        from companion.onboarding.enrolment import asked_words

        try:
            name, kind = word("name", 60), request.form.get("kind", "")
            adding = request.form.get("adding") == "yes"
            if adding:
                cards: tuple[str, ...] = (word("card", 60),)
            elif kind in game_decks():
                cards = asked_words(game_decks()[kind])
            else:
                lines = request.form.get("cards", "")[:20_000].splitlines()
                cards = tuple(each.strip()[:60] for each in lines if each.strip())
                if not cards:
                    raise BadInput(
                        "cards-by-name", N_("Say what the cards are called, one a line.")
                    )
            self._enrolment.begin(name, cards, adding=adding)
        except BadInput as bad:
            return self.show(self._door.tell(bad.message)), 400
        return to("setup_deck.learn", name=name)

    def use(self) -> AnyResponse | tuple[str, int]:
        """The deck a game is played with from now on."""
        game, _, deck = word("deck", 140).partition("/")
        name, _, whose = deck.partition("/")
        try:
            self._door.desk.shelf.choose(game, name, own=whose == "own")
        except BadInput as bad:
            return self.show(self._door.tell(bad.message)), 400
        self._door.mark(SetupStep.DECK)
        self._look_anew()
        return to("setup_deck.show")

    def take_in(self) -> AnyResponse | tuple[str, int]:
        """A deck from a file."""
        from companion.onboarding.deck_shelf import MOST_DECK_BYTES

        given = request.files.get("deck")
        try:
            if given is None or not given.filename:
                raise BadInput("no-deck-file", N_("Choose a file that ends in .deck."))
            with closing(given), tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "given.deck"
                file.write_bytes(given.read(MOST_DECK_BYTES + 1))
                name = request.form.get("name", "").strip() or Path(given.filename).stem
                self._door.desk.shelf.take_in(file, name)
        except BadInput as bad:
            return self.show(self._door.tell(bad.message)), 400
        return to("setup_deck.show")

    def export(self, name: str) -> AnyResponse:
        file = self._door.desk.shelf.file(name)
        return send_file(file, mimetype="application/zip", download_name=f"{name}.deck")

    def rename(self, name: str) -> AnyResponse | tuple[str, int]:
        try:
            self._door.desk.shelf.rename(name, word("to", 60))
        except BadInput as bad:
            return self.show(self._door.tell(bad.message)), 400
        self._look_anew()
        return to("setup_deck.show")

    def delete(self, name: str) -> AnyResponse | tuple[str, int]:
        if request.form.get("sure") != "yes":
            told = BadInput("delete-not-sure", N_("Tick the box first: the deck is gone then."))
            return self.show(self._door.tell(told.message)), 400
        self._door.desk.shelf.delete(name)
        self._look_anew()
        return to("setup_deck.show")

    def _look_anew(self) -> None:
        if self._door.parts.table is not None:
            self._door.parts.table.look_anew()

    # -- learning one ---------------------------------------------------------------------------

    def learn(self, name: str) -> AnyResponse | str:
        if self._enrolment.making.name == name and name not in self._enrolment.drafts():
            return to("setup_deck.made", name=name)
        draft = self._enrolment.draft(name)
        every = (*draft.words, *draft.shown)
        return self._door.page(
            "setup/learn.html",
            SetupStep.DECK,
            draft=draft,
            words=self._words(tuple(dict.fromkeys(every))),
        )

    def laid(self, name: str) -> Response:
        """The cards that lie there, outlined, with the names that come next."""
        return self._door.polled(lambda: self._laid(name))

    def _laid(self, name: str) -> object:
        held = request.args.get("token", "")[:20]
        if held:
            laid = self._enrolment.looked_at(held)
        else:
            self._door.cards_are_shown(self._enrolment.draft(name).missing[:9])
            laid = self._enrolment.look(name)
        words = self._words(laid.names)
        names = [{"label": each, "words": words[each]} for each in laid.names]
        outlines = () if laid.again else laid.outlines
        return {"token": laid.token, "quads": outlines, "names": names, "again": laid.again}

    def keep(self, name: str) -> AnyResponse:
        try:
            labels = msgspec.json.decode(request.form.get("labels", "")[:4000], type=list[str])
        except msgspec.MsgspecError:
            raise BadInput(
                "look-gone", N_("The picture has changed meanwhile; look again.")
            ) from None
        self._enrolment.keep(name, word("token", 20), labels)
        return to("setup_deck.learn", name=name)

    def photographs(self, name: str) -> AnyResponse | tuple[str, int]:
        """Several at once; what can be used of them is kept, and the rest is told."""
        files = request.files.getlist("photograph")[:MOST_PHOTOGRAPHS]
        told: list[str] = []
        shown: list[str] = []
        for given in files:
            try:
                shown += self._photograph(name, given)
            except BadInput as bad:
                told.append(self._door.tell(bad.message))
        if not files:
            told.append(self._door.tell(_no_photograph().message))
        if by_script():
            words = self._words(tuple(shown))
            answer = as_json({"shown": [words[each] for each in shown], "told": told})
            answer.status_code = 400 if told and not shown else 200
            return answer
        if told:
            return "\n".join(told) + "\n", 400
        return to("setup_deck.learn", name=name)

    def _photograph(self, name: str, given: FileStorage) -> tuple[str, ...]:
        file = (given.filename or "")[-60:]
        with closing(given):
            data = given.read(PHOTOGRAPH_BYTES + 1)
        if not data:
            raise _no_photograph()
        if len(data) > PHOTOGRAPH_BYTES:
            raise BadInput(
                "photograph-too-large",
                N_("A photograph may have %(most)s MB at most; make it smaller."),
                most=PHOTOGRAPH_BYTES // 1_000_000,
            )
        return self._enrolment.add_photograph(name, data, file)

    def card(self, name: str) -> AnyResponse:
        """One card of the draft: shown again, or under another name."""
        label, to_label = word("card", 60), request.form.get("to", "").strip()[:60]
        if to_label:
            self._enrolment.change(name, lambda draft: draft.renamed(label, to_label))
        else:
            self._enrolment.change(name, lambda draft: draft.without(label))
        return to("setup_deck.learn", name=name)

    def picture(self, name: str) -> Response:
        label = request.args.get("card", "")
        drafts = self._enrolment.drafts()
        shots = self._enrolment.draft(name).shots if name in drafts else ()
        pictures = shots or self._door.desk.shelf.get(name).pictures
        jpeg = next((each.jpeg for each in pictures if each.label == label), b"")
        if not jpeg:
            return Response(status=404)
        answer = Response(jpeg, headers={"Cache-Control": "no-cache"}, mimetype="image/jpeg")
        answer.add_etag()
        answer.make_conditional(request)
        return answer

    def drop(self, name: str) -> AnyResponse:
        self._enrolment.drop(name)
        self._game_on()
        return to("setup_deck.show")

    # -- making it ------------------------------------------------------------------------------

    def make(self, name: str) -> AnyResponse:
        self._enrolment.make(name)
        self._game_on()
        return to("setup_deck.made", name=name)

    def _game_on(self) -> None:
        """At a simulated table nobody lays out cards any more."""
        if self._door.parts.simulated is not None:
            self._door.parts.simulated.lay_out(None)

    def making(self, name: str) -> Response:
        now = self._enrolment.making
        state = str(now.state) if now.name == name else "nothing"
        return as_json({"state": state, "learnt": now.learnt, "cards": now.cards})

    def made(self, name: str) -> AnyResponse | str:
        """How far it is; and once it is done, what will be hard to tell apart."""
        now = self._enrolment.making
        if now.name != name:
            if name in self._enrolment.drafts():
                return to("setup_deck.learn", name=name)
            self._door.desk.shelf.file(name)
        mine = now if now.name == name else None
        result = None if mine is None else mine.result
        forecast = None if result is None else result.forecast
        pairs = () if forecast is None else forecast.pairs[:MOST_PAIRS]
        labels = tuple(dict.fromkeys(label for a, b, _ in pairs for label in (a, b)))
        if mine is not None and str(mine.state) == "done":
            self._door.mark(SetupStep.DECK)
        problem = None if mine is None else mine.problem
        return self._door.page(
            "setup/made.html",
            SetupStep.DECK,
            name=name,
            making="done" if mine is None else str(mine.state),
            now=mine,
            forecast=forecast,
            pairs=pairs,
            alike=() if mine is None else mine.alike,
            words=self._words((*labels, *(() if mine is None else mine.alike))),
            problem="" if problem is None else self._door.tell(problem),
            uses=self._uses(name),
            try_it=url_for("setup_try.show", deck=name),
        )

    def _uses(self, name: str) -> tuple[str, ...]:
        """The games that can be played with it."""
        from companion.onboarding.deck_shelf import game_decks, kind_of

        try:
            kind = kind_of(self._door.desk.shelf.get(name).labels)
        except BadInput:
            return ()
        return tuple(game for game, deck in game_decks().items() if deck == kind)


def _no_photograph() -> BadInput:
    return BadInput("take-photograph-first", N_("Take or choose a photograph first."))
