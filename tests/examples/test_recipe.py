"""docs/add-a-game.md shows the example as it is, and what else it shows works."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from companion.core.pack import GamePack
from companion.sim.faces import Faces
from companion.sim.faces.canvas import raster

pytestmark = pytest.mark.xdist_group("maumau")

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "add-a-game.md").read_text()
SHOWN = re.findall(r'^```\w+ title="([^"]+)"\n(.*?)^```$', PAGE, re.MULTILINE | re.DOTALL)
OTHERS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("name", "block"), SHOWN)
def test_every_part_that_is_shown_stands_in_the_example(name: str, block: str) -> None:
    file = (ROOT / "examples" / "maumau" / name).read_text()
    at = 0
    for part in block.split("...\n"):
        assert part.strip("\n") in file[at:], part
        at = file.index(part.strip("\n"), at)


def test_every_file_and_every_part_of_a_pack_is_told() -> None:
    files = {name for name, _ in SHOWN}
    package = ROOT / "examples" / "maumau" / "maumau"
    code = [*package.rglob("*.py"), *package.rglob("*.html")]
    assert {f"maumau/{file.relative_to(package)}" for file in code} <= files
    for part in GamePack.__dataclass_fields__:
        assert part in PAGE


def shown(number: int) -> dict[str, Any]:
    """A block as a module would have it."""
    names: dict[str, Any] = {"__name__": "shown"}
    exec(compile(OTHERS[number], "add-a-game.md", "exec"), names)
    return names


def test_the_faces_can_be_drawn() -> None:
    faces: Faces = shown(0)["FACES"]
    assert [face.label for face in faces.faces()] == ["d1", "d2", "d3", "d4", "d5", "mydeck-back"]
    assert all(raster(face, 2).std() > 5 for face in faces.faces())
    assert faces.box is not None
    assert len(faces.box()) == 5


def test_the_figures_are_measured() -> None:
    (figure,) = shown(1)["figures"](quick=True)
    assert figure.value > 0
    assert len(OTHERS) == 2
