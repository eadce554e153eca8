"""Files that are no pictures, or strange ones: one sentence each, or the right pixels."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from companion.foundation.errors import BadInput
from companion.vision.pictures import phone_picture, read_picture


def test_the_pixels_of_a_plain_picture_are_blue_green_red(tmp_path: Path) -> None:
    Image.new("RGB", (40, 30), (200, 100, 50)).save(tmp_path / "a.png")
    image = read_picture(tmp_path / "a.png")
    assert image.shape == (30, 40, 3)
    assert image[0, 0].tolist() == [50, 100, 200]


def test_a_turned_photograph_stands_upright(tmp_path: Path) -> None:
    picture = Image.new("RGB", (60, 30))
    picture.paste((255, 0, 0), (0, 0, 20, 30))
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was held a quarter turn clockwise
    picture.save(tmp_path / "a.jpg", exif=exif, quality=95)
    image = read_picture(tmp_path / "a.jpg")
    assert image.shape[:2] == (60, 30)
    assert image[5, 15, 2] > 200
    assert image[55, 15, 2] < 60


@pytest.mark.parametrize(
    "note",
    [
        b"II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01",  # ends within
        b"II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x02\x00\x04\x00\x00\x00six\x00\x00\x00\x00\x00",
        b"no",
    ],
)
def test_a_damaged_note_on_how_it_was_held_spoils_no_picture(tmp_path: Path, note: bytes) -> None:
    exif = b"Exif\x00\x00" + note
    Image.new("RGB", (60, 30)).save(tmp_path / "a.jpg", exif=exif)
    assert read_picture(tmp_path / "a.jpg").shape[:2] == (30, 60)


@pytest.mark.parametrize("mode", ["L", "P", "CMYK", "1", "LA", "RGBA"])
def test_every_kind_of_pixel_is_read(tmp_path: Path, mode: str) -> None:
    suffix = "tif" if mode == "CMYK" else "png"
    Image.new("RGB", (40, 30), (250, 250, 250)).convert(mode).save(tmp_path / f"a.{suffix}")
    assert read_picture(tmp_path / f"a.{suffix}").mean() > 200


def test_what_shows_through_is_white(tmp_path: Path) -> None:
    Image.new("RGBA", (40, 30), (0, 0, 0, 0)).save(tmp_path / "a.png")
    assert read_picture(tmp_path / "a.png").min() == 255


def test_sixteen_bits_become_eight(tmp_path: Path) -> None:
    deep = np.full((30, 40), 32768, np.uint16)
    deep[0, 0] = 65535
    Image.fromarray(deep).save(tmp_path / "a.png")
    image = read_picture(tmp_path / "a.png")
    assert abs(int(image[20, 20, 0]) - 128) < 3


def _png_header(width: int, height: int) -> bytes:
    body = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", body) + _chunk(b"IDAT", b"") + _chunk(b"IEND", b"")
    )


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


@pytest.mark.parametrize(
    ("name", "data", "word"),
    [
        ("empty.jpg", b"", "not a picture"),
        ("text.jpg", b"hello there, no picture in here", "not a picture"),
        ("huge.png", _png_header(12000, 9000), "megapixels"),
        ("bomb.png", _png_header(60000, 60000), "megapixels"),
        ("tiny.png", None, "1 x 1"),
        ("cut.jpg", None, "only part"),
    ],
)
def test_bad_files_get_one_sentence(
    tmp_path: Path, name: str, data: bytes | None, word: str
) -> None:
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    elif name == "tiny.png":
        Image.new("RGB", (1, 1)).save(path)
    else:
        noise = np.random.default_rng(1).integers(0, 256, (200, 200, 3)).astype(np.uint8)
        Image.fromarray(noise).save(path)
        path.write_bytes(path.read_bytes()[:4000])
    with pytest.raises(BadInput, match=word) as caught:
        read_picture(path)
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such file"):
        read_picture(tmp_path / "none.jpg")
    with pytest.raises(BadInput, match="a folder"):
        read_picture(tmp_path)


def test_a_phones_forty_eight_megapixels_are_reduced_while_they_are_unpacked() -> None:
    large = BytesIO()
    Image.new("RGB", (8000, 6000), (90, 120, 60)).save(large, "JPEG")
    assert max(phone_picture(large.getvalue(), "large.jpg", 1600).shape) == 1600


def test_a_huge_picture_that_cannot_be_reduced_is_refused() -> None:
    large = BytesIO()
    Image.new("L", (8000, 6000), 90).save(large, "PNG")
    with pytest.raises(BadInput, match="megapixels"):
        phone_picture(large.getvalue(), "large.png", 1600)


def test_heic_is_told_from_what_is_no_picture() -> None:
    with pytest.raises(BadInput, match="HEIC"):
        phone_picture(b"\0\0\0\x18ftypheic" + b"\0" * 99, "a.heic", 1600)
