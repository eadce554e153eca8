"""Frames: values that cannot be changed, and what can be measured on them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.foundation.frames import Frame, burnt, light, same_picture, sharpness


def frame(value: int = 100, number: int = 1, size: tuple[int, int] = (64, 48)) -> Frame:
    return Frame(np.full((size[1], size[0], 3), value, np.uint8), 0.0, number)


def test_a_frame_is_fixed_and_what_it_was_made_of_is_not() -> None:
    pixels = np.zeros((4, 6, 3), np.uint8)
    made = Frame(pixels, 1.5, 3)
    assert made.size == (6, 4)
    with pytest.raises(ValueError, match="read-only"):
        made.pixels[0] = 1
    pixels[0] = 1


@pytest.mark.parametrize(
    "pixels",
    [
        np.zeros((4, 6), np.uint8),
        np.zeros((4, 6, 4), np.uint8),
        np.zeros((4, 6, 3), np.float32),
        np.zeros((0, 6, 3), np.uint8),
    ],
)
def test_what_is_no_picture(pixels: np.ndarray) -> None:
    with pytest.raises(ValueError, match="pixel"):
        Frame(pixels, 0.0, 1)


def test_light_and_what_is_burnt() -> None:
    assert light(frame(0)) == 0
    assert light(frame(200)) == 200
    assert (burnt(frame(200)), burnt(frame(255))) == (0, 1)


def test_a_blurred_picture_is_less_sharp() -> None:
    board = (np.indices((96, 96)).sum(axis=0) // 8 % 2 * 255).astype(np.uint8)
    sharp = np.repeat(board[:, :, None], 3, axis=2)
    soft = np.asarray(cv2.GaussianBlur(sharp, (0, 0), 3), np.uint8)
    assert sharpness(Frame(sharp, 0, 1)) > 20 * sharpness(Frame(soft, 0, 1))


def test_the_same_picture() -> None:
    assert same_picture(frame(5), frame(6))  # by its number
    assert same_picture(frame(5, 1), frame(5, 2))
    assert not same_picture(frame(5, 1), frame(6, 2))
    assert not same_picture(frame(5, 1), frame(5, 2, (32, 48)))
