"""What the owner of a club decides about its tables and keys."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, abort, render_template

from companion.hub.clubs import Club, new_keys
from companion.hub.joining import let_go, only_one_left, shut_out, welcome
from companion.hub.keys import key_hash
from companion.hub.store import Store, Transaction
from companion.hub.web.ownership import as_owner, let_in
from companion.hub.worker import FoldingWorker

ACTIONS: dict[str, Callable[[Transaction, Club, str], None]] = {
    "welcome": welcome,
    "shut-out": shut_out,
    "let-go": let_go,
    "one-left": only_one_left,
}


class OwnerTables:
    def __init__(self, store: Store, worker: FoldingWorker) -> None:
        self._store = store
        self._worker = worker

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("tables", __name__, url_prefix="/c/<slug>")
        blueprint.post("/tables/<box>/<what>")(self.decide)
        blueprint.post("/keys/<which>")(self.new_key)
        return blueprint

    def decide(self, slug: str, box: str, what: str) -> Response:
        action = ACTIONS.get(what) or abort(404)

        def act(transaction: Transaction, club: Club) -> None:
            action(transaction, club, box)
            if what == "let-go":
                self._worker.gone(club.number, box)

        return as_owner(self._store, slug, act)

    def new_key(self, slug: str, which: str) -> Response:
        """A new key, shown this once."""
        if which not in ("boxes", "owner"):
            abort(404)
        made: list[tuple[Club, str]] = []

        def act(transaction: Transaction, club: Club) -> None:
            made.append((club, new_keys(transaction, club, owner=which == "owner")))

        as_owner(self._store, slug, act)
        ((club, key),) = made
        if which == "owner":
            let_in(slug, key_hash(key))
        return Response(render_template("hub/key.html", club=club, key=key, which=which))
