"""The bridge with a real broker: mosquitto, and another client beside it."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from companion.core.game import Setup
from companion.foundation.notices import Notices
from companion.hub.trial.servers import free_port, has_mosquitto, mosquitto
from companion.ledger.events import Proposal, Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.mqtt.bridge import Bridge
from companion.mqtt.broker import BrokerAddress
from companion.mqtt.household import Household
from companion.mqtt.topics import BIRTH, Topics

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
