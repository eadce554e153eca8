"""Makes the printable parts of the camera mount (hardware/mount/*.stl) from mount.scad.

`tools/mount.py` makes them with OpenSCAD; `--check` only looks whether they were made from the
mount.scad that is there.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "hardware" / "mount"
SOURCE = FOLDER / "mount.scad"
SUMS = FOLDER / "SHA256SUMS"  # of the source and of the parts made from it
PARTS = ("foot", "elbow", "head", "tripod_head")


def summed() -> str:
    files = (SOURCE, *(FOLDER / f"{part}.stl" for part in PARTS))
    return "".join(
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files
    )


def make() -> None:
    for part in PARTS:
        print(f"{part}.stl")
        subprocess.run(  # noqa: S603 - our own words
            [
                shutil.which("openscad") or "openscad",
                *("-q", "--export-format", "binstl"),
                *("-D", f'part="{part}"', "-o", str(FOLDER / f"{part}.stl"), str(SOURCE)),
            ],
            check=True,
        )
    SUMS.write_text(summed())


def main(arguments: list[str]) -> int:
    if "--check" in arguments:
        try:
            same = SUMS.read_text() == summed()
        except FileNotFoundError:
            same = False
        print("the parts are those of mount.scad" if same else "mount.scad has changed: make them")
        return 0 if same else 1
    if shutil.which("openscad") is None:
        print("openscad is not installed: sudo apt install openscad", file=sys.stderr)
        return 2
    make()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
