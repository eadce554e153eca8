"""The server on a real port: what strangers can do to it, and what it does then."""

from __future__ import annotations

import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.core.game import Setup
from companion.dashboard import Parts
from companion.dashboard.serving import protocol, server, stream
from companion.dashboard.serving.server import THREADS, Server, table_site
from companion.ledger.events import Proposal, Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.service.settings import Settings

STRANGER = "127.0.0.9"  # an address of this machine that passes for another machine
PATIENCE_SECONDS = 10
VIEWERS = 20


@dataclass
class Net:
    """What can be reached over sockets."""

    port: int
    stack: ExitStack
    referee: Referee

    def connect(self, address: str = "127.0.0.1") -> socket.socket:
        made = socket.create_connection(("127.0.0.1", self.port), PATIENCE_SECONDS, (address, 0))
        return self.stack.enter_context(made)

    def send(self, text: str, address: str = "127.0.0.1") -> socket.socket:
        opened = self.connect(address)
        opened.sendall(text.replace("\n", "\r\n").encode())
        return opened

    def ask(self, text: str, address: str = "127.0.0.1") -> str:
        """The whole answer to a request that closes its connection."""
        return whole(self.send(text, address))

    def page(self, address: str = "127.0.0.1") -> int:
        return status(
            self.ask("GET /table HTTP/1.1\nHost: localhost\nConnection: close\n\n", address)
        )

    def follow(self, address: str = "127.0.0.1", method: str = "GET") -> socket.socket:
        return self.send(f"{method} /stream HTTP/1.1\nHost: localhost\n\n", address)


def whole(opened: socket.socket) -> str:
    got = b""
    while piece := opened.recv(65_536):
        got += piece
    return got.decode()


def status(answer: str) -> int:
    return int(answer.split()[1])


def soon(condition: Callable[[], bool]) -> bool:
    patience = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < patience:
        if condition():
            return True
        time.sleep(0.01)
    return False


def closed(opened: socket.socket) -> bool:
    try:
        return opened.recv(65_536) == b""
    except ConnectionResetError:
        return True


def hears_of_the_table(opened: socket.socket) -> None:
    assert soon(lambda: b"event: table" in opened.recv(65_536))


@pytest.fixture
def net(journal: Journal, referee: Referee) -> Iterator[Net]:
    parts = Parts(referee, journal, viewers=VIEWERS)
    referee.open(Setup("odin", ("Anna", "Ben")), Source.PAGE)
    made = Server(Settings(host="127.0.0.1", port=0), table_site(parts))
    running = threading.Thread(target=made.run)
    running.start()
    with ExitStack() as stack:
        yield Net(made.port, stack, referee)
        parts.stopping.set()
        referee.wake()
        made.close()
        running.join(PATIENCE_SECONDS)


def test_a_page_is_answered(net: Net) -> None:
    assert net.page() == 200


def test_streams_hold_no_thread(net: Net) -> None:
    before = threading.active_count()
    following = [net.follow() for _ in range(VIEWERS)]
    for each in following:
        each.recv(65_536)
    assert threading.active_count() <= before + THREADS + 1  # those that answer, and one that waits
    net.referee.wake()
    for each in following:
        hears_of_the_table(each)


def test_a_closed_page_frees_its_place(net: Net, monkeypatch: pytest.MonkeyPatch) -> None:
    following = [net.follow() for _ in range(VIEWERS)]
    for each in following:
        assert b" 200 " in each.recv(65_536)
    refused = net.ask("GET /stream HTTP/1.1\nHost: localhost\nConnection: close\n\n")
    assert status(refused) == 503
    assert "20 pages are following already" in refused
    for each in following:
        each.close()
    assert soon(lambda: b" 200 " in net.follow().recv(65_536))


def test_asking_only_for_the_head_of_the_stream_takes_no_place(net: Net) -> None:
    for _ in range(2 * VIEWERS):
        assert b" 200 " in net.follow(method="HEAD").recv(65_536)


def test_one_address_cannot_have_every_stream(
    net: Net, monkeypatch: pytest.MonkeyPatch, journal: Journal
) -> None:
    assert stream.FROM_ONE_ADDRESS < 100
    with ExitStack() as stack:
        parts = Parts(net.referee, journal, viewers=500)
        made = Server(Settings(host="127.0.0.1", port=0), table_site(parts))
        running = threading.Thread(target=made.run)
        running.start()
        other = Net(made.port, stack, net.referee)
        following = [other.follow(STRANGER) for _ in range(stream.FROM_ONE_ADDRESS)]
        assert all(b" 200 " in each.recv(65_536) for each in following)
        assert status(other.follow(STRANGER).recv(65_536).decode()) == 503
        assert status(other.follow("127.0.0.8").recv(65_536).decode()) == 200
        parts.stopping.set()
        net.referee.wake()
        made.close()
        running.join(PATIENCE_SECONDS)


def test_idle_sockets_lock_nobody_out(net: Net) -> None:
    """The one that has been silent for longest makes room, of the address that has too many."""
    idle = [net.connect(STRANGER) for _ in range(server.FROM_ONE_ADDRESS + 10)]
    assert net.page(STRANGER) == 200
    assert net.page() == 200
    assert all(closed(each) for each in idle[:10])


def test_slow_posts_hold_no_thread(net: Net) -> None:
    half = "POST /act HTTP/1.1\nHost: localhost\nContent-Length: 100\n\nsay="
    for _ in range(3 * THREADS):
        net.send(half)
    assert net.page() == 200


def test_an_address_that_keeps_all_its_places_busy_is_told(net: Net) -> None:
    head = "POST /act HTTP/1.1\nHost: localhost\nContent-Length: 100\nExpect: 100-continue\n\n"
    for _ in range(server.FROM_ONE_ADDRESS):
        assert b" 100 " in net.send(head, STRANGER).recv(65_536)  # it waits for the rest
    told = net.ask("GET / HTTP/1.1\nHost: localhost\n\n", STRANGER)
    assert status(told) == 503
    assert "Too many pages are open at this table." in told
    assert net.page("127.0.0.8") == 200


def test_however_many_come_each_is_told(net: Net) -> None:
    head = "POST /act HTTP/1.1\nHost: localhost\nContent-Length: 100\nExpect: 100-continue\n\n"
    for _ in range(server.MOST_CONNECTIONS):
        if b" 100 " not in net.send(head, STRANGER).recv(65_536):
            break  # all its places are busy
    waiting = [net.connect(STRANGER) for _ in range(protocol.MOST_TOLD + 5)]
    for each in waiting[-5:]:
        assert "Too many pages are open at this table." in whole(each)
    late = net.ask("GET / HTTP/1.1\nHost: localhost\n\n", STRANGER)
    assert (status(late), "Too many pages" in late) == (503, True)
    assert net.page("127.0.0.8") == 200


def test_a_crowd_is_served(journal: Journal, referee: Referee) -> None:
    """The row `load` of `companion bench trust` at a small size: it measures, this only asks."""
    parts = Parts(referee, journal, viewers=300)
    referee.open(Setup("odin", ("Anna", "Ben")), Source.PAGE)
    made = Server(Settings(host="127.0.0.1", port=0), table_site(parts))
    running = threading.Thread(target=made.run)
    running.start()
    with ExitStack() as stack:
        crowd = Net(made.port, stack, referee)
        idle = [crowd.connect() for _ in range(300)]
        following = [crowd.follow() for _ in range(250)]
        for each in following:
            hears_of_the_table(each)
        assert crowd.page() == 200
        referee.propose(Proposal("deal A", 1, Source.PAGE))
        for each in following:
            hears_of_the_table(each)
        assert len(idle) == 300
        parts.stopping.set()
        referee.wake()
        made.close()
        running.join(PATIENCE_SECONDS)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_page_for_this_machine_alone_has_no_address_on_the_network(
    journal: Journal, referee: Referee, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setattr(server, "network_address", lambda: "192.168.1.20")
    for setting, addresses in ((host, 1), ("0.0.0.0", 2)):
        made = Server(Settings(host=setting, port=0), table_site(Parts(referee, journal)))
        made.close()
        assert len(made.addresses) == addresses
        assert made.addresses[0] == f"http://localhost:{made.port}/"


def test_a_request_that_comes_too_slowly_is_given_up(
    net: Net, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "ASKING_SECONDS", 0.2)
    assert closed(net.connect())
    assert closed(net.send("GET / HTTP/1.1\nHost: loc"))
    kept = net.send("GET /table HTTP/1.1\nHost: localhost\n\n")
    assert b" 200 " in kept.recv(65_536)
    kept.sendall(b"GET /tab")  # a further request on the same connection, never finished
    assert soon(lambda: closed(kept))


def test_what_is_too_large_is_refused_before_it_is_kept(
    net: Net, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))  # nothing may be put there
    head = "POST /act HTTP/1.1\nHost: localhost\n"
    said = net.ask(f"{head}Content-Length: 200000\n\n" + "x" * 200_000)
    assert status(said) == 413
    assert "larger than this page takes" in said
    piece = "4000\n" + "x" * 0x4000 + "\n"
    chunked = net.ask(f"{head}Transfer-Encoding: chunked\n\n" + piece * 10 + "0\n\n")
    assert status(chunked) == 413
    assert status(net.ask(f"{head}Content-Length: {'9' * 30}\n\n")) in (400, 413)
    assert net.page() == 200


def test_a_reader_who_takes_nothing_is_let_go(net: Net, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "STALLED_SECONDS", 0.2)
    for _ in range(VIEWERS):
        with socket.socket() as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            deaf.connect(("127.0.0.1", net.port))
            net.stack.enter_context(deaf.dup())  # stays open, and takes nothing
            deaf.sendall(b"GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")

    def has_a_place() -> bool:
        net.referee.wake()
        return b" 200 " in net.follow().recv(65_536)

    assert soon(has_a_place)


def test_a_name_with_an_underscore_passes_for_no_other(net: Net) -> None:
    """Behind WSGI, X_Live and X-Live are one; the page must not be told so."""
    body = "say=deal+A&seq=1"
    form = f"Content-Type: application/x-www-form-urlencoded\nContent-Length: {len(body)}\n\n{body}"
    head = "POST /act HTTP/1.1\nHost: localhost\nConnection: close\n"
    assert status(net.ask(f"{head}X_Live: 1\n{form}")) == 303
