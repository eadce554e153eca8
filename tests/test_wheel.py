"""The wheel: everything shipped beside the code is inside, and the companion runs from it."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from companion.views.speech import LANGUAGES

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def test_templates_catalogues_models_and_wiring_are_inside(unpacked: Path) -> None:
    package = unpacked / "companion"
    for shipped in (
        "web/templates/base.html",
        "web/static/live.js",
        "games/odin/templates/table.html",
        "games/valhal/static/valhal.css",
        *(f"web/translations/{each}/LC_MESSAGES/messages.mo" for each in LANGUAGES[1:]),
        *(f"games/odin/translations/{each}/LC_MESSAGES/messages.mo" for each in LANGUAGES[1:]),
        "models/README.md",
        "hardware/pins.toml",
    ):
        assert (package / shipped).is_file(), shipped
    assert {each.name for each in unpacked.iterdir() if "dist-info" not in each.name} == {
        "companion"
    }


def test_the_companion_speaks_german_and_serves_its_page_from_the_wheel(unpacked: Path) -> None:
    script = """
import companion, pathlib, sys
assert pathlib.Path(companion.__file__).parent == pathlib.Path(sys.argv[1]) / "companion"
from companion.dashboard import Parts, create_app
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
with Journal(pathlib.Path(sys.argv[2]) / "journal.db") as journal:
    client = create_app(Parts(Referee(journal), journal)).test_client()
    page = client.get("/new", headers={"Accept-Language": "de"})
    print(page.status_code, "Wer spielt mit?" in page.text)
    print(client.get("/static/css/tokens.css").status_code)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(unpacked), str(unpacked.parent)],
        cwd=unpacked,
        check=False,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(unpacked)},
    )
    assert (done.stdout, done.stderr) == ("200 True\n200\n", "")
