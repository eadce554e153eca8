"""How well the places of boards are read on rendered tables: empty, token, how many, marker on a
track, card and turn."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from companion.bench.figure import Figure
from companion.core.catalog import game_named
from companion.core.game import Setup
from companion.foundation.errors import BadInput
from companion.foundation.frames import Frame
from companion.foundation.messages import N_
from companion.sim.boards import BoardsOnTable
from companion.sim.faces.board_prints import HELD_OUT
from companion.sim.steps import Lying
from companion.sim.virtual_table import Painter, ViewSettings, pieces_of
from companion.tabletop.layout import Layout, games_with_boards, layouts
from companion.tabletop.standing import StandingPiece, standing
from companion.tabletop.zones import Outline, centre, size
from companion.vision.boards.kept import boards_file
from companion.vision.crops import Image
from companion.watch.board_eye import BoardEye
from companion.watch.eyes import Eyes

FIRST_SEED = 700
"""Nothing was tried out on the tables from here on."""
_SIZE = (1920, 1080)
_LOOKS = 34
"""Pictures until the table is read for sure."""
_FILLED = 0.5
_CARDS = 0.7
"""How often a place has something on it, and how often that is a card where one fits."""
_TRACK_MM = 15.0
"""Places as narrow as this are spaces of a track, which bears one marker."""
_TOKEN_MM = 24.0
_LEAST_RIGHT, _MOST_WRONG = 0.997, 0.001
Standing = dict[str, tuple[StandingPiece, ...]]


@dataclass(slots=True)
class PlaceCount:
    right: int = 0
    wrong: int = 0
    places: int = 0

    def add(self, truth: Standing, seen: Standing, tokens: frozenset[str]) -> None:
        for place, pieces in truth.items():
            self.places += 1
            mine, its = (_told(each, tokens) for each in (pieces, seen.get(place, ())))
            self.right += mine == its
            self.wrong += mine != its and "" not in {label for label, _ in its}


def measure_places(*, quick: bool) -> Iterator[Figure]:
    """On boards of styles never tried out, of the first game that has boards."""
    game = min(games_with_boards())
    layout, count = layouts()[game], PlaceCount()
    for seed in range(FIRST_SEED, FIRST_SEED + (1 if quick else 12)):
        with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
            read_one(Path(folder), game, layout, seed, count)
    right, wrong = count.right / count.places, count.wrong / count.places
    yield Figure(
        f"places read right, of {count.places} on boards", 100 * right, "%", ">= 99.7 %",
        right >= _LEAST_RIGHT,
    )  # fmt: skip
    yield Figure("places read wrong", 100 * wrong, "%", "<= 0.1 %", wrong <= _MOST_WRONG)


def read_one(folder: Path, game: str, layout: Layout, seed: int, count: PlaceCount) -> None:
    """One table: what lies there, and what is read of it."""
    rng = np.random.default_rng([FIRST_SEED, seed])
    rules = game_named(game)
    setup = Setup(game, ("Anna", "Ben", "Cleo")[: max(2, min(3, rules.SEATS[-1]))])
    seats = [seat.name for seat in rules.start(setup).seats]
    boards = BoardsOnTable(layout.zones, seats, seed, tuple(HELD_OUT))
    file = boards_file(folder, game)
    file.parent.mkdir(parents=True)
    boards.enrolled().save(file)
    zones = {n: o for n, o in layout.zones.items() if "." not in n or n.partition(".")[0] in seats}
    table = tuple(_lying(zones, layout.deck, rng))
    painter = Painter(layout.deck, ViewSettings(_SIZE, seed=seed, boards=boards))
    eye = _eye(folder, setup, painter.still(()))
    picture = painter.still(tuple(each for _, each in table))
    looks = [eye.observe(Frame(picture, 10 + 0.1 * n, 100 + n)) for n in range(_LOOKS)]
    truth: dict[str, list[StandingPiece]] = {name: [] for name in zones}
    for place, one in table:
        turn = round(one.turn / 90) % 4 * 90
        truth[place].append(StandingPiece(layout.word_of(one.face), turn))
    tokens = frozenset(map(layout.word_of, _tokens(layout.deck)))
    told = {name: tuple(sorted(pieces)) for name, pieces in truth.items()}
    count.add(told, standing(looks[-1].sightings, eye.zones), tokens)


def _eye(folder: Path, setup: Setup, bare: Image) -> BoardEye:
    eye = Eyes(folder, lambda _notice: None)(setup, Frame(bare, 0.0, 1))
    if not isinstance(eye, BoardEye):
        raise BadInput("no-board-found", N_("no board was found on the rendered table"))
    for number in range(2, 8):
        eye.observe(Frame(bare, 0.1 * number, number))
    return eye


def _tokens(deck: str) -> list[str]:
    return [e.face.label for e in pieces_of(deck) if max(e.face.width, e.face.height) < _TOKEN_MM]


def _lying(
    zones: Mapping[str, Outline], deck: str, rng: np.random.Generator
) -> Iterator[tuple[str, Lying]]:
    """Pieces on some of the places: one marker on each track, tokens on small places, several on
    larger ones, and cards where they fit."""
    marked: set[str] = set()
    for name in rng.permutation(list(zones)).tolist():
        track = name.rpartition("-")[0]
        if size(zones[name])[0] >= _TRACK_MM:
            if rng.random() < _FILLED:
                yield from ((name, each) for each in _filled(name, zones[name], deck, rng))
        elif track not in marked:
            marked.add(track)
            yield name, Lying(name, _marker(deck), *centre(zones[name]))


def _marker(deck: str) -> str:
    tokens = _tokens(deck)
    return "marker" if "marker" in tokens else tokens[0]


def _filled(name: str, place: Outline, deck: str, rng: np.random.Generator) -> Iterator[Lying]:
    """A card, if one fits, or a token or two."""
    (wide, high), (x, y), tokens = size(place), centre(place), _tokens(deck)
    cards = [each.face for each in pieces_of(deck) if each.face.label not in tokens]
    fits = [f.label for f in cards if f.width <= wide + 1 and f.height <= high + 1]
    if fits and rng.random() < _CARDS:
        turn = 90.0 * rng.integers(4) + rng.normal(0, 3)
        yield Lying(name, str(rng.choice(fits)), x, y, float(turn) % 360)
        return
    many = int(rng.integers(1, 3)) if wide > 2 * _TOKEN_MM else 1
    for at in range(many):
        beside = x + (at - (many - 1) / 2) * 1.2 * _TOKEN_MM
        yield Lying(f"{name}-{at}", str(rng.choice(tokens)), beside, y)


def _told(pieces: tuple[StandingPiece, ...], tokens: frozenset[str]) -> tuple[tuple[str, int], ...]:
    """Tokens are round: their turn does not matter."""
    return tuple((e.label, 0 if e.label in tokens else e.turn) for e in pieces)
