"""The page as an app, and over HTTPS with the box's own certificate."""

from __future__ import annotations

import socket
import ssl
import threading
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from companion.dashboard import Parts
from companion.dashboard.serving.server import Server, table_site
from companion.foundation.errors import BadSettings
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.service.certificate import AUTHORITY_FILE, AUTHORITY_KEY, page_certificate
from companion.service.settings import Settings
from tests.dashboard.phone import Phone, text


def test_the_manifest_names_icons_that_are_there(phone: Phone) -> None:
    found = phone.get("/manifest.webmanifest").json
    assert found is not None
    assert found["display"] == "standalone"
    for icon in found["icons"]:
        with phone.get(icon["src"]) as reply:
            assert reply.mimetype == "image/png"
    assert "/manifest.webmanifest" in phone.get("/new").text


def test_the_worker_comes_from_the_root(phone: Phone) -> None:
    with phone.get("/worker.js") as reply:
        assert "javascript" in (reply.mimetype or "")
    assert "The box is away" in text(phone.get("/away"))


def test_without_https_there_is_no_certificate(phone: Phone) -> None:
    assert phone.get("/certificate.crt").status_code == 404
    assert "It is off." in text(phone.get("/install"))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_who_trusts_the_boxs_authority_can_open_the_page_over_https(
    tmp_path: Path, referee: Referee, journal: Journal
) -> None:
    settings = Settings(data=str(tmp_path), host="127.0.0.1", port=0, https_port=free_port())
    parts = Parts(referee, journal, secure_port=settings.https_port)
    server = Server(settings, table_site(parts))
    running = threading.Thread(target=server.run)
    running.start()
    try:
        trusting = ssl.create_default_context(cafile=str(tmp_path / AUTHORITY_FILE))
        address = f"https://localhost:{settings.https_port}/install"
        with urllib.request.urlopen(address, context=trusting, timeout=20) as reply:
            assert b"This page came over HTTPS" in reply.read()
        with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
            urllib.request.urlopen(address, timeout=20)
    finally:
        server.close()
        running.join()
    assert (tmp_path / AUTHORITY_KEY).stat().st_mode & 0o077 == 0


def test_the_authority_stays_the_same_from_start_to_start(tmp_path: Path) -> None:
    page_certificate(tmp_path)
    first = (tmp_path / AUTHORITY_FILE).read_bytes(), (tmp_path / "page.crt").read_bytes()
    page_certificate(tmp_path)
    assert (tmp_path / AUTHORITY_FILE).read_bytes() == first[0]
    assert (tmp_path / "page.crt").read_bytes() != first[1]


def test_without_openssl_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadSettings, match="is openssl installed"):
        page_certificate(tmp_path)
    assert not (tmp_path / AUTHORITY_FILE).exists()
