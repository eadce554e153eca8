"""The zones as people have dragged them on the page: one TOML file in the data folder. What nobody
moved is where the mat has it, with or without a mat."""

from __future__ import annotations

import math
import threading
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.foundation.errors import BadInput
from companion.foundation.files import replace_file
from companion.foundation.messages import N_, Message
from companion.tabletop.layout import zones_by_game
from companion.tabletop.mat import MAT
from companion.tabletop.polygons import box_about, inside
from companion.tabletop.zones import Outline, centre

FILE = "zones.toml"
LEAST_SIDE_MM = 10.0
"""A smaller zone could not be hit with a card, nor dragged with a thumb."""
MOST_BYTES = 100_000
"""Far more than every zone of every game."""

Box = tuple[float, float, float, float]
"""Left, top, width, height."""


class KeptZones(Mapping[str, Mapping[str, Outline]]):
    """By game and name. Any thread may look or move; a move is on the disk before it counts."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE
        self._lock = threading.Lock()
        self._moved: dict[str, dict[str, Box]] = {}
        self.trouble: Message | None = None
        """Why the file was not taken over, if there was one."""
        try:
            self._moved = _read(self._file)
        except BadInput as damaged:
            self.trouble = damaged.message
        self._zones = _together(self._moved)

    def __getitem__(self, game: str) -> Mapping[str, Outline]:
        return self._zones[game]

    def __iter__(self) -> Iterator[str]:
        return iter(self._zones)

    def __len__(self) -> int:
        return len(self._zones)

    def moved(self, game: str) -> bool:
        """Is any zone of it elsewhere than on the mat?"""
        return bool(self._moved.get(game))

    def move(self, game: str, name: str, box: Box) -> None:
        """One zone elsewhere; raises `BadInput` and leaves all as they were."""
        with self._lock:
            zones = self._zones.get(game)
            if zones is None or name not in zones:
                raise BadInput(
                    "has-no-zone", N_("%(game)s has no zone %(name)s."), game=game, name=repr(name)
                )
            _check(name, box, zones)
            left, top, wide, high = (round(value, 1) for value in box)
            games = {**self._moved, game: {**self._moved.get(game, {})}}
            games[game][name] = (left, top, wide, high)
            self._keep(games)

    def reset(self, game: str) -> None:
        """All zones of the game where the mat has them."""
        if game not in self._zones:
            raise BadInput(
                "no-game-with-zones", N_("No game with zones is called %(game)s."), game=repr(game)
            )
        with self._lock:
            self._keep({each: zones for each, zones in self._moved.items() if each != game})

    def _keep(self, moved: dict[str, dict[str, Box]]) -> None:
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self._file, _written(moved).encode())
        except OSError as broken:
            raise BadInput(
                "zones-cannot-kept-they",
                N_("The zones cannot be kept in %(file)s (%(why)s); they are as before."),
                file=self._file,
                why=broken.strerror,
            ) from None
        self._moved, self._zones, self.trouble = moved, _together(moved), None


def box_of(outline: Outline) -> Box:
    """The box about a zone."""
    left, top, right, bottom = box_about(outline)
    return left, top, right - left, bottom - top


def _outline(box: Box) -> Outline:
    x, y, wide, high = box
    return ((x, y), (x + wide, y), (x + wide, y + high), (x, y + high))


def _together(moved: Mapping[str, Mapping[str, Box]]) -> dict[str, dict[str, Outline]]:
    return {
        game: {
            name: _outline(moved[game][name]) if name in moved.get(game, {}) else outline
            for name, outline in zones.items()
        }
        for game, zones in zones_by_game().items()
    }


def _check(name: str, box: Box, zones: Mapping[str, Outline]) -> None:
    x, y, wide, high = box
    if not all(math.isfinite(value) for value in box):
        raise BadInput(
            "zone-needs-four-numbers", N_("The zone %(name)s needs four numbers."), name=name
        )
    if wide < LEAST_SIDE_MM or high < LEAST_SIDE_MM:
        raise BadInput(
            "zone-would-too-small",
            N_("The zone %(name)s would be too small: %(least)s mm each way are the least."),
            name=name,
            least=f"{LEAST_SIDE_MM:g}",
        )
    slack = 0.05  # what rounding on the page may add
    if min(x, y) < -slack or x + wide > MAT[0] + slack or y + high > MAT[1] + slack:
        raise BadInput(
            "zone-would-reach-beyond",
            N_("The zone %(name)s would reach beyond the table."),
            name=name,
        )
    outline = _outline(box)
    for other, lies in zones.items():
        covers = inside(outline, centre(lies)) or inside(lies, centre(outline))
        if other != name and covers:
            raise BadInput(
                "zone-would-lie-on",
                N_("The zone %(name)s would lie on the zone %(other)s."),
                name=name,
                other=other,
            )


def _written(moved: Mapping[str, Mapping[str, Box]]) -> str:
    """Left, top, width and height of each zone that was moved, in millimetres."""
    return "".join(
        f"[{game}]\n" + "".join(f'"{name}" = {list(box)}\n' for name, box in zones.items())
        for game, zones in moved.items()
    )


def _read(file: Path) -> dict[str, dict[str, Box]]:
    try:
        if not file.exists():
            return {}
        with file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise ValueError
        return _checked(tomllib.loads(data.decode()))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise BadInput(
            "damaged-zones-on-mat",
            N_("%(file)s is damaged; the zones are as on the mat."),
            file=file,
        ) from None


def _checked(given: Any) -> dict[str, dict[str, Box]]:
    moved: dict[str, dict[str, Box]] = {}
    on_mat = zones_by_game()
    for game, zones in given.items():
        for name, (x, y, wide, high) in zones.items():
            box = (float(x), float(y), float(wide), float(high))
            _check(name, box, {name: on_mat[game][name]})
            moved.setdefault(game, {})[name] = box
    return moved
