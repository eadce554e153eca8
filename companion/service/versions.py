"""Which machine and which versions these are."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

MODEL = Path("/proc/device-tree/model")
SYSTEM = Path("/etc/os-release")


@dataclass(frozen=True, slots=True)
class AboutBox:
    companion: str
    python: str
    machine: str
    system: str


def about_box() -> AboutBox:
    return AboutBox(version("table-companion"), platform.python_version(), _machine(), _system())


def _machine() -> str:
    try:
        return MODEL.read_text(errors="replace").strip("\0\n ")
    except OSError:
        return platform.machine()


def _system() -> str:
    try:
        lines = SYSTEM.read_text(errors="replace").splitlines()
    except OSError:
        return platform.platform(terse=True)
    named = dict(line.partition("=")[::2] for line in lines)
    return named.get("PRETTY_NAME", "").strip('"') or platform.platform(terse=True)
