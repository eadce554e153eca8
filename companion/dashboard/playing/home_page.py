"""Home: the running game, the people, the games of late, and what the box still needs."""

from __future__ import annotations

from flask import Blueprint, render_template

from companion.dashboard.access.callers import may
from companion.dashboard.language import reader_language
from companion.dashboard.onboarding.common import SetupDoor
from companion.dashboard.parts import Parts
from companion.foundation.errors import BadInput
from companion.people.register import Person
from companion.people.roster import Roster
from companion.views import view_of
from companion.views.kept import kept_view

RECENT = 4
MOST_PEOPLE = 12


class HomePage:
    def __init__(self, parts: Parts, roster: Roster, door: SetupDoor) -> None:
        self._parts = parts
        self._door = door
        self._roster = roster

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("home", __name__)
        blueprint.add_url_rule("/home", view_func=self.show, methods=["GET"])
        return blueprint

    def show(self) -> str:
        language = reader_language(self._parts.language)
        journal, view = self._parts.journal, view_of(self._parts.referee.moment, language)
        on_table = None if view is None else view.number
        recent = [
            kept_view(journal, each, language)
            for each in journal.games(RECENT + 1)
            if each.number != on_table
        ]
        return render_template(
            "home.html",
            view=view,
            recent=recent[:RECENT],
            people=self._people(),
            watched=self._parts.table is not None,
            simulated=self._parts.simulated is not None,
            next_step=self._door.next_step() if may("own") else None,
        )

    def _people(self) -> tuple[Person, ...]:
        try:
            return tuple(self._roster.register.people)[:MOST_PEOPLE]
        except BadInput:  # said on the pages about people
            return ()
