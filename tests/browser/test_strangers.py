"""Pages of other sites, in a real browser: they can neither reach the box nor stand around it."""

from __future__ import annotations

import json
import re
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import Companion, Sit

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><title>evil</title><body><iframe id="inside" src="{address}/"></iframe>
<form id="form" method="post" action="{address}/undo" target="hidden">
<input name="seq" value="1"></form>
<iframe name="hidden"></iframe></body>"""


@pytest.fixture
def evil(companion: Companion) -> Iterator[str]:
    """Another site, on another port and under another name of this machine."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = PAGE.format(address=companion.address).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        serving.join()


def entries(companion: Companion) -> int:
    with urllib.request.urlopen(f"{companion.address}/view.json") as reply:
        return len(json.load(reply)["history"])


def test_another_site_can_neither_send_frame_nor_read(
    sit: Sit, companion: Companion, browser: Browser, evil: str
) -> None:
    seat = sit()
    seat.set_up(("Anna", "Ben"))
    seat.tap("Ben")
    seat.sees("Ben")
    before = entries(companion)
    assert before > 0
    page = browser.new_context().new_page()
    page.goto(evil)
    inside = page.frame_locator("#inside").locator("main")
    assert inside.count() == 0, "the page stands in a frame"
    page.evaluate("document.getElementById('form').submit()")
    answers = page.evaluate(
        """async (address) => {
          const tried = [];
          const body = new URLSearchParams({ seq: "2" });
          const undo = { method: "POST", body, credentials: "include" };
          for (const [path, given] of [
            ["/undo", { ...undo, mode: "no-cors" }], ["/undo", undo], ["/view.json", {}],
          ]) {
            try { tried.push((await fetch(address + path, given)).type); }
            catch { tried.push("refused"); }
          }
          return tried;
        }""",
        companion.address,
    )
    assert answers[1:] == ["refused", "refused"]  # of the first, nothing can be read anyway
    assert entries(companion) == before
    page.context.close()


def test_a_name_that_was_pointed_at_the_box_gets_nothing(
    sit: Sit, companion: Companion, browser: Browser
) -> None:
    """DNS rebinding: a browser that believes the box to be evil.example."""
    seat = sit()
    seat.set_up(("Anna", "Ben"))
    page = browser.new_context().new_page()
    page.route(
        "http://evil.example/**",
        lambda route: route.fulfill(
            response=route.fetch(
                url=route.request.url.replace("http://evil.example", companion.address),
                headers={**route.request.headers, "host": "evil.example"},
            )
        ),
    )
    reply = page.goto("http://evil.example/")
    assert reply is not None
    assert reply.status == 421
    page.context.close()
    asked = urllib.request.Request(f"{companion.address}/undo", b"seq=1", {"Host": "evil.example"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(asked)
    refused.value.close()
    assert refused.value.code == 421


def test_players_join_with_four_digits_and_watchers_only_watch(sit: Sit) -> None:
    owner, anna = sit(), sit()
    owner.open("/set-up")
    owner.page.get_by_label("Name of this phone").fill("Owner")
    owner.page.get_by_label("The owner's code").fill("nine worlds")
    owner.page.get_by_role("switch").check()
    owner.tap("This box is mine")
    owner.sees("This box has an owner's code.")
    owner.open("/who")
    code = owner.page.locator("[data-code]").inner_text()
    anna.expected = re.compile("403")
    anna.open("/new")
    anna.sees("You are watching.")
    anna.open("/join")
    anna.page.get_by_label("Name of this phone").fill("Anna's phone")
    anna.page.get_by_label("The four digits").fill("0000" if code != "0000" else "1111")
    anna.tap("Join")
    anna.sees("That is not the code.")
    anna.page.get_by_label("The four digits").fill(code)
    anna.tap("Join")
    anna.set_up(("Anna", "Ben"))
    anna.sees("Ben")
    owner.open("/who/devices")
    owner.sees("Anna's phone")
