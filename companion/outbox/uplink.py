"""The thread that keeps a hub up to date. A hub that is away is tried again, after pauses that
grow; the table does not notice."""

from __future__ import annotations

import logging
import threading
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from companion.foundation.errors import CompanionError, HubRefused
from companion.foundation.notices import Notice, Notices
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.outbox.catching_up import step
from companion.outbox.hub_client import HubClient
from companion.outbox.membership import FILE, Membership, read_membership
from companion.outbox.protocol import At, Batch, Heard, Rewind

log = logging.getLogger(__name__)

FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 60.0
ASK_SECONDS = 300.0
"""How often the hub is asked how far it has heard though nothing was written: it may have been
restored from a backup of its own."""
NOTICE_AFTER = 3
"""Failures in a row before people are told: a hub that starts anew is no news."""


@dataclass(frozen=True, slots=True)
class MembersHub:
    """A hub as one box speaks to it."""

    client: HubClient
    box: str
    token: str

    def heard(self) -> Heard:
        return self.client.heard(self.box, self.token)

    def heard_at(self, at: At) -> Heard:
        return self.client.heard_at(self.box, self.token, at)

    def send(self, batch: Batch) -> Heard:
        return self.client.send(self.box, self.token, batch)

    def rewind(self, rewind: Rewind) -> Heard:
        return self.client.rewind(self.box, self.token, rewind)


class Uplink:
    """Open it in a `with` statement: from then on the hub is told."""

    def __init__(
        self, membership: Membership, journal: Journal, referee: Referee, notices: Notices
    ) -> None:
        client = HubClient(membership.address, membership.ca_file)
        self._hub = MembersHub(client, membership.box, membership.token)
        self._address = membership.address
        self._journal = journal
        self._referee = referee
        self._notices = notices
        self._stopping = threading.Event()
        self._heard: Heard | None = None
        self._failures = 0
        self._thread = threading.Thread(target=self._run, name="uplink", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stopping.set()
        self._referee.wake()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.is_set():
            moment = self._referee.moment
            if not self._caught_up():
                continue
            after = self._referee.wait(moment.version, ASK_SECONDS)
            if after.version == moment.version:  # nothing was said for long: is it still so there?
                self._heard = None

    def _caught_up(self) -> bool:
        """One step; whether the hub has everything now."""
        try:
            progress = step(self._journal, self._hub, self._heard)
        except CompanionError as trouble:
            self._failed(trouble)
            return False
        except Exception:  # whatever a stranger's hub answers must not end this thread
            log.exception("the hub could not be told")
            self._failed(HubRefused.at(self._address, "?", "an answer nobody understands"))
            return False
        self._heard, self._failures = progress.heard, 0
        self._notices.put("hub", None)
        if progress.rewound:
            log.warning("the hub had events that are not in this journal; it put them aside")
            self._notices.put("hub-rewound", Notice("hub-rewound", (("hub", self._address),)))
        return progress.sent == 0 and not progress.rewound

    def _failed(self, trouble: CompanionError) -> None:
        self._heard = None
        self._failures += 1
        if self._failures == NOTICE_AFTER or isinstance(trouble, HubRefused):
            log.warning("%s", trouble)
            facts = (("hub", self._address), ("why", trouble.message))
            self._notices.put("hub", Notice("hub-away", facts))
        pause = min(FIRST_PAUSE_SECONDS * 2 ** min(self._failures, 10), LONGEST_PAUSE_SECONDS)
        self._stopping.wait(pause)


def open_uplink(data: Path, journal: Journal, referee: Referee, notices: Notices) -> ExitStack:
    """The uplink of the box whose data folder this is, if it belongs to a hub; a membership that
    cannot be read is said, and is no reason not to play."""
    stack = ExitStack()
    try:
        membership = read_membership(data)
        if membership is not None:
            stack.enter_context(Uplink(membership, journal, referee, notices))
    except CompanionError as trouble:
        facts = (("hub", FILE), ("why", trouble.message))
        notices.put("hub", Notice("hub-away", facts))
    return stack
