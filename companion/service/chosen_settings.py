"""What is set at this box, layer over layer: the defaults, companion.toml, what was chosen on the
page, the command line. A later layer wins, and each value knows which layer it comes from.

What was chosen on the page lies in `chosen.toml` in the data folder, one line for each key. What
cannot be used of it is told, and the rest is used: a start never fails for it."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from enum import IntEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.foundation.errors import BadInput, BadSettings, CompanionError
from companion.foundation.files import replace_file
from companion.foundation.messages import N_, Message, message
from companion.ledger.journal import Journal
from companion.service.settings import Settings, settings_file, settings_from, usable_values

log = logging.getLogger(__name__)

FILE = "chosen.toml"
"""In the data folder: what was chosen on the page."""
OLD_CAMERA_FILE = "camera"
"""In the data folder of earlier versions: the camera chosen on the page, and nothing else."""
OURS_ALONE = 0o600  # a broker's password may be among them
NONE = "none"
SIMULATED = "simulated"
"""A table of the first game that has bots."""
SIMULATED_SIZE = "1280x720"
"""Of a simulated camera's pictures: drawing them takes longer than looking at them."""
NOT_ON_THE_PAGE = frozenset({"data"})
"""The folder that holds the choices cannot be among them."""


class Origin(IntEnum):
    """Where a value comes from; the greater one wins."""

    DEFAULT = 0
    FILE = 1
    PAGE = 2
    COMMAND_LINE = 3


@dataclass(frozen=True, slots=True)
class Layers:
    """The settings as they come out, and where each comes from."""

    settings: Settings
    origins: Mapping[str, Origin]
    """By key; a key that is missing has its default."""
    problems: tuple[BadSettings, ...] = ()
    """What could not be used, and why."""

    def origin(self, key: str) -> Origin:
        return self.origins.get(key, Origin.DEFAULT)


class SettingsStore:
    """The one place to ask what is set, and to choose something else. Any thread may call."""

    def __init__(
        self, file: Path | None = None, flags: Mapping[str, Any] = MappingProxyType({})
    ) -> None:
        """`flags` are what the command line says, by key; None there says nothing."""
        self.file = settings_file(file)
        self._flags = {key: each for key, each in flags.items() if each is not None}
        self._lock = threading.Lock()

    @property
    def folder(self) -> Path:
        """The data folder."""
        values, _ = usable_values(self.file)
        return _data_folder({**values, **self._flags})

    def read(self, without: Iterable[str] = ()) -> Layers:
        """As it all is now, but for what was chosen on the page for the keys in `without`; raises
        `BadSettings` only for the command line, and for a settings file that was named and is not
        there."""
        values, broken = usable_values(self.file)
        settings_from(self._flags, "the command line")
        fixed = _fitting(values, self._flags)
        chosen, unusable = _chosen_in(_data_folder(fixed))
        taken, misfit = _taken(fixed, _without(chosen, {*self._flags, *without}))
        problems = tuple(each for each in (broken, unusable, misfit) if each is not None)
        origins = {
            **dict.fromkeys(values, Origin.FILE),
            **dict.fromkeys(taken, Origin.PAGE),
            **dict.fromkeys(self._flags, Origin.COMMAND_LINE),
        }
        return Layers(settings_from({**fixed, **taken}, FILE), origins, problems)

    def choose(self, values: Mapping[str, Any]) -> None:
        """From the next start on; raises `BadInput`, and then nothing has changed."""
        for key in sorted(NOT_ON_THE_PAGE & values.keys()):
            raise BadInput("not-on-page", N_("%(key)s cannot be chosen on the page."), key=key)
        with self._lock:
            folder = self.folder
            chosen = {**_chosen_in(folder)[0], **values}
            file, _ = usable_values(self.file)
            settings_from({**_fitting(file, self._flags), **chosen, **self._flags}, FILE)
            _write(folder, chosen)

    def forget(self, keys: Iterable[str]) -> None:
        """Back to what the file says, or to the default."""
        with self._lock:
            folder = self.folder
            _write(folder, _without(_chosen_in(folder)[0], frozenset(keys)))


def settings_now(file: Path | None, data: str | None = None) -> Settings:
    """For a command that wants what the running companion goes by. A broken file is a mistake."""
    layers = SettingsStore(file, {"data": data}).read()
    if layers.problems:
        raise layers.problems[0]
    return layers.settings


def _data_folder(values: Mapping[str, Any]) -> Path:
    return settings_from({"data": values.get("data", "")}, "data").data_folder


def _without(values: Mapping[str, Any], keys: Iterable[str]) -> dict[str, Any]:
    left = set(values) - set(keys)
    return {key: each for key, each in values.items() if key in left}


def _fitting(values: Mapping[str, Any], flags: Mapping[str, Any]) -> dict[str, Any]:
    """File and command line together; where they do not go together, the file gives way."""
    try:
        settings_from({**values, **flags}, "")
    except BadSettings:
        return _accepted(dict(flags), _without(values, flags))[0]
    return {**values, **flags}


def _taken(
    fixed: Mapping[str, Any], chosen: Mapping[str, Any]
) -> tuple[dict[str, Any], BadSettings | None]:
    """What was chosen and goes together with what is fixed: all of it, or what can be used."""
    try:
        settings_from({**fixed, **chosen}, FILE)
    except BadSettings:
        merged, misfit = _accepted(dict(fixed), chosen)
        return {key: merged[key] for key in chosen if merged.get(key) == chosen[key]}, misfit
    return dict(chosen), None


def _accepted(
    start: dict[str, Any], more: Mapping[str, Any]
) -> tuple[dict[str, Any], BadSettings | None]:
    """`start` with each key of `more` that can be used beside those before it."""
    misfits: list[Message] = []
    for key, each in more.items():
        try:
            settings_from({**start, key: each}, FILE)
        except BadSettings as bad:
            misfits += bad.problems
        else:
            start[key] = each
    return start, BadSettings(FILE, misfits) if misfits else None


# The file


def _chosen_in(folder: Path) -> tuple[dict[str, Any], BadSettings | None]:
    """What was chosen, and what is wrong with the file that says so."""
    try:
        file = folder / FILE
        if file.exists():
            values, bad = usable_values(file)
            return _without(values, NOT_ON_THE_PAGE), bad
        old = folder / OLD_CAMERA_FILE
        if not old.is_file():
            return {}, None
        given = {"camera": old.read_text().strip()}
        settings_from(given, str(old))
    except BadSettings as bad:
        return {}, bad
    except (OSError, ValueError) as damaged:
        why = message("cannot-read", N_("cannot be read (%(why)s)"), why=damaged)
        return {}, BadSettings(str(folder), [why])
    return given, None


def _write(folder: Path, chosen: Mapping[str, Any]) -> None:
    known = [each.name for each in fields(Settings)]
    lines = [f"{key} = {_toml(chosen[key])}\n" for key in known if key in chosen]
    text = "# Chosen on the page, and changed there.\n" + "".join(lines)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(folder / FILE, text.encode(), mode=OURS_ALONE)
        (folder / OLD_CAMERA_FILE).unlink(missing_ok=True)
    except OSError as full:
        raise BadInput(
            "choice-not-kept",
            N_("This could not be kept, so nothing was changed (%(why)s)."),
            why=full.strerror,
        ) from None


def _toml(value: object) -> str:
    """A text or a number; TOML writes both as JSON does, but for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


# Which camera watches


def at_start(layers: Layers, *, told: bool) -> Settings:
    """The settings to start with. Where nobody has ever said which camera watches, and neither a
    file nor a service (`told`) says how this box is, whoever has kept games goes on by hand, and
    whoever starts for the first time sees a simulated table."""
    settings, camera = layers.settings, layers.origin("camera")
    if camera is Origin.DEFAULT and not told and not layers.problems:
        settings = replace(settings, camera=_first_camera(settings))
    size = layers.origin("camera_size")
    own_size = size > Origin.DEFAULT and size >= camera
    if settings.simulated and not own_size and camera < Origin.COMMAND_LINE:
        settings = replace(settings, camera_size=SIMULATED_SIZE)
    return settings


def _first_camera(settings: Settings) -> str:
    try:
        folder = settings.data_folder
        if folder.exists() and not folder.is_dir():
            return NONE  # said when the journal is opened
        if not settings.journal_file.exists():
            return SIMULATED
        with Journal(settings.journal_file) as journal:
            return NONE if journal.count_games() else SIMULATED
    except OSError as damaged:
        log.warning("whether there are games is not known: %s", damaged)
    except CompanionError:
        pass  # said when the journal is opened for good
    return NONE
