"""What a page looks like, in numbers: where things stand, how heavy it is, what axe says of it."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any

from playwright.sync_api import Page, Response

SIZES = ((390, 844), (360, 740), (800, 480), (1280, 800), (844, 390), (640, 400))
PHONE, SMALL_PHONE, TOUCH_SCREEN, DESK, LANDSCAPE, ZOOMED = SIZES
"""A phone on its side is the fifth; the sixth is what a desk leaves to a page at 200 % zoom."""

CROP_GONE = re.compile("status of (400|404)")
"""What a browser says of a card's picture that went while it was asked for."""

_OUTSIDE = """(wanted) => {
  const found = [];
  for (const selector of wanted)
    for (const each of document.querySelectorAll(selector)) {
      const box = each.getBoundingClientRect();
      if (!box.width || getComputedStyle(each).visibility === "hidden") continue;
      const inside = box.top >= -1 && box.bottom <= innerHeight + 1;
      if (inside && box.left >= -1 && box.right <= innerWidth + 1) continue;
      found.push(`${selector} ${each.textContent.trim().slice(0, 30)} ${box.top} ${box.bottom}`);
    }
  return found;
}"""


def outside(page: Page, *wanted: str) -> list[str]:
    """Which of these can be seen but are not wholly inside the screen."""
    found: list[str] = page.evaluate(_OUTSIDE, list(wanted))
    return found


def resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


def top_of(page: Page, selector: str) -> float:
    box = page.locator(selector).first.bounding_box()
    assert box is not None, selector
    return box["y"]


def left_of(page: Page, selector: str) -> float:
    box = page.locator(selector).first.bounding_box()
    assert box is not None, selector
    return box["x"]


def right_of(page: Page, selector: str) -> float:
    box = page.locator(selector).first.bounding_box()
    assert box is not None, selector
    return box["x"] + box["width"]


def least_px(page: Page, *selectors: str) -> float:
    """The smallest size of type among the first of each; found at one go, as pages are redrawn."""
    size = "each => parseFloat(getComputedStyle(document.querySelector(each)).fontSize)"
    return min(float(page.evaluate(size, each)) for each in selectors)


def violations(page: Page, *rules: str) -> list[str]:
    """What axe-core has against the page as it is now; by these rules alone, if any are given."""
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text())
    result: dict[str, Any] = page.evaluate(
        """rules => axe.run({resultTypes: ["violations"],
             ...rules.length && {runOnly: {type: "rule", values: rules}}})""",
        rules,
    )
    return [
        f"{each['id']}: {json.dumps([node['html'][:160] for node in each['nodes'][:3]])}"
        for each in result["violations"]
    ]


def violations_by_day_and_night(page: Page) -> list[str]:
    """The same in both themes. Only rules about colours can find something else in another."""
    page.emulate_media(color_scheme="dark")
    found = [f"dark: {each}" for each in violations(page)]
    page.emulate_media(color_scheme="light")
    return found + [
        f"light: {each}" for each in violations(page, "color-contrast", "link-in-text-block")
    ]


class Weighing:
    """Counts what a page loads."""

    def __init__(self, page: Page) -> None:
        self.sizes: dict[str, int] = {}
        page.on("response", self._weigh)

    def _weigh(self, response: Response) -> None:
        if "event-stream" not in response.headers.get("content-type", ""):
            self.sizes[response.url] = int(response.headers.get("content-length") or 0)

    @property
    def total(self) -> int:
        return sum(self.sizes.values())
