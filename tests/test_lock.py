"""The lock files: everything that is asked for is in them, known by hashes, from no place."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
PYTHONS = ("3.11", "3.13")


def locked(name: str) -> dict[str, list[tuple[str, Requirement, int]]]:
    """By name: each version, its requirement with its marker, and how many hashes it has."""
    found: dict[str, list[tuple[str, Requirement, int]]] = {}
    for block in re.split(r"\n(?=\S)", (ROOT / "requirements" / name).read_text().strip()):
        line, *hashes = block.replace("\\\n", "\n").split("\n")
        wanted = Requirement(line.strip())
        version = str(wanted.specifier).removeprefix("==")
        count = sum(each.strip().startswith("--hash=sha256:") for each in hashes)
        found.setdefault(canonicalize_name(wanted.name), []).append((version, wanted, count))
    return found


@pytest.mark.parametrize(
    ("file", "asked"),
    [
        ("run.txt", [*PROJECT["dependencies"], *EXTRAS["mqtt"], *EXTRAS["hub"]]),
        ("dev.txt", [*PROJECT["dependencies"], *EXTRAS["dev"]]),
    ],
)
@pytest.mark.parametrize("python", PYTHONS)
def test_everything_asked_for_is_locked(file: str, asked: list[str], python: str) -> None:
    lock = locked(file)
    here = {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "platform_machine": "aarch64",
    }
    for each in asked:
        wanted = Requirement(each)
        versions = [
            version
            for version, line, _ in lock.get(canonicalize_name(wanted.name), [])
            if line.marker is None or line.marker.evaluate(here)
        ]
        assert len(versions) == 1, f"make lock: {each} is not in {file}"
        assert wanted.specifier.contains(versions[0], prereleases=True), f"make lock: {each}"


@pytest.mark.parametrize("file", ["run.txt", "dev.txt"])
def test_a_lock_names_versions_and_hashes_and_no_place(file: str) -> None:
    text = (ROOT / "requirements" / file).read_text()
    assert "://" not in text
    assert "--index" not in text
    assert all(count > 0 for lines in locked(file).values() for _, _, count in lines)


def test_training_stays_outside_of_the_locks() -> None:
    assert "torch" not in locked("dev.txt")
