"""`/setup/buttons`: while they are tried, presses are shown and enter nothing."""

from __future__ import annotations

from dataclasses import replace

from flask.testing import FlaskClient

from companion.dashboard import create_app
from companion.ledger.referee import Press
from companion.views import Lamp
from tests.dashboard.care.box import Box


def test_each_part_stands_there_with_its_pin(client: FlaskClient) -> None:
    page = client.get("/setup/buttons").text
    assert "GPIO 17, pin 11 of the header" in page
    assert page.count("pin ") >= 6


def test_a_press_is_shown_and_enters_nothing_until_the_trial_is_over(
    box: Box, client: FlaskClient
) -> None:
    client.post("/setup/buttons/begin")
    box.trial.press(Press.PASS)
    reply = client.get("/setup/buttons/pressed")
    assert "<b>pressed</b>" in reply.text
    assert box.pressed == []
    client.post("/setup/buttons/end")
    assert client.get("/setup/buttons/pressed").headers["X-Done"] == "yes"
    box.trial.press(Press.PASS)
    assert box.pressed == [Press.PASS]


def test_lamps_are_lit_one_by_one_and_nothing_else(box: Box, client: FlaskClient) -> None:
    for part in ("green", "buzzer"):
        assert client.post("/setup/buttons/light", data={"part": part}).status_code == 303
    for part in ("pass", "blue", "", "x" * 9999):
        assert client.post("/setup/buttons/light", data={"part": part}).status_code == 400
    assert box.lit == [Lamp.GREEN, Lamp.RED]


def test_a_box_without_any_says_that_this_is_fine(box: Box) -> None:
    client = create_app(replace(box.parts, trial=None)).test_client()
    assert "That is fine" in client.get("/setup/buttons").text
    assert client.post("/setup/buttons/begin").status_code == 400
