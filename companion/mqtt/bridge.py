"""The bridge between the referee and a broker: one thread that tells what has changed, and the
client's own thread that takes commands.

A broker that is away is tried again by itself and costs the table nothing: what is told is always
the present, and of the log everything that this run of the companion has written."""

from __future__ import annotations

import logging
import ssl
import threading
import time
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

import msgspec
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode

from companion.foundation.notices import Notice
from companion.ledger.referee import Moment
from companion.ledger.session import Session
from companion.ledger.wire import wire_event
from companion.mqtt import commands
from companion.mqtt.broker import BrokerAddress
from companion.mqtt.commands import Answer
from companion.mqtt.discovery import discovery_message
from companion.mqtt.household import Household
from companion.mqtt.messages import (
    camera_state,
    event_message,
    sensors_message,
    triggers_between,
    verdict_message,
    view_message,
)
from companion.mqtt.topics import BIRTH, OFFLINE, ONLINE, Topics

log = logging.getLogger(__name__)

LOOK_SECONDS = 2.0
"""How often the picture and the camera's state are looked at while nothing is entered."""
MOST_EVENTS = 200
"""Events told at a time."""
MOST_QUEUED = 1_000
"""Messages the client holds for a broker that is away or slow; events beyond wait in the log."""
KEEPALIVE_SECONDS = 30
RECONNECT_SECONDS = (1, 30)
"""The first pause before the broker is tried again, and the longest."""


class Bridge:
    """Open it in a `with` statement: from then on the broker is told."""

    def __init__(self, address: BrokerAddress, household: Household, ca_file: str = "") -> None:
        self._address = address
        self._household = household
        self._topics = Topics(household.info.box)
        self._stopping = threading.Event()
        self._connected = threading.Event()
        self._session: Session | None = None
        last = household.journal.last_row()
        self._told_seq = 0 if last is None else wire_event(last).seq
        self._sent: dict[str, bytes] = {}
        self._introduced: tuple[str, ...] | None = None
        self._client = self._client_for(address, ca_file)
        self._thread = threading.Thread(target=self._run, name="mqtt", daemon=True)

    def __enter__(self) -> Self:
        self._client.connect_async(
            self._address.host, self._address.port, keepalive=KEEPALIVE_SECONDS
        )
        self._client.loop_start()
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stopping.set()
        self._household.referee.wake()
        self._thread.join()
        if self._connected.is_set():
            last = self._client.publish(self._topics.availability, OFFLINE, qos=1, retain=True)
            last.wait_for_publish(1.0)
        self._client.disconnect()
        self._client.loop_stop()

    def reached(self, seconds: float) -> bool:
        """Waits until the broker has taken this box in; whether it has."""
        return self._connected.wait(seconds)

    def _client_for(self, address: BrokerAddress, ca_file: str) -> Client:
        client = Client(
            CallbackAPIVersion.VERSION2, client_id=f"companion-{self._household.info.box}"
        )
        if address.user:
            client.username_pw_set(address.user, address.password or None)
        if address.tls:
            client.tls_set_context(ssl.create_default_context(cafile=ca_file or None))
        client.will_set(self._topics.availability, OFFLINE, qos=1, retain=True)
        client.max_queued_messages_set(MOST_QUEUED)
        client.reconnect_delay_set(*RECONNECT_SECONDS)
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_connect_fail = self._on_connect_fail
        client.on_message = self._on_message
        return client

    # -- the client's thread ------------------------------------------------------------------

    def _on_connect(self, client: Client, _data: Any, _flags: Any, code: Any, _props: Any) -> None:
        if code.is_failure:
            self._away(str(code))
            return
        self._household.notices.put("broker", None)
        for topic in (self._topics.press, self._topics.say, BIRTH):
            client.subscribe(topic, qos=1)
        client.publish(self._topics.availability, ONLINE, qos=1, retain=True)
        self._introduce()
        self._sent.clear()  # a broker that was started anew may have forgotten what it retained
        self._connected.set()
        self._household.referee.wake()

    def _on_disconnect(
        self, _client: Client, _data: Any, _flags: Any, code: Any, _props: Any
    ) -> None:
        self._connected.clear()
        if code.is_failure:
            self._away(str(code))

    def _on_connect_fail(self, _client: Client, _data: Any) -> None:
        self._away("no connection")

    def _away(self, why: str) -> None:
        log.warning("the broker %s is away: %s", self._address, why)
        facts = (("broker", str(self._address)), ("why", why))
        self._household.notices.put("broker", Notice("broker-away", facts))

    def _on_message(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        if message.topic == BIRTH:
            if message.payload == ONLINE.encode():
                self._introduce()
                self._sent.clear()
                self._household.referee.wake()
            return
        if message.retain:  # a command somebody once left there is not said now
            return
        act = commands.pressed if message.topic == self._topics.press else commands.said
        home = self._household
        self._tell(act(home.referee, bytes(message.payload), home.player_of, home.language))

    def _introduce(self) -> None:
        session = self._household.referee.moment.session
        names = () if session is None else session.setup.names
        info = replace(self._household.info, names=names)
        payload = discovery_message(info, self._household.language)
        if self._publish_one(self._topics.discovery, payload, retain=True):
            self._introduced = names

    def _tell(self, answer: Answer) -> None:
        self._client.publish(self._topics.answer, msgspec.json.encode(answer), qos=1)

    # -- the bridge's thread ------------------------------------------------------------------

    def _run(self) -> None:
        version = -1
        while not self._stopping.is_set():
            moment = self._household.referee.wait(version, LOOK_SECONDS)
            version = moment.version
            try:
                self._publish(moment)
            except Exception:  # a household must not stop the table, nor the table the household
                log.exception("the broker could not be told")
                time.sleep(LOOK_SECONDS)

    def _publish(self, moment: Moment) -> None:
        if not self._connected.is_set():
            self._session = moment.session  # what happened meanwhile is no news later
            return
        home, topics = self._household, self._topics
        if moment.session is not None and moment.session.setup.names != self._introduced:
            self._introduce()  # other people: the scores are called by them
        camera = camera_state(home.notices.standing, watching=home.info.watching)
        self._retain(topics.view, view_message(moment, home.language))
        self._retain(topics.sensors, sensors_message(moment, home.language, camera))
        if moment.session is not None:
            self._retain(topics.verdict, verdict_message(moment.session, home.language))
        for trigger in triggers_between(self._session, moment.session):
            self._client.publish(topics.trigger, trigger, qos=1)
        self._session = moment.session
        self._publish_events()
        self._publish_picture()

    def _publish_events(self) -> None:
        """The log beyond what was told; a broker that is away or slow hears it later."""
        while rows := self._household.journal.rows_since(self._told_seq, MOST_EVENTS):
            for event in map(wire_event, rows):
                if not self._publish_one(self._topics.event, event_message(event)):
                    return  # it is full: the log keeps the rest until the next look
                self._told_seq = max(self._told_seq + 1, event.seq)

    def _publish_picture(self) -> None:
        picture = self._household.picture() if self._household.picture else b""
        if picture:
            self._retain(self._topics.picture, picture, qos=0)

    def _retain(self, topic: str, payload: bytes, qos: int = 1) -> None:
        """Only what has changed: a broker has better to do."""
        if self._sent.get(topic) != payload and self._publish_one(topic, payload, qos, retain=True):
            self._sent[topic] = payload

    def _publish_one(
        self, topic: str, payload: bytes, qos: int = 1, *, retain: bool = False
    ) -> bool:
        """Whether the client has taken it: once it holds too much, it takes no more."""
        taken = self._client.publish(topic, payload, qos=qos, retain=retain)
        return taken.rc != MQTTErrorCode.MQTT_ERR_QUEUE_SIZE
