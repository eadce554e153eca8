"""Talks to the service manager (systemd) the way sd_notify does: a few lines to a socket. Where
none has started the companion, nobody is told and nothing is different."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ServiceManager:
    address: str | None = None  # of its socket; @ in front: an abstract one
    watchdog_seconds: float | None = None  # it wants to hear of us at least so often

    @classmethod
    def from_environment(cls, given: Mapping[str, str] = os.environ) -> ServiceManager:
        address = given.get("NOTIFY_SOCKET") or None
        meant = given.get("WATCHDOG_PID") in (None, "", str(os.getpid()))
        told = given.get("WATCHDOG_USEC", "")
        watched = address is not None and meant and told.isascii() and told.isdigit()
        return cls(address, int(told) / 1_000_000 if watched and int(told) else None)

    @property
    def present(self) -> bool:
        return self.address is not None

    def ready(self, status: str) -> None:
        self._send("READY=1", f"STATUS={_line(status)}")

    def status(self, status: str) -> None:
        self._send(f"STATUS={_line(status)}")

    def alive(self) -> None:
        if self.watchdog_seconds is not None:
            self._send("WATCHDOG=1")

    def stopping(self) -> None:
        self._send("STOPPING=1")

    def _send(self, *lines: str) -> None:
        if self.address is None:
            return
        address = "\0" + self.address[1:] if self.address.startswith("@") else self.address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
                out.sendto("\n".join(lines).encode(), address)
        except OSError as deaf:  # it is not for the table to care
            log.warning("the service manager does not listen (%s)", deaf)


def _line(text: str) -> str:
    return " ".join(text.split())
