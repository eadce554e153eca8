"""Which hub this box belongs to, and its token there: one small file in the data folder."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from companion.foundation.errors import BadInput
from companion.foundation.files import replace_file
from companion.foundation.messages import N_

FILE = "hub.json"
MOST_BYTES = 10_000
PRIVATE = 0o600
"""The token lets whoever has it write events of this box."""


@dataclass(frozen=True, slots=True)
class Membership:
    address: str
    club: str
    box: str
    token: str = field(repr=False)


def read_membership(data: Path) -> Membership | None:
    """None: this box belongs to no hub."""
    path = data / FILE
    try:
        with path.open("rb") as file:
            text = file.read(MOST_BYTES)
        return msgspec.json.decode(text, type=Membership)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as broken:
        raise BadInput(
            "hub-file-broken",
            N_("%(path)s cannot be read (%(why)s); join the club again"),
            path=path,
            why=broken,
        ) from None


def write_membership(data: Path, membership: Membership) -> None:
    replace_file(data / FILE, msgspec.json.encode(membership), mode=PRIVATE)


def leave(data: Path) -> None:
    (data / FILE).unlink(missing_ok=True)
