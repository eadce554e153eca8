"""`make install` under another root: files in their places, again and again, games kept. Packages,
users and services of this machine are left alone; pip is stood in for."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion.service.settings import Settings, read_settings

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "tools" / "install.sh"


@pytest.fixture
def pip(tmp_path: Path) -> Path:
    """Writes down what it is asked to install."""
    script = tmp_path / "pip"
    script.write_text(f'#!/bin/sh\necho "$@" >>{tmp_path}/asked\n')
    script.chmod(0o755)
    return script


def install(root: Path, pip: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(SCRIPT), *(words or ("install",))],
        env=os.environ | {"ROOT": str(root), "PIP": str(pip), "PYTHON": sys.executable} | env,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def files(root: Path) -> set[str]:
    return {
        str(each.relative_to(root))
        for each in root.rglob("*")
        if not each.is_dir() and "/opt/companion/" not in str(each)
    }


def test_installed_upgraded_and_taken_away(tmp_path: Path, pip: Path) -> None:
    root = tmp_path / "root"
    done = install(root, pip)
    assert (done.returncode, done.stderr) == (0, "")
    assert "the service was not started" in done.stdout
    assert files(root) == {
        "etc/avahi/services/companion.service",
        "etc/companion/companion.toml",
        "etc/polkit-1/rules.d/50-companion.rules",
        "etc/systemd/system/companion.service",
        "etc/systemd/system/multi-user.target.wants/companion.service",
        "etc/udev/rules.d/60-companion-stick.rules",
        "usr/local/bin/companion",
    }
    assert (root / "opt/companion/share/hardware/pins.toml").is_file()
    assert (root / "etc/systemd/system/multi-user.target.wants/companion.service").is_file()
    assert (root / "var/lib/companion").stat().st_mode & 0o777 == 0o750
    locked, ours = (tmp_path / "asked").read_text().splitlines()
    assert "--require-hashes" in locked
    assert locked.endswith(f"--requirement {ROOT}/requirements/run.txt")
    assert ours == f"install --no-deps --no-build-isolation {ROOT}"
    inside = (root / "opt/companion/venv/pyvenv.cfg").read_text()
    assert "include-system-site-packages = true" in inside
    settings = root / "etc/companion/companion.toml"
    assert read_settings(settings) == Settings(gpio="none", camera="none")

    settings.write_text('language = "de"\n')
    (root / "var/lib/companion/journal.db").write_text("games")
    again = install(root, pip)
    assert (again.returncode, again.stderr) == (0, "")
    assert settings.read_text() == 'language = "de"\n'
    assert (root / "var/lib/companion/journal.db").read_text() == "games"

    gone = install(root, pip, "uninstall")
    assert (gone.returncode, gone.stderr) == (0, "")
    assert files(root) == {"etc/companion/companion.toml", "var/lib/companion/journal.db"}
    assert install(root, pip, "uninstall").returncode == 0


def test_an_upgrade_that_does_not_come_up_is_taken_back(tmp_path: Path, pip: Path) -> None:
    root = tmp_path / "root"
    home, journal = root / "opt/companion", root / "var/lib/companion/journal.db"
    assert install(root, pip).returncode == 0
    first = (home / "venv").resolve()
    journal.write_text("as the first version wrote it")
    broken = tmp_path / "broken"
    broken.write_text(f"#!/bin/sh\necho 'as only the new one can read it' >{journal}\nexit 1\n")
    broken.chmod(0o755)

    done = install(root, pip, CHECK=str(broken))
    assert done.returncode != 0
    assert "the last version runs" in done.stderr
    assert (home / "venv").resolve() == first
    assert [each.resolve() for each in (home / "versions").iterdir()] == [first]
    assert journal.read_text() == "as the first version wrote it"
    kept = journal.parent / "after-upgrade" / "journal.db"
    assert kept.read_text() == "as only the new one can read it\n"

    assert install(root, pip, CHECK="true").returncode == 0
    second = (home / "venv").resolve()
    assert second != first
    assert {each.resolve() for each in (home / "versions").iterdir()} == {first, second}
    assert install(root, pip, CHECK="true").returncode == 0
    assert first not in {each.resolve() for each in (home / "versions").iterdir()}


def test_going_back_brings_everything_back(tmp_path: Path, pip: Path) -> None:
    """Units, rules and share/ belong to a version as well as the program does."""
    root = tmp_path / "root"
    assert install(root, pip).returncode == 0
    older = {
        "etc/systemd/system/companion.service": "# the unit of the last version\n",
        "etc/udev/rules.d/60-companion-stick.rules": "# its rule\n",
        "opt/companion/share/docs/pi.md": "its words\n",
        "usr/local/bin/companion": "#!/bin/sh\n# its command\n",
    }
    for name, text in older.items():
        (root / name).write_text(text)
    (root / "opt/companion/share/hardware/pins.toml").unlink()
    assert install(root, pip, CHECK="false", KIOSK="yes").returncode != 0
    assert {name: (root / name).read_text() for name in older} == older
    assert not (root / "opt/companion/share/hardware/pins.toml").exists()
    kiosk = [each.name for each in root.rglob("companion-kiosk.service")]
    assert kiosk == [], "the last version had none"
    assert not (root / "opt/companion/outside").exists()
    assert install(root, pip, CHECK="true").returncode == 0
    assert "the unit of the last" not in (root / next(iter(older))).read_text()


def test_what_the_camera_of_a_pi_needs_is_locked_too() -> None:
    asked = re.findall(r"pip install .*", SCRIPT.read_text())
    assert len(asked) == 3
    assert all("--require-hashes" in each or '"$SOURCE"' in each for each in asked)
    locked = (ROOT / "requirements/pi.txt").read_text()
    assert re.match(r"simplejpeg==[\d.]+ \\\n", locked)
    assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}", locked)) >= 2, "Python 3.11 and 3.13"


def test_the_kiosk_only_if_wanted(tmp_path: Path, pip: Path) -> None:
    assert install(tmp_path / "root", pip, KIOSK="yes").returncode == 0
    units = tmp_path / "root/etc/systemd/system"
    assert (units / "graphical.target.wants/companion-kiosk.service").is_file()


def test_the_unit_starts_what_is_installed() -> None:
    script = SCRIPT.read_text()
    unit = (ROOT / "systemd/companion.service").read_text()
    where = dict(re.findall(r"^([A-Z_]+)=(/\S+)$", script, re.M))
    assert f"ExecStart={where['HOME_DIR']}/venv/bin/companion" in unit
    assert f"--settings {where['SETTINGS']} run" in unit
    assert f"COMPANION_DATA={where['DATA']}" in unit
    assert where["DATA"] == "/var/lib/companion"
    assert "StateDirectory=companion\n" in unit


def test_the_command_for_everybody_finds_settings_and_games(tmp_path: Path, pip: Path) -> None:
    root = tmp_path / "root"
    install(root, pip)
    wrapper = (root / "usr/local/bin/companion").read_text()
    shown = tmp_path / "shows"
    shown.write_text('#!/bin/sh\necho "$COMPANION_DATA" "$@"\n')
    shown.chmod(0o755)
    copy = tmp_path / "companion"
    copy.write_text(wrapper.replace("/opt/companion/venv/bin/companion", str(shown)))
    for words, said in (
        (
            "games --json",
            "/var/lib/companion --settings /etc/companion/companion.toml games --json",
        ),
        ("--settings my.toml games", "/var/lib/companion --settings my.toml games"),
    ):
        done = subprocess.run(
            ["sh", str(copy), *words.split()],
            env={"PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == f"{said}\n"


@pytest.mark.parametrize(
    ("words", "env", "why"),
    [
        (("instal",), {}, "say install or uninstall"),
        (("install",), {"NAME": "My Table"}, "NAME may have a-z, 0-9 and -, got 'My Table'"),
        (("install",), {"KIOSK": "perhaps"}, "KIOSK is yes or no, got 'perhaps'"),
        (("install",), {"PYTHON": "false"}, "Python 3.11 or later is needed; false is older"),
    ],
)
def test_what_cannot_be(
    tmp_path: Path, pip: Path, words: tuple[str, ...], env: dict[str, str], why: str
) -> None:
    done = install(tmp_path / "root", pip, *words, **env)
    assert (done.returncode, done.stderr) == (2, f"install: {why}\n")


def test_the_port_that_is_told_around_is_the_page_s() -> None:
    found = re.search(r"<port>(\d+)</port>", SCRIPT.read_text())
    assert found is not None
    assert int(found[1]) == Settings().port
