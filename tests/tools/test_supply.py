"""What the companion is made of: the list is whole, and the audit never says more than it knows."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from companion.foundation.libraries import libraries
from tools import supply

ROOT = Path(__file__).parents[2]


def test_every_library_is_in_the_list_with_version_licence_and_hashes() -> None:
    bom = supply.sbom()
    assert (bom["bomFormat"], bom["specVersion"]) == ("CycloneDX", "1.5")
    named = {each["name"]: each for each in bom["components"]}
    assert set(named) == {each.name for each in libraries()}
    assert {"flask", "numpy", "onnxruntime", "uvicorn"} <= set(named)
    lock = (ROOT / "requirements/run.txt").read_text()
    for each in bom["components"]:
        assert each["purl"] == f"pkg:pypi/{each['name']}@{each['version']}"
        assert each["licenses"][0]["license"]["name"], each["name"]
        for one in each.get("hashes", []):
            assert re.fullmatch(r"[0-9a-f]{64}", one["content"])
            assert one["content"] in lock
    (depends,) = bom["dependencies"]
    assert set(depends["dependsOn"]) == {each["bom-ref"] for each in bom["components"]}
    assert json.loads(json.dumps(bom)) == bom


class _Database(BaseHTTPRequestHandler):
    """Of weaknesses; answers as it is told to."""

    answer: ClassVar[Any] = None
    asked: ClassVar[list[Any]] = []

    def do_POST(self) -> None:
        self.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        body = json.dumps(type(self).answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing."""


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[_Database]]:
    _Database.asked.clear()
    with HTTPServer(("127.0.0.1", 0), _Database) as server:
        monkeypatch.setattr(supply, "DATABASE", f"http://127.0.0.1:{server.server_port}/")
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        yield _Database
        server.shutdown()
        serving.join()


def test_an_audit_without_a_finding(
    database: type[_Database], capsys: pytest.CaptureFixture[str]
) -> None:
    database.answer = {"results": [{} for _ in libraries()]}
    assert supply.audit() == 0
    assert (
        f"{len(libraries())} libraries asked about, 0 known weaknesses." in capsys.readouterr().out
    )
    (asked,) = database.asked
    first = libraries()[0]
    package = {"name": first.name, "ecosystem": "PyPI"}
    assert asked["queries"][0] == {"package": package, "version": first.version}


def test_an_audit_that_finds_something(
    database: type[_Database], capsys: pytest.CaptureFixture[str]
) -> None:
    database.answer = {"results": [{"vulns": [{"id": "GHSA-1"}]}, *({} for _ in libraries()[1:])]}
    assert supply.audit() == supply.WEAK
    assert f"{libraries()[0].name} {libraries()[0].version}: GHSA-1" in capsys.readouterr().out


@pytest.mark.parametrize("answer", [None, [], {"results": []}, {"results": None}, {"code": 8}])
def test_an_answer_that_says_nothing_is_no_audit(
    database: type[_Database], capsys: pytest.CaptureFixture[str], answer: object
) -> None:
    database.answer = answer
    assert supply.audit() == supply.UNREACHABLE
    assert "NOT audited" in capsys.readouterr().out


def test_a_database_that_cannot_be_reached_is_no_audit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(supply, "DATABASE", "http://127.0.0.1:9/")
    assert supply.audit() == supply.UNREACHABLE
    assert "nothing is known of their weaknesses" in capsys.readouterr().out
