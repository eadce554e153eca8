"""Backups carried away and brought back on the page, and what is tidied up."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.core.game import Setup
from companion.dashboard.factory import most_bytes
from companion.ledger.events import Source
from companion.service.keeping.uploaded import FILE as UPLOADED
from companion.service.keeping.uploaded import MOST_BYTES
from tests.dashboard.care.box import Box

OLD = 1_600_000_000  # of some September


def uploaded(client: FlaskClient, content: bytes, name: str = "backup.zip") -> TestResponse:
    return client.post("/settings/restore", data={"backup": (io.BytesIO(content), name)})


def digest_in(page: str) -> str:
    return page.partition('name="digest" value="')[2].partition('"')[0]


@pytest.fixture
def backup(box: Box, client: FlaskClient) -> bytes:
    """Of a box that is called Gimle and has one game."""
    box.parts.referee.open(Setup("odin", ("Anna", "Ben")), Source.PAGE)
    box.store.choose({"table_name": "Gimle"})
    reply = client.get("/settings/backup.zip")
    assert (reply.status_code, reply.mimetype) == (200, "application/zip")
    content = bytes(reply.data)
    reply.close()
    return content


def test_a_backup_comes_back_after_its_dry_run_was_seen(
    box: Box, client: FlaskClient, backup: bytes
) -> None:
    box.store.choose({"table_name": "Elsewhere"})
    dry = uploaded(client, backup)
    assert dry.status_code == 200
    assert "Nothing has been changed yet." in dry.text
    assert "chosen.toml" in dry.text
    assert box.store.read().settings.table_name == "Elsewhere"
    sure = {"sure": "yes", "digest": digest_in(dry.text)}
    assert client.post("/settings/restore/yes", data=sure).status_code == 200
    (errand,) = box.errands
    box.journal.__exit__(None, None, None)  # as everything is closed, between two starts
    errand()
    assert box.store.read().settings.table_name == "Gimle"
    assert not (box.data / UPLOADED).exists()
    assert (box.data / "before-restore").is_dir()


def test_leaving_everything_as_it_is_leaves_everything_as_it_was(
    box: Box, client: FlaskClient, backup: bytes
) -> None:
    before = box.files
    uploaded(client, backup)
    assert client.post("/settings/restore/yes", data={"sure": "no"}).status_code == 303
    assert (box.files, box.errands) == (before, [])


def test_a_yes_counts_only_for_the_file_that_was_seen(
    box: Box, client: FlaskClient, backup: bytes
) -> None:
    uploaded(client, backup)
    for digest in ("", "0" * 64, "x" * 100_000):
        sure = {"sure": "yes", "digest": digest[:1000]}
        reply = client.post("/settings/restore/yes", data=sure)
        assert reply.status_code == 400
        assert "Upload it once more" in reply.text
    assert box.errands == []


def _emptied(backup: bytes) -> bytes:
    """A zip file that is no backup."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as out:
        out.writestr("../../etc/passwd", "root")
    return made.getvalue()


def _hollow(backup: bytes) -> bytes:
    """A backup that lacks all but its table of contents."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(backup)) as whole, zipfile.ZipFile(made, "w") as out:
        out.writestr(whole.namelist()[0], whole.read(whole.namelist()[0]))
    return made.getvalue()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda _: b"",
        lambda _: b"\x89PNG a holiday picture" * 100,
        lambda _: os.urandom(50_000),
        lambda backup: backup[: len(backup) // 2],
        lambda backup: backup[:200] + bytes(100) + backup[300:],
        _emptied,
        _hollow,
    ],
)
def test_what_is_no_backup_is_refused_and_nothing_stays_of_it(
    box: Box, client: FlaskClient, backup: bytes, spoil: object
) -> None:
    assert callable(spoil)
    before = box.files
    reply = uploaded(client, spoil(backup))
    assert reply.status_code == 400
    assert "Traceback" not in reply.text
    assert (box.files, box.errands) == (before, [])


def test_no_file_and_a_file_that_is_too_large(box: Box, client: FlaskClient) -> None:
    before = box.files
    assert "Choose a backup file first" in client.post("/settings/restore", data={}).text
    assert uploaded(client, b"x", "").status_code == 400
    assert most_bytes(client.application, "POST", "/settings/restore") < MOST_BYTES + 64_000
    assert box.files == before


def test_old_pictures_are_tidied_away_and_new_ones_stay(box: Box, client: FlaskClient) -> None:
    old, new = box.data / "disputes" / "1-2", box.data / "cases" / "1-3"
    for folder in (old, new):
        folder.mkdir(parents=True)
        (folder / "a.jpg").write_bytes(bytes(2000))
    os.utime(old, (OLD, OLD))
    page = client.get("/settings").text
    assert "Pictures of disputes" in page
    assert "2.0 kB" in page
    reply = client.post("/settings/tidy", data={"days": "30"})
    assert "freed=2000" in reply.headers["Location"]
    assert (old.exists(), new.exists()) == (False, True)


@pytest.mark.parametrize("days", ["-1", "99999", "soon", "", "1e3"])
def test_a_nonsensical_age_tidies_nothing(box: Box, client: FlaskClient, days: str) -> None:
    kept = box.data / "disputes" / "1-2"
    kept.mkdir(parents=True)
    os.utime(kept, (OLD, OLD))
    assert client.post("/settings/tidy", data={"days": days}).status_code == 400
    assert kept.exists()


def test_tidying_follows_no_link_out_of_the_folder(
    box: Box, client: FlaskClient, tmp_path: Path
) -> None:
    outside = tmp_path / "photographs"
    outside.mkdir()
    (outside / "one.jpg").write_bytes(b"dear to somebody")
    (box.data / "disputes").mkdir()
    (box.data / "disputes" / "linked").symlink_to(outside)
    assert client.post("/settings/tidy", data={"days": "0"}).status_code == 303
    assert (outside / "one.jpg").exists()
