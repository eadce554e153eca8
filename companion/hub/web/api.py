"""What boxes ask of the hub: to join, how far it has heard, and to take events in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec
from flask import Blueprint, Response, request

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.hub.clubs import Box, box_of
from companion.hub.intake import (
    TwoCopies,
    heard_at,
    note_contact,
    note_two_copies,
    rewind,
    take_in,
)
from companion.hub.joining import join, leave
from companion.hub.store import Store, Transaction
from companion.hub.worker import FoldingWorker
from companion.outbox.protocol import MOST_BYTES, At, Batch, Heard, Joining, Rewind

T = TypeVar("T")


class NotThisBox(BadInput):
    """The token is not that box's."""

    def __init__(self) -> None:
        super().__init__(
            "hub-not-this-box",
            N_("this token does not belong to this box; join the club again with its key"),
        )


class BoxApi:
    def __init__(self, store: Store, worker: FoldingWorker) -> None:
        self._store = store
        self._worker = worker

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("api", __name__, url_prefix="/api")
        blueprint.post("/join")(self.join)
        blueprint.post("/box/<box>/heard")(self.heard)
        blueprint.post("/box/<box>/heard-at")(self.heard_at)
        blueprint.post("/box/<box>/events")(self.events)
        blueprint.post("/box/<box>/rewind")(self.rewind)
        blueprint.post("/box/<box>/leave")(self.leave)
        return blueprint

    def join(self) -> Response:
        return _json(join(self._store, _key(), _body(Joining)))

    def heard(self, box: str) -> Response:
        def act(transaction: Transaction, found: Box) -> Heard:
            note_contact(transaction, found)
            return found.heard

        answer = self._as_box(box, act)
        self._worker.news_of(box)
        return answer

    def heard_at(self, box: str) -> Response:
        at = _body(At)
        return self._as_box(box, lambda transaction, found: heard_at(transaction, found, at.seq))

    def events(self, box: str) -> Response:
        batch = _body(Batch)
        answer = self._as_box(box, lambda transaction, found: take_in(transaction, found, batch))
        self._worker.news_of(box)
        return answer

    def rewind(self, box: str) -> Response:
        asked = _body(Rewind)
        answer = self._as_box(box, lambda transaction, found: rewind(transaction, found, asked))
        self._worker.news_of(box, rewound=True)
        return answer

    def leave(self, box: str) -> Response:
        def act(transaction: Transaction, found: Box) -> Heard:
            leave(transaction, found)
            self._worker.gone(found.club, box)
            return found.heard

        return self._as_box(box, act)

    def _as_box(self, box: str, act: Callable[[Transaction, Box], Heard]) -> Response:
        try:
            with self._store.transaction() as transaction:
                found = self._shown(transaction, box)
                answer = act(transaction, found)
        except TwoCopies:
            with self._store.transaction() as transaction:  # what it began was taken back
                found = self._shown(transaction, box)
                if not found.forked_at:
                    note_two_copies(transaction, found)
            raise
        return _json(answer)

    def _shown(self, transaction: Transaction, box: str) -> Box:
        """The box, if whoever asks has shown its token."""
        found = box_of(transaction, box, _key(), lock=True)
        if found is None:
            raise NotThisBox
        return found


def _key() -> str:
    scheme, _, key = request.headers.get("Authorization", "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""


def _body(kind: type[T]) -> T:
    data = request.get_data(cache=False)
    if len(data) > MOST_BYTES:
        raise BadInput("hub-too-large", N_("this is larger than a hub takes in at once"))
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as broken:
        raise BadInput(
            "hub-bad-body", N_("this is nothing a box would say: %(why)s"), why=str(broken)[:200]
        ) from None


def _json(answer: object) -> Response:
    return Response(msgspec.json.encode(answer), mimetype="application/json")
