"""The libraries the companion stands on: which versions are locked, and under which licences they
are. Shown on the page, and listed by `make sbom`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from companion.foundation.resources import shipped

_LINE = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==(\S+)", re.M)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_BUILDS = frozenset({"editables", "hatchling", "pathspec", "pluggy", "trove-classifiers"})
"""They build the companion and are no part of it."""


@dataclass(frozen=True, slots=True)
class Library:
    name: str
    version: str
    licence: str
    hashes: tuple[str, ...] = ()


@cache
def libraries() -> tuple[Library, ...]:
    """Those that are here, in the versions that are here."""
    found = []
    for name, hashes in _locked().items():
        try:
            there = distribution(name)
        except PackageNotFoundError:  # an extra that is not installed, or for another Python
            continue
        found.append(Library(name, there.version, _licence(there), hashes.get(there.version, ())))
    return tuple(found)


def _locked() -> dict[str, dict[str, tuple[str, ...]]]:
    """By name and version: the hashes."""
    text = shipped("requirements/run.txt").read_text()
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for block in re.split(r"\n(?=\S)", text):
        line = _LINE.match(block)
        if line is not None and line[1] not in _BUILDS:
            found.setdefault(line[1], {})[line[2]] = tuple(_HASH.findall(block))
    return found


def _licence(there: Distribution) -> str:
    """As its makers name it: by expression, by classifier, or in a word of their own."""
    said = there.metadata.json
    if said.get("license_expression"):
        return str(said["license_expression"])
    classifiers = said.get("classifier", [])
    names = [each.rpartition(" :: ")[2] for each in classifiers if each.startswith("License ::")]
    if names:
        return ", ".join(names)
    first, *_ = str(said.get("license", "")).strip().splitlines() or [""]
    return first[:80] or "?"
