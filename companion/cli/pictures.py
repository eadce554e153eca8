"""Pictures that commands write."""

from __future__ import annotations

from pathlib import Path

import cv2

from companion.foundation.errors import BadInput
from companion.foundation.files import replace_file
from companion.foundation.messages import N_
from companion.vision.crops import Image

_DRAWN = (".png", ".jpg", ".jpeg")
"""How pictures are written."""


def drawable(path: Path | None) -> None:
    """Said before any work is done."""
    if path is not None and path.suffix.lower() not in _DRAWN:
        raise BadInput(
            "end-picture-s-name", N_("%(path)s: end the picture's name in .png or .jpg"), path=path
        )


def write_picture(path: Path, image: Image) -> None:
    _, data = cv2.imencode(path.suffix.lower(), image)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, data.tobytes())
    except OSError as error:
        raise BadInput(
            "cannot-written-2",
            N_("%(path)s: cannot be written (%(why)s)"),
            path=path,
            why=error.strerror,
        ) from None
