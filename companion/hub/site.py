"""A hub put together: its store, the thread that folds, the hall, and the site to be served."""

from __future__ import annotations

from contextlib import ExitStack

from companion.dashboard.access.origins import Names
from companion.dashboard.serving.server import Site
from companion.hub.hall import Hall
from companion.hub.store import Store
from companion.hub.web.app import HubParts, create_hub
from companion.hub.worker import FoldingWorker
from companion.outbox.protocol import MOST_BYTES
from companion.service.network import machine_name

FORM_BYTES = 64_000
FROM_ONE_ADDRESS = 600
"""Connections: a whole club may be behind one router."""


def hub_site(store: Store, language: str, names: tuple[str, ...], stack: ExitStack) -> Site:
    """`names` are those it has besides its addresses and what the machine is called."""
    hall = Hall()
    worker = stack.enter_context(FoldingWorker(store, hall))
    page = create_hub(HubParts(store, worker, hall, language, Names(machine_name(), names)))
    return Site(page, _most_bytes, FROM_ONE_ADDRESS)


def _most_bytes(_method: str, path: str) -> int:
    return MOST_BYTES if path.endswith("/events") else FORM_BYTES
