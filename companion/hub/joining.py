"""How a box comes into a club and out of it.

A box that the club does not know joins with the club's key. One that it knows, also one that has
left, must prove that it is that box: by the token it was given, or by the owner, who says on the
club's page that it may join again. Names of boxes are public; without this, whoever has the club's
key could take any of its boxes and write what it never played."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.hub.clubs import Box, Club, box_at, box_in, club_of_key, named, proves
from companion.hub.keys import key_hash, new_key
from companion.hub.store import Store, Transaction
from companion.ledger.journal import now
from companion.outbox.protocol import Heard, Joined, Joining

WELCOME = timedelta(hours=24)
"""How long the owner's word that a box may join again stands."""
_BOX = re.compile(r"[0-9a-f]{32}")
_WHICH = "WHERE club = ? AND id = ?"


def join(store: Store, key: str, joining: Joining) -> Joined:
    """A box joins the club of this key, or is given a new token if it is there already."""
    if not _BOX.fullmatch(joining.box):
        raise BadInput("hub-no-box", N_("that is no name of a box"))
    token, name = new_key(), named(joining.name)
    with store.transaction() as transaction:
        club = club_of_key(transaction, key)
        elsewhere = box_at(transaction, joining.box)
        if elsewhere is not None and elsewhere.club != club.number:
            raise BadInput(
                "hub-other-club",
                N_("this box belongs to another club; its owner there must let it go first"),
            )
        known = box_in(transaction, club.number, joining.box)
        if known is None:
            transaction.run(
                "INSERT INTO box (id, club, name, token_hash) VALUES (?, ?, ?, ?)",
                joining.box, club.number, name, key_hash(token),
            )  # fmt: skip
        elif proves(known, joining.token) or known.welcome_until > now():
            transaction.run(
                f"UPDATE box SET token_hash = ?, name = ?, left_at = '', welcome_until = ''"
                f" {_WHICH}",
                key_hash(token), name, club.number, known.id,
            )  # fmt: skip
        else:
            raise BadInput(
                "hub-known-box",
                N_(
                    "this club knows this box already, and it did not show its token; the owner"
                    " can let it join again on the club's page"
                ),
            )
    return Joined(token, club.name, Heard() if known is None else known.heard)


def welcome(transaction: Transaction, club: Club, box: str) -> None:
    """The owner says: for a day this box may join again with the club's key alone."""
    until = (datetime.now(UTC) + WELCOME).isoformat(timespec="milliseconds")
    _change(transaction, club, box, "welcome_until = ?", until.replace("+00:00", "Z"))


def shut_out(transaction: Transaction, club: Club, box: str) -> None:
    """Its token is worth nothing any more; it stays in the club."""
    _change(transaction, club, box, "token_hash = '', welcome_until = ''")


def let_go(transaction: Transaction, club: Club, box: str) -> None:
    """It no longer belongs here and may join another club; its games stay."""
    _change(transaction, club, box, "left_at = ?, token_hash = '', welcome_until = ''", now())


def leave(transaction: Transaction, box: Box) -> None:
    """The box itself says goodbye; the token it has proves who it is should it come back."""
    transaction.run(f"UPDATE box SET left_at = ? {_WHICH}", now(), box.club, box.id)


def only_one_left(transaction: Transaction, club: Club, box: str) -> None:
    """The owner has switched the other copy off: what the box sends is taken in again."""
    _change(transaction, club, box, "forked_at = '', settled_at = ?", now())


def _change(transaction: Transaction, club: Club, box: str, change: str, *given: object) -> None:
    if not transaction.run(f"UPDATE box SET {change} {_WHICH}", *given, club.number, box):
        raise BadInput("hub-no-such-table", N_("this club has no such table"))
