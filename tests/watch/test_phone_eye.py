"""Pictures of places from a phone: on the mat with its markers, and on boards half in view."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from companion.core.game import Setup
from companion.core.notation import Seat
from companion.games.valhal import rules as valhal
from companion.games.valhal import scanning
from companion.games.valhal.bots.invented_copy import SHEET
from companion.games.valhal.bots.mat import Mat
from companion.games.valhal.bots.phone_pictures import settlement
from companion.games.valhal.rules.state import Project, State
from companion.games.valhal.rules.vocabulary import Fill, Kind
from companion.scanning.comparison import BooksSay, compared
from companion.scanning.scanner import Subject
from companion.sim.phones import as_jpeg
from companion.sim.virtual_table import Painter, ViewSettings
from companion.vision.boards.kept import boards_file
from companion.watch.phone_eye import PhoneEye

SETUP = Setup("valhal", ("Anna", "Ben"))

BESIDE_SEED = 2
"""Of a settlement with part of another one of the same print beside it."""


def table() -> State:
    """Both have food for summer and winter, a longboat half built, and some glory."""
    state = replace(valhal.start(SETUP), sheet=SHEET)
    food = (Fill.TOKEN, Fill.COIN, Fill.EMPTY, Fill.EMPTY)
    longboat = Project(Kind.LONGBOAT, left=2, fresh=False)
    players = tuple(
        replace(each, food=food, glory=4 + at, projects=(longboat,))
        for at, each in enumerate(state.players)
    )
    return replace(state, players=players)


def test_settlements_on_the_mat_are_read_for_either_side_of_the_table(tmp_path: Path) -> None:
    state = table()
    lying = tuple(Mat(np.random.default_rng(1)).shown_on(state).values())
    picture = Painter("valhal", ViewSettings((1600, 1200), seed=5)).still(lying)
    for seat in (Seat(0), Seat(1)):  # Ben sits at the far edge, where everything is upside down
        subject = Subject("settlement", seat, on_places=True)
        views = PhoneEye(tmp_path).look(SETUP, as_jpeg(picture, 95), "mat.jpg", subject)
        facts = scanning.read(state, subject, views)
        rows = compared(valhal, state, facts)
        assert len(rows) >= 6
        assert {row.outcome for row in rows} == {BooksSay.AGREES}


def test_of_boards_that_look_alike_the_one_most_in_view_is_the_one_asked_for(
    tmp_path: Path,
) -> None:
    drill = settlement(BESIDE_SEED)
    assert drill.boards is not None
    file = boards_file(tmp_path, "valhal")
    file.parent.mkdir(parents=True)
    drill.boards.save(file)
    views = PhoneEye(tmp_path).look(drill.setup, drill.picture, "board.jpg", drill.subject)
    (mine,) = (view for view in views if view.owner)
    assert mine.owner == str(drill.subject.seat)
    assert len(mine.alike) == 3
    assert len(mine.places) == len(drill.truth[0].places)
