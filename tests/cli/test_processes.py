"""The same commands in processes of their own, as a shell or a service starts them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from tests.cli.games import HEAD, WHOLE

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "companion")


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def ran(*words: str, stdin: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *words],
        input=stdin,
        env=os.environ | env,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def test_exit_codes() -> None:
    good = ran("check", "odin", "-", stdin=WHOLE)
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout.splitlines()[-1] == "final: Anna 8, Céline 2; won by Céline"
    no = ran("legal", "odin", "-", "B r3", stdin=HEAD + "deal A\nA r7\n")
    assert (no.returncode, no.stderr) == (1, "")
    assert no.stdout == "not legal\n  3 does not beat 7. [ODIN-PLAY-1]\n"
    bad = ran("check", "chess", "-")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr.startswith("companion: no game is called 'chess'; known: odin")


def test_there_and_back_through_pipes() -> None:
    assert ran("import", "-", "--again", stdin=WHOLE).stdout == "game 1: 15 events\n"
    assert ran("export", "1").stdout == WHOLE


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_without_utf8(encoding: str, here: Path) -> None:
    """What people read may lose a sign; what programs and files get loses nothing."""
    text = HEAD.replace("Céline", "Łucja") + "deal A\nA r7\nA b8\n"
    told = ran("check", "odin", "-", stdin=text, PYTHONIOENCODING=encoding)
    assert (told.returncode, told.stderr) == (1, "")
    assert "accepted  A r7" in told.stdout
    objects = ran("check", "odin", "-", "--json", stdin=text, PYTHONIOENCODING=encoding)
    assert "It is Łucja's turn, not Anna's." in objects.stdout
    ran("import", "-", "--again", stdin=WHOLE)
    assert ran("export", "1", PYTHONIOENCODING=encoding).stdout == WHOLE


def test_the_reader_goes_away() -> None:
    """`companion check … | head -1`: no traceback when the pipe closes."""
    text = HEAD + "deal A\n" + "A r7\nundo\n" * 20_000
    with subprocess.Popen(
        [*COMMAND, "check", "odin", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(text)
        process.stdin.close()
        assert process.stdout.readline() == "   6  accepted  deal A\n"
        process.stdout.close()
        assert process.stderr.read() == ""


def test_a_full_disk_loses_nothing(here: Path) -> None:
    (here / "friday.txt").write_text(WHOLE)
    assert ran("import", "--again", "friday.txt").returncode == 0
    before = ran("export", "1").stdout
    full = subprocess.run(
        ["bash", "-c", 'ulimit -f 0; exec "$@"', "-", *COMMAND, "import", "--again", "friday.txt"],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert (full.returncode, full.stdout) == (2, "")
    assert full.stderr.startswith("companion: ")
    assert str(here / "data" / "journal.db") in full.stderr
    assert len(full.stderr.splitlines()) == 1
    assert len(ran("games").stdout.splitlines()) == 1
    assert ran("export", "1").stdout == before


# Running


@contextmanager
def running(*words: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """The companion and what it has said until it was ready; killed if a test forgets it."""
    with subprocess.Popen(
        [*COMMAND, "run", "--port", "0", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        try:
            assert process.stdout is not None
            said = []
            for line in process.stdout:
                said.append(line.rstrip("\n"))
                if line.startswith("Scan the code"):
                    break
            yield process, said
        finally:
            process.kill()


def page_of(said: list[str]) -> str:
    found = re.search(r"^page: (http://localhost:[0-9]+/)$", "\n".join(said), re.MULTILINE)
    assert found is not None, said
    return found[1]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_starts_says_what_is_real_and_stops(here: Path, number: signal.Signals) -> None:
    ran("import", "-", "--again", stdin=WHOLE)
    with running() as (process, said):
        assert said[0].startswith(f"journal: {here}/data/journal.db")
        assert "buttons and lamps: simulated: press them on the page" in said
        assert said[-1] == "Scan the code to join. Ctrl-C stops; nothing is lost."
        assert any("█" in line for line in said)  # the code
        with urllib.request.urlopen(page_of(said), timeout=10) as page:
            assert "Céline" in page.read().decode()
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
    assert out == "Stopped. The game goes on where it was left.\n"
    assert (process.returncode, err) == (0, "")


def test_nobody_else_can_read_what_it_writes(here: Path) -> None:
    """Under `make run` too, whatever the shell's umask is."""
    with subprocess.Popen(
        ["sh", "-c", 'umask 000; exec "$@"', "-", *COMMAND, "run", "--port", "0"],
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        try:
            assert process.stdout is not None
            assert any(line.startswith("Scan the code") for line in process.stdout)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)
    written = [here / "data", *(here / "data").rglob("*")]
    assert len(written) > 2
    open_to_others = [each for each in written if each.stat().st_mode & 0o027]
    assert open_to_others == []


def test_this_machine_alone_means_no_address_on_the_network(here: Path) -> None:
    (here / "companion.toml").write_text('host = "127.0.0.1"\ncamera = "none"\n')
    with running() as (_, said):
        pages = [line for line in said if line.startswith("page: ")]
    assert pages == [f"page: {page_of(said)}"]


def test_two_at_once(here: Path) -> None:
    """The port is said with the way out; the first one goes on."""
    with running() as (_, said):
        page = page_of(said)
        port = page.rstrip("/").rpartition(":")[2]
        second = ran("run", "--port", port)
        assert (second.returncode, second.stdout) == (2, "")
        assert second.stderr.startswith(f"companion: the page cannot listen on 0.0.0.0:{port} ")
        assert len(second.stderr.splitlines()) == 1
        with urllib.request.urlopen(page, timeout=10) as answer:
            assert answer.status == 200


# Measuring


def test_bench_has_all_its_figures(here: Path) -> None:
    """That they come out, not how good they are: this machine may be busy."""
    done = ran("bench", "--quick", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    figures = msgspec.json.decode(done.stdout, type=dict[str, float])
    assert all(value > 0 for value in figures.values())
    for word in (
        "plays of Odin judged",
        "moves of Valhalla judged",
        "appends",
        "replay",
        "resume",
        "start",
        "memory",
    ):
        assert any(name.startswith(word) for name in figures), word
    assert list(here.iterdir()) == []
