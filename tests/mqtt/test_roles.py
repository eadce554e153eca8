"""A whole companion with codes on, and the buttons that Home Assistant finds by itself."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.app import build
from companion.core.game import Setup
from companion.hub.trial.servers import has_mosquitto, mosquitto
from companion.ledger.events import Proposal, Source
from companion.mqtt.household import HOUSEHOLD
from companion.service.access.book import FILE, AccessBook
from companion.service.settings import Settings
from tests.mqtt.test_bridge import json, listening

pytestmark = [
    pytest.mark.skipif(not has_mosquitto(), reason="mosquitto is not installed"),
    pytest.mark.xdist_group("mosquitto"),
]


@pytest.mark.parametrize(("role", "done"), [("page", False), ("player", True)])
def test_discovered_buttons_work_with_codes_on_where_the_broker_is_trusted(
    tmp_path: Path, role: str, *, done: bool
) -> None:
    book = AccessBook(tmp_path / FILE)
    book.set_owner_code("a long code")
    book.decide(codes=True, closed=False)
    with mosquitto(tmp_path) as port, listening(port) as listener, ExitStack() as stack:
        settings = Settings(
            data=str(tmp_path), port=0, host="127.0.0.1", gpio="none",
            mqtt=f"mqtt://127.0.0.1:{port}", mqtt_role=role,
        )  # fmt: skip
        app = build(settings, stack)
        session = app.referee.open(Setup("odin", ("Anna", "Ben")), Source.PAGE)
        for line in ("deal A", "A r9"):
            app.referee.propose(Proposal(line, session.seq, Source.PAGE))
            session = app.referee.moment.session or session
        config = json(listener.until(lambda topic, _: topic.endswith("/config")))
        button = config["components"]["press_pass"]
        listener.client.publish(button["command_topic"], button["payload_press"], qos=1)
        answer = json(listener.until(lambda topic, _: topic.endswith("/answer")))
        entry = app.referee.moment.session
        assert entry is not None
        assert entry.latest is not None
        last = entry.latest.event
    assert answer["done"] is done
    assert (last.source, last.by) == ((Source.MQTT, HOUSEHOLD) if done else (Source.PAGE, ""))
