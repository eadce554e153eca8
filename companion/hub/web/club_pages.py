"""What a club shows: its hall, people, leagues, tournaments and games. Everybody may look, unless
the club has closed its doors; then only its owner may."""

from __future__ import annotations

import csv
import io

import msgspec
from flask import Blueprint, Response, abort, render_template, request, session

from companion.core.catalog import packs
from companion.dashboard.language import reader_language
from companion.dashboard.serving.live import LiveResponse
from companion.hub.clubs import Club, boxes_of, club_at, clubs
from companion.hub.contests.leagues import leaderboard, league_table, leagues_of
from companion.hub.contests.tournaments import tournament_now, tournaments_of
from companion.hub.hall import Hall, HallTableView, seen
from companion.hub.people import last_games, people_of, person_at, tallies
from companion.hub.store import Store, Transaction
from companion.hub.web.hall_stream import HallFragments, HallViewer

RECENT_GAMES = 20
OWNED = "owned"
"""In the signed cookie: the clubs whose owner's key was shown."""


def is_owner(club: Club) -> bool:
    return club.slug in session.get(OWNED, [])


def open_club(transaction: Transaction, slug: str) -> Club:
    """The club at an address; 404 if there is none, 403 if its doors are closed to this reader."""
    club = club_at(transaction, slug)
    if club is None:
        abort(404)
    if not club.public and not is_owner(club):
        abort(403)
    return club


class HubPages:
    def __init__(self, store: Store, hall: Hall, language: str) -> None:
        self._store = store
        self._hall = hall
        self._language = language
        self._fragments = HallFragments(hall)

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("hub", __name__)
        for path, view in (
            ("/", self.home),
            ("/c/<slug>", self.club),
            ("/c/<slug>/hall", self.hall),
            ("/c/<slug>/stream", self.stream),
            ("/c/<slug>/people/<int:person>", self.person),
            ("/c/<slug>/league/<int:league>", self.league),
            ("/c/<slug>/tournament/<int:tournament>", self.tournament),
            ("/c/<slug>/results.csv", self.results),
        ):
            blueprint.add_url_rule(path, view_func=view)
        return blueprint

    def home(self) -> str:
        with self._store.transaction() as transaction:
            return render_template("hub/home.html", clubs=clubs(transaction))

    def club(self, slug: str) -> str:
        month = request.args.get("month", "")[:7]
        with self._store.transaction() as transaction:
            club = open_club(transaction, slug)
            boards = {
                game: leaderboard(transaction, club.number, game, month)[:10] for game in packs()
            }
            incidents = transaction.all(
                "SELECT box.name, incident.at, incident.events FROM incident"
                " JOIN box ON box.id = incident.box WHERE incident.club = ?"
                " ORDER BY incident.id DESC LIMIT 5",
                club.number,
            )
            return render_template(
                "hub/club.html",
                club=club,
                owner=is_owner(club),
                boxes=boxes_of(transaction, club.number),
                boards={game: rows for game, rows in boards.items() if rows},
                people=people_of(transaction, club.number),
                leagues=leagues_of(transaction, club.number),
                tournaments=tournaments_of(transaction, club.number),
                recent=self._recent(transaction, club),
                incidents=incidents,
                month=month,
            )

    def hall(self, slug: str) -> str:
        with self._store.transaction() as transaction:
            club = open_club(transaction, slug)
        return render_template("hub/hall.html", club=club, tables=self._tables(club))

    def stream(self, slug: str) -> Response:
        """The hall, live: its tables as HTML whenever one has changed."""
        with self._store.transaction() as transaction:
            club = open_club(transaction, slug)
        viewer = HallViewer(
            self._hall, self._fragments, club.number, reader_language(self._language)
        )
        return LiveResponse(viewer, "text/event-stream")

    def person(self, slug: str, person: int) -> str:
        with self._store.transaction() as transaction:
            club = open_club(transaction, slug)
            found = person_at(transaction, club.number, person)
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

    def league(self, slug: str, league: int) -> str:
        with self._store.transaction() as transaction:
            club = open_club(transaction, slug)
            found = [each for each in leagues_of(transaction, club.number) if each.number == league]
            if not found:
                abort(404)
            rows = league_table(transaction, club.number, found[0])
            return render_template("hub/league.html", club=club, league=found[0], rows=rows)

    def tournament(self, slug: str, tournament: int) -> str:
        with self._store.transaction() as transaction:
            club = open_club(transaction, slug)
            found = tournament_now(transaction, club.number, tournament)
            if found is None:
                abort(404)
            return render_template(
                "hub/tournament.html", club=club, owner=is_owner(club), now=found
            )

    def results(self, slug: str) -> Response:
        """Every result of the club, one line a seat."""
        with self._store.transaction() as transaction:
            club = open_club(transaction, slug)
            rows = transaction.all(
                "SELECT result.at, box.name, result.number, result.game, result.seat, person.name,"
                " result.points, result.place, result.won FROM result"
                " JOIN box ON box.id = result.box JOIN person ON person.id = result.person"
                " WHERE result.club = ? ORDER BY result.at, result.number, result.seat",
                club.number,
            )
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(("at", "table", "number", "game", "seat", "name", "points", "place", "won"))
        writer.writerows([_harmless(each) for each in row] for row in rows)
        name = f"attachment; filename={club.slug}-results.csv"
        return Response(text.getvalue(), mimetype="text/csv", headers={"Content-Disposition": name})

    def _recent(self, transaction: Transaction, club: Club) -> list[dict[str, object]]:
        rows = transaction.all(
            "SELECT game.game, game.names, game.last_at, game.over, box.name FROM game"
            " JOIN box ON box.id = game.box WHERE game.club = ? AND game.broken = ''"
            f" ORDER BY game.last_at DESC LIMIT {RECENT_GAMES}",
            club.number,
        )
        return [
            {
                "game": game,
                "names": msgspec.json.decode(names, type=list[str]),
                "at": at,
                "over": bool(over),
                "table": table,
            }
            for game, names, at, over, table in rows
        ]

    def _tables(self, club: Club) -> list[HallTableView]:
        language = reader_language(self._language)
        return [seen(table, language) for table in self._hall.tables(club.number)]


def _harmless(value: object) -> object:
    """A name that a spreadsheet would take for a formula is shown as a name."""
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@" else value
