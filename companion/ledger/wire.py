"""An event as it leaves the box, for a hub or a broker: field by field as the journal keeps it, so
that whoever gets it can check the chain of hashes."""

from __future__ import annotations

from dataclasses import dataclass

from companion.ledger.chain import hashed
from companion.ledger.rows import Row, text_of, whole


@dataclass(frozen=True, slots=True)
class WireEvent:
    """An event as the journal keeps it, field by field; `hash` closes its chain."""

    seq: int
    game: int
    based_on: int
    at: str
    source: str
    by: str
    kind: str
    body: str
    because: str | None
    instead_of: str | None
    hash: str

    def follows(self, previous: bytes) -> bool:
        """Whether it is what was written behind the event with that hash."""
        fields = (
            self.seq, self.game, self.based_on, self.at, self.source, self.by, self.kind,
            self.body, self.because, self.instead_of,
        )  # fmt: skip
        return hashed(previous, fields).hex() == self.hash


def wire_event(row: Row) -> WireEvent:
    """A row of the journal, as `Journal.rows_since` gives it. What has rotted goes out as it lies
    there: it no longer fits its hash, and the hub says so."""
    seq, game, based_on, *rest, summed = row
    at, source, by, kind, body, because, instead_of = (text_of(each) for each in rest)
    return WireEvent(
        seq=whole(seq),
        game=whole(game),
        based_on=whole(based_on),
        at=at or "",
        source=source or "",
        by=by or "",
        kind=kind or "",
        body=body or "",
        because=because,
        instead_of=instead_of,
        hash=summed.hex() if isinstance(summed, bytes) else "",
    )
