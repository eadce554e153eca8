"""Lists of pictures with what they show: a line of JSON each, checked before any is read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_

_LARGEST = 64 * 1024 * 1024

Pixels = Annotated[float, Meta(ge=-1e6, le=1e6)]


class Marked(msgspec.Struct, frozen=True):
    """A card or a die, and where it is, if that is known."""

    label: str | int
    polygon: Annotated[tuple[tuple[Pixels, Pixels], ...], Meta(min_length=3)] | None = None
    bbox: tuple[Pixels, Pixels, Pixels, Pixels] | None = None
    """Left, top, width, height."""


class ManifestEntry(msgspec.Struct, frozen=True):
    """One picture."""

    file: str
    objects: tuple[Marked, ...]
    scene: str = ""
    complete: bool = True
    """Whether everything that can be seen in it is listed."""


def read_manifest(path: Path) -> list[ManifestEntry]:
    """Every line of a manifest."""
    try:
        if path.stat().st_size > _LARGEST:
            raise BadInput(
                "too-large-list-pictures",
                N_("%(path)s: too large for a list of pictures"),
                path=path,
            )
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise BadInput("no-such-file", N_("%(path)s: no such file"), path=path) from None
    except (OSError, UnicodeDecodeError):
        raise BadInput(
            "cannot-read-text", N_("%(path)s: cannot be read as text"), path=path
        ) from None
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not numbered:
        raise BadInput("no-pictures-listed", N_("%(path)s: no pictures listed"), path=path)
    return [_entry(line, f"{path}, line {number}") for number, line in numbered]


def _entry(line: str, where: str) -> ManifestEntry:
    try:
        return msgspec.json.decode(line, type=ManifestEntry)
    except (msgspec.MsgspecError, RecursionError) as bad:
        wanted = '{"file": ..., "objects": [{"label": ...}]}'
        raise BadInput(
            "wanted",
            N_("%(where)s: wanted %(wanted)s (%(why)s)"),
            where=where,
            wanted=wanted,
            why=bad,
        ) from None
