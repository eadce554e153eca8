"""The living page, held against pictures of it: not pixel by pixel, but as an eye sees a change.

`COMPANION_SNAPSHOTS=renew` makes the pictures anew; look at them before you commit them."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageFilter
from playwright.sync_api import Browser
from werkzeug.serving import make_server

from companion.dashboard import Parts, create_app
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from tests.browser import looking
from tests.dashboard.design import add_design_page

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
KEPT = Path(__file__).parent / "snapshots"
SMALL = 4
"""A kept picture is so many times smaller: type may be set a hair differently elsewhere."""
MOST_CHANGED = 0.02
"""The share of the picture that may look different, and by how much of 255 it must to count."""
NOTICED = 24


@pytest.fixture
def address(journal: Journal, referee: Referee) -> Iterator[str]:
    app = create_app(Parts(referee, journal))
    add_design_page(app)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    running = threading.Thread(target=server.serve_forever)
    running.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    running.join()
    server.server_close()


def _seen(picture: Image.Image) -> Image.Image:
    small = (picture.width // SMALL, picture.height // SMALL)
    soft = picture.convert("RGB").filter(ImageFilter.GaussianBlur(SMALL))
    return soft.resize(small, Image.Resampling.BOX)


def changed(one: Image.Image, other: Image.Image) -> float:
    """The share of the picture that looks different."""
    if one.size != other.size:
        return 1.0
    apart = np.abs(np.asarray(one, dtype=np.int16) - np.asarray(other, dtype=np.int16))
    return float((apart.max(axis=2) > NOTICED).mean())


def test_a_change_is_noticed_and_a_hair_is_not() -> None:
    plain = Image.new("RGB", (400, 400), "#1a232a")
    moved, gone = plain.copy(), plain.copy()
    plain.paste("#e9b855", (80, 80, 280, 200))
    moved.paste("#e9b855", (80, 81, 280, 201))
    assert changed(_seen(plain), _seen(moved)) <= MOST_CHANGED
    assert changed(_seen(plain), _seen(gone)) > MOST_CHANGED


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_living_page_looks_as_it_did(browser: Browser, address: str, theme: str) -> None:
    page = browser.new_page(
        viewport={"width": 900, "height": 800}, reduced_motion="reduce", locale="en"
    )
    page.goto(f"{address}/design?theme={theme}")
    page.evaluate("document.fonts.ready")
    assert looking.violations(page) == []
    seen = _seen(Image.open(BytesIO(page.screenshot(full_page=True))))
    page.close()
    kept = KEPT / f"design-{theme}.png"
    if os.environ.get("COMPANION_SNAPSHOTS") == "renew":
        KEPT.mkdir(exist_ok=True)
        seen.save(kept, optimize=True)
    assert changed(seen, Image.open(kept).convert("RGB")) <= MOST_CHANGED
