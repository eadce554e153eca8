"""The settings that make sense at a table, each with its sentence and a fitting control."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, get_type_hints

from companion.foundation.messages import N_
from companion.service.chosen_settings import Origin
from companion.service.settings import MOST_NAME, VOICE_TOPICS, Settings
from companion.views.voice import TOPIC_WORDS, Topic


class Control(StrEnum):
    """How a value is chosen."""

    TEXT = "text"
    NUMBER = "number"
    CHOICE = "choice"
    SEVERAL = "several"
    SECRET = "secret"


@dataclass(frozen=True, slots=True)
class SettingField:
    """One setting as the page shows it; its words are still to be translated."""

    key: str
    name: str
    sentence: str
    control: Control = Control.TEXT
    choices: tuple[tuple[str, str], ...] = ()
    """Value and words of each."""
    least: float = 0
    most: float = 0
    step: float = 1
    unit: str = ""
    pattern: str = ""
    """What a text must look like, as a regular expression; also for the browser."""

    def allows(self, value: object) -> bool:
        return not self.pattern or re.fullmatch(self.pattern, str(value), re.ASCII) is not None

    def said(self, value: object) -> str:
        """A value as its control has it."""
        return f"{value:g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True, slots=True)
class SettingGroup:
    name: str
    title: str
    icon: str
    fields: tuple[SettingField, ...]


SIZES = ("1280x720", "1920x1080", "2304x1296", "2560x1440", "3840x2160")
SECRET_SHOWN = "•••"
"""Stands for a password on the page; whoever sends it back keeps the one there is."""

_TABLE = SettingGroup(
    "table",
    N_("The table"),
    "home",
    (
        SettingField(
            "table_name",
            N_("Name of the table"),
            N_("What people call it. It stands on top of the page and on the wall."),
            most=MOST_NAME,
        ),
        SettingField(
            "language",
            N_("Language"),
            N_("For voices, lamps and browsers that ask for none of ours."),
            Control.CHOICE,
        ),
        SettingField(
            "voice",
            N_("What the box says aloud"),
            N_("Through its own loudspeaker. Phones have a switch of their own."),
            Control.SEVERAL,
            tuple((each, TOPIC_WORDS[Topic(each)]) for each in VOICE_TOPICS),
        ),
    ),
)
_CAMERA = SettingGroup(
    "camera",
    N_("The camera"),
    "camera",
    (
        SettingField(
            "camera_size",
            N_("Size of its pictures"),
            N_("Larger ones show cards better from far away, and take longer to look at."),
            Control.CHOICE,
            tuple((each, each.replace("x", " × ")) for each in SIZES),
        ),
        SettingField(
            "take_seconds",
            N_("Time to object"),
            N_("How long a play that was read is shown before it counts."),
            Control.NUMBER,
            most=60,
            step=0.5,
            unit=N_("seconds"),
        ),
    ),
)
_BOX = SettingGroup(
    "box",
    N_("Buttons and lamps"),
    "box",
    (
        SettingField(
            "gpio",
            N_("Buttons and lamps"),
            N_("On the pins of a Raspberry Pi, drawn on the page, or none."),
            Control.CHOICE,
            (("real", N_("real")), ("mock", N_("on the page")), ("none", N_("none"))),
        ),
        SettingField(
            "hold_seconds",
            N_("Holding a button"),
            N_("How long Confirm is held to take an entry back."),
            Control.NUMBER,
            least=0.2,
            most=10,
            step=0.1,
            unit=N_("seconds"),
        ),
        SettingField(
            "settle_seconds",
            N_("Bouncing contacts"),
            N_("Shorter signals of a button are ignored. Longer helps with worn buttons."),
            Control.NUMBER,
            most=0.2,
            step=0.01,
            unit=N_("seconds"),
        ),
    ),
)
_NETWORK = SettingGroup(
    "network",
    N_("The network"),
    "smartphone",
    (
        SettingField(
            "port",
            N_("Port of the page"),
            N_("Part of its address. With 80 nobody has to type it, where the system allows it."),
            Control.NUMBER,
            most=65535,
        ),
        SettingField(
            "https_port",
            N_("Port for HTTPS"),
            N_("8443, for example: phones then install the page like an app. 0: no HTTPS."),
            Control.NUMBER,
            most=65535,
        ),
        SettingField(
            "names",
            N_("Further names"),
            N_("By which the page may be opened too, with spaces between them."),
            pattern=r"([\w.\-]+ ?)*",
            most=500,
        ),
        SettingField(
            "viewers",
            N_("Pages at once"),
            N_("How many may follow the table live."),
            Control.NUMBER,
            least=1,
            most=1000,
        ),
    ),
)
_HOME = SettingGroup(
    "household",
    N_("At home"),
    "monitor",
    (
        SettingField(
            "mqtt",
            N_("MQTT broker"),
            N_(
                "Tells Home Assistant what happens here, such as mqtt://192.168.1.5. Empty: nobody."
            ),
            Control.SECRET,
            pattern=r"(mqtts?://\S+)?",
            most=500,
        ),
        SettingField(
            "mqtt_ca",
            N_("Certificate of the broker"),
            N_("A file on this box, if the broker's certificate is your own. Empty: a public one."),
            most=500,
        ),
        SettingField(
            "mqtt_role",
            N_("Who may play by the broker"),
            N_("Buttons of Home Assistant show no code: with codes on, let the broker play."),
            Control.CHOICE,
            (
                ("page", N_("whoever may play on the page")),
                ("player", N_("whoever may speak on the broker")),
            ),
        ),
    ),
)
GROUPS: tuple[SettingGroup, ...] = (_TABLE, _CAMERA, _BOX, _NETWORK, _HOME)
FIELDS: Mapping[str, SettingField] = {
    field.key: field for group in GROUPS for field in group.fields
}

ORIGINS: Mapping[Origin, str] = {
    Origin.FILE: N_("from the settings file"),
    Origin.PAGE: N_("chosen here"),
    Origin.COMMAND_LINE: N_("from the command line, which wins"),
}


def with_choices(
    field: SettingField, settings: Settings, tongues: Mapping[str, str]
) -> SettingField:
    """The field with all its choices: the languages, and the value it has if none of ours."""
    if field.key == "language":
        return replace(field, choices=tuple(tongues.items()))
    now = field.said(getattr(settings, field.key))
    if field.control is Control.CHOICE and now not in dict(field.choices):
        return replace(field, choices=((now, now), *field.choices))
    return field


def given_values(form: Mapping[str, list[str]], settings: Settings) -> Iterator[tuple[str, Any]]:
    """What a form says, by key, as far as it differs from what is set. A number that is none is
    handed on as it was typed: the settings say what is wrong with it."""
    types = get_type_hints(Settings)
    for key, field in FIELDS.items():
        if f"has.{key}" not in form:
            continue
        said = form.get(key, [])
        value: object = (said[0] if said else "").strip()
        if field.control is Control.SEVERAL:
            value = _several(field, said)
        elif field.control is Control.SECRET:
            value = unmasked(str(value), str(getattr(settings, key)))
        elif types[key] is not str:
            value = _number(str(value), types[key])
        if value != getattr(settings, key):
            yield key, value


def _several(field: SettingField, said: list[str]) -> str:
    known = [value for value, _ in field.choices]
    chosen = [each for each in known if each in said]
    return "all" if chosen == known else ",".join(chosen)


def _number(text: str, kind: type) -> object:
    try:
        return kind(text.replace(",", "."))
    except ValueError:
        return text


def masked(address: str) -> str:
    """An address without its password."""
    before, at, after = address.rpartition("@")
    if not at or ":" not in before.partition("//")[2]:
        return address
    return f"{before.rpartition(':')[0]}:{SECRET_SHOWN}@{after}"


def unmasked(said: str, now: str) -> str:
    """What was said, with the password there is, if it was not typed anew."""
    return now if said == masked(now) else said
