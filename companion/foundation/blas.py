"""How many threads the library behind numpy computes with."""

from __future__ import annotations

import os

ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")


def one_thread_each() -> None:
    """One for each computation, here if numpy is not loaded yet, and in every process that is
    started from now on. Its threads wait for each other by spinning: on a machine that is busy with
    other things a computation of three seconds took a minute with two of them."""
    for name in ONE_THREAD:
        os.environ.setdefault(name, "1")
