"""Text is squeezed for whoever can unpack it; everything else goes as it is."""

from __future__ import annotations

import gzip

import pytest
from werkzeug.wrappers import Response

from tests.dashboard.phone import Phone

GZIP = {"Accept-Encoding": "gzip, br"}


@pytest.mark.parametrize("path", ["/", "/home", "/static/css/table.css", "/static/live.js"])
def test_text_is_squeezed_for_who_can_unpack_it(phone: Phone, path: str) -> None:
    phone.new_game("Anna", "Ben")
    with phone.get(path) as plain, phone.get(path, **GZIP) as small:
        squeezed(plain, small)


def squeezed(plain: Response, small: Response) -> None:
    assert "Content-Encoding" not in plain.headers
    assert small.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in small.headers["Vary"]
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert len(small.data) == int(small.headers["Content-Length"]) < len(plain.data) / 2
    assert len(gzip.decompress(small.data)) == pytest.approx(len(plain.data), abs=200)


def test_what_a_browser_has_is_not_sent_again(phone: Phone) -> None:
    with phone.get("/static/css/table.css", **GZIP) as first:
        tag = first.headers["ETag"]
    with phone.get("/static/css/table.css", **GZIP, **{"If-None-Match": tag}) as again:
        assert again.status_code == 304
        assert again.data == b""


def test_pictures_streams_and_trifles_go_as_they_are(phone: Phone) -> None:
    phone.new_game("Anna", "Ben")
    for path in ("/static/icons/icon-192.png", "/rules/nothing", "/seat/part", "/stream"):
        with phone.client.get(path, headers=GZIP) as answer:
            assert "Content-Encoding" not in answer.headers, path
