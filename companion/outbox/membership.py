"""Which hub this box belongs to, and its token there: one small file in the data folder."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
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
    ca_file: str = ""
    """The certificate of the hub's own authority; empty: one that everybody trusts."""
    left: bool = False
    """It has left; the token still proves who it is, should it come back."""


def read_membership(data: Path) -> Membership | None:
    """None: this box belongs to no hub."""
    kept = _kept(data)
    return None if kept is None or kept.left else kept


def token_for(data: Path, address: str, box: str) -> str:
    """The token that this box has or had at that hub; empty if it was never there. It is shown to
    no other hub."""
    try:
        kept = _kept(data)
    except BadInput:
        return ""
    known = kept is not None and kept.box == box and _same(kept.address, address)
    return kept.token if kept is not None and known else ""


def _same(one: str, other: str) -> bool:
    return one.rstrip("/").casefold() == other.rstrip("/").casefold()


def _kept(data: Path) -> Membership | None:
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


def leave(data: Path) -> Membership | None:
    """What it was; None if it belonged to no club. A file that cannot be read is taken away."""
    try:
        was = read_membership(data)
    except BadInput:
        (data / FILE).unlink(missing_ok=True)
        return None
    if was is not None:
        write_membership(data, replace(was, left=True))
    return was
