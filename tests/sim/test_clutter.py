"""What else lies on tables: drawn, laid, and never taken down as a card or a die."""

from __future__ import annotations

import numpy as np
import pytest

from companion.sim.render import clutter, surfaces
from companion.sim.render.scene import Light, PropOn, camera, render


@pytest.mark.parametrize("kind", sorted(clutter.KINDS))
def test_every_thing_is_drawn_and_lies_on_the_table_without_being_named(kind: str) -> None:
    rng = np.random.default_rng(3)
    prop = clutter.prop(rng, (kind,))
    assert prop.cover.max() == 255
    assert prop.pixels.shape[:2] == prop.cover.shape
    view = camera(160, 160, 0.8)
    ground = np.full((160, 160, 3), 120, np.uint8)
    still = Light(hard=0.0, glare=0.0, blur=0.0, jpeg=False)
    bare = render(view, ground, [], still, np.random.default_rng(1))
    laid = render(view, ground, [PropOn(prop, 0, 0, 30.0)], still, np.random.default_rng(1))
    assert laid.truths == []
    assert np.abs(laid.image[60:100, 60:100].astype(int) - bare.image[60:100, 60:100]).max() > 20


def test_printed_cloth_has_figures_all_over() -> None:
    pieces = [surfaces.printed(np.random.default_rng(seed), 200, 200) for seed in range(8)]
    assert all(piece.shape == (200, 200, 3) for piece in pieces)
    assert np.mean([piece.std() for piece in pieces]) > 20
