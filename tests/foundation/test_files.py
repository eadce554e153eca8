"""Files are there as a whole or not at all: full disks, killed writers, busy readers."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.foundation.files import (
    create_file,
    creating,
    replace_file,
    replace_files,
    replacing,
    sync_folder,
)

ROOT = Path(__file__).parents[2]
LARGE = 300_000
"""Bytes: more than any buffer on the way to the disk holds."""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    file = tmp_path / "zones.toml"
    file.write_bytes(b"old")
    return file


@contextmanager
def full_disk() -> Iterator[None]:
    """Every write beyond the first bytes fails, as the system itself has it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def only(folder: Path) -> dict[str, bytes]:
    """All that is in the folder."""
    return {each.name: each.read_bytes() for each in folder.iterdir()}


# What is written


def test_a_file_is_replaced(old: Path) -> None:
    replace_file(old, b"new")
    assert only(old.parent) == {"zones.toml": b"new"}


def test_a_file_that_was_not_there(tmp_path: Path) -> None:
    replace_file(tmp_path / "zones.toml", b"first")
    assert only(tmp_path) == {"zones.toml": b"first"}


def test_nothing_is_data_too(old: Path) -> None:
    replace_file(old, b"")
    assert only(old.parent) == {"zones.toml": b""}


def test_its_mode_is_as_open_would_have_it_or_as_asked(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        replace_file(tmp_path / "usual", b"")
        replace_file(tmp_path / "asked", b"", mode=0o600)
    finally:
        os.umask(before)
    modes = {each.name: each.stat().st_mode & 0o777 for each in tmp_path.iterdir()}
    assert modes == {"usual": 0o640, "asked": 0o600}


def test_a_name_as_long_as_names_may_be(tmp_path: Path) -> None:
    replace_file(tmp_path / ("ø" * 127), b"new")
    assert only(tmp_path) == {"ø" * 127: b"new"}


def test_several_files_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    placed = []
    real = os.replace

    def replace(source: Path, target: Path) -> None:
        placed.append(target.name)
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    replace_files(tmp_path, {"b.jpg": b"1", "a.jpg": b"2", "entry.json": b"3"})
    assert placed == ["b.jpg", "a.jpg", "entry.json"]
    assert only(tmp_path) == {"b.jpg": b"1", "a.jpg": b"2", "entry.json": b"3"}


def test_a_new_file_never_takes_the_place_of_another(old: Path) -> None:
    with pytest.raises(FileExistsError):
        create_file(old, b"new")
    dangling = old.with_name("dangling")
    dangling.symlink_to("nowhere")
    with pytest.raises(FileExistsError):
        create_file(dangling, b"new")
    dangling.unlink()
    create_file(old.with_name("other"), b"new")
    assert only(old.parent) == {"zones.toml": b"old", "other": b"new"}


def test_of_two_who_make_one_file_the_first_wins(tmp_path: Path) -> None:
    target = tmp_path / "backup.zip"

    def too_late() -> None:
        with creating(target) as mine:
            mine.write(b"mine")
            create_file(target, b"theirs")

    with pytest.raises(FileExistsError):
        too_late()
    assert only(tmp_path) == {"backup.zip": b"theirs"}


def test_a_new_file_where_there_are_no_hard_links(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def link(_source: Path, _target: Path) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", link)
    create_file(old.with_name("other"), b"new")
    with pytest.raises(FileExistsError):
        create_file(old, b"new")
    assert only(old.parent) == {"zones.toml": b"old", "other": b"new"}


# On the disk


def test_the_data_is_on_the_disk_before_the_name_and_the_name_at_the_end(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    real_sync, real_replace = os.fsync, os.replace

    def fsync(number: int) -> None:
        path = Path(f"/proc/self/fd/{number}").readlink()
        calls.append(f"sync {'folder' if path.is_dir() else path.read_bytes().decode()}")
        real_sync(number)

    def replace(source: Path, target: Path) -> None:
        calls.append("replace")
        real_replace(source, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", replace)
    replace_file(old, b"new")
    assert calls == ["sync new", "replace", "sync folder"]


@pytest.mark.parametrize(("code", "fatal"), [(errno.EINVAL, False), (errno.EIO, True)])
def test_a_folder_that_cannot_be_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, fatal: bool
) -> None:
    def fsync(_number: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", fsync)
    if not fatal:
        sync_folder(tmp_path)
        return
    with pytest.raises(OSError, match="Input/output error"):
        sync_folder(tmp_path)


# What fails leaves all as it was


@pytest.mark.parametrize("write", [replace_file, create_file])
def test_a_full_disk(old: Path, write: Callable[[Path, bytes], None]) -> None:
    target = old if write is replace_file else old.with_name("other")
    with pytest.raises(OSError, match="File too large"), full_disk():
        write(target, b"x" * LARGE)
    assert only(old.parent) == {"zones.toml": b"old"}


@pytest.mark.parametrize("fails", ["fsync", "replace"])
def test_a_disk_that_breaks_on_the_way(
    old: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    def broken(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, fails, broken)
    with pytest.raises(OSError, match="No space left"):
        replace_file(old, b"new")
    assert only(old.parent) == {"zones.toml": b"old"}


def test_folders_that_cannot_be_written(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in (old.parent / "nowhere", old, Path("/proc")):
        with pytest.raises(OSError, match=r"\[Errno"):
            replace_file(folder / "file", b"new")

    def denied(*_: object) -> int:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(os, "open", denied)
    with pytest.raises(PermissionError):
        replace_file(old, b"new")
    monkeypatch.undo()
    assert only(old.parent) == {"zones.toml": b"old"}


def test_a_folder_in_the_place_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "zones.toml").mkdir()
    with pytest.raises(OSError, match="Is a directory"):
        replace_file(tmp_path / "zones.toml", b"new")
    assert [each.name for each in tmp_path.iterdir()] == ["zones.toml"]


def test_a_writer_that_gives_up_half_way(old: Path) -> None:
    def give_up() -> None:
        with replacing(old) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        give_up()
    assert only(old.parent) == {"zones.toml": b"old"}


# Nobody sees half of it


def test_readers_see_the_old_or_the_new_and_nothing_between(tmp_path: Path) -> None:
    file = tmp_path / "sheet.toml"
    replace_file(file, b"a" * LARGE)
    stop = threading.Event()
    seen = set()

    def read() -> None:
        while not stop.is_set():
            data = file.read_bytes()
            seen.add((len(data), *sorted(set(data))))

    reader = threading.Thread(target=read)
    reader.start()
    for letter in b"bcde":
        replace_file(file, bytes([letter]) * LARGE)
    stop.set()
    reader.join()
    assert seen <= {(LARGE, letter) for letter in b"abcde"}


def test_writers_at_once_never_mix(tmp_path: Path) -> None:
    file = tmp_path / "starts.json"
    writers = [
        threading.Thread(target=replace_file, args=(file, bytes([letter]) * LARGE))
        for letter in b"abcd"
    ]
    for each in writers:
        each.start()
    for each in writers:
        each.join()
    (data,) = only(tmp_path).values()
    assert (len(data), len(set(data))) == (LARGE, 1)


def test_a_writer_that_is_killed_leaves_a_whole_file(tmp_path: Path) -> None:
    file = tmp_path / "deck"
    script = f"""
from itertools import count
from pathlib import Path
from companion.foundation.files import replace_file
for n in count():
    replace_file(Path({str(file)!r}), bytes([97 + n % 26]) * {LARGE})
    if not n: print(flush=True)
"""
    for wait_seconds in (0.0, 0.003, 0.011):
        with subprocess.Popen(
            [sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE
        ) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            time.sleep(wait_seconds)
            writer.send_signal(signal.SIGKILL)
        data = file.read_bytes()
        assert (len(data), len(set(data))) == (LARGE, 1)
