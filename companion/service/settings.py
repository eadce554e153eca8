"""Settings: one frozen dataclass from one TOML file. Unknown keys are refused, and all problems
are said in one message. Without a file everything runs on a laptop."""

from __future__ import annotations

import math
import os
import re
import reprlib
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

from companion.foundation.errors import BadSettings
from companion.foundation.messages import N_, Message, message
from companion.views.speech import LANGUAGES
from companion.views.voice import Topic

FILE = "companion.toml"
VOICE_TOPICS = tuple(each.value for each in Topic)
MOST_BYTES = 100_000
MQTT_ROLES = ("page", "player")
MOST_NAME = 40
"""Letters in the name of a table."""
CAMERAS = "pi, usb, usb:NUMBER, usb:NAME, stream:ADDRESS, file:PATH or simulated:GAME"
_CAMERA = re.compile(
    r"none|pi(:\d)?|usb(:[^\0\n]+)?|file:[^\0]+|simulated(:[a-z0-9=,._-]+)?"
    r"|stream:(https?|rtsp)://[!-~]{1,400}",
    re.ASCII,
)
_SIZE = re.compile(r"[1-9]\d{1,4}x[1-9]\d{1,4}", re.ASCII)
_MOST_PIXELS = 60_000_000


def default_data() -> str:
    return os.environ.get("COMPANION_DATA", "~/.local/share/companion")


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting with its default."""

    language: str = "en"  # of the page, for browsers that ask for none of ours
    data: str = ""  # the folder everything is kept in; empty: under the home folder
    host: str = "0.0.0.0"  # noqa: S104 - phones on the same network are the point
    port: int = 8080  # 0: any free one
    viewers: int = 600  # pages that may follow live at once
    gpio: str = "mock"  # "real" on a Pi with buttons, "none" without any
    pins: str = ""  # another pins.toml than the one shipped
    hold_seconds: float = 1.0  # how long *confirm* is held to undo
    settle_seconds: float = 0.03  # contacts bounce; shorter signals are ignored
    camera: str = "none"  # "pi", "usb", "usb:1", "usb:part of its name", "file:a.mp4", "simulated"
    camera_size: str = "1920x1080"  # of its pictures
    camera_turn: int = 0  # degrees its pictures are turned clockwise: 0, 90, 180 or 270
    more_cameras: str = ""  # further ones that look at the owner's boards, with " | " between them
    take_seconds: float = 1.5  # how long a play the camera has read is shown before it counts
    names: str = ""  # further names the page is opened by, with spaces between them
    voice: str = ""  # what the box says aloud: "all", or some of plays, refusals, turns, ...
    mqtt: str = ""  # a broker such as mqtt://192.168.1.5; empty: nobody is told
    mqtt_ca: str = ""  # the certificate file of a broker with one of its own
    mqtt_role: str = "page"  # "player": whoever may speak on the broker may play, without a token
    https_port: int = 0  # where the page also listens over HTTPS; 0: nowhere
    table_name: str = ""  # what people call this table

    @property
    def further_cameras(self) -> tuple[str, ...]:
        """Beside the first one."""
        return tuple(each.strip() for each in self.more_cameras.split(" | ") if each.strip())

    @property
    def camera_pixels(self) -> tuple[int, int]:
        """Width and height."""
        width, _, height = self.camera_size.partition("x")
        return int(width), int(height)

    @property
    def voice_topics(self) -> tuple[str, ...]:
        """What the box says aloud; nothing unless it was asked to."""
        if self.voice == "all":
            return VOICE_TOPICS
        return tuple(each.strip() for each in self.voice.split(",") if each.strip())

    @property
    def data_folder(self) -> Path:
        folder = self.data or default_data()
        try:
            return Path(folder).expanduser()
        except RuntimeError:
            raise BadSettings(
                "data",
                [
                    message(
                        "names-no-home-folder",
                        N_("%(shown)s names no home folder; write the whole path"),
                        shown=_shown(folder),
                    )
                ],
            ) from None

    @property
    def simulated(self) -> bool:
        """Is the table one that plays by itself?"""
        return self.camera.partition(":")[0] == "simulated"

    @property
    def journal_file(self) -> Path:
        return self.data_folder / "journal.db"


def _bounds(settings: Settings) -> Iterator[Message]:
    if settings.language not in LANGUAGES:
        yield message(
            "language-must-one-got",
            N_("language must be one of %(languages)s, got %(shown)s"),
            languages=", ".join(LANGUAGES),
            shown=_shown(settings.language),
        )
    if settings.gpio not in ("mock", "real", "none"):
        yield message(
            "gpio-must-mock-real",
            N_("gpio must be mock, real or none, got %(shown)s"),
            shown=_shown(settings.gpio),
        )
    if not _is_host(settings.host):
        yield message(
            "host-must-address-such",
            N_("host must be an address such as 0.0.0.0 or a name, got %(shown)s"),
            shown=_shown(settings.host),
        )
    for name, path in (
        ("data", settings.data),
        ("pins", settings.pins),
        ("mqtt_ca", settings.mqtt_ca),
    ):
        if "\0" in path:
            yield message(
                "must-path-got",
                N_("%(name)s must be a path, got %(shown)s"),
                name=name,
                shown=_shown(path),
            )
    if len(settings.table_name) > MOST_NAME or not settings.table_name.isprintable():
        yield message(
            "table-name-must-got",
            N_("table_name must be a line of at most %(most)s letters, got %(shown)s"),
            most=MOST_NAME,
            shown=_shown(settings.table_name),
        )
    if strange := [each for each in settings.voice_topics if each not in VOICE_TOPICS]:
        yield message(
            "voice-must-all-or",
            N_("voice must be all, or some of %(topics)s, got %(shown)s"),
            topics=", ".join(VOICE_TOPICS),
            shown=_shown(", ".join(strange)),
        )
    yield from _role_bounds(settings)
    yield from _camera_bounds(settings)
    yield from _number_bounds(settings)


def _role_bounds(settings: Settings) -> Iterator[Message]:
    if settings.mqtt_role not in MQTT_ROLES:
        yield message(
            "mqtt-role-must-got",
            N_("mqtt_role must be one of %(roles)s, got %(shown)s"),
            roles=", ".join(MQTT_ROLES),
            shown=_shown(settings.mqtt_role),
        )


def _camera_bounds(settings: Settings) -> Iterator[Message]:
    if not _CAMERA.fullmatch(settings.camera):
        yield message(
            "camera-must-none-got",
            N_("camera must be none, %(cameras)s, got %(shown)s"),
            cameras=CAMERAS,
            shown=_shown(settings.camera),
        )
    mine = (settings.camera, *settings.further_cameras)
    for each in settings.further_cameras:
        if not _CAMERA.fullmatch(each) or each == "none" or mine.count(each) > 1:
            yield message(
                "more-cameras-must",
                N_("more_cameras must be other cameras than the first, each once, got %(shown)s"),
                shown=_shown(each),
            )
    if settings.further_cameras and settings.camera == "none":
        yield message("first-camera-missing", N_("more_cameras needs a camera beside them"))
    if settings.camera_turn not in (0, 90, 180, 270):
        yield message(
            "camera-turn-must",
            N_("camera_turn must be 0, 90, 180 or 270, got %(shown)s"),
            shown=_shown(settings.camera_turn),
        )
    if not _SIZE.fullmatch(settings.camera_size):
        yield message(
            "camera-size-must-such",
            N_("camera_size must be such as 1920x1080, got %(shown)s"),
            shown=_shown(settings.camera_size),
        )
    elif math.prod(settings.camera_pixels) > _MOST_PIXELS:
        yield message(
            "camera-size-must-at",
            N_("camera_size must be of at most 60 megapixels, got %(shown)s"),
            shown=_shown(settings.camera_size),
        )


def _number_bounds(settings: Settings) -> Iterator[Message]:
    if not 0 <= settings.https_port <= 65535 or settings.https_port == settings.port != 0:
        yield message(
            "https-port-must-got",
            N_("https_port must be 0 to 65535 and another than port, got %(shown)s"),
            shown=_shown(settings.https_port),
        )
    if not 0 <= settings.port <= 65535:
        yield message(
            "port-must-got",
            N_("port must be 0 to 65535, got %(shown)s"),
            shown=_shown(settings.port),
        )
    if not 1 <= settings.viewers <= 1000:
        yield message(
            "viewers-must-got",
            N_("viewers must be 1 to 1000, got %(shown)s"),
            shown=_shown(settings.viewers),
        )
    if not 0.2 <= settings.hold_seconds <= 10:
        yield message(
            "hold-seconds-must-got",
            N_("hold_seconds must be 0.2 to 10, got %(hold_seconds)s"),
            hold_seconds=settings.hold_seconds,
        )
    if not 0 <= settings.take_seconds <= 60:
        yield message(
            "take-seconds-must-got",
            N_("take_seconds must be 0 to 60, got %(take_seconds)s"),
            take_seconds=settings.take_seconds,
        )
    if not 0 <= settings.settle_seconds <= 0.2:
        yield message(
            "settle-seconds-must-got",
            N_("settle_seconds must be 0 to 0.2, got %(settle_seconds)s"),
            settle_seconds=settings.settle_seconds,
        )


def _is_host(host: str) -> bool:
    """Could it be looked up at all?"""
    try:
        return host.isprintable() and len(host) < 254 and bool(host.encode("idna"))
    except UnicodeError:
        return False


def settings_file(file: Path | None) -> Path | None:
    """The one named, or companion.toml here if there is one."""
    if file is not None:
        return file
    return Path(FILE) if os.path.exists(FILE) else None  # noqa: PTH110 - never raises


def read_settings(file: Path | None, data: str | None = None) -> Settings:
    """The settings in `file`, or in companion.toml here if there is one, or the defaults; with
    another data folder if one is named."""
    found = settings_file(file)
    settings = Settings() if found is None else settings_from(read_toml(found), str(found))
    return settings if data is None else replace(settings, data=data)


def usable_settings(
    file: Path | None, data: str | None = None
) -> tuple[Settings, BadSettings | None]:
    """The same, but what is wrong with a file keeps nobody from playing: every line of it that
    can be used is used, and what is wrong is said. A file that is not there is a mistake."""
    values, bad = usable_values(file)
    settings = settings_from(values, str(file))
    return settings if data is None else replace(settings, data=data), bad


def usable_values(file: Path | None) -> tuple[dict[str, Any], BadSettings | None]:
    """What `file`, or companion.toml here, says and can be used, by its keys."""
    found = settings_file(file)
    if found is None:
        return {}, None
    try:
        values = read_toml(found)
        settings_from(values, str(found))
    except BadSettings as bad:
        if not found.is_file():
            raise
        return _salvaged(found), bad
    return values, None


def _salvaged(file: Path) -> dict[str, Any]:
    """The lines of a damaged file that make sense, each by itself."""
    good: dict[str, Any] = {}
    with suppress(OSError), file.open("rb") as opened:
        for line in opened.read(MOST_BYTES).decode("utf-8", "replace").splitlines():
            with suppress(ValueError, RecursionError, BadSettings):
                told = tomllib.loads(line)
                settings_from(good | told, str(file))
                good |= told
    return good


def settings_from(given: Mapping[str, Any], where: str) -> Settings:
    types = get_type_hints(Settings)
    good: dict[str, Any] = {}
    problems = []
    for key, value in given.items():
        if key not in types:
            problems.append(message("unknown-key", N_("unknown key %(shown)s"), shown=_shown(key)))
            continue
        try:
            good[key] = msgspec.convert(value, types[key])
        except msgspec.ValidationError:
            problems.append(
                message(
                    "must-got",
                    N_("%(key)s must be %(wanted)s, got %(shown)s"),
                    key=key,
                    wanted=_wanted(types[key]),
                    shown=_shown(value),
                )
            )
    problems += _bounds(Settings(**good))
    if given.keys() - types.keys():
        problems.append(message("keys", N_("the keys are %(types)s"), types=", ".join(types)))
    if problems:
        raise BadSettings(where, problems)
    return Settings(**good)


def _wanted(kind: type) -> str:
    return {int: "a whole number", float: "a number", str: "a text"}.get(kind, kind.__name__)


def _shown(value: object) -> str:
    """As in the file, more or less, but never endless."""
    return reprlib.repr(value)


def read_toml(file: Path) -> dict[str, Any]:
    """A small TOML file as it is; raises `BadSettings` with what is wrong with it."""
    try:
        with file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise BadSettings(
                str(file),
                [
                    message(
                        "more-than-bytes-no",
                        N_("more than %(most_bytes)s bytes are no settings file"),
                        most_bytes=MOST_BYTES,
                    )
                ],
            )
        return tomllib.loads(data.decode())
    except OSError as missing:
        raise BadSettings(
            str(file),
            [message("cannot-read", N_("cannot be read (%(why)s)"), why=missing.strerror)],
        ) from None
    except (ValueError, RecursionError) as broken:  # not UTF-8, not TOML, or absurd TOML
        raise BadSettings(
            str(file), [message("not-toml-2", N_("is not TOML: %(why)s"), why=broken)]
        ) from None
