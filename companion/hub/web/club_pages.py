"""What a club shows: its hall, people, leagues, tournaments and games. Everybody may look, unless
the club has closed its doors; then only its owner may."""

from __future__ import annotations

from flask import Blueprint, Response, abort, render_template, request

from companion.core.catalog import packs
from companion.dashboard.language import reader_language
from companion.dashboard.serving.live import LiveResponse
from companion.hub.clubs import CLUBS_A_PAGE, Club, boxes_of, clubs
from companion.hub.contests.leagues import leaderboard, league_table, leagues_of
from companion.hub.contests.tournaments import tournament_now, tournaments_of
from companion.hub.games import months_of, recent_games
from companion.hub.hall import Hall, HallTableView, seen
from companion.hub.intake import TWO_COPIES
from companion.hub.people import PEOPLE_A_PAGE, people_of
from companion.hub.store import Store, Transaction
from companion.hub.web.hall_stream import HallFragments, HallViewer
from companion.hub.web.ownership import asked_page, is_owner, open_club
from companion.hub.worker import FoldingWorker

RECENT_GAMES = 20


class HubPages:
    def __init__(self, store: Store, hall: Hall, worker: FoldingWorker, language: str) -> None:
        self._store = store
        self._hall = hall
        self._worker = worker
        self._language = language
        self._fragments = HallFragments(hall)

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("hub", __name__)
        for path, view in (
            ("/", self.home),
            ("/c/<slug>", self.club),
            ("/c/<slug>/hall", self.hall),
            ("/c/<slug>/stream", self.stream),
            ("/c/<slug>/league/<int:league>", self.league),
            ("/c/<slug>/tournament/<int:tournament>", self.tournament),
        ):
            blueprint.add_url_rule(path, view_func=view)
        return blueprint

    def home(self) -> str:
        page = asked_page()
        with self._store.transaction() as transaction:
            found = clubs(transaction, page)
        return render_template(
            "hub/home.html",
            clubs=found[:CLUBS_A_PAGE],
            page=page,
            more=len(found) > CLUBS_A_PAGE,
        )

    def club(self, slug: str) -> str:
        month = request.args.get("month", "")[:7]
        with self._store.transaction() as transaction:
            club = open_club(transaction, slug)
            boards = {
                game: leaderboard(transaction, club.number, game, month)[:10] for game in packs()
            }
            people = people_of(transaction, club.number)
            return render_template(
                "hub/club.html",
                club=club,
                owner=is_owner(club),
                boxes=boxes_of(transaction, club.number),
                boards={game: rows for game, rows in boards.items() if rows},
                people=people[:PEOPLE_A_PAGE],
                more_people=len(people) > PEOPLE_A_PAGE,
                leagues=leagues_of(transaction, club.number),
                tournaments=tournaments_of(transaction, club.number),
                recent=recent_games(transaction, club.number, RECENT_GAMES),
                incidents=_incidents(transaction, club),
                two_copies=TWO_COPIES,
                month=month,
                months=months_of(transaction, club.number),
            )

    def hall(self, slug: str) -> str:
        with self._store.transaction() as transaction:
            club = open_club(transaction, slug)
        self._worker.show(club.number)
        return render_template("hub/hall.html", club=club, tables=self._tables(club))

    def stream(self, slug: str) -> Response:
        """The hall, live: its tables as HTML whenever one has changed."""
        with self._store.transaction() as transaction:
            club = open_club(transaction, slug)
        self._worker.show(club.number)
        viewer = HallViewer(
            self._hall, self._fragments, club.number, reader_language(self._language)
        )
        return LiveResponse(viewer, "text/event-stream")

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

    def _tables(self, club: Club) -> list[HallTableView]:
        language = reader_language(self._language)
        return [seen(table, language) for table in self._hall.tables(club.number)]


def _incidents(transaction: Transaction, club: Club) -> list[dict[str, object]]:
    """What happened to the club's tables that its people should know, the last first."""
    rows = transaction.all(
        "SELECT incident.kind, box.name, incident.at, incident.events FROM incident"
        " JOIN box ON box.club = incident.club AND box.id = incident.box"
        " WHERE incident.club = ? ORDER BY incident.id DESC LIMIT 5",
        club.number,
    )
    return [
        {"kind": kind, "table": name, "at": at, "events": events} for kind, name, at, events in rows
    ]
