"""Who owns a club: whoever has shown the owner's key, until that key is changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Response, abort, request, session, url_for

from companion.hub.clubs import Club, club_at
from companion.hub.store import Store, Transaction

OWNED = "owned"
"""In the signed cookie: the clubs whose owner's key was shown, each with a part of the key's hash.
A new key ends the right of whoever had the old one."""
HASH_PART = 16


def is_owner(club: Club) -> bool:
    owned = session.get(OWNED)
    return isinstance(owned, dict) and owned.get(club.slug) == club.owner_hash[:HASH_PART]


def let_in(slug: str, owner_hash: str) -> None:
    session[OWNED] = {**_owned(), slug: owner_hash[:HASH_PART]}


def let_out(slug: str) -> None:
    session[OWNED] = {club: part for club, part in _owned().items() if club != slug}


def _owned() -> dict[str, str]:
    owned = session.get(OWNED)
    return owned if isinstance(owned, dict) else {}


def open_club(transaction: Transaction, slug: str) -> Club:
    """The club at an address; 404 if there is none, 403 if its doors are closed to this reader."""
    club = club_at(transaction, slug)
    if club is None:
        abort(404)
    if not club.public and not is_owner(club):
        abort(403)
    return club


def as_owner(store: Store, slug: str, act: Callable[[Transaction, Club], None]) -> Response:
    """Does what only the owner may, and goes back to the club's page."""
    with store.transaction() as transaction:
        club = club_at(transaction, slug)
        if club is None:
            abort(404)
        if not is_owner(club):
            abort(403)
        act(transaction, club)
    return to_page("hub.club", slug=slug)


def to_page(where: str, **values: Any) -> Response:
    return Response(status=303, headers={"Location": url_for(where, **values)})


def asked_page() -> int:
    """Which page of a long list is asked for: from 1."""
    asked = request.args.get("page", "")
    return max(1, int(asked)) if asked.isascii() and asked.isdigit() and len(asked) < 7 else 1
