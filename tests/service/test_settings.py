"""Settings: defaults that run on a laptop, and every problem of a file in one message."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.foundation.errors import BadSettings
from companion.service.settings import MOST_BYTES, Settings, read_settings, read_toml, settings_from
from tests.strategies import examples

VOICE = "voice must be all, or some of plays, summaries, refusals, questions, turns"
KEYS = (
    "the keys are language, data, host, port, viewers, gpio, pins, hold_seconds, settle_seconds, "
    "camera, camera_size, camera_turn, more_cameras, take_seconds, names, voice, mqtt, mqtt_ca, "
    "mqtt_role, "
    "https_port, table_name"
)
CAMERAS = (
    "camera must be none, pi, usb, usb:NUMBER, usb:NAME, stream:ADDRESS, file:PATH "
    "or simulated:GAME"
)


def problems(**given: Any) -> tuple[str, ...]:
    with pytest.raises(BadSettings) as caught:
        settings_from(given, "companion.toml")
    return tuple(map(str, caught.value.problems))


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No companion.toml of this machine plays a part."""
    monkeypatch.chdir(tmp_path)


# Where they come from


def test_without_a_file_everything_has_its_default() -> None:
    assert read_settings(None) == Settings()
    assert settings_from({}, "") == Settings()


def test_the_file_in_this_folder(tmp_path: Path) -> None:
    (tmp_path / "companion.toml").write_text('language = "de"\nport = 0\nhold_seconds = 2\n')
    assert read_settings(None) == Settings(language="de", port=0, hold_seconds=2.0)


def test_another_file(tmp_path: Path) -> None:
    (tmp_path / "companion.toml").write_text("port = 1\n")
    (tmp_path / "other.toml").write_text('gpio = "none"  # no buttons here\n')
    assert read_settings(Path("other.toml")) == Settings(gpio="none")


def test_everything_can_be_set(tmp_path: Path) -> None:
    (tmp_path / "companion.toml").write_text(
        'language = "de"\ndata = "games"\nhost = "127.0.0.1"\nport = 80\nviewers = 1\n'
        'gpio = "real"\npins = "pins.toml"\nhold_seconds = 0.5\nsettle_seconds = 0\n'
        'camera = "usb:HD Pro"\ncamera_size = "1280x720"\n'
    )
    assert read_settings(None) == Settings(
        "de", "games", "127.0.0.1", 80, 1, "real", "pins.toml", 0.5, 0.0, "usb:HD Pro", "1280x720"
    )


def test_where_games_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPANION_DATA", raising=False)
    monkeypatch.setenv("HOME", "/home/anna")
    assert Settings().journal_file == Path("/home/anna/.local/share/companion/journal.db")
    assert Settings(data="~/games").data_folder == Path("/home/anna/games")
    monkeypatch.setenv("COMPANION_DATA", "/srv/games")
    assert Settings().journal_file == Path("/srv/games/journal.db")
    assert Settings(data="mine").journal_file == Path("mine/journal.db")


def test_a_home_nobody_has() -> None:
    with pytest.raises(BadSettings, match="'~nobody-of-that-name' names no home folder"):
        _ = Settings(data="~nobody-of-that-name").data_folder


# What is wrong with them


def test_all_problems_at_once() -> None:
    found = problems(fps=30, port="x", language="la", gpio="perhaps", colour={"red": 1})
    assert found == (
        "unknown key 'fps'",
        "port must be a whole number, got 'x'",
        "unknown key 'colour'",
        "language must be one of en, de, fr, es, it, nl, got 'la'",
        "gpio must be mock, real or none, got 'perhaps'",
        KEYS,
    )


def test_the_message_names_the_file() -> None:
    with pytest.raises(BadSettings) as caught:
        settings_from({"port": -1, "viewers": 0}, "my.toml")
    assert str(caught.value) == (
        "my.toml: port must be 0 to 65535, got -1; viewers must be 1 to 1000, got 0"
    )


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("port", 65536, "port must be 0 to 65535, got 65536"),
        ("port", True, "port must be a whole number, got True"),
        ("port", 80.0, "port must be a whole number, got 80.0"),
        ("port", None, "port must be a whole number, got None"),
        ("viewers", 1001, "viewers must be 1 to 1000, got 1001"),
        ("hold_seconds", "1", "hold_seconds must be a number, got '1'"),
        ("hold_seconds", 0.1, "hold_seconds must be 0.2 to 10, got 0.1"),
        ("hold_seconds", float("nan"), "hold_seconds must be 0.2 to 10, got nan"),
        ("hold_seconds", float("inf"), "hold_seconds must be 0.2 to 10, got inf"),
        ("settle_seconds", -0.01, "settle_seconds must be 0 to 0.2, got -0.01"),
        ("language", 7, "language must be a text, got 7"),
        ("language", "", "language must be one of en, de, fr, es, it, nl, got ''"),
        ("gpio", ["mock"], "gpio must be a text, got ['mock']"),
        ("data", "a\0b", "data must be a path, got 'a\\x00b'"),
        ("pins", "\0", "pins must be a path, got '\\x00'"),
        (
            "voice",
            "plays, jokes",
            f"{VOICE}, got 'jokes'",
        ),
        ("camera", "", f"{CAMERAS}, got ''"),
        ("camera", "telescope", f"{CAMERAS}, got 'telescope'"),
        ("camera", "pi:x", f"{CAMERAS}, got 'pi:x'"),
        ("camera", "file:", f"{CAMERAS}, got 'file:'"),
        ("camera", "file:a\0b", f"{CAMERAS}, got 'file:a\\x00b'"),
        ("camera_size", "big", "camera_size must be such as 1920x1080, got 'big'"),
        ("camera_size", "0x0", "camera_size must be such as 1920x1080, got '0x0'"),
        ("camera_size", 1080, "camera_size must be a text, got 1080"),
        ("host", "", "host must be an address such as 0.0.0.0 or a name, got ''"),
        ("host", "a..b", "host must be an address such as 0.0.0.0 or a name, got 'a..b'"),
        ("host", "a\nb", "host must be an address such as 0.0.0.0 or a name, got 'a\\nb'"),
    ],
)
def test_a_value_that_cannot_be(key: str, value: object, problem: str) -> None:
    assert problems(**{key: value}) == (problem,)


def test_endless_values_are_cut_short() -> None:
    long = problems(language="x" * 50_000, port=10**4000, gpio=["mock"] * 10_000)
    assert all(len(problem) < 120 for problem in long)
    assert len(long) == 3


@pytest.mark.parametrize("host", ["0.0.0.0", "localhost", "pi.local", "köln.example", "::1"])
def test_hosts(host: str) -> None:
    assert settings_from({"host": host}, "").host == host


@pytest.mark.parametrize(
    "camera", ["none", "pi", "pi:1", "usb", "usb:0", "usb:HD Pro", "file:a b.mp4", "file:/x/é"]
)
def test_cameras(camera: str) -> None:
    assert settings_from({"camera": camera}, "").camera == camera
    assert settings_from({"camera_size": "640x480"}, "").camera_pixels == (640, 480)


# Files


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"port = 1\nport = 2\n", "is not TOML: Cannot overwrite a value (at line 2, column 9)"),
        (b"port\n", "is not TOML: Expected '=' after a key in a key/value pair"),
        (b"language = '\xe9'\n", "is not TOML: 'utf-8' codec can't decode byte 0xe9"),
        (b"#" * (MOST_BYTES + 1), "more than 100000 bytes are no settings file"),
        (b"x = " + b"[" * 50_000, "is not TOML: "),
        (b"x = " + b"1" * 50_000, "is not TOML: "),
    ],
    ids=["twice", "no value", "no text", "too long", "too deep", "too many digits"],
)
def test_a_file_that_is_no_toml(tmp_path: Path, content: bytes, problem: str) -> None:
    file = tmp_path / "companion.toml"
    file.write_bytes(content)
    with pytest.raises(BadSettings) as caught:
        read_settings(None)
    assert str(caught.value).startswith(f"companion.toml: {problem}")
    assert file.read_bytes() == content


def test_a_file_that_never_ends_is_not_read_to_its_end() -> None:
    with pytest.raises(BadSettings, match="more than 100000 bytes are no settings file"):
        read_toml(Path("/dev/zero"))


def test_a_file_of_just_the_size(tmp_path: Path) -> None:
    (tmp_path / "companion.toml").write_bytes(b"port = 1\n".ljust(MOST_BYTES, b"#"))
    assert read_settings(None).port == 1


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for file, why in {"none.toml": "No such file or directory", ".": "Is a directory"}.items():
        with pytest.raises(BadSettings, match=rf"cannot be read \({why}\)"):
            read_settings(Path(file))


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
values = scalars | st.lists(scalars) | st.dictionaries(st.text(), scalars)
keys = st.sampled_from(list(Settings.__dataclass_fields__)) | st.text()


@examples(100)
@given(st.dictionaries(keys, values, max_size=6))
def test_any_settings_are_taken_or_refused_in_words(given: dict[str, Any]) -> None:
    """What is taken stays within its bounds, whatever was given; what is not is soon said."""
    try:
        settings = settings_from(given, "companion.toml")
    except BadSettings as bad:
        if not bad.problems or len(str(bad)) > 200 * (len(given) + 2):
            raise
    else:
        assert {key: getattr(settings, key) for key in given} == given
        assert 0 <= settings.port <= 65535
        assert "\0" not in settings.data + settings.pins + settings.host
