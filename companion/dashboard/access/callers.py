"""Who asks: a device that has joined, a program with a key, or somebody unknown."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from flask import Request, Response, g, has_request_context
from itsdangerous import BadSignature, URLSafeSerializer

from companion.ledger.events import LONGEST_DEVICE_NAME
from companion.service.access.book import AccessBook
from companion.service.access.kept import Device
from companion.service.access.presence import Presser
from companion.service.access.roles import Role, role_named, role_of

COOKIE = "joined"
SECURE_COOKIE = "__Secure-joined"
"""Over HTTPS. A browser that has been given it sends it nowhere else, and keeps it beside the
other: it may open the page both ways."""
YEAR_SECONDS = 365 * 24 * 3600
_KINDS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "Chromebook"),
    ("Macintosh", "Mac"),
    ("Windows", "Windows"),
    ("Linux", "Linux"),
)
"""What a browser says of itself, and what people call it."""


@dataclass(frozen=True, slots=True)
class Caller:
    name: str
    """What the journal calls them."""
    role: Role
    device: Device | None = None
    """If it has joined."""


def caller_of(request: Request, book: AccessBook) -> Caller:
    policy = book.policy
    key = _bearer(request)
    if key is not None:
        program = book.program(key)
        if program is None:  # a key that does not count is worse than none
            return Caller(_kind(request), Role.NOBODY)
        return Caller(program.name, program.role)
    device = _device(request, book)
    if device is None:
        return Caller(_kind(request), role_of(policy, None))
    return Caller(device.name, role_of(policy, device.role), device)


def may_still_watch(request: Request, book: AccessBook) -> Callable[[], bool]:
    """Asked again and again while an answer lasts: whether who asked for it may still have it.
    Whoever was sent away has to ask anew."""
    key, device = _bearer(request), _device(request, book)

    def may_it() -> bool:
        if key is not None:
            program = book.program(key)
            return program is not None and program.role >= Role.WATCH
        found = None if device is None else book.device(device.key)
        if device is not None and found is None:
            return False
        return role_of(book.policy, None if found is None else found.role) >= Role.WATCH

    return may_it


def present_caller() -> Caller | None:
    found: Caller | None = g.get("caller") if has_request_context() else None
    return found


def may(word: str) -> bool:
    """Whether who asks may watch, play or own; for templates."""
    caller, role = present_caller(), role_named(word)
    return caller is not None and role is not None and caller.role >= role


def device_name() -> str:
    """What the journal is to say of who sent this request."""
    caller = present_caller()
    return "" if caller is None else caller.name[:LONGEST_DEVICE_NAME]


def remember(request: Request, reply: Response, book: AccessBook, device: Device) -> None:
    """The browser shows from now on that it has joined. Scripts cannot read it, and pages of other
    sites cannot make it sent."""
    secure = request.is_secure
    reply.set_cookie(
        SECURE_COOKIE if secure else COOKIE,
        _signer(book).dumps(device.key),
        max_age=YEAR_SECONDS,
        secure=secure,
        httponly=True,
        samesite="Lax",
    )


def at_the_box(request: Request) -> bool:
    """A browser on this very machine, such as the box's own screen."""
    passed_on = any(each in request.headers for each in ("Forwarded", "X-Forwarded-For"))
    return request.remote_addr in ("127.0.0.1", "::1") and not passed_on


def presser(request: Request) -> Presser:
    """Who presses a button that the page draws. Under `make run` the owner sits at the machine
    itself; a phone's request is no finger on the box."""
    return Presser(device_name(), at_the_box(request) or may("own"))


def may_invite(request: Request) -> bool:
    """Whether the codes for the next player may be shown: to players, and at the box."""
    return may("play") or at_the_box(request)


def _device(request: Request, book: AccessBook) -> Device | None:
    signed = request.cookies.get(SECURE_COOKIE if request.is_secure else COOKIE, "")
    if not signed or len(signed) > 200:
        return None
    try:
        key = _signer(book).loads(signed)
    except BadSignature:
        return None
    return book.device(key) if isinstance(key, str) else None


def _signer(book: AccessBook) -> URLSafeSerializer:
    return URLSafeSerializer(book.secret, salt="device")


def _bearer(request: Request) -> str | None:
    kind, _, key = request.headers.get("Authorization", "").partition(" ")
    return key.strip()[:200] if kind.lower() == "bearer" else None


def _kind(request: Request) -> str:
    said = request.headers.get("User-Agent", "")[:400]
    for sign, name in _KINDS:
        if sign in said:
            return name
    first = re.match(r"[A-Za-z][\w.-]{0,20}", said)  # such as curl
    return first[0] if first else "?"
