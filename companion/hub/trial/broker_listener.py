"""Somebody at the broker who notes every event that boxes tell, and comes again when the broker
does."""

from __future__ import annotations

import threading
from collections import defaultdict
from typing import Any

import msgspec
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from companion.mqtt.household import BOX_LETTERS
from companion.mqtt.topics import PREFIX

RECONNECT_SECONDS = (1, 2)


class BrokerListener:
    """Has a thread of its own: the client's."""

    def __init__(self, port: int) -> None:
        self._lock = threading.Lock()
        self._heard: defaultdict[str, list[str]] = defaultdict(list)
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.on_connect = self._on_connect
        self._client.on_message = self._on_message
        self._client.reconnect_delay_set(*RECONNECT_SECONDS)
        self._client.connect_async("127.0.0.1", port)
        self._client.loop_start()

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def heard_of(self, box: str) -> list[str]:
        """The hashes of a box's events as they came; what came twice counts once."""
        with self._lock:
            return list(dict.fromkeys(self._heard[box[:BOX_LETTERS]]))

    def _on_connect(self, client: Client, *_: Any) -> None:
        client.subscribe(f"{PREFIX}/+/event", qos=1)

    def _on_message(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        box, summed = message.topic.split("/")[1], msgspec.json.decode(message.payload)["hash"]
        with self._lock:
            self._heard[box].append(summed)
