"""A settlement scanned with a phone: the picture is shrunk there, read here, and taken."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Request, expect

from companion.core.game import Accepted, Setup
from companion.core.notation import Seat as Place
from companion.games.valhal import rules as valhal
from companion.games.valhal.bots.phone_pictures import settlement_of
from companion.games.valhal.rules.vocabulary import Fill
from companion.sim.phones import PhoneShot
from companion.sim.render.scene import Light
from companion.vision.boards.kept import boards_file
from tests.browser.conftest import PHONE, Companion, Sit
from tests.browser.looking import violations

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
STEADY = PhoneShot(
    (2400, 1800), slant=10.0, light=Light(hard=0.1, glare=0.0, blur=0.3), shake_px=0.0, props=0
)
SEED = 3


def photograph(data: Path, file: Path) -> Path:
    """Anna's settlement with food and glory that the books do not know of; her boards enrolled."""
    setup = Setup("valhal", ("Anna", "Ben"))
    verdict = valhal.judge(valhal.start(setup), valhal.parse("first A"))
    assert isinstance(verdict, Accepted)
    state = verdict.state
    food = (Fill.TOKEN, Fill.TOKEN, Fill.EMPTY, Fill.EMPTY)
    players = tuple(replace(each, food=food, glory=5) for each in state.players)
    drill = settlement_of(setup, replace(state, players=players), Place(0), SEED, STEADY)
    assert drill.boards is not None
    boards = boards_file(data, "valhal")
    boards.parent.mkdir(parents=True, exist_ok=True)
    drill.boards.save(boards)
    file.write_bytes(drill.picture)
    return file


def test_a_phone_scans_a_settlement_and_takes_the_reading(
    sit: Sit, companion: Companion, tmp_path: Path
) -> None:
    picture = photograph(companion.folder, tmp_path / "settlement.jpg")
    seat = sit(PHONE)
    page = seat.page
    sizes: list[int] = []

    def sent(request: Request) -> None:
        if request.method == "POST" and request.url.endswith("/scan"):
            sizes.append(len(request.post_data_buffer or b""))

    page.on("request", sent)
    seat.open("/new?game=valhal")
    seat.seat_people(("Anna", "Ben"))
    seat.tap("Go")
    seat.type_in("first A")
    page.get_by_role("link", name="Scan with this phone").click()
    page.wait_for_url("**/scan")
    assert violations(page) == []
    form = page.locator("form", has=page.locator("[value='settlement.A']"))
    form.locator("input[type=file]").set_input_files(picture)
    page.wait_for_url("**/scan/1", timeout=60_000)
    expect(page.locator(".fact.differs")).to_have_count(2)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    seat.photograph("scan-settlement-phone")
    seat.tap("Take all 2 differences")
    seat.sees("The picture agrees with the books.")
    assert sizes[0] < picture.stat().st_size, "the phone did not shrink it"
    page.get_by_role("link", name="To the table").click()
    expect(page.locator("#table")).to_contain_text("Anna")
