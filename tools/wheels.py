"""Prints a table of the ready-made wheels for 64-bit ARM, for the Pythons of Raspberry Pi OS.

Every library the companion needs, with those they need, as pip would choose them on a Pi; further
ones can be named. Nothing is installed. Exit code 1 if one has no wheel and would have to be built.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
# Python, and the glibc of the system it comes with
SYSTEMS = {"Bookworm, 3.11": ("3.11", 36), "Trixie, 3.13": ("3.13", 41)}
LEVELS = (41, 40, 39, 38, 37, 36, 35, 34, 31, 28, 27, 26, 24, 17)
BESIDE = tuple((ROOT / "requirements" / "pi.in").read_text().partition(" ")[:1])


@dataclass(frozen=True, slots=True)
class Wheel:
    name: str
    version: str
    tag: str  # any, or the oldest system it runs on

    def __str__(self) -> str:
        return f"{self.version} ({self.tag})"


def wanted() -> list[str]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    return [*project["dependencies"], *BESIDE, *sys.argv[1:]]


def chosen(requirements: Sequence[str], python: str, glibc: int) -> list[Wheel] | None:
    """What pip would take; None if there is no way without building."""
    platforms = [f"manylinux_2_{level}_aarch64" for level in LEVELS if level <= glibc]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--dry-run"),
            *("--disable-pip-version-check", "--ignore-installed", "--only-binary=:all:"),
            *("--target", folder, "--report", str(report), "--python-version", python),
            *("--implementation", "cp"),
            *(word for each in platforms for word in ("--platform", each)),
            *("--platform", "manylinux2014_aarch64", *requirements),
        ]
        done = subprocess.run(command, check=False, capture_output=True)  # noqa: S603
        if done.returncode:
            return None
        found = json.loads(report.read_text())["install"]
    return [_wheel(each) for each in found]


def _wheel(item: dict[str, dict[str, str]]) -> Wheel:
    file = item["download_info"]["url"].rpartition("/")[2]
    level = re.search(r"manylinux_2_(\d+)_aarch64", file)
    if level is None and "manylinux2014_aarch64" in file:
        tag = "glibc 2.17"
    else:
        tag = "any" if level is None else f"glibc 2.{level[1]}"
    metadata = item["metadata"]
    return Wheel(metadata["name"].lower().replace("_", "-"), metadata["version"], tag)


def one_by_one(python: str, glibc: int) -> tuple[list[Wheel], list[str]]:
    """The wheels of those requirements that have one, and the requirements that have none."""
    wheels: list[Wheel] = []
    without = []
    for each in wanted():
        one = chosen([each], python, glibc)
        wheels += one or []
        if one is None:
            without.append(each)
    return wheels, without


def main() -> int:
    table: dict[str, dict[str, str]] = {}
    missing = []
    for system, (python, glibc) in SYSTEMS.items():
        wheels = chosen(wanted(), python, glibc)
        if wheels is None:
            wheels, without = one_by_one(python, glibc)
            missing += [f"{each} for {system}" for each in without]
            for each in without:
                table.setdefault(re.split(r"[<>=!~ ]", each)[0], {})[system] = "NONE"
        for wheel in wheels:
            table.setdefault(wheel.name, {})[system] = str(wheel)
    print(f"| library | {' | '.join(SYSTEMS)} |")
    print("|---" * (len(SYSTEMS) + 1) + "|")
    for name, row in sorted(table.items()):
        print(f"| {name} | {' | '.join(row.get(system, '-') for system in SYSTEMS)} |")
    for each in missing:
        print(f"no wheel: {each}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
