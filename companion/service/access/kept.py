"""What is kept of access, and how it is read from its file."""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from companion.service.access.roles import Role, role_named

log = logging.getLogger(__name__)

MOST_DEVICES = 200
MOST_PROGRAMS = 20
MOST_BYTES = 200_000


@dataclass(frozen=True, slots=True)
class Device:
    """A phone or another browser that has joined. Its key is a secret between it and the box."""

    key: str
    name: str
    may: str
    since: str
    seen: str

    @property
    def role(self) -> Role:
        return role_named(self.may) or Role.NOBODY

    @property
    def handle(self) -> str:
        """Names it on a page without giving its key away."""
        return self.key[:8]


@dataclass(frozen=True, slots=True)
class Program:
    """A program with a key of its own, of which only a digest is kept."""

    digest: str
    name: str
    may: str
    since: str

    @property
    def role(self) -> Role:
        return role_named(self.may) or Role.NOBODY

    @property
    def handle(self) -> str:
        return self.digest[:12]


@dataclass(frozen=True, slots=True)
class KeptAccess:
    secret: str
    """Signs the cookies."""
    table_code: str
    invitation: str
    owner: str = ""
    """The owner's code, salted and stretched."""
    codes: bool = False
    closed: bool = False
    asked: bool = False
    locked: bool = False
    """The file was damaged: only somebody at the box can own it again."""
    devices: tuple[Device, ...] = ()
    programs: tuple[Program, ...] = ()

    @property
    def owned(self) -> bool:
        return bool(self.owner) or self.locked


def fresh() -> KeptAccess:
    code = f"{secrets.randbelow(10_000):04}"
    return KeptAccess(secrets.token_hex(32), code, secrets.token_urlsafe(16))


def has_owner(file: Path) -> bool:
    """Whether this file, whole, names an owner."""
    kept = read_kept(file)
    return kept.owned and not kept.locked


def read_kept(file: Path) -> KeptAccess:
    """A file that is damaged opens the table to nobody: it may have said that codes are on."""
    try:
        with file.open("rb") as opened:
            return msgspec.json.decode(opened.read(MOST_BYTES), type=KeptAccess)
    except FileNotFoundError:
        return fresh()
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as damaged:
        log.warning("%s cannot be read (%s): only an owner can let people play", file, damaged)
        return replace(fresh(), codes=True, locked=True)
