"""Settings: one frozen dataclass from one TOML file. Unknown keys are refused, and all problems
are said in one message. Without a file everything runs on a laptop."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

from companion.errors import BadSettings
from companion.views.speech import LANGUAGES

FILE = "companion.toml"
MOST_BYTES = 100_000


def default_data() -> str:
    return os.environ.get("COMPANION_DATA", "~/.local/share/companion")


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting with its default. `companion run --help` says where the file is looked for."""

    language: str = "en"  # of the page, until a reader chooses
    data: str = ""  # the folder everything is kept in; empty: under the home folder
    host: str = "0.0.0.0"  # noqa: S104 - phones on the same network are the point
    port: int = 8080  # 0: any free one
    viewers: int = 120  # pages that may follow live at once
    gpio: str = "mock"  # "real" on a Pi with buttons, "none" without any
    pins: str = ""  # another pins.toml than the one shipped
    hold_seconds: float = 1.0  # how long *confirm* is held to undo
    settle_seconds: float = 0.03  # contacts bounce; shorter signals are ignored

    @property
    def data_folder(self) -> Path:
        return Path(self.data or default_data()).expanduser()

    @property
    def journal_file(self) -> Path:
        return self.data_folder / "journal.db"


def _bounds(settings: Settings) -> Iterator[str]:
    if settings.language not in LANGUAGES:
        yield f"language must be one of {', '.join(LANGUAGES)}, got {settings.language!r}"
    if settings.gpio not in ("mock", "real", "none"):
        yield f"gpio must be mock, real or none, got {settings.gpio!r}"
    if not 0 <= settings.port <= 65535:
        yield f"port must be 0 to 65535, got {settings.port}"
    if not 1 <= settings.viewers <= 1000:
        yield f"viewers must be 1 to 1000, got {settings.viewers}"
    if not 0.2 <= settings.hold_seconds <= 10:
        yield f"hold_seconds must be 0.2 to 10, got {settings.hold_seconds}"
    if not 0 <= settings.settle_seconds <= 0.2:
        yield f"settle_seconds must be 0 to 0.2, got {settings.settle_seconds}"


def read_settings(file: Path | None) -> Settings:
    """The settings in `file`, or in companion.toml here if there is one, or the defaults."""
    if file is None:
        file = Path(FILE)
        if not file.exists():
            return Settings()
    return settings_from(read_toml(file), str(file))


def settings_from(given: Mapping[str, Any], where: str) -> Settings:
    types = get_type_hints(Settings)
    good: dict[str, Any] = {}
    problems = []
    for key, value in given.items():
        if key not in types:
            known = ", ".join(each.name for each in fields(Settings))
            problems.append(f"unknown key {key!r} (known: {known})")
            continue
        try:
            good[key] = msgspec.convert(value, types[key])
        except msgspec.ValidationError:
            problems.append(f"{key} must be {_wanted(types[key])}, got {value!r}")
    settings = Settings(**good)
    problems += _bounds(settings)
    if problems:
        raise BadSettings(where, problems)
    return settings


def _wanted(kind: type) -> str:
    return {int: "a whole number", float: "a number", str: "a text"}.get(kind, kind.__name__)


def read_toml(file: Path) -> dict[str, Any]:
    """A small TOML file as it is; raises `BadSettings` with what is wrong with it."""
    try:
        data = file.read_bytes()
        if len(data) > MOST_BYTES:
            raise BadSettings(str(file), [f"{len(data)} bytes are too many for a settings file"])
        return tomllib.loads(data.decode())
    except OSError as missing:
        raise BadSettings(str(file), [f"cannot be read ({missing.strerror})"]) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as broken:
        raise BadSettings(str(file), [f"is not TOML: {broken}"]) from None
