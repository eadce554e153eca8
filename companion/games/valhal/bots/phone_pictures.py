"""Settlements and dice as a phone sees them, with books that say the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.core.game import Setup
from companion.core.notation import Seat
from companion.games.valhal import rules as valhal
from companion.games.valhal.bots.invented_copy import SHEET
from companion.games.valhal.bots.mat import Mat
from companion.games.valhal.layout import ZONES
from companion.games.valhal.rules.state import Player, Project, State
from companion.games.valhal.rules.vocabulary import Fill, Kind, Pay
from companion.scanning.scanner import ScannedView, Subject
from companion.sim.boards import BoardsOnTable
from companion.sim.phones import (
    USUAL,
    PhoneShot,
    ScanDrill,
    as_jpeg,
    as_on_board,
    board_taken,
    phone_rng,
)
from companion.sim.steps import Lying, names
from companion.sim.virtual_table import pieces_of
from companion.vision.boards.template import template

SEATS = 4
_FILLS = (Fill.EMPTY, Fill.TOKEN, Fill.COIN)
_JITTER_MM = 1.2
_ASKEW = 2.5
"""How far from its place, and by how many degrees askew, people lay a piece."""


def settlement(seed: int) -> ScanDrill:
    """One Jarl's settlement, anything on it that the rules know a place for."""
    rng = phone_rng(seed)
    setup = Setup("valhal", names(SEATS))
    state = with_settlements(replace(valhal.start(setup), sheet=SHEET), rng)
    seat = state.seats[int(rng.integers(SEATS))]
    return settlement_of(setup, state, seat, seed)


def settlement_of(
    setup: Setup, state: State, seat: Seat, seed: int, how: PhoneShot = USUAL
) -> ScanDrill:
    """The settlement of that Jarl, as the books of this state have it."""
    rng = phone_rng(seed)
    letters = [str(each) for each in state.seats]
    boards = BoardsOnTable(ZONES, letters, seed)
    faces = {face.face.label: face for face in pieces_of("valhal")}
    lying = [_by_hand(each, rng) for each in Mat(rng).shown_on(state).values()]
    pieces = [(each, faces[each.face]) for each in lying if each.kind == "card"]
    picture = board_taken(boards, str(seat), pieces, rng, how)
    return ScanDrill(
        setup,
        state,
        Subject("settlement", seat, on_places=True),
        as_jpeg(picture.image),
        (_perfect(state, seat, boards),),
        boards.enrolled(),
    )


def with_settlements(state: State, rng: np.random.Generator) -> State:
    """The same game with other settlements: whatever may lie there."""
    players = tuple(_player(each, rng) for each in state.players)
    return replace(state, players=players)


def _player(player: Player, rng: np.random.Generator) -> Player:
    kinds = [Kind(each) for each in rng.permutation([str(kind) for kind in Kind])]
    many = int(rng.integers(0, 5))
    return replace(
        player,
        food=tuple(_FILLS[int(rng.integers(3))] for _ in range(4)),
        glory=int(rng.integers(0, 21)),
        favour=int(rng.integers(0, 3)),
        projects=tuple(_project(kind, rng) for kind in kinds[:many]),
    )


def _project(kind: Kind, rng: np.random.Generator) -> Project:
    stages = SHEET.back(kind).stages or 1
    pays = [Pay.COIN, Pay.WOOD, Pay.IRON]
    pay = tuple(pays[at] for at in sorted(rng.permutation(3)[: int(rng.integers(0, 4))]))
    return Project(kind, left=int(rng.integers(1, stages + 1)), pay=pay, fresh=False)


def _by_hand(one: Lying, rng: np.random.Generator) -> Lying:
    dx, dy = np.clip(rng.normal(0, _JITTER_MM / 2, 2), -_JITTER_MM, _JITTER_MM)
    lean = float(rng.normal(0, _ASKEW))
    return replace(one, x=one.x + float(dx), y=one.y + float(dy), turn=one.turn + lean)


def _perfect(state: State, seat: Seat, boards: BoardsOnTable) -> ScannedView:
    board = next(each for each in boards.enrolled().boards if each.owner == str(seat))
    mine = template(ZONES, str(seat))
    if mine is None:
        raise ValueError(f"{seat} has no places")
    sizes = {face.face.label: (face.face.width, face.face.height) for face in pieces_of("valhal")}
    left, top, right, bottom = mine.on_mat
    lying = [
        as_on_board(board, mine.on_mat, upside_down=mine.upside_down, one=one, size=sizes[one.face])
        for one in Mat(np.random.default_rng(0)).shown_on(state).values()
        if one.kind == "card" and left <= one.x <= right and top <= one.y <= bottom
    ]
    return ScannedView(tuple(lying), {p.name: p.outline for p in board.places}, str(seat))
