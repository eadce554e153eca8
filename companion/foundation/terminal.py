"""What a command tells while it works."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

import click

T = TypeVar("T")
_PATIENCE = 2.0
"""Seconds after which people want to know how far it is."""


def counted(items: Sequence[T]) -> Iterator[T]:
    """Each in turn; a line on the terminal while that takes long."""
    begun = time.monotonic()
    for number, item in enumerate(items, 1):
        yield item
        if sys.stderr.isatty() and time.monotonic() - begun > _PATIENCE:
            click.echo(f"\r{number} of {len(items)} ", nl=number == len(items), err=True)
