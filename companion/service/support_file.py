"""The support file: what somebody who helps needs to know of a box, in one zip.

It has no names, addresses, folders or games, unless the owner says so: then a whole backup lies in
it."""

from __future__ import annotations

import io
import re
import socket
import tempfile
import zipfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec

from companion.foundation.errors import CompanionError
from companion.ledger.journal import now
from companion.service.backup import back_up
from companion.service.chosen_settings import Layers
from companion.service.findings import Finding
from companion.service.keeping.storage import storage_of
from companion.service.versions import about_box

SHARED = (
    *("language", "port", "viewers", "gpio", "hold_seconds", "settle_seconds", "camera_size"),
    *("take_seconds", "voice", "https_port"),
)
"""Settings that tell nothing about anybody; of the camera only its kind is told."""
HIDDEN = "…"
_NUMBERS = re.compile(r"\b\d{1,3}(\.\d{1,3}){3}\b|\b[0-9a-f]{0,4}(:[0-9a-f]{0,4}){3,}\b", re.I)
"""Addresses of machines."""
_FOLDERS = re.compile(r"(?<![\w/])/(?:[^\s/,;:()'\"]+/)+[^\s,;:()'\"]*")


@dataclass(frozen=True, slots=True)
class SupportCase:
    """What is put together."""

    layers: Layers
    findings: tuple[Finding, ...]
    notices: tuple[str, ...]
    """The codes of what stands to be said about the machine."""
    people: tuple[str, ...]
    """Names that must not be told."""
    settings_file: Path | None = None


def support_file(case: SupportCase, *, personal: bool) -> bytes:
    """With `personal`, also a backup with all games and names."""
    packed = io.BytesIO()
    data = case.layers.settings.data_folder
    hides = _Hiding(case, personal=personal)
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("about.json", _json({"made": now(), **asdict(about_box())}))
        out.writestr("health.txt", "".join(_lines(case.findings, hides)))
        out.writestr("settings.json", _json(_settings(case.layers, personal=personal)))
        stored = storage_of(data)
        sizes = {each.kind.value: each.size for each in stored.items}
        out.writestr("storage.json", _json({**sizes, "free": stored.free, "total": stored.total}))
        out.writestr("notices.txt", "\n".join(case.notices) + "\n")
        if personal:
            _add_backup(out, data, case.settings_file)
    return packed.getvalue()


def _lines(findings: Iterable[Finding], hides: _Hiding) -> Iterable[str]:
    for each in findings:
        yield f"{each.state.value:8}{each.part}: {hides(str(each.what))}\n"


def _settings(layers: Layers, *, personal: bool) -> dict[str, object]:
    told = asdict(layers.settings)
    kind = str(told["camera"]).partition(":")[0]
    keys = told.keys() - {"mqtt"} if personal else SHARED
    shown = {key: told[key] for key in told if key in keys}
    origins = {key: layers.origin(key).name.lower() for key in shown}
    return {"values": {**shown, "camera": kind}, "origins": origins}


class _Hiding:
    """Takes out of a sentence what would tell who and where somebody is."""

    def __init__(self, case: SupportCase, *, personal: bool) -> None:
        self._personal = personal
        settings = case.layers.settings
        words = (*case.people, socket.gethostname(), settings.table_name, *settings.names.split())
        known = sorted({each for each in words if each}, key=len, reverse=True)
        self._words = re.compile("|".join(map(re.escape, known)) or r"$^", re.IGNORECASE)

    def __call__(self, sentence: str) -> str:
        if self._personal:
            return sentence
        for pattern in (_FOLDERS, _NUMBERS, self._words):
            sentence = pattern.sub(HIDDEN, sentence)
        return sentence


def _add_backup(out: zipfile.ZipFile, data: Path, settings: Path | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "backup.zip"
        try:
            back_up(data, settings, target)
        except CompanionError as failed:
            out.writestr("no-backup.txt", f"{failed}\n")
        else:
            out.write(target, "backup.zip", compress_type=zipfile.ZIP_STORED)


def _json(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value))
