"""Fetches picamera2's source, without installing or importing it, for the test that holds our
stand-in to the real signatures."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

TARGET = Path(__file__).parent.parent / "artefacts" / "picamera2"


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        done = subprocess.run(  # noqa: S603 - our own words
            [*pip, "--only-binary=:all:", "--dest", folder, "picamera2"], check=False
        )
        wheels = list(Path(folder).glob("*.whl"))
        if done.returncode or not wheels:
            print("picamera2 could not be fetched; is there a network?", file=sys.stderr)
            return 1
        with zipfile.ZipFile(wheels[0]) as wheel:
            wheel.extractall(TARGET)
        print(f"{wheels[0].name} is in {TARGET}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
