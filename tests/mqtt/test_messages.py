"""What a household is told, as plain values, and what it may ask."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from jinja2 import Template

from companion.core.game import Setup
from companion.foundation.errors import BadInput
from companion.foundation.notices import Notice
from companion.ledger.events import Proposal, Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.mqtt.broker import BrokerAddress, broker_address
from companion.mqtt.commands import MOST_BYTES, Answer, command, pressed, said
from companion.mqtt.discovery import BoxInfo, discovery
from companion.mqtt.household import trusting
from companion.mqtt.messages import camera_state, sensors_of, triggers_between, view_message

ODIN = Setup("odin", ("Anna", "Ben"))
INFO = BoxInfo("0123456789ab", "Table companion", "1.0", "http://192.168.1.7:8080/", watching=True)

# What Home Assistant's documentation lists, for the platforms that are used here.
DEVICE_KEYS = {
    "device", "origin", "components", "availability", "availability_mode", "availability_template",
    "availability_topic", "payload_available", "payload_not_available", "command_topic",
    "state_topic", "qos", "encoding",
}  # fmt: skip
DEVICE_INFO_KEYS = {
    "identifiers", "connections", "manufacturer", "model", "model_id", "name", "hw_version",
    "serial_number", "sw_version", "via_device", "suggested_area", "configuration_url",
}  # fmt: skip
ORIGIN_KEYS = {"name", "sw_version", "support_url"}
ENTITY_KEYS = {
    "platform", "unique_id", "name", "icon", "entity_category", "enabled_by_default",
    "default_entity_id", "entity_picture", "json_attributes_topic", "json_attributes_template",
}  # fmt: skip
PLATFORM_KEYS = {
    "sensor": ENTITY_KEYS | {
        "state_topic", "value_template", "device_class", "state_class", "unit_of_measurement",
        "options", "expire_after", "force_update", "last_reset_value_template",
        "suggested_display_precision",
    },
    "button": ENTITY_KEYS | {
        "command_topic", "command_template", "payload_press", "device_class", "retain", "qos",
    },
    "camera": ENTITY_KEYS | {"topic", "image_encoding", "encoding"},
    "device_automation": {
        "platform", "automation_type", "payload", "qos", "subtype", "topic", "type",
        "value_template",
    },
}  # fmt: skip
REQUIRED = {
    "sensor": {"state_topic", "unique_id"},
    "button": {"command_topic", "unique_id"},
    "camera": {"topic", "unique_id"},
    "device_automation": {"automation_type", "topic", "type", "subtype"},
}


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "it", "nl"])
def test_discovery_has_only_documented_keys_and_all_required_ones(language: str) -> None:
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(discovery(INFO, language)))
    assert set(told) <= DEVICE_KEYS
    assert set(told["device"]) <= DEVICE_INFO_KEYS
    assert told["device"]["identifiers"]
    assert set(told["origin"]) <= ORIGIN_KEYS
    assert told["origin"]["name"]
    seen = set()
    for component in told["components"].values():
        platform = component["platform"]
        seen.add(platform)
        assert set(component) <= PLATFORM_KEYS[platform]
        assert set(component) >= REQUIRED[platform]
    assert seen == set(PLATFORM_KEYS)


def test_discovery_names_each_thing_once() -> None:
    components = discovery(INFO, "en")["components"]
    ids = [each["unique_id"] for each in components.values() if "unique_id" in each]
    assert len(ids) == len(set(ids))
    triggers = [
        (each["type"], each["subtype"])
        for each in components.values()
        if each["platform"] == "device_automation"
    ]
    assert len(triggers) == len(set(triggers))
    assert {kind for kind, _ in triggers} >= {"refused", "game-over", "draugr"}
    assert {"glance_value", "glance_season", "turn", "camera"} <= set(components)
    assert {f"score_{seat}" for seat in range(1, 7)} <= set(components)


def test_every_seat_has_a_score_with_a_name(referee: Referee) -> None:
    """The templates are Jinja's, as in Home Assistant."""
    referee.open(ODIN, Source.PAGE)
    told = msgspec.json.decode(msgspec.json.encode(sensors_of(referee.moment, "en", "ok")))
    components = discovery(replace(INFO, names=("Anna", "Ben")), "en")["components"]
    shown = [
        Template(components[f"score_{seat}"]["value_template"]).render(value_json=told)
        for seat in (1, 2, 3)
    ]
    assert shown == ["0", "0", ""]
    assert components["score_2"]["name"] == "Points of Ben"
    assert components["score_3"]["name"] == "Points, seat 3"
    attributes = [
        json.loads(
            Template(components[f"score_{seat}"]["json_attributes_template"]).render(
                value_json=told
            )
        )
        for seat in (2, 3)
    ]
    assert attributes[0]["name"] == "Ben"
    assert attributes[1] == {}


@pytest.mark.parametrize("press", ["pass", "undo"])
def test_the_journal_says_who_pressed_by_the_broker(
    referee: Referee, journal: Journal, press: str
) -> None:
    referee.open(ODIN, Source.PAGE)
    for line in ("deal A", "A r9"):
        referee.propose(Proposal(line, referee.moment.session.seq, Source.PAGE))  # type: ignore[union-attr]
    payload = msgspec.json.encode({"what": press, "token": "t"})
    assert pressed(referee, payload, lambda _token: "Kitchen switch", "en").done
    event = journal.events(1)[-1]
    assert (event.source, event.by) == (Source.MQTT, "Kitchen switch")


def test_a_trusted_broker_plays_without_a_token_but_not_with_a_wrong_one(
    referee: Referee,
) -> None:
    """Buttons that Home Assistant discovered carry no token."""
    referee.open(ODIN, Source.PAGE)
    codes_on = lambda token: "lamp" if token == "good" else None  # noqa: E731
    trusted = trusting(codes_on)
    assert not said(referee, b"deal A", codes_on, "en").done
    assert said(referee, b"deal A", trusted, "en").done
    assert not said(referee, b'{"what": "A r9", "token": "bad"}', trusted, "en").done
    assert (trusted(""), trusted("good"), trusted("bad")) == ("household", "lamp", None)


def test_without_a_camera_there_is_no_picture() -> None:
    blind = BoxInfo("0123456789ab", "Table companion", "1.0", "")
    told = discovery(blind, "en")
    assert "picture" not in told["components"]
    assert "configuration_url" not in told["device"]


def test_sensors_tell_turn_value_and_scores(referee: Referee) -> None:
    assert sensors_of(referee.moment, "en", "none").game == ""
    session = referee.open(ODIN, Source.PAGE)
    for line in ("deal A", "A r9"):
        referee.propose(Proposal(line, referee.moment.session.seq, Source.PAGE))  # type: ignore[union-attr]
    told = sensors_of(referee.moment, "en", "ok")
    assert told.turn == "Ben"
    assert told.glance["value"] == "9"
    assert told.scores == {"Anna": 0, "Ben": 0}
    assert not told.over
    assert session.setup == ODIN
    view = msgspec.json.decode(view_message(referee.moment, "en"))
    assert view["names"] == ["Anna", "Ben"]


def test_a_refusal_and_a_draugr_are_told_once(referee: Referee) -> None:
    referee.open(ODIN, Source.PAGE)
    before = referee.moment.session
    assert before is not None
    referee.propose(Proposal("deal A", before.seq, Source.PAGE))
    dealt = referee.moment.session
    assert triggers_between(before, dealt) == ()
    assert dealt is not None
    referee.propose(Proposal("B r9", dealt.seq, Source.PAGE))
    refused = referee.moment.session
    assert triggers_between(dealt, refused) == ("refused",)
    assert triggers_between(refused, refused) == ()
    assert triggers_between(None, refused) == ("refused",)
    assert triggers_between(refused, None) == ()


def test_presses_and_entries_go_through_the_referee(referee: Referee) -> None:
    referee.open(ODIN, Source.PAGE)
    anybody = lambda _token: ""  # noqa: E731
    assert said(referee, b"deal A", anybody, "en") == Answer(True, "deal A")
    assert said(referee, b"A r9", anybody, "en").done
    assert pressed(referee, b"pass", anybody, "en") == Answer(True, "pass")
    refused = said(referee, b"B r9", anybody, "en")
    assert not refused.done
    assert refused.sentences


def test_without_the_right_to_play_nothing_is_entered(referee: Referee) -> None:
    referee.open(ODIN, Source.PAGE)
    known = lambda token: "lamp" if token == "good" else None  # noqa: E731
    assert not said(referee, b"deal A", known, "en").done
    assert not pressed(referee, b"undo", known, "en").done
    assert said(referee, b'{"what": "deal A", "token": "good"}', known, "en").done
    assert not said(referee, b'{"what": "A r9", "token": "bad"}', known, "en").done
    assert pressed(referee, b'{"what": "undo", "token": "good"}', known, "en").done
    assert [each.by for each in referee.entries_after(1)] == ["lamp", "lamp"]
    assert said(referee, b'{"what": "deal A", "token": "good"}', known, "en").done
    session = referee.moment.session
    assert session is not None
    assert session.latest is not None
    assert (session.latest.event.source, session.latest.event.by) == ("mqtt", "lamp")


@pytest.mark.parametrize(
    "payload",
    [
        b"\xff\xfe", b"{", b"{}", b'{"what": 7}', b"x" * (MOST_BYTES + 1), b"", b"\0", b"[]",
        b'{"what": "pass", "seq": "seven"}', "ünd".encode("latin-1"), b"doorbell",
    ],
)  # fmt: skip
def test_nonsense_is_answered_in_a_sentence(referee: Referee, payload: bytes) -> None:
    referee.open(ODIN, Source.PAGE)
    before = referee.moment.session
    for act in (pressed, said):
        answer = act(referee, payload, lambda _token: "", "en")
        assert not answer.done
        assert answer.sentences
    after = referee.moment.session
    assert before is not None
    assert after is not None
    assert after.seq == before.seq


def test_a_command_may_say_what_it_had_seen() -> None:
    assert command(b'{"what": "B r9", "seq": 4}').seq == 4
    with pytest.raises(BadInput):
        command(b'{"seq": 4}')


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("mqtt://192.168.1.5", BrokerAddress("192.168.1.5", 1883)),
        ("mqtts://broker", BrokerAddress("broker", 8883, tls=True)),
        (
            "mqtt://anna:p%40ss@broker:2883",
            BrokerAddress("broker", 2883, user="anna", password="p@ss"),
        ),
    ],
)
def test_addresses_of_brokers(text: str, address: BrokerAddress) -> None:
    assert broker_address(text) == address
    assert address.password not in str(address) or not address.password


@pytest.mark.parametrize(
    "text", ["", "broker", "http://broker", "mqtt://", "mqtt://b:99999", "mqtt://[", "mqtt://b/x"]
)
def test_what_is_no_address_is_said(text: str) -> None:
    with pytest.raises(BadInput):
        broker_address(text)


def test_the_state_of_the_camera() -> None:
    away = Notice("camera-lost", (("camera", "usb"),))
    assert camera_state((), watching=False) == "none"
    assert camera_state((), watching=True) == "ok"
    assert camera_state((Notice("safe-mode"), away), watching=True) == "camera-lost"
