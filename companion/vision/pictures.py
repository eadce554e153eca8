"""Reading picture files, which may be anything: broken, huge, sixteen bits deep, or no picture."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import ExifTags
from PIL import Image as Files
from PIL.Image import Transpose

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_, Message, message
from companion.vision.crops import Image

MOST_PIXELS = 60_000_000
"""More would not fit into a Pi's memory beside everything else."""
MOST_UPLOADED_PIXELS = 30_000_000
"""Of a picture somebody sends while others play."""
_LARGEST_FILE_BYTES = 200 * 1024 * 1024
_LEAST_SIDE_PX = 16
"""In a smaller picture nothing can be seen."""
_UPRIGHT = {
    2: Transpose.FLIP_LEFT_RIGHT,
    3: Transpose.ROTATE_180,
    4: Transpose.FLIP_TOP_BOTTOM,
    5: Transpose.TRANSPOSE,
    6: Transpose.ROTATE_270,
    7: Transpose.TRANSVERSE,
    8: Transpose.ROTATE_90,
}
"""What makes a picture upright, by the Exif orientation its camera noted."""
_HEIC = (b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1")
"""How the pictures of many phones begin that Pillow does not read."""
KINDS = ("JPEG", "PNG", "WEBP", "BMP", "TIFF", "GIF", "PPM")
"""Pillow's names of the formats that are read."""


def read_picture(path: Path) -> Image:
    """The picture upright, with eight bits to a colour, as blue, green and red."""
    try:
        if path.is_dir():
            raise BadInput("folder-not-picture", N_("%(path)s: a folder, not a picture"), path=path)
        if path.stat().st_size > _LARGEST_FILE_BYTES:
            raise BadInput("larger-than-mb", N_("%(path)s: larger than 200 MB"), path=path)
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # Pillow warns of large pictures; they are refused below
            with Files.open(path, formats=KINDS) as file:
                return _pixels(path, file)
    except FileNotFoundError:
        raise BadInput("no-such-file", N_("%(path)s: no such file"), path=path) from None
    except PermissionError:
        raise BadInput("may-not-read", N_("%(path)s: may not be read"), path=path) from None
    except Files.DecompressionBombError:
        raise BadInput(
            "picture-too-large", "%(path)s: %(too_large)s", path=path, too_large=_too_large()
        ) from None
    except BadInput:
        raise
    except Exception:  # decoders raise whatever they stumble over
        raise BadInput(
            "not-picture-or-only", N_("%(path)s: not a picture, or only part of one"), path=path
        ) from None


def uploaded_picture(data: bytes, name: str, side_px: int) -> Image:
    """A picture somebody sent, upright, shrunk to about so many pixels a side."""

    def opened(file: Files.Image) -> Image:
        _check_size(name, file, MOST_UPLOADED_PIXELS)
        file.draft("RGB", (side_px, side_px))  # a JPEG need not be unpacked whole
        return _shrunk(name, file, side_px)

    return _sent(data, name, opened)


def phone_picture(data: bytes, name: str, side_px: int) -> Image:
    """A picture somebody took with a phone, upright and small, however many megapixels it has: a
    JPEG is reduced while it is unpacked. Raises `BadInput` in words for its sender."""
    if data[4:8] == b"ftyp" and data[8:12] in _HEIC:
        raise BadInput(
            "picture-heic",
            N_(
                "This picture is a HEIC file, which cannot be read here. Take it on this page, or "
                "let the phone save JPEG: on an iPhone in Settings, Camera, Formats, Most "
                "Compatible."
            ),
        )

    def opened(file: Files.Image) -> Image:
        file.draft("RGB", (side_px, side_px))
        _check_size(name, file, MOST_UPLOADED_PIXELS)
        return _shrunk(name, file, side_px)

    return _sent(data, name, opened)


def _shrunk(name: str, file: Files.Image, side_px: int) -> Image:
    file.thumbnail((side_px, side_px), Files.Resampling.BOX)
    return _pixels(name, file)


def _sent(data: bytes, name: str, opened: Callable[[Files.Image], Image]) -> Image:
    """What a file that somebody sent shows; anything that goes wrong is told in one sentence."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Files.open(BytesIO(data), formats=KINDS) as file:
                return opened(file)
    except Files.DecompressionBombError:
        far_too_large = _too_large(MOST_UPLOADED_PIXELS)
        raise BadInput(
            "picture-too-large", "%(path)s: %(too_large)s", path=name, too_large=far_too_large
        ) from None
    except BadInput:
        raise
    except Exception:  # decoders raise whatever they stumble over
        raise BadInput(
            "not-picture-or-only", N_("%(path)s: not a picture, or only part of one"), path=name
        ) from None


def small_picture(jpeg: bytes, size: tuple[int, int]) -> Image | None:
    """The pixels of a JPEG picture of exactly that size; None if it is anything else."""
    try:
        with Files.open(BytesIO(jpeg), formats=("JPEG",)) as file:
            if file.size != size:
                return None
            return np.ascontiguousarray(np.asarray(file.convert("RGB"))[..., ::-1])
    except Exception:  # decoders raise whatever they stumble over
        return None


def _too_large(most: int = MOST_PIXELS) -> Message:
    return message(
        "too-many-pixels",
        N_("more than %(most)s megapixels; make it smaller"),
        most=most // 1_000_000,
    )


def _pixels(path: Path | str, file: Files.Image) -> Image:
    _check_size(path, file)
    upright = _upright(file)
    if upright.mode.startswith(("I", "F")):
        upright = _eight_bits(upright)
    elif "A" in upright.mode or "transparency" in upright.info:
        white = Files.new("RGBA", upright.size, (255, 255, 255, 255))
        upright = Files.alpha_composite(white, upright.convert("RGBA"))
    rgb = np.asarray(upright.convert("RGB"))
    return np.ascontiguousarray(rgb[..., ::-1])


def _check_size(path: Path | str, file: Files.Image, most: int = MOST_PIXELS) -> None:
    width, height = file.size
    if width * height > most:
        raise BadInput(
            "picture-of-too-many-pixels",
            N_("%(path)s: %(width)s x %(height)s is %(too_large)s"),
            path=path,
            width=width,
            height=height,
            too_large=_too_large(most),
        )
    if min(width, height) < _LEAST_SIDE_PX:
        raise BadInput(
            "only-x-pixels-nothing",
            N_("%(path)s: only %(width)s x %(height)s pixels; nothing can be seen in it"),
            path=path,
            width=width,
            height=height,
        )


def _upright(file: Files.Image) -> Files.Image:
    """Turned as the camera was held. A picture whose Exif data are damaged stays as it is."""
    try:
        held = file.getexif().get(ExifTags.Base.Orientation, 1)
        turned = _UPRIGHT.get(held)
    except Exception:  # damaged Exif data may hold anything
        turned = None
    return file if turned is None else file.transpose(turned)


def _eight_bits(deep: Files.Image) -> Files.Image:
    """A picture of sixteen bits or floats in eight: what its kind calls white becomes 255."""
    values = np.asarray(deep, dtype=np.float32)
    values = np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)
    top = float(values.max())
    most = 65535.0 if top > 255 else 255.0 if top > 1 else 1.0
    return Files.fromarray(np.clip(values / most * 255, 0, 255).astype(np.uint8))
