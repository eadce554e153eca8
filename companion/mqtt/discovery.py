"""What Home Assistant is told once: the box as a device with its sensors, buttons, picture and
triggers, in one retained message (its `device` discovery)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec

from companion.core.catalog import packs
from companion.core.game import Setup
from companion.ledger.referee import Press
from companion.mqtt.messages import GAME_OVER, REFUSED
from companion.mqtt.topics import OFFLINE, ONLINE, Topics
from companion.views.speech import N_, Speech
from companion.views.words import words_of

Component: TypeAlias = dict[str, Any]

_BUTTONS = {
    Press.PASS: (N_("Pass"), "mdi:hand-back-right"),
    Press.CONFIRM: (N_("Confirm"), "mdi:check-bold"),
    Press.UNDO: (N_("Undo"), "mdi:undo"),
}
_TRIGGERS = {REFUSED: N_("an illegal play"), GAME_OVER: N_("the end of a game")}


@dataclass(frozen=True, slots=True)
class BoxInfo:
    """What a household is told of a box."""

    box: str
    name: str
    version: str
    page: str
    """The address of its page; empty if it has none that others can open."""
    watching: bool = False
    names: tuple[str, ...] = ()
    """Who sits at the table, by seat: the scores are called by them."""


@dataclass(frozen=True, slots=True)
class _Sensor:
    """One value of the topic `sensors`."""

    name: str
    label: str
    template: str
    icon: str

    def component(self, info: BoxInfo, topics: Topics, speech: Speech) -> Component:
        return {
            "platform": "sensor",
            "unique_id": f"companion_{info.box}_{self.name}",
            "name": speech.say(self.label),
            "state_topic": topics.sensors,
            "value_template": "{{ " + self.template + " }}",
            "icon": self.icon,
        }


_SENSORS = (
    _Sensor("turn", N_("Whose turn"), "value_json.turn", "mdi:account-arrow-right"),
    _Sensor("waiting", N_("What the table waits for"), "value_json.waiting", "mdi:timer-sand"),
    _Sensor("leader", N_("In the lead"), "value_json.leader", "mdi:crown"),
    _Sensor("verdict", N_("Last verdict"), "value_json.verdict[:250]", "mdi:gavel"),
    _Sensor("camera", N_("Camera"), "value_json.camera", "mdi:camera-outline"),
    _Sensor("game", N_("Game"), "value_json.game", "mdi:cards"),
)


def discovery_message(info: BoxInfo, language: str) -> bytes:
    return msgspec.json.encode(discovery(info, language))


def discovery(info: BoxInfo, language: str) -> dict[str, Any]:
    topics, speech = Topics(info.box), Speech(language)
    device: dict[str, Any] = {
        "identifiers": [f"companion_{info.box}"],
        "name": info.name,
        "manufacturer": "table companion",
        "model": speech.say(N_("Table companion")),
        "sw_version": info.version,
    }
    if info.page:
        device["configuration_url"] = info.page
    return {
        "device": device,
        "origin": {"name": "table companion", "sw_version": info.version},
        "availability_topic": topics.availability,
        "payload_available": ONLINE,
        "payload_not_available": OFFLINE,
        "qos": 1,
        "components": {
            **_sensors(info, topics, speech),
            **_buttons(info, topics, speech),
            **_triggers(topics, speech),
            **_camera(info, topics, speech),
        },
    }


def _sensors(info: BoxInfo, topics: Topics, speech: Speech) -> dict[str, Component]:
    made = {each.name: each.component(info, topics, speech) for each in _SENSORS}
    made["leader"]["json_attributes_topic"] = topics.sensors
    made["leader"]["json_attributes_template"] = "{{ value_json.scores | tojson }}"
    for seat in range(max(pack.rules.SEATS.stop - 1 for pack in packs().values())):
        made[f"score_{seat + 1}"] = _score(info, topics, speech, seat)
    for key, label in _glances(speech).items():
        template = f"value_json.glance['{key}'] | default('')"
        sensor = _Sensor(f"glance_{key}", label, template, "mdi:eye-outline")
        made[sensor.name] = sensor.component(info, topics, speech)
    return made


def _score(info: BoxInfo, topics: Topics, speech: Speech, seat: int) -> Component:
    """The points of one seat; its name, rank and turn are attributes. Empty without anybody."""
    there = f"value_json.seats | length > {seat}"
    if seat < len(info.names):
        label = speech.say(N_("Points of %(name)s"), name=info.names[seat])
    else:
        label = speech.say(N_("Points, seat %(seat)s"), seat=seat + 1)
    template = f"value_json.seats[{seat}].points if {there} else ''"
    sensor = _Sensor(f"score_{seat + 1}", "", template, "mdi:counter")
    return {
        **sensor.component(info, topics, speech),
        "name": label,
        "json_attributes_topic": topics.sensors,
        "json_attributes_template": (
            "{{ " + f"(value_json.seats[{seat}] if {there} else dict())" + " | tojson }}"
        ),
    }


def _glances(speech: Speech) -> dict[str, str]:
    """The values of every game by their keys; games may share one."""
    found: dict[str, str] = {}
    for name, pack in packs().items():
        seats = pack.rules.SEATS
        setup = Setup(name, tuple(f"Player {seat}" for seat in range(seats.start)))
        start = pack.rules.start(setup)
        for each in words_of(name).glance(speech, start):
            found.setdefault(each.key, each.label)
    return found


def _buttons(info: BoxInfo, topics: Topics, speech: Speech) -> dict[str, Component]:
    return {
        f"press_{press}": {
            "platform": "button",
            "unique_id": f"companion_{info.box}_press_{press}",
            "name": speech.say(label),
            "command_topic": topics.press,
            "payload_press": str(press),
            "icon": icon,
        }
        for press, (label, icon) in _BUTTONS.items()
    }


def _triggers(topics: Topics, speech: Speech) -> dict[str, Component]:
    words = {code: speech.say(label) for code, label in _TRIGGERS.items()}
    for name in packs():
        for code, label in words_of(name).highlights.items():
            words.setdefault(code, speech.say(label))
    return {
        f"trigger_{code}": {
            "platform": "device_automation",
            "automation_type": "trigger",
            "topic": topics.trigger,
            "payload": code,
            "type": code,
            "subtype": label,
        }
        for code, label in words.items()
    }


def _camera(info: BoxInfo, topics: Topics, speech: Speech) -> dict[str, Component]:
    if not info.watching:
        return {}
    return {
        "picture": {
            "platform": "camera",
            "unique_id": f"companion_{info.box}_picture",
            "name": speech.say(N_("Table from above")),
            "topic": topics.picture,
        }
    }
