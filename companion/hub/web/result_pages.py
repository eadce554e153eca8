"""What was played in a club: a page for each game, its records, its people, and everything as a
table to take along."""

from __future__ import annotations

import csv
import io

from flask import Blueprint, Response, abort, render_template

from companion.core.catalog import packs
from companion.hub.contests.records import records_of
from companion.hub.games import game_at, recent_games
from companion.hub.people import PEOPLE_A_PAGE, last_games, people_of, person_at, tallies
from companion.hub.store import Store
from companion.hub.web.ownership import asked_page, is_owner, open_club

GAMES_LISTED = 200


class ResultPages:
    def __init__(self, store: Store) -> None:
        self._store = store

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("results", __name__, url_prefix="/c/<slug>")
        for path, view in (
            ("/games", self.games),
            ("/game/<box>/<int:number>", self.game),
            ("/records", self.records),
            ("/people", self.people),
            ("/people/<int:person>", self.person),
            ("/results.csv", self.table),
        ):
            blueprint.add_url_rule(path, view_func=view)
        return blueprint

    def games(self, slug: str) -> str:
        with self._store.transaction() as transaction:
            club = open_club(transaction, slug)
            found = recent_games(transaction, club.number, GAMES_LISTED)
        return render_template("hub/games.html", club=club, games_played=found)

    def game(self, slug: str, box: str, number: int) -> str:
        with self._store.transaction() as transaction:
            club = open_club(transaction, slug)
            found = game_at(transaction, club.number, box, min(number, 2**62))
        if found is None:
            abort(404)
        return render_template("hub/game.html", club=club, played=found)

    def records(self, slug: str) -> str:
        with self._store.transaction() as transaction:
            club = open_club(transaction, slug)
            found = {game: records_of(transaction, club.number, game) for game in packs()}
        return render_template(
            "hub/records.html",
            club=club,
            records={game: each for game, each in found.items() if each},
        )

    def people(self, slug: str) -> str:
        page = asked_page()
        with self._store.transaction() as transaction:
            club = open_club(transaction, slug)
            found = people_of(transaction, club.number, page)
        return render_template(
            "hub/people.html",
            club=club,
            people=found[:PEOPLE_A_PAGE],
            page=page,
            more=len(found) > PEOPLE_A_PAGE,
        )

    def person(self, slug: str, person: int) -> str:
        with self._store.transaction() as transaction:
            club = open_club(transaction, slug)
            found = person_at(transaction, club.number, min(person, 2**62))
            if found is None:
                abort(404)
            return render_template(
                "hub/person.html",
                club=club,
                owner=is_owner(club),
                person=found,
                tallies=tallies(transaction, club.number, person),
                games=last_games(transaction, club.number, person),
                others=[each for each in people_of(transaction, club.number) if each != found],
            )

    def table(self, slug: str) -> Response:
        """Every result of the club, one line a seat."""
        with self._store.transaction() as transaction:
            club = open_club(transaction, slug)
            rows = transaction.all(
                "SELECT result.at, box.name, result.number, result.game, result.seat, person.name,"
                " result.points, result.place, result.won FROM result"
                " JOIN box ON box.club = result.club AND box.id = result.box"
                " JOIN person ON person.id = result.person"
                " WHERE result.club = ? ORDER BY result.at, result.number, result.seat",
                club.number,
            )
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(("at", "table", "number", "game", "seat", "name", "points", "place", "won"))
        writer.writerows([_harmless(each) for each in row] for row in rows)
        name = f"attachment; filename={club.slug}-results.csv"
        return Response(text.getvalue(), mimetype="text/csv", headers={"Content-Disposition": name})


def _harmless(value: object) -> object:
    """A name that a spreadsheet would take for a formula is shown as a name."""
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@" else value
