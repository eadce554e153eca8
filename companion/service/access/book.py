"""Who has joined, and what the owner has decided: kept in one file of the data folder."""

from __future__ import annotations

import hashlib
import logging
import math
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import msgspec

from companion.foundation.errors import BadInput
from companion.foundation.files import replace_file
from companion.foundation.messages import N_, NN_
from companion.ledger.events import device_name
from companion.service.access.kept import (
    MOST_DEVICES,
    MOST_PROGRAMS,
    Device,
    KeptAccess,
    Program,
    fresh,
    read_kept,
)
from companion.service.access.roles import Policy, Role, role_of
from companion.service.access.tries import FROM_ALL_OWNERS, Pace, Slowdown, Tries

log = logging.getLogger(__name__)

FILE = "access.json"
MODE = 0o600
PRESENT_SECONDS = 120.0
"""How long holding both buttons lets somebody become the owner."""
SHORTEST_CODE = 6
LONGEST_CODE = 100


class AccessBook:
    """Any thread may call. Without a file it is forgotten at the end, as in tests."""

    def __init__(
        self, file: Path | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._file = file
        self._clock = clock
        self._lock = threading.RLock()
        owners = Tries(patience=FROM_ALL_OWNERS)
        self._slow = {"table": Slowdown(), "owner": Slowdown(owners)}
        self._pace = Pace()
        self._present_until = float("-inf")
        self._kept = fresh() if file is None else read_kept(file)

    # -- what is so -------------------------------------------------------------------------------

    @property
    def policy(self) -> Policy:
        kept = self._kept
        return Policy(kept.owned, kept.codes and kept.owned, kept.closed and kept.owned)

    @property
    def asked(self) -> bool:
        """Whether anybody has decided who may play."""
        return self._kept.asked or self._kept.owned

    @property
    def secret(self) -> str:
        return self._kept.secret

    @property
    def table_code(self) -> str:
        return self._kept.table_code

    @property
    def invitation(self) -> str:
        return self._kept.invitation

    @property
    def devices(self) -> tuple[Device, ...]:
        return self._kept.devices

    @property
    def programs(self) -> tuple[Program, ...]:
        return self._kept.programs

    @property
    def somebody_present(self) -> bool:
        return self._clock() < self._present_until

    def device(self, key: str) -> Device | None:
        """The device with this key; that it was here today is remembered."""
        found = next((each for each in self._kept.devices if each.key == key), None)
        if found is not None and found.seen != _today():
            with self._lock:
                self._put(replace(found, seen=_today()))
        return found

    def program(self, key: str) -> Program | None:
        given = _digest(key)
        for each in self._kept.programs:
            if secrets.compare_digest(each.digest, given):
                return each
        return None

    def player_of(self, key: str) -> str | None:
        """What a program that shows this key is called, or nobody without one; None if it may not
        play."""
        found = self.program(key) if key else None
        role = role_of(self.policy, None if found is None else found.role)
        if role < Role.PLAY:
            return None
        return "" if found is None else found.name

    # -- joining ----------------------------------------------------------------------------------

    def join(self, code: str, name: str, address: str, device: Device | None) -> Device:
        """By the four digits or the invitation of the code to scan; raises `BadInput`. While codes
        are off anybody may give their device a name; that it knew no code counts when they are
        switched on."""
        with self._lock:
            if not code and not self.policy.codes:
                return self._joined(name, Role.WATCH, device, address)
            if not _same(code, self._kept.invitation):
                right = partial(_same, code, self._kept.table_code)
                self._tried("table", address, right)
            return self._joined(name, Role.PLAY, device, address)

    def own(self, code: str, name: str, address: str, device: Device | None) -> Device:
        """By the owner's code, or without one while somebody holds both buttons."""
        with self._lock:
            if not code and self.somebody_present:
                self._present_until = float("-inf")
            else:
                right = partial(_is_code, code, self._kept.owner)
                self._tried("owner", address, right, known=device is not None)
            return self._joined(name, Role.OWN, device, address)

    def present(self) -> None:
        """Somebody is at the box and holds both buttons."""
        with self._lock:
            self._present_until = self._clock() + PRESENT_SECONDS

    def _tried(
        self, which: str, address: str, is_right: Callable[[], bool], *, known: bool = False
    ) -> None:
        slow, now = self._slow[which], self._clock()
        wait = slow.wait(address, now, known=known)
        if wait > 0:
            raise BadInput(
                "too-many-wrong-codes",
                NN_(
                    "Too many wrong codes were tried. Try again in %(seconds)s second.",
                    "Too many wrong codes were tried. Try again in %(seconds)s seconds.",
                    by="seconds",
                ),
                seconds=math.ceil(wait),
            )
        if not is_right():
            slow.failed(address, now)
            raise BadInput("wrong-code", N_("That is not the code."))
        slow.succeeded(address)

    def _joined(self, name: str, role: Role, device: Device | None, address: str) -> Device:
        """Nothing is written if nothing is new: anybody may ask this of an open box."""
        name = _name(name)
        before = device
        if device is None:
            device = Device(secrets.token_urlsafe(16), name, Role.NOBODY.word, _today(), _today())
        best = max(device.role, role)
        device = replace(device, name=name, may=best.word, seen=_today())
        if device == before:
            return device
        if not self._pace.may(address, self._clock()):
            raise BadInput(
                "too-many-joined",
                N_("Many phones have joined in the last minutes. Try again in ten minutes."),
            )
        self._put(device)
        return device

    def _put(self, device: Device) -> None:
        others = [each for each in self._kept.devices if each.key != device.key]
        if len(others) >= MOST_DEVICES:  # players who were not here for longest; never an owner
            others.sort(key=lambda each: (each.role, each.seen))
            others = others[1:]
        self._keep(replace(self._kept, devices=(*others, device)))

    # -- owning -----------------------------------------------------------------------------------

    def set_owner_code(self, code: str) -> None:
        if not SHORTEST_CODE <= len(code) <= LONGEST_CODE:
            raise BadInput(
                "owner-code-length",
                N_("The owner's code must have %(least)s to %(most)s letters or digits."),
                least=SHORTEST_CODE,
                most=LONGEST_CODE,
            )
        with self._lock:
            self._present_until = float("-inf")  # whoever was here before there was an owner
            self._keep(replace(self._kept, owner=_hashed(code), asked=True, locked=False))

    def decide(self, *, codes: bool, closed: bool) -> None:
        """Whether playing, and watching, need to have joined."""
        with self._lock:
            self._keep(replace(self._kept, codes=codes, closed=codes and closed, asked=True))

    def leave_open(self) -> None:
        """Nobody owns this box, and that is meant."""
        with self._lock:
            self._keep(replace(self._kept, asked=True))

    def give_up(self) -> None:
        """Everything as it was in the beginning: no owner, and nobody has joined."""
        with self._lock:
            self._keep(replace(fresh(), asked=True))

    def new_codes(self) -> None:
        """The old table code and invitation let nobody in any more."""
        with self._lock:
            made = fresh()
            self._keep(replace(self._kept, table_code=made.table_code, invitation=made.invitation))

    def give_role(self, handle: str, role: Role) -> None:
        """What a device may do from now on; raises `BadInput` for the last owner's: then nobody
        could change it back but with the code."""
        with self._lock:
            found = [each for each in self._kept.devices if each.handle == handle]
            owners = [each for each in self._kept.devices if each.role is Role.OWN]
            if not found or role is Role.NOBODY:
                raise BadInput("no-such-device", N_("That phone is not among those that joined."))
            if owners == found and role is not Role.OWN:
                raise BadInput(
                    "last-owner",
                    N_("This is the only phone of an owner. Make another one an owner first."),
                )
            self._put(replace(found[0], may=role.word))

    def revoke(self, key: str) -> None:
        """A device or a program is let in no more."""
        with self._lock:
            self._keep(
                replace(
                    self._kept,
                    devices=tuple(each for each in self._kept.devices if each.handle != key),
                    programs=tuple(each for each in self._kept.programs if each.handle != key),
                )
            )

    def add_program(self, name: str, role: Role) -> str:
        """A key for a program; it is told once and never again."""
        key = secrets.token_urlsafe(32)
        with self._lock:
            if len(self._kept.programs) >= MOST_PROGRAMS:
                raise BadInput(
                    "too-many-programs",
                    N_("There are %(most)s keys already; take one away first."),
                    most=MOST_PROGRAMS,
                )
            made = Program(_digest(key), _name(name), role.word, _today())
            self._keep(replace(self._kept, programs=(*self._kept.programs, made)))
        return key

    def _keep(self, kept: KeptAccess) -> None:
        if self._file is not None:
            try:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                replace_file(self._file, msgspec.json.encode(kept), mode=MODE)
            except OSError as full:  # a full card: it counts until the next start
                log.warning("who may play could not be kept: %s", full)
        self._kept = kept


def _name(name: str) -> str:
    shown = device_name(name)
    if not shown:
        raise BadInput("no-device-name", N_("Give this device a name, such as Anna's phone."))
    return shown


def _same(one: str, other: str) -> bool:
    return secrets.compare_digest(one.encode(errors="replace"), other.encode())


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode(errors="replace")).hexdigest()


def _hashed(code: str) -> str:
    salt = secrets.token_hex(16)
    return f"{salt}${_stretched(code, salt)}"


def _is_code(code: str, hashed: str) -> bool:
    salt, _, made = hashed.partition("$")
    return bool(made) and secrets.compare_digest(_stretched(code, salt), made)


def _stretched(code: str, salt: str) -> str:
    data = code[:LONGEST_CODE].encode(errors="replace")
    return hashlib.scrypt(data, salt=salt.encode(), n=8192, r=8, p=1).hex()
