"""What a page looks like, in numbers: where things stand, how heavy it is, what axe says of it."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from playwright.sync_api import Page, Response

SIZES = ((390, 844), (360, 740), (800, 480), (1280, 800))
PHONE, SMALL_PHONE, TOUCH_SCREEN, DESK = SIZES

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


def violations(page: Page) -> list[str]:
    """What axe-core has against the page as it is now."""
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text())
    result: dict[str, Any] = page.evaluate("axe.run({resultTypes: ['violations']})")
    return [
        f"{each['id']}: {json.dumps([node['html'][:160] for node in each['nodes'][:3]])}"
        for each in result["violations"]
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
