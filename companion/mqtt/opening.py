"""The bridge to the broker that the settings name."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from importlib.util import find_spec

from companion.foundation.errors import CompanionError
from companion.foundation.notices import Notice
from companion.mqtt.broker import broker_address
from companion.mqtt.household import Household


def open_bridge(
    address: str, household: Household, ca_file: str = ""
) -> AbstractContextManager[object]:
    """What is wrong with the address or its certificate is said, and is no reason not to play."""
    if find_spec("paho") is None:
        household.notices.put("broker", Notice("mqtt-extra-missing"))
        return nullcontext()
    from companion.mqtt.bridge import Bridge

    try:
        return Bridge(broker_address(address), household, ca_file)
    except (CompanionError, OSError) as trouble:
        why = trouble.message if isinstance(trouble, CompanionError) else trouble
        facts = (("broker", "mqtt"), ("why", why))
        household.notices.put("broker", Notice("broker-away", facts))
        return nullcontext()
