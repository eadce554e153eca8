"""Tables whose games a hub hears of: real journals, and a hub spoken to without a network."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.game import Setup
from companion.hub.clubs import Club, box_of, make_club
from companion.hub.intake import heard_at, rewind, take_in
from companion.hub.joining import join
from companion.hub.store import Store
from companion.ledger.events import Did, Opened
from companion.ledger.journal import Journal
from companion.outbox.catching_up import step
from companion.outbox.protocol import At, Batch, Heard, Joining, Rewind

SHORT_GAME = ("deal A", "A r9", "B pass")


@dataclass(frozen=True, slots=True)
class NearHub:
    """A hub as one box speaks to it, without the network between them."""

    store: Store
    box: str
    token: str

    def heard(self) -> Heard:
        with self.store.transaction() as transaction:
            box = box_of(transaction, self.box, self.token)
            assert box is not None
            return box.heard

    def heard_at(self, at: At) -> Heard:
        with self.store.transaction() as transaction:
            box = box_of(transaction, self.box, self.token)
            assert box is not None
            return heard_at(transaction, box, at.seq)

    def send(self, batch: Batch) -> Heard:
        with self.store.transaction() as transaction:
            box = box_of(transaction, self.box, self.token, lock=True)
            assert box is not None
            return take_in(transaction, box, batch)

    def rewind(self, asked: Rewind) -> Heard:
        with self.store.transaction() as transaction:
            box = box_of(transaction, self.box, self.token, lock=True)
            assert box is not None
            return rewind(transaction, box, asked)


def joined(store: Store, journal: Journal, name: str = "Table one") -> tuple[Club, NearHub]:
    made = make_club(store, "Ravens")
    told = join(store, made.key, Joining(journal.box, name))
    return made.club, NearHub(store, journal.box, told.token)


def play(
    journal: Journal, names: tuple[str, ...] = ("Anna", "Ben"), lines: tuple[str, ...] = SHORT_GAME
) -> int:
    """A game that begins, in the journal; its number."""
    opened = Opened(Setup("odin", names), 2)
    events = journal.open_with([opened, *(Did(line) for line in lines)], "page")
    return events[0].game


def all_sent(journal: Journal, hub: NearHub) -> list[int]:
    """Catches the hub up; how many events each step sent."""
    known, sent = None, list[int]()
    for _ in range(50):
        progress = step(journal, hub, known)
        known = progress.heard
        if not progress.sent and not progress.rewound:
            return sent
        sent.append(progress.sent)
    raise AssertionError("the hub never has everything")
