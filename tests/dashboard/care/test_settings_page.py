"""`/settings`: everything that makes sense at a table, chosen with a tap."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.dashboard import create_app
from companion.dashboard.care.setting_fields import FIELDS, GROUPS, masked, unmasked
from companion.service.access.book import AccessBook
from companion.service.chosen_settings import FILE, SettingsStore
from tests.dashboard.care.box import Box


def chosen(client: FlaskClient, **fields: str | list[str]) -> int:
    has = {f"has.{key}": "yes" for key in fields}
    return client.post("/settings", data={**fields, **has}).status_code


def test_every_setting_stands_there_with_its_sentence(client: FlaskClient) -> None:
    page = client.get("/settings").text
    for key, field in FIELDS.items():
        assert f'id="setting-{key}"' in page
        assert field.sentence.split(".")[0] in page
    assert [group.name for group in GROUPS if f"group-{group.name}" not in page] == []


def test_what_is_chosen_is_kept_said_and_counts_after_a_restart(
    box: Box, client: FlaskClient
) -> None:
    assert chosen(client, table_name="Gimle", take_seconds="2,5", voice=["plays", "turns"]) == 303
    settings = box.store.read().settings
    assert (settings.table_name, settings.take_seconds) == ("Gimle", 2.5)
    assert settings.voice == "plays,turns"
    page = client.get("/settings").text
    assert "It counts from the next start on" in page
    assert "chosen here" in page
    assert client.post("/settings/restart").status_code == 200
    assert len(box.errands) == 1
    assert "counts from the next start on" not in box.client().get("/settings").text


def test_a_choice_can_be_put_back(box: Box, client: FlaskClient) -> None:
    chosen(client, viewers="7")
    assert client.post("/settings/forget", data={"key": "viewers"}).status_code == 303
    assert box.store.read().settings.viewers == 600


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("port", "-1"),
        ("port", "eighty"),
        ("viewers", "0"),
        ("take_seconds", "nan"),
        ("hold_seconds", "1e9"),
        ("language", "la"),
        ("gpio", "perhaps"),
        ("camera_size", "1x1"),
        ("table_name", "x" * 5000),
        ("table_name", "a\nport = 1"),
        ("names", "bad name!/.."),
        ("mqtt", "file:///etc/passwd"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence_and_nothing_changes(
    box: Box, client: FlaskClient, key: str, value: str
) -> None:
    chosen(client, viewers="5")
    before, settings = box.files, box.store.read().settings
    reply = client.post("/settings", data={key: value, f"has.{key}": "yes"})
    assert reply.status_code == 400
    assert 'role="alert"' in reply.text
    assert (box.files, box.store.read().settings) == (before, settings)


@pytest.mark.parametrize("key", ["data", "host", "pins", "nonsense", ""])
def test_what_is_not_on_the_page_cannot_be_chosen_there(
    box: Box, client: FlaskClient, key: str
) -> None:
    before = box.store.read()
    client.post("/settings", data={key or "x": "/etc", f"has.{key}": "yes"})
    assert client.post("/settings/forget", data={"key": key}).status_code == 400
    assert box.store.read() == before
    assert not (box.data / FILE).exists()


def test_what_the_command_line_says_is_shown_and_cannot_be_chosen(box: Box, tmp_path: Path) -> None:
    store = SettingsStore(None, {"data": str(box.data), "port": 8099})
    client = create_app(replace(box.parts, store=store)).test_client()
    page = client.get("/settings").text
    assert "from the command line, which wins" in page
    assert 'name="port"' not in page


def test_a_password_is_never_shown_and_stays_if_it_is_not_typed_anew(
    box: Box, client: FlaskClient
) -> None:
    secret = "mqtt://anna:geheim@192.168.1.5"
    assert chosen(client, mqtt=secret) == 303
    page = client.get("/settings").text
    assert "geheim" not in page
    assert "mqtt://anna:•••@192.168.1.5" in page
    assert chosen(client, mqtt=masked(secret)) == 303
    assert box.store.read().settings.mqtt == secret
    assert unmasked("mqtt://192.168.1.6", secret) == "mqtt://192.168.1.6"


def test_the_box_is_switched_off_by_an_owner_who_is_sure_and_only_where_that_can_be(
    client: FlaskClient,
) -> None:
    assert "switch the machine off as usual" in client.get("/settings").text
    for fields in ({}, {"turn": "off"}, {"turn": "explode", "sure": "yes"}):
        reply = client.post("/settings/power", data=fields)
        assert reply.status_code == 400
        assert "Tick the box first" in reply.text


def test_whoever_only_plays_here_neither_reads_nor_changes_it(box: Box) -> None:
    access = AccessBook()
    access.set_owner_code("nine worlds")
    access.decide(codes=True, closed=False)
    client = create_app(replace(box.parts, access=access)).test_client()
    client.post("/join", data={"name": "Ben", "code": access.table_code})
    before = box.files
    for path in ("/settings", "/health", "/health/findings", "/settings/backup.zip"):
        reply = client.get(path)
        assert reply.status_code == 403, path
        assert "mqtt" not in reply.text
    assert chosen(client, table_name="Mine") == 403
    for path in ("/settings/restart", "/settings/power", "/settings/tidy", "/health/support"):
        assert client.post(path, data={"sure": "yes", "turn": "off"}).status_code == 403
    assert (box.files, box.errands) == (before, [])
    client.post("/own", data={"name": "Anna", "code": "nine worlds"})
    assert client.get("/settings").status_code == 200
