"""`companion bench`: how fast this machine is. Times are measured here, never in a test."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from companion.bench.board_places import measure_places
from companion.bench.boards import measure_boards
from companion.bench.figure import Figure
from companion.bench.keeping import measure_appends, measure_replay, measure_resume
from companion.bench.page import measure_page
from companion.bench.scans import measure_scans
from companion.bench.statistics import measure_statistics
from companion.bench.table import measure_table
from companion.bench.vision import measure_vision
from companion.core.catalog import packs

__all__ = ["Figure", "measure"]


def measure(what: str = "all", *, quick: bool) -> Iterator[Figure]:
    """Each figure as soon as it is measured; nothing is left on the disk."""
    if what in ("all", "keeping"):
        yield from _keeping(quick=quick)
    if what in ("all", "statistics"):
        with tempfile.TemporaryDirectory(prefix="companion-bench-") as name:
            yield from measure_statistics(Path(name), quick=quick)
    if what in ("all", "vision"):
        yield from measure_vision(quick=quick)
    if what == "boards":  # takes some minutes, so it is not part of "all"
        yield from measure_boards(quick=quick)
        yield from measure_places(quick=quick)
    if what == "scans":  # draws some hundred pictures, so it is not part of "all"
        yield from measure_scans(quick=quick)
    if what == "table":  # watches a whole game, so it is not part of "all"
        with tempfile.TemporaryDirectory(prefix="companion-bench-") as name:
            yield from measure_table(Path(name), quick=quick)


def _keeping(*, quick: bool) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as name:
        folder = Path(name)
        for pack in packs().values():
            if pack.figures is not None:
                yield from pack.figures()(quick=quick)
        yield from measure_appends(folder, quick=quick)
        yield from measure_replay(folder, quick=quick)
        yield from measure_resume(folder, quick=quick)
        yield from measure_page(folder, quick=quick)
