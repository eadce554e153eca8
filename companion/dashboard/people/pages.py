"""People and what they have done: the list, one person, and what can be changed about them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flask import Blueprint, Response, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from companion.core.catalog import packs
from companion.core.seating import LONGEST_NAME, name_problems
from companion.dashboard.forms import whole
from companion.dashboard.language import reader_language
from companion.dashboard.parts import Parts
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_, Message
from companion.people.register import COLOURS, EMBLEMS, drawn, forgotten, merged, renamed
from companion.people.roster import Roster
from companion.people.spreadsheet import as_csv
from companion.people.statistics import BestFeat, PairFigures, PersonFigures
from companion.views import explain
from companion.views.chart import Chart, chart
from companion.views.emblems import SHAPES
from companion.views.speech import Speech
from companion.views.words import words_of


@dataclass(frozen=True, slots=True)
class FeatView:
    """A feat in words, with who did it and in which game."""

    words: str
    amount: int
    name: str
    game: str
    number: int


class PeoplePages:
    def __init__(self, parts: Parts, roster: Roster) -> None:
        self._parts = parts
        self._roster = roster

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("people", __name__)
        for path, view, method in (
            ("/people", self.everybody, "GET"),
            ("/people.csv", self.spreadsheet, "GET"),
            ("/people/<int:number>", self.one, "GET"),
            ("/people/<int:number>/name", self.rename, "POST"),
            ("/people/<int:number>/emblem", self.emblem, "POST"),
            ("/people/<int:number>/merge", self.merge, "POST"),
            ("/people/<int:number>/forget", self.forget, "POST"),
        ):
            blueprint.add_url_rule(path, view_func=view, methods=[method])
        return blueprint

    # -- looking --------------------------------------------------------------------------------

    def everybody(self) -> str:
        statistics = self._roster.statistics
        game, month = request.args.get("game", ""), request.args.get("month", "")
        if game not in packs():
            game = ""
        if month not in statistics.months():
            month = ""
        return render_template(
            "people.html",
            people=statistics.people,
            games=statistics.games,
            waiting=self._roster.waiting,
            board=statistics.leaderboard(game, month),
            months=statistics.months(),
            kinds=tuple(packs()),
            game=game,
            month=month,
            feats=tuple(self._told(statistics.best_feats())),
        )

    def one(self, number: int, problem: Message | None = None) -> str:
        statistics = self._roster.statistics
        person = statistics.register.person(number)
        figures = statistics.of(person)
        pairs = statistics.companions(person)
        return render_template(
            "person.html",
            person=person,
            figures=figures,
            pairs=pairs,
            curve=_wins_curve(figures),
            pair_curves={each.other.number: _pair_curve(each) for each in pairs},
            feats=tuple(self._told(figures.best)),
            others=tuple(each for each in statistics.register.people if each != person),
            shapes=SHAPES[:EMBLEMS],
            colours=COLOURS,
            longest=LONGEST_NAME,
            problem="" if problem is None else Speech(self._language).told(problem),
        )

    def spreadsheet(self) -> Response:
        data = as_csv(self._roster.register, self._roster.summaries)
        headers = {"Content-Disposition": 'attachment; filename="games.csv"'}
        return Response(data, headers=headers, mimetype="text/csv")

    def _told(self, feats: Iterator[BestFeat] | tuple[BestFeat, ...]) -> Iterator[FeatView]:
        for each in feats:
            words = words_of(each.game).feat_words if each.game in packs() else {}
            if each.kind in words:
                said = Speech(self._language, each.game).say(words[each.kind])
                yield FeatView(said, each.amount, each.holder.name, each.game, each.number)

    @property
    def _language(self) -> str:
        return reader_language(self._parts.language)

    # -- changing -------------------------------------------------------------------------------

    def rename(self, number: int) -> AnyResponse | tuple[str, int]:
        name = " ".join(request.form.get("name", "")[:100].split())
        wrong = [explain(Speech(self._language), each) for each in name_problems((name,))]
        if wrong:
            return self.one(number, BadInput("bad-name", "%(why)s", why=wrong[0]).message), 400
        try:
            self._roster.change(lambda register: renamed(register, number, name))
        except BadInput as bad:
            return self.one(number, bad.message), 400
        return _back(number)

    def emblem(self, number: int) -> AnyResponse:
        shape, colour = whole("emblem", ""), whole("colour", "")
        self._roster.change(lambda register: drawn(register, number, shape, colour))
        self._parts.referee.wake()  # everybody sees it at once
        return _back(number)

    def merge(self, number: int) -> AnyResponse | tuple[str, int]:
        into = whole("into", "")
        if self._roster.statistics.together(number, into):
            both = N_("They have played against each other: they are two people.")
            return self.one(number, BadInput("two-people", both).message), 400
        self._roster.change(lambda register: merged(register, number, into))
        return _back(into)

    def forget(self, number: int) -> AnyResponse | tuple[str, int]:
        if request.form.get("sure") != "yes":
            sure = N_("Tick the box first: forgetting cannot be taken back.")
            return self.one(number, BadInput("not-sure", sure).message), 400
        last = self._roster.last_game
        self._roster.change(lambda register: forgotten(register, number, last))
        return _back()


def _back(number: int | None = None) -> AnyResponse:
    """To that person's page, or to everybody."""
    if number is None:
        return Response(status=303, headers={"Location": url_for("people.everybody")})
    return Response(status=303, headers={"Location": url_for("people.one", number=number)})


def _wins_curve(figures: PersonFigures) -> Chart | None:
    return None if len(figures.curve) < 3 else chart((_("wins"),), (figures.curve,), None)


def _pair_curve(pair: PairFigures) -> Chart | None:
    """How often each was ahead so far: two lines."""
    if pair.games < 2:
        return None
    mine, theirs = [0], [0]
    for before, after in zip(pair.curve, pair.curve[1:], strict=False):
        mine.append(mine[-1] + (after > before))
        theirs.append(theirs[-1] + (after < before))
    return chart((pair.one.name, pair.other.name), (tuple(mine), tuple(theirs)), None)
