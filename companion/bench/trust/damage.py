"""Damages a file as cards, sticks and strangers do: bits flip, bytes and whole pages are
overwritten, cut out, doubled or moved, the end is missing."""

from __future__ import annotations

from random import Random

PAGE = 4096
"""Bytes of a page of SQLite's."""
_TELLING = (b"\x00", b"\xff", b"\x7f\xff\xff\xff", b"-1", b"1e999", b"\xc3\x28", b"[" * 40, b"%s")
"""What programs stumble over."""


def damaged(data: bytes, rng: Random) -> bytes:
    """Another version of the file, with one to eight faults."""
    wounded = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        _wound(wounded, rng)
    return bytes(wounded)


def _flip(data: bytearray, at: int, rng: Random) -> None:
    data[at] ^= 1 << rng.randrange(8)


def _other_byte(data: bytearray, at: int, rng: Random) -> None:
    data[at] = rng.randrange(256)


def _cut_out(data: bytearray, at: int, rng: Random) -> None:
    del data[at : at + rng.randrange(1, 60)]


def _put_in(data: bytearray, at: int, rng: Random) -> None:
    data[at:at] = rng.choice(_TELLING)


def _overwrite(data: bytearray, at: int, rng: Random) -> None:
    data[at : at + 4] = rng.choice(_TELLING)


def _double(data: bytearray, at: int, rng: Random) -> None:
    data[at:at] = data[at : at + rng.randrange(1, 200)]


def _cut_off(data: bytearray, at: int, _: Random) -> None:
    del data[at:]


def _noise(data: bytearray, at: int, rng: Random) -> None:
    page = at // PAGE * PAGE
    data[page : page + PAGE] = rng.randbytes(min(PAGE, len(data) - page))


def _another_page(data: bytearray, at: int, rng: Random) -> None:
    page, other = at // PAGE * PAGE, rng.randrange(len(data)) // PAGE * PAGE
    data[page : page + PAGE] = data[other : other + PAGE]


_WOUNDS = (
    _flip, _other_byte, _cut_out, _put_in, _overwrite, _double, _cut_off, _noise, _another_page,
)  # fmt: skip


def _wound(data: bytearray, rng: Random) -> None:
    if data:
        rng.choice(_WOUNDS)(data, rng.randrange(len(data)), rng)
    else:
        data += rng.randbytes(rng.randrange(40))
