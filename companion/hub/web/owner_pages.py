"""What the owner of a club does: show the key once, then merge people, make leagues and run
tournaments."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response, abort, request

from companion.core.catalog import pack_named
from companion.dashboard.forms import whole
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.hub.clubs import Club, club_at, owns
from companion.hub.contests.board_results import Finish
from companion.hub.contests.leagues import League, Scoring, make_league
from companion.hub.contests.tournaments import (
    BoardAt,
    Kind,
    Tournament,
    TournamentNow,
    make_tournament,
    pair,
    report,
    tournament_now,
)
from companion.hub.people import merge, person_known
from companion.hub.store import Store, Transaction
from companion.hub.web.ownership import as_owner, let_in, let_out, to_page

MOST_NAMES = 256
_whole = partial(whole, digits=9)
"""A number that every database keeps."""


class OwnerPages:
    def __init__(self, store: Store) -> None:
        self._store = store

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("owner", __name__, url_prefix="/c/<slug>")
        for path, view in (
            ("/enter", self.enter),
            ("/leave", self.leave),
            ("/doors", self.doors),
            ("/merge", self.merge),
            ("/leagues", self.new_league),
            ("/tournaments", self.new_tournament),
            ("/tournament/<int:number>/pair", self.pair),
            ("/tournament/<int:number>/report", self.report),
        ):
            blueprint.add_url_rule(path, view_func=view, methods=["POST"])
        return blueprint

    def enter(self, slug: str) -> Response:
        with self._store.transaction() as transaction:
            club = club_at(transaction, slug)
        if club is None or not owns(club, request.form.get("key", "")):
            raise BadInput("hub-not-owner", N_("that is not the key of this club's owner"))
        let_in(slug, club.owner_hash)
        return to_page("hub.club", slug=slug)

    def leave(self, slug: str) -> Response:
        let_out(slug)
        return to_page("hub.home")

    def doors(self, slug: str) -> Response:
        public = int(request.form.get("public") == "yes")

        def act(transaction: Transaction, club: Club) -> None:
            transaction.run("UPDATE club SET public = ? WHERE id = ?", public, club.number)

        return as_owner(self._store, slug, act)

    def merge(self, slug: str) -> Response:
        person, into = _whole("person"), request.form.get("into", "")

        def act(transaction: Transaction, club: Club) -> None:
            known = person_known(transaction, club.number, into)
            if known is None:
                raise BadInput(
                    "hub-merge-nobody",
                    N_("nobody of this club is called %(name)s"),
                    name=repr(into[:40]),
                )
            merge(transaction, club.number, person, known)

        return as_owner(self._store, slug, act)

    def new_league(self, slug: str) -> Response:
        form = request.form
        league = League(
            0,
            form.get("name", ""),
            _game(),
            _scoring(),
            form.get("first", ""),
            form.get("last", ""),
        )

        def act(transaction: Transaction, club: Club) -> None:
            make_league(transaction, club.number, league)

        return as_owner(self._store, slug, act)

    def new_tournament(self, slug: str) -> Response:
        names = tuple(
            name.strip() for name in request.form.get("people", "").splitlines() if name.strip()
        )
        asked = Tournament(
            0, request.form.get("name", ""), _game(), _kind(), _whole("seats"), _whole("rounds")
        )

        def act(transaction: Transaction, club: Club) -> None:
            make_tournament(transaction, club.number, asked, names[:MOST_NAMES])

        return as_owner(self._store, slug, act)

    def pair(self, slug: str, number: int) -> Response:
        as_owner(self._store, slug, lambda t, club: pair(t, _tournament(t, club, number)))
        return to_page("hub.tournament", slug=slug, tournament=number)

    def report(self, slug: str, number: int) -> Response:
        at = BoardAt(_whole("round"), _whole("board"))
        finishes = {
            int(person): Finish(_whole(f"place-{person}"), _whole(f"points-{person}", signed=True))
            for person in _reported()
        }

        def act(transaction: Transaction, club: Club) -> None:
            report(transaction, _tournament(transaction, club, number), at, finishes)

        as_owner(self._store, slug, act)
        return to_page("hub.tournament", slug=slug, tournament=number)


def _reported() -> list[str]:
    """The numbers of the people whose places the form says."""
    numbers = (name[6:] for name in request.form if name.startswith("place-"))
    return [each for each in numbers if each.isascii() and each.isdigit()]


def _tournament(transaction: Transaction, club: Club, number: int) -> TournamentNow:
    found = tournament_now(transaction, club.number, number)
    if found is None:
        abort(404)
    return found


def _game() -> str:
    return pack_named(request.form.get("game", "")).name


def _scoring() -> Scoring:
    chosen = request.form.get("scoring", Scoring.PLACES)
    return Scoring(chosen) if chosen in set(Scoring) else Scoring.PLACES


def _kind() -> Kind:
    chosen = request.form.get("kind", Kind.SWISS)
    return Kind(chosen) if chosen in set(Kind) else Kind.SWISS
