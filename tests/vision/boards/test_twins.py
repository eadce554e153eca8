"""Boards of one print: each was photographed by itself, and none gets another Jarl's name."""

from __future__ import annotations

import numpy as np
import pytest

from companion.sim.faces.board_prints import BoardPrint
from companion.vision.boards.finding import BoardFinder
from companion.vision.boards.following import BoardFollower, Whereabouts
from companion.vision.crops import Image
from tests.vision.boards.photographs import PRINT, At, enrolled, quad_of, table_picture

A, B = enrolled("Anna", seed=1, owner="A"), enrolled("Ben", seed=2, owner="B")
LEFT, RIGHT = At(330, 420, 20), At(950, 330, 190)
OTHER = BoardPrint("chart", 8, (180.0, 120.0))


def follower() -> BoardFollower:
    return BoardFollower([A, B])


def seen(*where: At, seed: int = 0) -> Image:
    return table_picture([(PRINT, at) for at in where], seed)


def lies(follower: BoardFollower, name: str, at: At) -> bool:
    """Whether that board, and it alone of that name, is taken to lie there, exactly."""
    (one,) = [each for each in follower.found if each.board.name == name]
    return bool(np.abs(one.quad - quad_of(PRINT, at)).max() < 4)


def test_one_print_photographed_twice_and_measured_differently_is_known_as_one() -> None:
    assert A.jpeg != B.jpeg
    assert A.size_mm != B.size_mm
    assert [len(group) for group in BoardFinder([A, B]).copies] == [2]


def test_one_print_is_known_as_one_whichever_corner_its_owner_began_with() -> None:
    turned = enrolled("Ben", BoardPrint("landscape", 5, (200.0, 120.0)), seed=4)
    assert [len(group) for group in BoardFinder([A, turned]).copies] == [2]


def test_different_prints_are_no_twins() -> None:
    other = enrolled("Mainland", OTHER, seed=3)
    like = enrolled("Carl", BoardPrint("landscape", 6, (200.0, 120.0)), seed=3)
    assert [len(group) for group in BoardFinder([A, other, like]).copies] == [1, 1, 1]


def test_twins_all_in_view_lie_before_their_owners() -> None:
    eyes = follower()
    eyes.begin(seen(LEFT, RIGHT))
    assert lies(eyes, "Anna", LEFT)
    assert lies(eyes, "Ben", RIGHT)
    assert eyes.nameless == ()


def test_one_of_two_twins_in_view_is_nobodys_until_people_say_whose_it_is() -> None:
    eyes = follower()
    eyes.begin(seen(RIGHT))
    assert eyes.found == ()
    (one,) = eyes.nameless
    assert {each.name for each in eyes.candidates(one)} == {"Anna", "Ben"}
    assert not eyes.name(0, "Carl")
    assert eyes.name(0, "Ben")
    assert lies(eyes, "Ben", RIGHT)
    eyes.follow(seen(LEFT, RIGHT, seed=2))
    assert lies(eyes, "Anna", LEFT)  # only Anna's is left
    assert lies(eyes, "Ben", RIGHT)


@pytest.mark.parametrize("back", [(LEFT, RIGHT), (RIGHT, LEFT)])
def test_twins_that_were_both_out_of_sight_are_known_by_where_they_lay(
    back: tuple[At, At],
) -> None:
    eyes = follower()
    eyes.begin(seen(LEFT, RIGHT))
    eyes.follow(seen())
    assert eyes.found == ()
    eyes.follow(seen())
    for look in range(3):
        eyes.follow(seen(*back, seed=look))
    assert lies(eyes, "Anna", LEFT)
    assert lies(eyes, "Ben", RIGHT)


def test_a_twin_that_comes_back_between_both_places_is_asked_about() -> None:
    eyes = follower()
    eyes.begin(seen(LEFT, RIGHT))
    eyes.follow(seen())
    eyes.follow(seen(At(640, 375, 10)))
    assert eyes.found == ()
    assert len(eyes.nameless) == 1


def test_opposite_each_other_it_is_not_clear_whose_is_whose() -> None:
    eyes = follower()
    eyes.begin(seen(At(640, 560), At(640, 170, 180)))
    assert eyes.found == ()
    assert len(eyes.nameless) == 2
    assert eyes.name(0, "Ben")
    assert len(eyes.found) == 1
    eyes.follow(seen(At(640, 560), At(640, 170, 180), seed=3))
    assert {each.board.name for each in eyes.found} == {"Anna", "Ben"}


def test_what_was_learnt_of_their_places_lasts_when_the_eye_is_made_anew() -> None:
    lay: Whereabouts = {}
    BoardFollower([A, B], lay).begin(seen(LEFT, RIGHT))
    eyes = BoardFollower([enrolled("Anna", seed=1, owner="A"), B], lay)
    eyes.begin(seen(RIGHT))
    assert lies(eyes, "Ben", RIGHT)


def test_boards_that_are_not_there_are_not_sought_after_every_stir() -> None:
    """Seeking is what costs: it is counted by how often a board that came is missed."""
    others = [BoardPrint("chart", number, (150.0, 100.0)) for number in (1, 2)]
    boards = [A, *(enrolled(f"in the box {each.seed}", each) for each in others)]
    eyes = BoardFollower(boards)
    eyes.begin(seen(LEFT))
    for look in range(5):
        eyes.follow(seen(LEFT, seed=look))
    later = table_picture([(PRINT, LEFT), (others[0], RIGHT)])
    waited = 0
    while len(eyes.found) < 2:
        eyes.follow(later)
        waited += 1
    assert 1 < waited <= 17
