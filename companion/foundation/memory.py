"""What the C library does with memory that pictures no longer need."""

from __future__ import annotations

import ctypes

_MMAP_THRESHOLD = -3
"""M_MMAP_THRESHOLD of glibc's malloc.h."""
_PICTURE_BYTES = 1 << 20
"""A block this large is a picture."""


def give_back_pictures() -> None:
    """Have glibc give the memory of pictures back: else it keeps every block it has ever freed
    that is smaller than the largest one."""
    if hasattr(libc := ctypes.CDLL(None), "mallopt"):
        libc.mallopt(_MMAP_THRESHOLD, _PICTURE_BYTES)
