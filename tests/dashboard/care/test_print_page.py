"""`/print`: every sheet as PDF, drawn by a program of its own."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.foundation.errors import BadInput
from companion.printing.versions import sheet_versions
from companion.service.print_shop import PrintJob, PrintShop
from tests.dashboard.care.box import Box


def test_every_sheet_there_is_can_be_had_on_both_papers(client: FlaskClient) -> None:
    for paper in ("a4", "letter"):
        page = client.get(f"/print?paper={paper}").text
        for sheet in sheet_versions():
            kind, _, name = sheet.partition(" ")
            assert f'/print/{kind}{"/" if name else ""}{name}?paper={paper}"' in page


def test_a_sheet_is_drawn_while_the_page_waits_and_then_kept(box: Box, client: FlaskClient) -> None:
    reply = client.get("/print/markers?paper=letter")
    assert reply.status_code == 202
    assert "is being drawn" in reply.text
    patience = time.monotonic() + 60
    while "X-Done" not in client.get("/print/waiting?kind=markers&paper=letter").headers:
        assert time.monotonic() < patience
        time.sleep(0.05)
    reply = client.get("/print/markers?paper=letter")
    assert (reply.status_code, reply.mimetype) == (200, "application/pdf")
    assert reply.data.startswith(b"%PDF")
    reply.close()


@pytest.mark.parametrize(
    "path", ["/print/nonsense", "/print/mat/..%2f..%2fetc", "/print/cards/--help", "/print/mat"]
)
def test_what_is_no_sheet_is_refused(box: Box, client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code in (400, 404)
    assert not (box.data / "printed").exists()


def test_a_sheet_that_cannot_be_drawn_is_said_once_and_can_be_tried_again(tmp_path: Path) -> None:
    broken = (sys.executable, "-c", "raise SystemExit('no ink')")
    shop, job = PrintShop(tmp_path, broken), PrintJob(("markers",), "markers-a4")
    shop.order(job)
    while shop.drawing(job):
        time.sleep(0.01)
    with pytest.raises(BadInput, match="no ink"):
        shop.order(job)
    assert shop.ready(job) is None
    with pytest.raises(ValueError, match="/etc"):
        PrintJob((), "../etc")


def test_one_sheet_at_a_time(tmp_path: Path) -> None:
    shop = PrintShop(tmp_path, (sys.executable, "-c", "import time; time.sleep(0.5)"))
    shop.order(PrintJob(("mat",), "mat"))
    with pytest.raises(BadInput, match="Another sheet is being drawn"):
        shop.order(PrintJob(("cards",), "cards"))
