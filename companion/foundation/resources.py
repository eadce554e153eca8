"""Where the files lie that are shipped beside the code: inside the wheel, or in the checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parents[1]


def shipped(name: str) -> Path:
    """`shipped("web")`, `shipped("hardware/pins.toml")`."""
    inside = _PACKAGE / name
    return inside if inside.exists() else _PACKAGE.parent / name
