"""Clubs and their boxes: made, joined, recognised by their keys."""

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
from companion.outbox.protocol import Heard, Joined, Joining

LONGEST_NAME = 60
_BOX = re.compile(r"[0-9a-f]{32}")
_CLUB = "SELECT id, name, slug, key_hash, owner_hash, public FROM club"
_BOX_ROW = "SELECT id, club, name, seq, hash, folded, token_hash, heard_at FROM box"


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
    heard_at: str


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


def clubs(transaction: Transaction, *, public: bool = True) -> list[Club]:
    where = " WHERE public = 1" if public else ""
    return [_club(row) for row in transaction.all(f"{_CLUB}{where} ORDER BY name LIMIT 500")]


def club_at(transaction: Transaction, slug: str) -> Club | None:
    row = transaction.one(f"{_CLUB} WHERE slug = ?", slug)
    return None if row is None else _club(row)


def owns(club: Club, key: str) -> bool:
    return bool(key) and fits(key, club.owner_hash)


def join(store: Store, key: str, joining: Joining) -> Joined:
    """A box joins the club of this key, or is given a new token if it belongs there already."""
    if not _BOX.fullmatch(joining.box):
        raise BadInput("hub-no-box", N_("that is no name of a box"))
    token = new_key()
    with store.transaction() as transaction:
        club = _club_of_key(transaction, key)
        box = box_at(transaction, joining.box)
        if box is not None and box.club != club.number:
            raise BadInput(
                "hub-other-club",
                N_("this box belongs to another club; its owner there must let it go first"),
            )
        if box is None:
            transaction.run(
                "INSERT INTO box (id, club, name, token_hash) VALUES (?, ?, ?, ?)",
                joining.box, club.number, named(joining.name), key_hash(token),
            )  # fmt: skip
        else:
            transaction.run(
                "UPDATE box SET token_hash = ?, name = ? WHERE id = ?",
                key_hash(token), named(joining.name), box.id,
            )  # fmt: skip
    return Joined(token, club.name, Heard() if box is None else box.heard)


def box_of(transaction: Transaction, box: str, token: str, *, lock: bool = False) -> Box | None:
    """The box whose token this is; None for anybody else."""
    found = box_at(transaction, box, lock=lock)
    return found if found is not None and token and fits(token, found.token_hash) else None


def box_at(transaction: Transaction, box: str, *, lock: bool = False) -> Box | None:
    row = transaction.one(f"{_BOX_ROW} WHERE id = ?{' FOR UPDATE' if lock else ''}", box)
    return None if row is None else _box(row)


def boxes_of(transaction: Transaction, club: int) -> list[Box]:
    return [_box(row) for row in transaction.all(f"{_BOX_ROW} WHERE club = ? ORDER BY name", club)]


def named(text: str) -> str:
    """A name as people type it, on one line and not too long."""
    name = on_one_line(text, LONGEST_NAME)
    if not name:
        raise BadInput("hub-name-empty", N_("a name is missing"))
    return name


def _club_of_key(transaction: Transaction, key: str) -> Club:
    row = transaction.one(f"{_CLUB} WHERE key_hash = ?", key_hash(key)) if key else None
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
    box, club, name, seq, summed, folded, token, heard_at = row
    return Box(box, club, name, Heard(seq, summed), folded, token, heard_at)
