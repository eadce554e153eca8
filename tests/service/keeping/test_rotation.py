"""Automatic backups: a day, a week, a stick; and each can be brought back."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.foundation.errors import BadInput
from companion.foundation.notices import Notices
from companion.ledger.events import Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.service.keeping import rotation
from companion.service.keeping.condition import Ailment, JournalCondition
from companion.service.keeping.rotation import (
    FOLDER,
    STICK_FOLDER,
    all_backups,
    back_up_today,
    backups_in,
    worth_keeping,
)
from companion.service.keeping.upkeep import Upkeep
from companion.service.restore import restore
from tests.ledger.logs import OPENING, SETUP, change_one, enter

TODAY = date(2026, 11, 18)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    with Journal(folder / "journal.db") as journal:
        referee = Referee(journal)
        referee.open(SETUP, Source.PAGE)
        enter(referee, *OPENING)
    for name in ("disputes/game-1-entry-3/film-000.jpg", "cases/game-1-entry-3/entry.json"):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_bytes(name.encode())
    return folder


def test_after_a_year_of_days_seven_and_four_weeks_are_kept() -> None:
    kept: set[date] = set()
    for number in range(365):
        kept = worth_keeping({*kept, TODAY + timedelta(number)})
    last = TODAY + timedelta(364)
    ages = sorted((last - day).days for day in kept)
    assert ages[:7] == [0, 1, 2, 3, 4, 5, 6]
    assert len({day.isocalendar()[:2] for day in kept}) == 4
    assert ages[-1] >= 21 - 6


@given(st.sets(st.dates(date(2025, 1, 1), date(2027, 1, 1)), max_size=60))
def test_the_newest_stay_and_never_more_than_eleven(days: set[date]) -> None:
    kept = worth_keeping(days)
    assert kept <= days
    assert len(kept) <= 11
    assert sorted(days, reverse=True)[:7] == sorted(kept, reverse=True)[: min(7, len(days))]


def test_one_a_day_and_the_old_ones_go(data: Path) -> None:
    folder = data / FOLDER
    for number in range(40):
        day = TODAY + timedelta(number)
        made = back_up_today(data, None, folder, day) if number % 13 == 0 else None
        if made is None:
            (folder / f"companion-{day.isoformat()}.zip").touch()
    assert back_up_today(data, None, folder, TODAY + timedelta(39)) is None
    (folder / "holiday.jpg").touch()
    back_up_today(data, None, folder, TODAY + timedelta(40))
    assert len(backups_in(folder)) <= 11
    assert backups_in(folder)[0].day == TODAY + timedelta(40)
    assert (folder / "holiday.jpg").exists(), "what is not ours stays"


def test_a_backup_of_the_day_brings_everything_back(data: Path, tmp_path: Path) -> None:
    file = back_up_today(data, None, data / FOLDER, TODAY)
    assert file is not None
    with Journal(data / "journal.db") as journal:
        log = journal.events(1)
    fresh = tmp_path / "fresh"
    restore(file.file, fresh, tmp_path / "companion.toml", dry_run=False)
    with Journal(fresh / "journal.db") as journal:
        assert journal.events(1) == log
        assert journal.verify().problem is None
    for name in ("disputes/game-1-entry-3/film-000.jpg", "cases/game-1-entry-3/entry.json"):
        assert (fresh / name).read_bytes() == name.encode()
    assert not (fresh / FOLDER).exists(), "backups are not backed up"


def test_backups_of_an_unsound_journal_push_no_sound_one_out(data: Path) -> None:
    """A month of days with a sound journal, then a month with one that has rotted."""
    folder = data / FOLDER
    for number in range(30):
        back_up_today(data, None, folder, TODAY + timedelta(number))
    sound = {each.day for each in backups_in(folder)}
    change_one(data / "journal.db")
    for number in range(30, 60):
        made = back_up_today(data, None, folder, TODAY + timedelta(number))
        assert made is not None
        assert not made.sound
    found = backups_in(folder)
    assert {each.day for each in found if each.sound} == sound
    assert [each.day for each in found if not each.sound] == [TODAY + timedelta(59)]


def test_the_page_says_that_a_backup_has_the_damage_in_it(data: Path) -> None:
    change_one(data / "journal.db")
    notices = Notices()
    condition = JournalCondition(notices)
    with Journal(data / "journal.db") as journal:
        upkeep = Upkeep(journal, None, condition)
        upkeep.when_idle(TODAY)
        upkeep.when_idle(TODAY)  # there is one of today already
    assert {each.code for each in notices.standing} == {"backup-unsound", "journal-unsound"}
    assert condition.worst is not None
    assert condition.worst.ailment is Ailment.UNSOUND


def test_a_backup_that_cannot_be_made_leaves_the_old_ones(data: Path) -> None:
    back_up_today(data, None, data / FOLDER, TODAY)
    (data / "journal.db").write_bytes(b"no journal")
    with pytest.raises(Exception, match="cannot be copied"):
        back_up_today(data, None, data / FOLDER, TODAY + timedelta(1))
    assert [each.day for each in backups_in(data / FOLDER)] == [TODAY]


@pytest.fixture
def stick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "my stick"
    place.mkdir()
    mounts = tmp_path / "mounts"
    shown = str(place).replace(" ", "\\040")
    mounts.write_text(
        "proc /proc proc rw 0 0\n"
        f"/dev/sda1 {shown} vfat rw,relatime 0 0\n"
        f"/dev/sdb1 {tmp_path}/locked vfat ro 0 0\n"
        "rubbish\n"
    )
    monkeypatch.setattr(rotation, "MOUNTS", mounts)
    monkeypatch.setattr(rotation, "_STICKS", (f"{tmp_path}/",))
    return place


def test_a_stick_gets_one_too(data: Path, stick: Path) -> None:
    with Journal(data / "journal.db") as journal:
        notices = Notices()
        upkeep = Upkeep(journal, None, JournalCondition(notices))
        upkeep.when_idle(TODAY)
        assert [each.day for each in backups_in(stick / STICK_FOLDER)] == [TODAY]
        assert [each.day for each in backups_in(data / FOLDER)] == [TODAY]
        assert {each.file.parent for each in all_backups(data)} == {
            data / FOLDER,
            stick / STICK_FOLDER,
        }
        assert notices.standing == ()
        assert journal.ahead_bytes == 0


def test_a_backup_that_fails_is_said_on_the_page(data: Path) -> None:
    (data / FOLDER).write_text("in the way")
    with Journal(data / "journal.db") as journal:
        notices = Notices()
        upkeep = Upkeep(journal, None, JournalCondition(notices))
        upkeep.when_idle(TODAY)
        assert [each.code for each in notices.standing] == ["backup-failed"]
        (data / FOLDER).unlink()
        upkeep.when_idle(TODAY)
        assert notices.standing == ()


def test_games_of_nobody_are_not_backed_up(data: Path) -> None:
    with Journal(data / "journal.db") as journal:
        Upkeep(journal, None, JournalCondition(Notices()), backups=False).when_idle(TODAY)
    assert not (data / FOLDER).exists()


def test_a_damaged_backup_is_refused(data: Path) -> None:
    file = back_up_today(data, None, data / FOLDER, TODAY)
    assert file is not None
    whole = bytearray(file.file.read_bytes())
    whole[len(whole) // 2] ^= 1
    file.file.write_bytes(whole)
    with pytest.raises(BadInput):
        rotation.tried_out(file.file)
