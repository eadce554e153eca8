"""The address of a broker, as the settings say it."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_

PLAIN_PORT = 1883
TLS_PORT = 8883


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    host: str
    port: int
    tls: bool = False
    user: str = ""
    password: str = field(default="", repr=False)

    def __str__(self) -> str:
        """Without the password: this is shown and logged."""
        return f"{'mqtts' if self.tls else 'mqtt'}://{self.host}:{self.port}"


def broker_address(text: str) -> BrokerAddress:
    """From `mqtt://user:password@host:port`, or `mqtts://` for a broker with TLS."""
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, urlsplit("")
    if parts.scheme not in ("mqtt", "mqtts") or not host or parts.path.strip("/"):
        raise BadInput(
            "broker-address",
            N_("a broker is written like mqtt://192.168.1.5 or mqtts://name:password@broker:8883"),
        )
    tls = parts.scheme == "mqtts"
    return BrokerAddress(
        host=host,
        port=port or (TLS_PORT if tls else PLAIN_PORT),
        tls=tls,
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
    )
