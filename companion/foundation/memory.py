"""What the C library does with memory that is no longer needed.

Pictures come and go by the megabyte, in a dozen threads, among small things that stay. Left to
itself glibc keeps a heap for nearly every thread and gives back only what lies at a heap's end: a
box that plays for hours grows by the holes in between, though nothing is kept."""

from __future__ import annotations

import ctypes

_MMAP_THRESHOLD = -3
_ARENA_MAX = -8
"""M_MMAP_THRESHOLD and M_ARENA_MAX of glibc's malloc.h."""
_PICTURE_BYTES = 1 << 20
"""A block this large is a picture."""
_HEAPS = 2
"""For all threads together: most of the time only one runs, as Python has it."""


def give_back_pictures() -> None:
    """Have glibc give the memory of pictures back: else it keeps every block it has ever freed
    that is smaller than the largest one. Called before the threads that look are started."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):
        libc.mallopt(_MMAP_THRESHOLD, _PICTURE_BYTES)
        libc.mallopt(_ARENA_MAX, _HEAPS)


def give_back_holes() -> None:
    """Have glibc give back every page of its heaps that nothing lies on; a few milliseconds."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "malloc_trim"):
        libc.malloc_trim(0)
