"""A box and a hub with a real network between them, which breaks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from companion.core.game import Setup
from companion.dashboard.serving.server import Server
from companion.foundation.errors import BadInput, HubAway, HubRefused
from companion.foundation.notices import Notices
from companion.hub.clubs import make_club
from companion.hub.site import hub_site
from companion.hub.store import open_store
from companion.hub.trial.servers import free_port
from companion.ledger.events import Proposal, Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.outbox.hub_client import HubClient
from companion.outbox.membership import (
    FILE,
    Membership,
    leave,
    read_membership,
    write_membership,
)
from companion.outbox.protocol import Heard, Joining
from companion.outbox.uplink import Uplink, open_uplink
from companion.service.settings import Settings

PATIENCE_SECONDS = 20.0


@contextmanager
def running_hub(path: Path, port: int) -> Iterator[str]:
    """The hub by its own server, on the same port each time."""
    with ExitStack() as stack:
        store = open_store(str(path))
        stack.callback(store.close)
        server = Server(Settings(host="127.0.0.1", port=port), hub_site(store, "en", (), stack))
        thread = threading.Thread(target=server.run)
        thread.start()
        stack.callback(thread.join)
        stack.callback(server.close)
        yield f"http://127.0.0.1:{port}"


def club_key(path: Path) -> str:
    store = open_store(str(path))
    key = make_club(store, "Ravens").key
    store.close()
    return key


def eventually(holds: Callable[[], bool]) -> None:
    patience = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < patience, "it never came to be"
        time.sleep(0.05)


def heard_by(path: Path) -> list[int]:
    store = open_store(str(path))
    with store.transaction() as transaction:
        rows = transaction.all("SELECT seq FROM event ORDER BY seq")
    store.close()
    return [seq for (seq,) in rows]


def test_what_happens_while_the_hub_is_away_arrives_later_once_and_in_order(
    tmp_path: Path, journal: Journal, referee: Referee
) -> None:
    kept, port, notices = tmp_path / "hub.db", free_port(), Notices()
    with running_hub(kept, port) as address:
        told = HubClient(address).join(club_key(kept), Joining(journal.box, "One"))
    membership = Membership(address, told.club, journal.box, told.token)
    session = referee.open(Setup("odin", ("Anna", "Ben")), Source.PAGE)
    with Uplink(membership, journal, referee, notices):
        for line in ("deal A", "A r9"):
            with running_hub(kept, port):
                eventually(lambda: len(heard_by(kept)) == len(journal.rows_since(0, 100)))
            referee.propose(Proposal(line, _seq(referee), Source.PAGE))
        with running_hub(kept, port):
            eventually(lambda: heard_by(kept) == [1, 2, 3])
            eventually(lambda: notices.standing == ())
    assert session.number == 1


def _seq(referee: Referee) -> int:
    session = referee.moment.session
    assert session is not None
    return session.seq


def test_a_stranger_is_refused(tmp_path: Path, journal: Journal) -> None:
    kept, port = tmp_path / "hub.db", free_port()
    with running_hub(kept, port) as address:
        client = HubClient(address)
        with pytest.raises(HubRefused):
            client.join("no key", Joining(journal.box, "One"))
        told = client.join(club_key(kept), Joining(journal.box, "One"))
        assert client.heard(journal.box, told.token) == Heard()
        for token in ("", "no token", told.token + "x"):
            with pytest.raises(HubRefused):
                client.heard(journal.box, token)
        with pytest.raises(HubRefused):
            client.heard("0" * 32, told.token)


def test_a_hub_that_is_not_there_is_away() -> None:
    with pytest.raises(HubAway):
        HubClient(f"http://127.0.0.1:{free_port()}").heard("0" * 32, "x")


@pytest.mark.parametrize("address", ["", "hub", "ftp://hub", "http://", "http://h:99999"])
def test_what_is_no_address_is_said(address: str) -> None:
    with pytest.raises(BadInput):
        HubClient(address)


def test_a_membership_is_kept_and_given_up(tmp_path: Path) -> None:
    assert read_membership(tmp_path) is None
    ours = Membership("http://hub", "Ravens", "0" * 32, "secret")
    write_membership(tmp_path, ours)
    assert read_membership(tmp_path) == ours
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0
    assert "secret" not in repr(ours)
    leave(tmp_path)
    assert read_membership(tmp_path) is None


@pytest.mark.parametrize("broken", [b"", b"{", b"[]", b"\xff", b'{"address": 7}'])
def test_a_broken_membership_is_said_and_the_table_plays(
    tmp_path: Path, journal: Journal, referee: Referee, broken: bytes
) -> None:
    (tmp_path / FILE).write_bytes(broken)
    notices = Notices()
    with open_uplink(tmp_path, journal, referee, notices):
        pass
    assert [each.code for each in notices.standing] == ["hub-away"]
