"""The table as a household is told about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version

from companion.foundation.notices import Notices
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.mqtt.commands import PlayerOf
from companion.mqtt.discovery import BoxInfo

HOUSEHOLD = "household"
"""What the journal calls whoever plays by the broker without a token."""
BOX_LETTERS = 12
"""Of the box's name for programs, in its topics: enough to tell the boxes of a house apart."""


@dataclass(frozen=True, slots=True)
class Household:
    """What is told, and who may answer."""

    referee: Referee
    journal: Journal
    notices: Notices
    language: str = "en"
    picture: Callable[[], bytes] | None = None
    """The table from above; only where a camera looks."""
    player_of: PlayerOf = lambda _token: ""
    page: str = ""
    """The address of the table's page, for a link; empty if it has none that others can open."""

    @property
    def info(self) -> BoxInfo:
        return BoxInfo(
            box=self.journal.box[:BOX_LETTERS],
            name="Table companion",
            version=version("table-companion"),
            page=self.page,
            watching=self.picture is not None,
        )


def trusting(player_of: PlayerOf) -> PlayerOf:
    """Whoever may speak on the broker may play, also without a token; a token that is shown must
    still be a right one, and says who plays."""

    def player(token: str) -> str | None:
        return player_of(token) if token else HOUSEHOLD

    return player
