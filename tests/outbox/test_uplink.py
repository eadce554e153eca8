"""A box and a hub with a real network between them, which breaks."""

from __future__ import annotations

import ssl
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
from companion.hub.trial.cut_line import CutLine
from companion.hub.trial.servers import free_port
from companion.ledger.events import Proposal, Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.outbox.hub_client import HubClient
from companion.outbox.joining import Invitation, join_club, leave_club
from companion.outbox.membership import (
    FILE,
    Membership,
    leave,
    read_membership,
    token_for,
    write_membership,
)
from companion.outbox.protocol import Heard, Joining
from companion.outbox.uplink import Uplink, open_uplink
from companion.service.certificate import AUTHORITY_FILE, page_certificate
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


@pytest.mark.parametrize("with_ca", [True, False])
def test_a_hub_with_its_own_authority_is_trusted_only_if_one_says_so(
    tmp_path: Path, journal: Journal, referee: Referee, *, with_ca: bool
) -> None:
    """A real TLS server with a certificate of its own before the hub."""
    made, kept, port = page_certificate(tmp_path), tmp_path / "hub.db", free_port()
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(made.certificate, made.key)
    with running_hub(kept, port), ExitStack() as stack:
        front = CutLine(port, tls)
        stack.callback(front.close)
        ca_file = str(tmp_path / AUTHORITY_FILE) if with_ca else ""
        invitation = Invitation(f"https://127.0.0.1:{front.port}", club_key(kept), ca_file)
        if not with_ca:
            with pytest.raises(HubAway, match=r"(?i)certificate"):
                join_club(tmp_path, journal.box, "One", invitation)
            return
        join_club(tmp_path, journal.box, "One", invitation)
        referee.open(Setup("odin", ("Anna", "Ben")), Source.PAGE)
        with open_uplink(tmp_path, journal, referee, Notices()):
            eventually(lambda: heard_by(kept) == [1])


def test_a_certificate_that_is_none_is_said(tmp_path: Path, journal: Journal) -> None:
    (tmp_path / "ca.pem").write_text("nothing of the kind")
    for ca_file in ("ca.pem", "nowhere.pem"):
        invitation = Invitation("https://127.0.0.1:1", "key", str(tmp_path / ca_file))
        with pytest.raises(BadInput, match="certificate"):
            join_club(tmp_path, journal.box, "One", invitation)


def test_a_box_that_left_joins_again_by_itself(tmp_path: Path, journal: Journal) -> None:
    kept, port = tmp_path / "hub.db", free_port()
    with running_hub(kept, port) as address:
        invitation = Invitation(address, club_key(kept))
        first = join_club(tmp_path, journal.box, "One", invitation)
        assert leave_club(tmp_path)
        assert read_membership(tmp_path) is None
        with pytest.raises(HubRefused):
            HubClient(address).heard(journal.box, first.token)
        again = join_club(tmp_path, journal.box, "One", invitation)
        assert HubClient(address).heard(journal.box, again.token) == Heard()
    assert not leave_club(tmp_path)  # the hub is away, and the box has left all the same
    assert read_membership(tmp_path) is None
    elsewhere = "http://127.0.0.1:1"
    assert token_for(tmp_path, address + "/", journal.box) == again.token
    assert token_for(tmp_path, elsewhere, journal.box) == ""  # told to nobody else


class Waits:
    """A referee that notes when it is waited for, and at once says that nothing has happened."""

    def __init__(self, referee: Referee, said: list[str], most: int) -> None:
        self._referee, self._said, self._most = referee, said, most
        self.enough = threading.Event()

    def __getattr__(self, name: str) -> object:
        return getattr(self._referee, name)

    def wait(self, version: int, _seconds: float) -> object:
        self._said.append("waited")
        if len(self._said) >= self._most:
            self.enough.set()
            return self._referee.wait(version, PATIENCE_SECONDS)
        return self._referee.moment


def test_an_idle_box_asks_after_every_wait(
    tmp_path: Path, journal: Journal, referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hub may have been restored from a backup of its own: one wait is what the documentation
    promises, not two."""
    kept, port, said = tmp_path / "hub.db", free_port(), list[str]()
    asked = HubClient.heard

    def noted(client: HubClient, box: str, token: str) -> Heard:
        said.append("asked")
        return asked(client, box, token)

    monkeypatch.setattr(HubClient, "heard", noted)
    with running_hub(kept, port) as address:
        told = HubClient(address).join(club_key(kept), Joining(journal.box, "One"))
        membership = Membership(address, told.club, journal.box, told.token)
        waits = Waits(referee, said, 6)
        with Uplink(membership, journal, waits, Notices()):  # type: ignore[arg-type]
            assert waits.enough.wait(PATIENCE_SECONDS)
    assert said[:6] == ["asked", "waited"] * 3
