"""Memory that pictures leave behind goes back to the machine."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

LEFT_BEHIND = """
from pathlib import Path
from companion.foundation.memory import give_back_holes

def own_kb():
    rows = (line.split() for line in Path("/proc/self/smaps_rollup").open())
    return sum(int(row[1]) for row in rows if row[0] == "Anonymous:")

blocks = [bytearray(100_000) for _ in range(1000)]
full = own_kb()
kept = blocks[::20]  # holes all over: the end of the heap is never free
del blocks
before = own_kb()
give_back_holes()
print(full, before, own_kb())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")
def test_holes_are_given_back() -> None:
    told = subprocess.run(
        [sys.executable, "-c", LEFT_BEHIND], capture_output=True, text=True, check=True, timeout=60
    )
    full, before, after = map(int, told.stdout.split())
    assert before > full - 20_000, "glibc keeps them by itself"
    assert after < full - 70_000
