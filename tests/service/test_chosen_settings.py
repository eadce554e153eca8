"""What is set, layer over layer: file, page, command line; and nothing broken stops a start."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.game import Setup
from companion.foundation.errors import BadInput, BadSettings
from companion.ledger.events import Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.service.backup import back_up
from companion.service.chosen_settings import FILE, Origin, SettingsStore, at_start, settings_now
from companion.service.restore import restore


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No companion.toml of this machine plays a part."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def store(data: Path) -> SettingsStore:
    return SettingsStore(None, {"data": str(data)})


def on(data: Path, file: Path | None = None, **flags: object) -> SettingsStore:
    return SettingsStore(file, {"data": str(data), **flags})


# Layers


def test_the_page_wins_over_the_file_and_the_command_line_over_the_page(
    tmp_path: Path, data: Path
) -> None:
    file = tmp_path / "etc.toml"
    file.write_text('language = "de"\nport = 81\nviewers = 7\n')
    on(data, file).choose({"language": "fr", "port": 82})
    layers = on(data, file, port=83).read()
    assert (layers.settings.language, layers.settings.port) == ("fr", 83)
    assert layers.settings.viewers == 7
    assert [layers.origin(key) for key in ("gpio", "viewers", "language", "port")] == [
        Origin.DEFAULT,
        Origin.FILE,
        Origin.PAGE,
        Origin.COMMAND_LINE,
    ]
    assert not layers.problems


def test_what_is_forgotten_is_again_as_the_file_says(tmp_path: Path, data: Path) -> None:
    file = tmp_path / "etc.toml"
    file.write_text('language = "de"\n')
    store = on(data, file)
    store.choose({"language": "fr", "table_name": "Kitchen"})
    store.forget(["language", "nothing of the kind"])
    layers = store.read()
    assert layers.settings.language == "de"
    assert layers.origin("language") is Origin.FILE
    assert layers.settings.table_name == "Kitchen"


def test_texts_come_back_as_they_were(store: SettingsStore) -> None:
    name = 'Å "quoted" \\ back, 🪓 # and = signs'
    store.choose({"table_name": name, "take_seconds": 2, "hold_seconds": 0.5})
    settings = store.read().settings
    assert (settings.table_name, settings.take_seconds, settings.hold_seconds) == (name, 2.0, 0.5)


def test_commands_go_by_what_was_chosen(store: SettingsStore, data: Path) -> None:
    store.choose({"gpio": "none"})
    assert settings_now(None, str(data)).gpio == "none"


# What is refused


@pytest.mark.parametrize(
    "values",
    [
        {"language": "tlh"},
        {"port": "eighty"},
        {"https_port": 8080},
        {"telescope": 1},
        {"data": "/elsewhere"},
        {"table_name": "x" * 41},
        {"table_name": "two\nlines"},
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_changes(
    store: SettingsStore, data: Path, values: dict[str, object]
) -> None:
    store.choose({"language": "nl"})
    before = (data / FILE).read_bytes()
    with pytest.raises(BadInput):
        store.choose(values)
    assert (data / FILE).read_bytes() == before


def test_a_folder_that_takes_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    with pytest.raises(BadInput, match="could not be kept"):
        on(tmp_path / "data").choose({"language": "nl"})


# Nothing of it stops a start


@pytest.mark.parametrize(
    "text",
    [
        'language = "nl"\nviewers = "many"\n',
        'language = "nl"\nport = [',
        'language = "nl"\nfuture_key = 1\n',
        'language = "nl"\ndata = "/elsewhere"\nviewers = 0\n',
        '\0\0\0\nlanguage = "nl"\n',
    ],
)
def test_of_a_broken_file_the_sound_lines_count_and_the_rest_is_told(
    store: SettingsStore, data: Path, text: str
) -> None:
    data.mkdir()
    (data / FILE).write_text(text)
    layers = store.read()
    assert layers.settings.language == "nl"
    assert layers.settings.data_folder == data
    assert len(layers.problems) == 1
    with pytest.raises(BadSettings):
        settings_now(None, str(data))


def test_choices_that_no_longer_go_with_the_file_give_way(tmp_path: Path, data: Path) -> None:
    on(data).choose({"https_port": 8443, "language": "nl"})
    file = tmp_path / "etc.toml"
    file.write_text("port = 8443\n")
    layers = on(data, file).read()
    assert (layers.settings.port, layers.settings.https_port) == (8443, 0)
    assert layers.settings.language == "nl"
    assert "https_port must be" in str(layers.problems[0])


def test_two_values_may_change_places(tmp_path: Path, data: Path) -> None:
    file = tmp_path / "etc.toml"
    file.write_text("port = 81\nhttps_port = 82\n")
    store = on(data, file)
    store.choose({"port": 82, "https_port": 81})
    assert (store.read().settings.port, store.read().settings.https_port) == (82, 81)


def test_what_was_chosen_is_in_a_backup(store: SettingsStore, data: Path, tmp_path: Path) -> None:
    store.choose({"language": "it"})
    with Journal(data / "journal.db"):
        back_up(data, None, tmp_path / "backup.zip")
    store.choose({"language": "es"})
    restore(tmp_path / "backup.zip", data, tmp_path / "companion.toml", dry_run=False)
    assert store.read().settings.language == "it"


# Which camera watches where nobody says so


def camera(store: SettingsStore, *, told: bool = False) -> str:
    return at_start(store.read(), told=told).camera


def test_whoever_starts_for_the_first_time_sees_a_simulated_table(store: SettingsStore) -> None:
    settings = at_start(store.read(), told=False)
    assert (settings.camera, settings.camera_size) == ("simulated", "1280x720")
    store.choose({"language": "nl"})
    assert camera(store) == "simulated"
    assert camera(store, told=True) == "none"


def test_whoever_has_kept_games_goes_on_with_them_by_hand(store: SettingsStore, data: Path) -> None:
    data.mkdir()
    with Journal(data / "journal.db") as journal:
        Referee(journal).open(Setup("odin", ("Anna", "Ben")), Source.PAGE)
    assert camera(store) == "none"


def test_a_broken_journal_never_starts_a_simulation(store: SettingsStore, data: Path) -> None:
    data.mkdir()
    (data / "journal.db").write_bytes(b"not a journal" * 100)
    assert camera(store) == "none"


def test_a_camera_chosen_on_the_page_is_remembered(store: SettingsStore, data: Path) -> None:
    store.choose({"camera": "usb"})
    assert camera(store, told=True) == "usb"
    (data / FILE).write_text('camera = "a telescope"\n')
    assert camera(store) == "none"


def test_the_camera_of_an_earlier_version_is_taken_over(store: SettingsStore, data: Path) -> None:
    data.mkdir()
    (data / "camera").write_text("usb:1\n")
    assert camera(store) == "usb:1"
    store.choose({"language": "nl"})
    assert camera(store) == "usb:1"
    assert not (data / "camera").exists()
    for damaged in ("a telescope", "", "\0"):
        (data / FILE).unlink(missing_ok=True)
        (data / "camera").write_text(damaged)
        assert camera(store) == "none"


def test_an_installed_box_is_set_on_the_page(tmp_path: Path, data: Path) -> None:
    file = tmp_path / "etc.toml"
    file.write_text('camera = "pi"\ncamera_size = "2304x1296"\n')
    store = on(data, file)
    store.choose({"camera": "simulated"})
    settings = at_start(store.read(), told=True)
    assert (settings.camera, settings.camera_size) == ("simulated", "1280x720")
    store.choose({"camera": "usb"})
    assert at_start(store.read(), told=True).camera_size == "2304x1296"


def test_the_command_line_has_the_last_word(data: Path) -> None:
    on(data).choose({"camera": "usb"})
    assert camera(on(data, camera="usb:1")) == "usb:1"
    with pytest.raises(BadSettings, match="camera must be none, pi"):
        on(data, camera="telescope").read()
