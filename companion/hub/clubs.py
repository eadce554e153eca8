"""Clubs and their boxes: made, found, recognised by their keys."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.foundation.names import on_one_line
from companion.hub.keys import fits, key_hash, new_key
from companion.hub.store import Row, Store, Transaction
from companion.ledger.journal import now
from companion.outbox.protocol import Heard

LONGEST_NAME = 60
_CLUB = "SELECT id, name, slug, key_hash, owner_hash, public FROM club"
_BOX_ROW = (
    "SELECT id, club, name, seq, hash, folded, token_hash, heard_at, left_at, welcome_until,"
    " forked_at, settled_at FROM box"
)
CLUBS_A_PAGE = 100


@dataclass(frozen=True, slots=True)
class Club:
    number: int
    name: str
    slug: str
    key_hash: str
    owner_hash: str
    public: bool


@dataclass(frozen=True, slots=True)
class Box:
    id: str
    club: int
    name: str
    heard: Heard
    folded: int
    token_hash: str
    """Empty: the owner has shut it out."""
    heard_at: str
    left_at: str = ""
    """Empty while it belongs to the club."""
    welcome_until: str = ""
    """Until then the club's key is enough to join again: the owner said so."""
    forked_at: str = ""
    """Two copies of its journal were at work, and nothing is taken in until the owner has seen to
    it; empty if all is well."""
    settled_at: str = ""
    """When the owner last said that only one copy is left."""


@dataclass(frozen=True, slots=True)
class NewClub:
    """A club that was just made, with its two keys; they are told this once."""

    club: Club
    key: str
    """For its boxes: whoever has it may join."""
    owner_key: str
    """For the people who run it."""


def make_club(store: Store, name: str) -> NewClub:
    name = named(name)
    key, owner_key = new_key(), new_key()
    with store.transaction() as transaction:
        slug = _free_slug(transaction, name)
        transaction.run(
            "INSERT INTO club (name, slug, key_hash, owner_hash, made_at) VALUES (?, ?, ?, ?, ?)",
            name, slug, key_hash(key), key_hash(owner_key), now(),
        )  # fmt: skip
        row = transaction.one(f"{_CLUB} WHERE slug = ?", slug)
    assert row is not None, "it was just written"  # noqa: S101
    return NewClub(_club(row), key, owner_key)


def clubs(transaction: Transaction, page: int = 1) -> list[Club]:
    """Clubs whose doors are open, by name, so many to a page; one more if there is a next page."""
    return [
        _club(row)
        for row in transaction.all(
            f"{_CLUB} WHERE public = 1 ORDER BY name, id LIMIT ? OFFSET ?",
            CLUBS_A_PAGE + 1, (page - 1) * CLUBS_A_PAGE,
        )
    ]  # fmt: skip


def club_at(transaction: Transaction, slug: str) -> Club | None:
    row = transaction.one(f"{_CLUB} WHERE slug = ?", slug)
    return None if row is None else _club(row)


def owns(club: Club, key: str) -> bool:
    return bool(key) and fits(key, club.owner_hash)


def new_keys(transaction: Transaction, club: Club, *, owner: bool) -> str:
    """A new key for the club's boxes, or for its owner; the one before is worth nothing any more.
    Boxes that have joined keep their tokens."""
    key = new_key()
    column = "owner_hash" if owner else "key_hash"
    transaction.run(f"UPDATE club SET {column} = ? WHERE id = ?", key_hash(key), club.number)
    return key


def box_of(transaction: Transaction, box: str, token: str, *, lock: bool = False) -> Box | None:
    """The box whose token this is; None for anybody else."""
    found = box_at(transaction, box, lock=lock)
    return found if found is not None and proves(found, token) else None


def proves(box: Box, token: str) -> bool:
    return bool(token) and bool(box.token_hash) and fits(token, box.token_hash)


def box_at(transaction: Transaction, box: str, *, lock: bool = False) -> Box | None:
    """The box where it belongs now."""
    row = transaction.one(
        f"{_BOX_ROW} WHERE id = ? AND left_at = ''{' FOR UPDATE' if lock else ''}", box
    )
    return None if row is None else _box(row)


def box_in(transaction: Transaction, club: int, box: str) -> Box | None:
    """The box in a club it belongs or once belonged to."""
    row = transaction.one(f"{_BOX_ROW} WHERE club = ? AND id = ?", club, box)
    return None if row is None else _box(row)


def boxes_of(transaction: Transaction, club: int) -> list[Box]:
    """Also those that have left: their games are still here."""
    return [
        _box(row) for row in transaction.all(f"{_BOX_ROW} WHERE club = ? ORDER BY name, id", club)
    ]


def named(text: str) -> str:
    """A name as people type it, on one line and not too long."""
    name = on_one_line(text, LONGEST_NAME)
    if not name:
        raise BadInput("hub-name-empty", N_("a name is missing"))
    return name


def club_of_key(transaction: Transaction, key: str) -> Club:
    """Locked until the transaction ends: of two boxes that join at once, one comes first."""
    question = f"{_CLUB} WHERE key_hash = ? FOR UPDATE"
    row = transaction.one(question, key_hash(key)) if key else None
    if row is None:
        raise BadInput(
            "hub-no-club", N_("no club has this key; its owner can show you the right one")
        )
    return _club(row)


def _free_slug(transaction: Transaction, name: str) -> str:
    """The name as an address, with a number if another club has it."""
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "club"
    number, free = 1, slug
    while transaction.one("SELECT 1 FROM club WHERE slug = ?", free) is not None:
        number += 1
        free = f"{slug}-{number}"
    return free


def _club(row: Row) -> Club:
    number, name, slug, key, owner, public = row
    return Club(number, name, slug, key, owner, bool(public))


def _box(row: Row) -> Box:
    box, club, name, seq, summed, *rest = row
    return Box(box, club, name, Heard(seq, summed), *rest)
