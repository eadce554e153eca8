"""Who presses a button that is only drawn on the page. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Presser:
    """Somebody who presses a button on the page."""

    name: str = ""
    """What the journal calls their device."""
    at_the_box: bool = False
    """They sit at this very machine, or own it. Anybody else's finger proves no presence: it is
    only a request over the network."""
