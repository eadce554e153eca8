"""Whether a game is in the journal already."""

from __future__ import annotations

from collections.abc import Sequence

from companion.ledger.events import Fact
from companion.ledger.journal import Journal


def twin(journal: Journal, facts: Sequence[Fact]) -> int | None:
    """The number of a game with the same people, the same rules and the same entries, whenever and
    however they were made."""
    for kept in journal.games(journal.count_games()):
        alike = kept.opened is not None and kept.opened.fact == facts[0]
        if alike and kept.events == len(facts):
            events, _ = journal.readable(kept.number)
            if [event.fact for event in events] == list(facts):
                return kept.number
    return None
