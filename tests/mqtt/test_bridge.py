"""The bridge with a real broker: mosquitto, and another client beside it."""

from __future__ import annotations

import queue
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from companion.core.game import Setup
from companion.foundation.notices import Notices
from companion.hub.trial.programs import TrialProgram
from companion.hub.trial.servers import free_port, has_mosquitto, mosquitto
from companion.ledger.events import Did, Proposal, Source, Unwritten
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.mqtt.bridge import MOST_QUEUED, Bridge
from companion.mqtt.broker import BrokerAddress
from companion.mqtt.household import BOX_LETTERS, Household
from companion.mqtt.topics import BIRTH, Topics
from companion.service.certificate import AUTHORITY_FILE, page_certificate

PATIENCE_SECONDS = 15.0

pytestmark = [
    pytest.mark.skipif(not has_mosquitto(), reason="mosquitto is not installed"),
    pytest.mark.xdist_group("mosquitto"),
]


class Listener:
    """Somebody else at the broker: hears everything, and can say something."""

    def __init__(self, port: int) -> None:
        self.heard: queue.Queue[tuple[str, bytes]] = queue.Queue()
        self.client = Client(CallbackAPIVersion.VERSION2)
        self.client.on_message = lambda _c, _d, message: self.heard.put(
            (message.topic, bytes(message.payload))
        )
        self.client.connect("127.0.0.1", port)
        self.client.subscribe("#", qos=1)
        self.client.loop_start()

    def until(self, wanted: Callable[[str, bytes], bool]) -> bytes:
        patience = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < patience:
            try:
                topic, payload = self.heard.get(timeout=0.5)
            except queue.Empty:
                continue
            if wanted(topic, payload):
                return payload
        raise AssertionError("it was never said")

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


@contextmanager
def listening(port: int) -> Iterator[Listener]:
    listener = Listener(port)
    try:
        yield listener
    finally:
        listener.close()


@pytest.fixture
def household(journal: Journal, referee: Referee) -> Household:
    referee.open(Setup("odin", ("Anna", "Ben")), Source.PAGE)
    return Household(referee, journal, Notices(), picture=lambda: b"\xff\xd8picture")


def say(referee: Referee, line: str) -> None:
    session = referee.moment.session
    assert session is not None
    referee.propose(Proposal(line, session.seq, Source.PAGE))


def trouble(household: Household) -> list[str]:
    return [each.code for each in household.notices.standing]


def turn_is(name: str) -> Callable[[str, bytes], bool]:
    return lambda topic, payload: topic.endswith("/sensors") and json(payload)["turn"] == name


def json(payload: bytes) -> Any:
    return msgspec.json.decode(payload)


def test_a_household_hears_and_presses(household: Household, tmp_path: Path) -> None:
    topics = Topics(household.info.box)
    with mosquitto(tmp_path) as port, listening(port) as listener:
        with Bridge(BrokerAddress("127.0.0.1", port), household):
            listener.until(
                lambda topic, payload: topic == topics.availability and payload == b"online"
            )
            config = json(listener.until(lambda topic, _: topic == topics.discovery))
            assert config["device"]["identifiers"] == [f"companion_{household.info.box}"]
            listener.until(lambda topic, payload: topic == topics.picture and b"picture" in payload)
            say(household.referee, "deal A")
            event = json(listener.until(lambda topic, _: topic == topics.event))
            assert (event["kind"], event["hash"]) == (
                "did",
                household.journal.events(1)[-1].hash,
            )
            say(household.referee, "A r9")
            listener.until(turn_is("Ben"))
            listener.client.publish(topics.press, "pass", qos=1)
            assert json(listener.until(lambda topic, _: topic == topics.answer))["done"]
            say(household.referee, "B r9")
            listener.until(lambda topic, payload: (topic, payload) == (topics.trigger, b"refused"))
            listener.client.publish(BIRTH, "online", qos=1)
            listener.until(lambda topic, _: topic == topics.discovery)
        listener.until(
            lambda topic, payload: topic == topics.availability and payload == b"offline"
        )


def test_a_command_left_on_the_broker_is_not_carried_out(
    household: Household, tmp_path: Path
) -> None:
    topics = Topics(household.info.box)
    with mosquitto(tmp_path) as port, listening(port) as listener:
        listener.client.publish(topics.say, "deal A", qos=1, retain=True).wait_for_publish(5)
        with Bridge(BrokerAddress("127.0.0.1", port), household):
            listener.until(lambda topic, payload: topic == topics.sensors)
            listener.client.publish(topics.say, "nonsense", qos=1)
            answer = json(listener.until(lambda topic, _: topic == topics.answer))
    assert answer["what"] == "nonsense"
    session = household.referee.moment.session
    assert session is not None
    assert session.latest is None


def test_a_broker_that_comes_later_and_goes_and_comes_again(
    household: Household, tmp_path: Path
) -> None:
    """The table goes on meanwhile; when the broker is back it is told what is so now, and the
    events it missed."""
    port = free_port()
    topics = Topics(household.info.box)
    with Bridge(BrokerAddress("127.0.0.1", port), household):
        say(household.referee, "deal A")
        with mosquitto(tmp_path, port), listening(port) as listener:
            assert json(listener.until(lambda topic, _: topic == topics.event))["kind"] == "did"
        say(household.referee, "A r9")
        with mosquitto(tmp_path, port), listening(port) as listener:
            listener.until(turn_is("Ben"))
            event = json(listener.until(lambda topic, _: topic == topics.event))
            assert "r9" in event["body"]
            assert trouble(household) == []
    assert trouble(household) == ["broker-away"]


def test_a_broker_that_is_slower_than_the_log_misses_nothing(
    household: Household, tmp_path: Path
) -> None:
    """More events at once than the client holds: the rest waits in the log."""
    topics, count = Topics(household.info.box), MOST_QUEUED * 2
    with (
        mosquitto(tmp_path) as port,
        listening(port) as listener,
        Bridge(BrokerAddress("127.0.0.1", port), household),
    ):
        listener.until(lambda topic, _: topic == topics.sensors)
        facts = [Unwritten(Did(f"{number}")) for number in range(count)]
        household.journal.append_all(1, facts, 1, "page")
        household.referee.wake()
        heard = [
            json(listener.until(lambda topic, _: topic == topics.event))["seq"]
            for _ in range(count)
        ]
    assert heard == list(range(2, count + 2))


# paho leaves the socket of a handshake that failed to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_broker_with_tls_and_a_password(household: Household, tmp_path: Path) -> None:
    made, passwords = page_certificate(tmp_path), tmp_path / "passwords"
    passwords.touch(mode=0o600)
    subprocess.run(
        ["mosquitto_passwd", "-b", str(passwords), "box", "s3cret"], check=True, capture_output=True
    )
    settings = (
        f"allow_anonymous false\npassword_file {passwords}\n"
        f"certfile {made.certificate}\nkeyfile {made.key}"
    )
    authority = str(tmp_path / AUTHORITY_FILE)
    with mosquitto(tmp_path, settings=settings) as port:
        right = BrokerAddress("127.0.0.1", port, tls=True, user="box", password="s3cret")
        with Bridge(right, household, authority) as bridge:
            assert bridge.reached(PATIENCE_SECONDS)
        assert trouble(household) == []
        wrong = replace(right, password="guessed")
        for address, ca_file in ((wrong, authority), (right, "")):
            with Bridge(address, household, ca_file) as bridge:
                assert not bridge.reached(2.0)
                assert trouble(household) == ["broker-away"]
                household.notices.put("broker", None)


def test_when_the_box_is_killed_the_broker_says_that_it_is_gone(tmp_path: Path) -> None:
    """By its last will: a process that was killed says nothing itself."""
    folder = tmp_path / "boxes" / "one"
    folder.mkdir(parents=True)
    with Journal(folder / "journal.db") as journal:
        topics = Topics(journal.box[:BOX_LETTERS])
    with mosquitto(tmp_path) as port, listening(port) as listener:
        address = f"mqtt://127.0.0.1:{port}"
        box = TrialProgram("companion.hub.trial.boxes", str(folder.parent), "1000", address)
        box.start()
        try:
            listener.until(lambda topic, said: (topic, said) == (topics.availability, b"online"))
        finally:
            box.kill()
        listener.until(lambda topic, said: (topic, said) == (topics.availability, b"offline"))


def test_a_draugr_and_the_end_of_a_game_are_triggers(
    journal: Journal, referee: Referee, tmp_path: Path
) -> None:
    household = Household(referee, journal, Notices())
    topics = Topics(household.info.box)
    with (
        mosquitto(tmp_path) as port,
        listening(port) as listener,
        Bridge(BrokerAddress("127.0.0.1", port), household),
    ):
        referee.open(Setup("valhalla", ("Anna", "Ben")), Source.PAGE)
        listener.until(turn_is(""))
        for line in (
            "first B", "B ready", "A ready", "A reveals sword wolf", "B reveals sword wolf",
            "armory draugr",
        ):  # fmt: skip
            say(referee, line)
        listener.until(lambda topic, said: (topic, said) == (topics.trigger, b"draugr"))
        short = Setup("odin", ("Anna", "Ben"), changes=(("limit", "one_hand"),))
        session = referee.open(short, Source.PAGE)
        listener.until(lambda topic, said: topic == topics.sensors and b"odin" in said)
        while not session.over:
            action = session.game.expected(session.state)
            if action is None:
                action = next(iter(session.game.actions(session.state)))
            say(referee, session.game.format(action))
            moment = referee.moment.session
            assert moment is not None
            session = moment
        listener.until(lambda topic, said: (topic, said) == (topics.trigger, b"game-over"))


def test_scores_are_called_by_whoever_sits_there(household: Household, tmp_path: Path) -> None:
    """And by others when others sit down."""
    topics = Topics(household.info.box)

    def called(*names: str) -> Callable[[str, bytes], bool]:
        def fits(topic: str, payload: bytes) -> bool:
            if topic != topics.discovery:
                return False
            components = json(payload)["components"]
            return [components[f"score_{n}"]["name"] for n in (1, 2)] == list(names)

        return fits

    with (
        mosquitto(tmp_path) as port,
        listening(port) as listener,
        Bridge(BrokerAddress("127.0.0.1", port), household),
    ):
        listener.until(called("Points of Anna", "Points of Ben"))
        household.referee.open(Setup("odin", ("Cleo", "Dora")), Source.PAGE)
        listener.until(called("Points of Cleo", "Points of Dora"))
