"""Which names the page answers to, and which pages may send it forms. Pure."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

HOME_DOMAINS = ("local", "lan", "home", "home.arpa", "internal", "fritz.box", "localdomain")
"""What routers put behind a machine's name; nobody can register a name there."""
FROM_HERE = ("same-origin", "none")
"""What a browser says of a request by the page itself, or by its reader."""


@dataclass(frozen=True, slots=True)
class Names:
    """A page of another site can point a name of its own at this machine's address and would then
    be talked to as if it were this page. So only names that are really ours are answered."""

    own: str = "localhost"
    """Of this machine."""
    configured: tuple[str, ...] = ()

    def ours(self, host: str) -> bool:
        """`host` is what a request asks for, perhaps with a port."""
        name = _without_port(host).rstrip(".").lower()
        if not name:
            return False
        if _is_address(name) or name.endswith(".local"):
            return True
        known = {"localhost", *self._own(), *(each.lower() for each in self.configured)}
        return name in known

    def _own(self) -> list[str]:
        own = self.own.lower()
        first = own.partition(".")[0]
        return [own, first, *(f"{first}.{domain}" for domain in HOME_DOMAINS)]


def from_here(host: str, header: Callable[[str], str | None]) -> bool:
    """Whether a request that changes something was sent by this page, or by a program, and not by
    a page of another site."""
    origin = header("Origin")
    if origin is not None:
        return _netloc(origin) == host.lower()
    site = header("Sec-Fetch-Site")
    if site is not None:
        return site in FROM_HERE
    referer = header("Referer")
    return referer is None or _netloc(referer) == host.lower()


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _netloc(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:  # nowhere
        return ""
