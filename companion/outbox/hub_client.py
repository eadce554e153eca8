"""The hub as a box speaks to it: small JSON requests by HTTP or HTTPS."""

from __future__ import annotations

import http.client
import ssl
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec

from companion.foundation.errors import BadInput, HubAway, HubRefused
from companion.foundation.messages import N_
from companion.outbox.protocol import At, Batch, Heard, Joined, Joining, Rewind

TIMEOUT_SECONDS = 10.0
MOST_ANSWER_BYTES = 100_000
T = TypeVar("T")


class HubClient:
    """One connection after the other; used by one thread."""

    def __init__(self, address: str, ca_file: str = "") -> None:
        try:
            parts = urlsplit(address)
            port = parts.port
        except ValueError:
            parts, port = urlsplit(""), None
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadInput(
                "hub-address", N_("a hub is written like https://hub.example or http://192.168.1.9")
            )
        self.address = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
        self._host, self._port = parts.hostname, port
        self._path = parts.path.rstrip("/")
        self._context = _context(ca_file) if parts.scheme == "https" else None

    def join(self, club_key: str, joining: Joining) -> Joined:
        return self._ask("/api/join", club_key, joining, Joined)

    def heard(self, box: str, token: str) -> Heard:
        return self._ask(f"/api/box/{box}/heard", token, None, Heard)

    def heard_at(self, box: str, token: str, at: At) -> Heard:
        return self._ask(f"/api/box/{box}/heard-at", token, at, Heard)

    def send(self, box: str, token: str, batch: Batch) -> Heard:
        return self._ask(f"/api/box/{box}/events", token, batch, Heard)

    def rewind(self, box: str, token: str, rewind: Rewind) -> Heard:
        return self._ask(f"/api/box/{box}/rewind", token, rewind, Heard)

    def leave(self, box: str, token: str) -> Heard:
        return self._ask(f"/api/box/{box}/leave", token, None, Heard)

    def _ask(self, path: str, key: str, body: Any, kind: type[T]) -> T:
        data = msgspec.json.encode(body)
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        connection = self._connection()
        try:
            connection.request("POST", self._path + path, data, headers)
            response = connection.getresponse()
            answer = response.read(MOST_ANSWER_BYTES)
        except (OSError, http.client.HTTPException) as away:
            raise HubAway.at(self.address, away) from None
        finally:
            connection.close()
        if 400 <= response.status < 500:
            raise HubRefused.at(self.address, response.status, answer.decode("utf-8", "replace"))
        if response.status != 200:
            raise HubAway.at(self.address, f"HTTP {response.status}")
        try:
            return msgspec.json.decode(answer, type=kind)
        except msgspec.MsgspecError as odd:
            raise HubAway.at(self.address, odd) from None

    def _connection(self) -> http.client.HTTPConnection:
        if self._context is None:
            return http.client.HTTPConnection(self._host, self._port, timeout=TIMEOUT_SECONDS)
        return http.client.HTTPSConnection(
            self._host, self._port, timeout=TIMEOUT_SECONDS, context=self._context
        )


def _context(ca_file: str) -> ssl.SSLContext:
    """Certificates are checked by this authority, or by those that everybody trusts."""
    try:
        return ssl.create_default_context(cafile=ca_file or None)
    except OSError as broken:
        raise BadInput(
            "hub-ca-file",
            N_("the certificate %(path)s cannot be read: %(why)s"),
            path=ca_file,
            why=broken,
        ) from None
