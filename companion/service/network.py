"""Where phones find this machine."""

from __future__ import annotations

import socket

_SOMEWHERE = ("192.0.2.1", 9)
"""An address set aside for documentation: the way there is the way to any other network."""


def network_address() -> str | None:
    """This machine's address on its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_SOMEWHERE)
            return str(probe.getsockname()[0])
        except OSError:
            return None


def machine_name() -> str:
    """As others on the network call this machine."""
    return socket.gethostname() or "localhost"
