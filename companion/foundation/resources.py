"""Where the files lie that are shipped beside the code: inside the wheel, or in the checkout."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]


def shipped(name: str) -> Path:
    """`shipped("web")`, `shipped("hardware/pins.toml")`."""
    inside = _PACKAGE / name
    return inside if inside.exists() else _PACKAGE.parent / name


def package_folder(package: str, name: str) -> Path | None:
    """The folder of that name inside a Python package, if it has one."""
    folder = Path(str(files(package))) / name
    return folder if folder.is_dir() else None
