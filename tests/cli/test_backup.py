"""`companion backup` and `restore`: there and back, and never half of it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.app import build
from companion.core.game import Setup
from companion.foundation.errors import BadInput
from companion.ledger.events import Proposal, Source, Undo
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.ledger.schema import MIGRATIONS
from companion.service import restore as restoring
from companion.service.access.book import AccessBook
from companion.service.access.roles import Role
from companion.service.backup import FORMAT, MANIFEST
from companion.service.restore import finish_restore, in_use
from companion.service.settings import Settings
from tests.cli.calling import companion
from tests.cli.games import WHOLE

SETTINGS = 'language = "de"\n'


@pytest.fixture
def home(here: Path) -> Path:
    """A folder with a game, a sheet, a deck and settings."""
    (here / "companion.toml").write_text(SETTINGS)
    assert companion("import", "-", "--again", stdin=WHOLE).code == 0
    (here / "data" / "valhal-sheet.toml").write_text('unit.veterans.stages = "4"\n')
    (here / "data" / "decks" / "mine").mkdir(parents=True)
    (here / "data" / "decks" / "mine" / "faces.bin").write_bytes(bytes(range(256)) * 50)
    (here / "data" / "starts.json").write_text("{}")
    (here / "data" / "table.json").write_text('{"corners": []}')
    (here / "data" / "setup.json").write_text('{"done": ["camera"]}')
    (here / "data" / "boards").mkdir()
    (here / "data" / "boards" / "valhal.boards").write_bytes(b"boards" * 100)
    owned(here / "data")
    (here / "data" / "hub.json").write_text("{}")
    return here


def owned(data: Path, code: str = "nine worlds") -> AccessBook:
    """A box with an owner, where Anna's phone has joined."""
    book = AccessBook(data / "access.json")
    book.set_owner_code(code)
    book.decide(codes=True, closed=False)
    book.join(book.table_code, "Anna's phone", "10.0.0.1", None)
    return book


def everything(folder: Path) -> dict[str, bytes]:
    return {
        str(each.relative_to(folder)): each.read_bytes()
        for each in sorted(folder.rglob("*"))
        if each.is_file() and each.suffix != ".zip"
    }


def backed_up(name: str = "b.zip") -> Path:
    answer = companion("backup", name)
    assert (answer.code, answer.err) == (0, "")
    return Path(name)


def refuses(file: Path, home: Path, *sayings: str) -> None:
    """One sentence, exit code 2, and not a byte has changed; dry or not."""
    before = everything(home)
    for words in (("restore", str(file), "--dry-run"), ("restore", str(file))):
        answer = companion(*words)
        assert (answer.code, answer.text) == (2, "")
        assert len(answer.err.splitlines()) == 1
        for saying in sayings:
            assert saying in answer.err
    assert everything(home) == before
    assert not list(home.rglob("restore.*"))


# There and back


def test_there_and_back_on_an_empty_machine(home: Path) -> None:
    told = companion("backup", "b.zip")
    assert told.text.startswith("b.zip: 1 games, 9 files, ")
    shutil.rmtree("data")
    Path("companion.toml").unlink()
    back = companion("restore", "b.zip")
    assert (back.code, back.err) == (0, "")
    assert back.lines[1:] == [
        f"  new: {home}/data/journal.db",
        f"  new: {home}/data/valhal-sheet.toml",
        f"  new: {home}/data/table.json",
        f"  new: {home}/data/setup.json",
        f"  new: {home}/data/access.json",
        f"  new: {home}/data/hub.json",
        f"  new: {home}/data/decks/mine/faces.bin",
        f"  new: {home}/data/boards/valhal.boards",
        "  new: companion.toml",
        "Restored.",
    ]
    assert companion("export", "1").text == WHOLE
    assert Path("companion.toml").read_text() == SETTINGS
    assert Path("data/decks/mine/faces.bin").read_bytes() == bytes(range(256)) * 50
    assert not Path("data/starts.json").exists()  # of that machine, not of the games
    assert Path("data/boards/valhal.boards").read_bytes() == b"boards" * 100
    assert Path("data/setup.json").read_text() == '{"done": ["camera"]}'


def test_a_box_on_a_new_card_is_still_its_owners_and_knows_the_phones(home: Path) -> None:
    (phone,) = AccessBook(home / "data" / "access.json").devices
    file = backed_up()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600, "it lets its holder act as the owner"
    shutil.rmtree("data")
    assert companion("restore", str(file)).code == 0
    brought = AccessBook(home / "data" / "access.json")
    assert (brought.policy.codes, brought.device(phone.key)) == (True, phone)
    assert brought.own("nine worlds", "Anna", "10.0.0.1", None).role is Role.OWN
    for secret in ("access.json", "hub.json"):
        assert stat.S_IMODE((home / "data" / secret).stat().st_mode) == 0o600


def test_an_older_backup_lets_nobody_in_who_was_sent_away(home: Path) -> None:
    file = backed_up()
    book = AccessBook(home / "data" / "access.json")
    book.revoke(book.devices[0].handle)
    book.set_owner_code("ten worlds")
    (home / "data" / "hub.json").write_text('{"another": "hub"}')
    dry = companion("restore", str(file), "--dry-run")
    assert f"  left as it is: {home}/data/access.json" in dry.lines
    assert companion("restore", str(file)).code == 0
    now = AccessBook(home / "data" / "access.json")
    assert now.devices == ()
    with pytest.raises(BadInput, match="not the code"):
        now.own("nine worlds", "x", "10.0.0.1", None)
    assert (home / "data" / "hub.json").read_text() == '{"another": "hub"}'


@pytest.mark.parametrize("damaged", [b"", b"{", b'{"secret": 1}'])
def test_a_damaged_answer_to_who_may_play_is_brought_back(home: Path, damaged: bytes) -> None:
    file = backed_up()
    (home / "data" / "access.json").write_bytes(damaged)
    assert companion("restore", str(file)).code == 0
    brought = AccessBook(home / "data" / "access.json")
    assert [each.name for each in brought.devices] == ["Anna's phone"]


def test_a_box_without_an_owner_takes_the_one_of_the_backup(home: Path) -> None:
    file = backed_up()
    (home / "data" / "access.json").unlink()
    AccessBook(home / "data" / "access.json").join("", "somebody", "10.0.0.1", None)
    assert companion("restore", str(file)).code == 0
    assert AccessBook(home / "data" / "access.json").policy.codes


def test_a_restore_replaces_and_keeps_what_was_there(home: Path) -> None:
    file = backed_up()
    companion("import", "-", "--again", stdin=WHOLE)
    Path("data/valhal-sheet.toml").write_text("# newer\n")
    Path("companion.toml").write_text("port = 1\n")
    Path("data/decks/other").mkdir()
    Path("data/decks/other/x").touch()
    back = companion("restore", str(file))
    assert back.lines[-1] == f"Restored. What was there before is in {home}/data/before-restore."
    assert len(companion("games").lines) == 1
    assert Path("data/decks/other/x").exists()  # what a backup does not know is left alone
    assert Path("data/before-restore/valhal-sheet.toml").read_text() == "# newer\n"
    assert Path("data/before-restore/companion.toml").read_text() == "port = 1\n"
    assert len(companion("games", "--data", "data/before-restore").lines) == 2


def test_a_dry_run_touches_nothing(home: Path) -> None:
    file = backed_up()
    companion("import", "-", "--again", stdin=WHOLE)
    before = everything(home)
    told = companion("restore", str(file), "--dry-run")
    assert told.code == 0
    assert f"  replaced: {home}/data/journal.db" in told.lines
    assert told.lines[-1] == "The backup is sound. Nothing was touched."
    assert everything(home) == before


def test_restoring_twice_is_the_same_as_once(home: Path) -> None:
    file = backed_up()
    for _ in range(2):
        assert companion("restore", str(file)).code == 0
        assert companion("export", "1").text == WHOLE


def test_a_name_of_its_own_and_a_folder(home: Path) -> None:
    Path("usb stick").mkdir()
    assert companion("backup", "usb stick").text.startswith("usb stick/companion-20")
    assert companion("backup").text.startswith("companion-20")
    assert len(list(home.glob("**/companion-*.zip"))) == 2


def test_while_the_companion_runs_and_writes(home: Path) -> None:
    """Every backup is of one moment: all entries up to some one, none torn."""
    with Journal(home / "data" / "journal.db") as journal:
        referee = Referee(journal)
        session = referee.open(Setup("odin", ("Anna", "Ben")), Source.PAGE)
        stop = threading.Event()

        def play() -> None:
            referee.propose(Proposal("deal A", session.seq, Source.PAGE))
            while not stop.is_set():
                for entry in (partial(Proposal, "A r3"), Undo):
                    moment = referee.moment.session
                    assert moment is not None
                    referee.propose(entry(moment.seq, Source.PAGE))

        playing = threading.Thread(target=play)
        playing.start()
        try:
            files = [backed_up(f"{at}.zip") for at in range(5)]
        finally:
            stop.set()
            playing.join()
    for file in files:
        assert companion("restore", str(file), "--data", f"of-{file.stem}").code == 0
        assert companion("show", "2", "--data", f"of-{file.stem}").code == 0


def test_what_is_written_ahead_comes_along_and_does_not_spoil_the_restored(home: Path) -> None:
    """A journal that was never closed has its last entries in a second file."""
    Path("data").rename("old")
    with sqlite3.connect("old/journal.db", isolation_level=None) as keeps_open:
        keeps_open.execute("BEGIN")  # a reader that has not seen the end of it
        keeps_open.execute("SELECT COUNT(*) FROM event").fetchall()
        companion("import", "-", "--again", "--data", "old", stdin=WHOLE)
        shutil.copytree("old", "data")  # as a power cut leaves it
    keeps_open.close()
    assert Path("data/journal.db-wal").stat().st_size
    file = backed_up()
    assert companion("restore", str(file), "--data", "fresh").code == 0
    assert len(companion("games", "--data", "fresh").lines) == 2
    companion("import", "-", "--again", stdin=WHOLE)
    assert companion("restore", str(file)).code == 0
    assert len(companion("games").lines) == 2


# Never half of it


def _rewritten(file: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    """A backup whose manifest says something else."""
    other = file.with_name("other.zip")
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(other, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == MANIFEST:
                manifest = json.loads(data)
                change(manifest)
                data = json.dumps(manifest).encode()
            new.writestr(name, data)
    return other


def test_a_later_format(home: Path) -> None:
    later = _rewritten(backed_up(), lambda said: said.update(format=FORMAT + 1, items=None))
    refuses(later, home, f"is of a later format ({FORMAT + 1}, this companion knows {FORMAT})")


def test_a_later_journal(home: Path) -> None:
    later = _rewritten(backed_up(), lambda said: said.update(schema=len(MIGRATIONS) + 1))
    refuses(later, home, "holds a journal of a later version", "update the companion first")


def test_a_later_journal_that_says_otherwise(home: Path) -> None:
    with closing(sqlite3.connect("data/journal.db")) as raw:
        raw.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    file = backed_up()
    with closing(sqlite3.connect("data/journal.db")) as raw:
        raw.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    refuses(file, home, "its journal cannot be opened")


def _evil(name: str) -> Callable[[dict[str, Any]], object]:
    return lambda said: said["items"].append({"name": name, "size": 0, "sha256": ""})


@pytest.mark.parametrize(
    "change",
    [
        _evil("data/../../etc/passwd"),
        _evil("data/decks/../../x"),
        _evil("/etc/passwd"),
        _evil("data/starts.json"),
        _evil("data/decks/missing"),
        lambda said: said["items"].pop(0),
        lambda said: said["items"][0].update(sha256="0" * 64),
        lambda said: said["items"][0].update(size=1),
        lambda said: said.update(items="none"),
        lambda said: said.pop("format"),
        lambda said: said.update(format="new"),
    ],
)
def test_a_manifest_that_is_wrong(home: Path, change: Callable[[dict[str, Any]], object]) -> None:
    refuses(_rewritten(backed_up(), change), home, "other.zip cannot be used as a backup")


def test_damaged_and_cut_off_wherever_it_may_be(home: Path) -> None:
    """A byte that means nothing, such as a file's date, does no harm; any other is refused."""
    data = backed_up().read_bytes()
    before = everything(home)
    companion("restore", "b.zip", "--data", "good")
    step = len(data) // 60
    bad = [data[:end] for end in range(0, len(data), step)]
    for at in range(0, len(data), step):
        flipped = bytearray(data)
        flipped[at] ^= 0x5A
        bad.append(bytes(flipped))
    refused = 0
    for content in bad:
        Path("bad.zip").write_bytes(content)
        answer = companion("restore", "bad.zip", "--data", "unsure")
        if answer.code == 0:
            assert everything(home / "unsure") == everything(home / "good")
            shutil.rmtree("unsure")
            continue
        assert (answer.code, len(answer.err.splitlines())) == (2, 1)
        assert not Path("unsure").exists()
        refused += 1
    assert refused > 60 + 40
    shutil.rmtree("good")
    assert everything(home) == before


def test_files_that_are_no_backups(home: Path) -> None:
    Path("text.zip").write_text("hello")
    refuses(Path("text.zip"), home, "text.zip cannot be used as a backup: it is not a whole zip")
    with zipfile.ZipFile("plain.zip", "w") as archive:
        archive.writestr("x", "y")
    refuses(Path("plain.zip"), home, "it says nothing about itself")
    refuses(Path("nowhere.zip"), home, "there is no backup nowhere.zip")
    refuses(home, home, "cannot be read (Is a directory)")


def test_not_while_somebody_plays(home: Path) -> None:
    file = backed_up()
    with ExitStack() as stack:
        build(Settings(data=str(home / "data"), port=0, host="127.0.0.1", gpio="none"), stack)
        before = everything(home / "data" / "decks")
        answer = companion("restore", str(file))
        assert (answer.code, answer.text) == (2, "")
        assert "a companion is running on" in answer.err
        assert "sudo systemctl stop companion" in answer.err
        assert companion("restore", str(file), "--dry-run").code == 0
        assert everything(home / "data" / "decks") == before
        backed_up("meanwhile.zip")
    assert companion("restore", str(file)).code == 0


def test_settings_that_cannot_be_written_stop_everything(home: Path) -> None:
    file = backed_up()
    companion("import", "-", "--again", stdin=WHOLE)
    Path("in the way").write_text("")
    answer = companion("--settings", "in the way/companion.toml", "restore", str(file))
    assert answer.code == 2
    assert len(companion("games").lines) == 2
    assert not list(home.rglob("restore.*"))


@pytest.mark.parametrize("step", ["before", "within"])
def test_a_power_cut_in_the_middle_is_made_good(
    home: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once it was decided, the next start finishes it."""
    file = backed_up()
    companion("import", "-", "--again", stdin=WHOLE)
    done = restoring.finish_restore
    calls = []

    def cut(data: Path) -> None:
        calls.append(data)
        if len(calls) == 1:
            done(data)
            return
        if step == "within":
            Path("data/journal.db-wal").unlink(missing_ok=True)
            Path("data/restore.ready/decks/mine/faces.bin").replace("data/decks/mine/faces.bin")
        raise KeyboardInterrupt

    monkeypatch.setattr(restoring, "finish_restore", cut)
    companion("restore", str(file))
    assert Path("data/restore.ready/journal.db").exists()
    with ExitStack() as stack:
        build(Settings(data=str(home / "data"), port=0, host="127.0.0.1", gpio="none"), stack)
    assert not Path("data/restore.ready").exists()
    assert len(companion("games").lines) == 1
    assert companion("export", "1").text == WHOLE


def test_killed_at_any_time_it_is_the_old_or_the_new(home: Path) -> None:
    file = backed_up()
    companion("import", "-", "--again", stdin=WHOLE)
    shutil.copytree("data", "two games")
    seen = set()
    for wait in (0.05, 0.35, 0.45, 0.55, 0.65, 0.8, 3.0):
        shutil.rmtree("data")
        shutil.copytree("two games", "data")
        with subprocess.Popen(
            [sys.executable, "-m", "companion", "restore", str(file)],
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
            stdout=subprocess.DEVNULL,
        ) as process:
            try:
                process.wait(wait)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
        finish_restore(home / "data")
        games = len(companion("games").lines)
        assert games in (1, 2)
        seen.add(games)
    assert 1 in seen


# What cannot be backed up


def test_nothing_to_back_up(here: Path) -> None:
    answer = companion("backup", "b.zip")
    assert answer.err == (
        f"companion: there is no journal {here}/data/journal.db, so there is nothing to back up\n"
    )
    assert (answer.code, list(here.iterdir())) == (2, [])


def test_targets_that_cannot_be(home: Path) -> None:
    Path("there.zip").write_text("mine")
    answer = companion("backup", "there.zip")
    assert (answer.code, Path("there.zip").read_text()) == (2, "mine")
    assert "is there already and stays as it is" in answer.err
    answer = companion("backup", "nowhere/b.zip")
    assert (answer.code, len(answer.err.splitlines())) == (2, 1)
    assert not list(home.glob(".*.new"))


def test_a_damaged_journal_is_not_backed_up(home: Path) -> None:
    Path("data/journal.db").write_bytes(b"not a journal at all" * 100)
    answer = companion("backup", "b.zip")
    assert (answer.code, len(answer.err.splitlines())) == (2, 1)
    assert not Path("b.zip").exists()


def test_a_damaged_journal_can_be_restored_over_and_is_kept(home: Path) -> None:
    file = backed_up()
    Path("data/journal.db").write_bytes(b"not a journal at all" * 100)
    assert companion("restore", str(file)).code == 0
    assert companion("export", "1").text == WHOLE
    assert Path("data/before-restore/journal.db").read_bytes() == b"not a journal at all" * 100


def test_somebody_restores_while_the_companion_starts(home: Path) -> None:
    with restoring.alone_in(home / "data"):
        answer = companion("run", "--port", "0")
    assert (answer.code, len(answer.err.splitlines())) == (2, 1)
    assert "a backup is being restored into" in answer.err
    with in_use(home / "data"), in_use(home / "data"):
        pass
