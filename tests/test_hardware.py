"""hardware/: drawings and parts are those of their sources, and the page adds up."""

from __future__ import annotations

import importlib.util
import math
import re
import subprocess
import sys
import tomllib
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from companion.service.settings import Settings, settings_from

ROOT = Path(__file__).parents[1]
HARDWARE = ROOT / "hardware"
PAGE = (HARDWARE / "README.md").read_text()
PARTS = sorted((HARDWARE / "mount").glob("*.stl"))


def ran(tool: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "tools" / tool), *words],
        capture_output=True,
        text=True,
        check=False,
    )


# The wiring


def test_the_drawing_is_that_of_the_pins() -> None:
    done = ran("wiring.py", "--check")
    assert (done.returncode, done.stdout) == (0, "wiring.svg is that of pins.toml\n")


def test_other_pins_are_another_drawing(tmp_path: Path) -> None:
    pins, drawing = tmp_path / "pins.toml", tmp_path / "wiring.svg"
    pins.write_text("[buttons]\npass = 4\n[lamps]\nred = 21\n")
    assert ran("wiring.py", str(pins), str(drawing)).returncode == 0
    assert ran("wiring.py", "--check", str(pins), str(drawing)).returncode == 0
    texts = [
        "".join(each.itertext()) for each in ElementTree.parse(drawing).iter() if "text" in each.tag
    ]
    assert "pass GPIO 4, pin 7" in texts
    assert "red GPIO 21, pin 40" in texts
    assert not any(text.startswith("green") for text in texts)
    pins.write_text("[buttons]\npass = 5\n")
    assert ran("wiring.py", "--check", str(pins), str(drawing)).returncode == 1


def test_pins_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "pins.toml").write_text("[buttons]\npass = 99\n")
    done = ran("wiring.py", str(tmp_path / "pins.toml"), str(tmp_path / "x.svg"))
    assert done.returncode == 2
    assert done.stderr.startswith("wiring: ")
    assert len(done.stderr.splitlines()) == 1
    assert ran("wiring.py", "one").returncode == 2


def _wiring() -> Any:
    spec = importlib.util.spec_from_file_location("wiring", ROOT / "tools" / "wiring.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["wiring"] = module
    spec.loader.exec_module(module)
    return module


def test_the_header_is_the_pi_s() -> None:
    """As gpiozero knows it."""
    from gpiozero import pi_info  # type: ignore[attr-defined]

    header = pi_info("c03111").headers["J8"].pins
    for number, means in enumerate(_wiring().HEADER, 1):
        name = f"GPIO{means}" if isinstance(means, int) else str(means)
        assert header[number].name == name, number


# The mount


def test_the_parts_are_those_of_their_source() -> None:
    assert ran("mount.py", "--check").returncode == 0
    assert {part.stem for part in PARTS} == {"foot", "elbow", "head", "tripod_head"}


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.stem)
def test_a_part_is_whole_and_can_be_printed(part: Path) -> None:
    """Watertight, in one piece's size for an ordinary printer, and flat on its bed."""
    data = part.read_bytes()
    count = int.from_bytes(data[80:84], "little")
    assert len(data) == 84 + 50 * count
    kind = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")])
    corners = np.frombuffer(data[84:], kind)["corners"]
    edges: Counter[tuple[bytes, bytes]] = Counter()
    for one, two, three in corners:
        for a, b in ((one, two), (two, three), (three, one)):
            edges[a.tobytes(), b.tobytes()] += 1
    assert all(edges[b, a] == times for (a, b), times in edges.items())
    low, high = corners.reshape(-1, 3).min(axis=0), corners.reshape(-1, 3).max(axis=0)
    assert max(high - low) < 180
    assert low[2] == pytest.approx(0, abs=1e-4)
    flat = corners[(corners[:, :, 2] < 1e-4).all(axis=1)]
    area = sum(0.5 * np.linalg.norm(np.cross(two - one, three - one)) for one, two, three in flat)
    assert area > 300  # square millimetres that hold it to the bed


def test_the_mount_takes_the_heights_it_should() -> None:
    source = (HARDWARE / "mount" / "mount.scad").read_text()
    assert "assert(height >= 650 && height <= 800" in source


# The page


def test_the_prices_add_up() -> None:
    rows = re.findall(r"^\| [^|*]+ \| (\d+) \| (\d+) \|", PAGE, re.M)
    (total,) = re.findall(r"^\| \*\*all of it\*\* \| \*\*(\d+)\*\* \| \*\*(\d+)\*\* \|", PAGE, re.M)
    assert len(rows) == 14
    assert tuple(str(sum(int(row[at]) for row in rows)) for at in (0, 1)) == total


def test_what_the_camera_sees_is_worked_out_right() -> None:
    rows = re.findall(
        r"\((\d+)° x (\d+)°\) \| (\S+) x (\S+) \| (\S+) x (\S+) \| (\S+) x (\S+)", PAGE
    )
    assert len(rows) == 2
    for across, down, *seen in rows:
        for at, height in enumerate((65, 72, 80)):
            for angle, said in ((across, seen[2 * at]), (down, seen[2 * at + 1])):
                worked_out = 2 * height * math.tan(math.radians(int(angle) / 2))
                assert abs(worked_out - int(said)) < 1, (height, angle)


@pytest.mark.parametrize("page", ["hardware/README.md", "docs/pi.md", "docs/terminal.md"])
def test_links_lead_somewhere(page: str) -> None:
    file = ROOT / page
    for target in re.findall(r"\]\(([^)#\s]+)", file.read_text()):
        if "://" not in target:
            assert (file.parent / target).exists(), target


def test_the_settings_shown_are_good() -> None:
    blocks = re.findall(
        r"^```toml\n(.*?)^```$", (ROOT / "docs/terminal.md").read_text(), re.M | re.S
    )
    for block in blocks:
        settings_from(tomllib.loads(block), "docs/terminal.md")
    assert blocks


def test_the_defaults_shown_are_those_of_the_settings() -> None:
    rows = re.findall(
        r"^\| (`\w+`(?:, `\w+`)*) \| (`[^|]*`) \| ", (ROOT / "docs/terminal.md").read_text(), re.M
    )
    shown = {}
    for names, values in rows:
        for name, value in zip(names.split(", "), values.split(", "), strict=True):
            shown[name.strip("`")] = tomllib.loads(f"it = {value.strip('`')}")["it"]
    assert shown == asdict(Settings())
