"""From looks to changes: whatever flickers, nothing is told that did not happen."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from companion.tabletop.geometry import bump
from companion.tabletop.observations import Motion, Sighting, What
from companion.tracking.tracker import Patience, track
from tests.strategies import examples
from tests.tracking.looks import Look, Watcher, card, die, quad_at, shaken

R7, B8, G4 = card("r7", 150, 130), card("b8", 180, 130), card("g4", 300, 290)


def test_a_card_that_stays_is_told_once() -> None:
    watcher = Watcher()
    for _ in range(20):
        watcher.see(R7)
    assert watcher.said == [("appeared", "r7")]


def test_an_overlooked_card_is_found_by_the_next_look() -> None:
    watcher = Watcher()
    watcher.rest(R7, B8, frames=40)
    watcher.rest(B8, frames=8)
    watcher.rest(R7, B8)
    assert watcher.said == [("appeared", "r7"), ("appeared", "b8")]


def test_one_look_and_a_still_picture_are_enough() -> None:
    watcher = Watcher()
    watcher.rest(R7, frames=2)
    assert watcher.said == [("appeared", "r7")]


def test_a_card_taken_away_is_told_once() -> None:
    watcher = Watcher()
    watcher.rest(R7, B8, frames=40)
    watcher.hand()
    watcher.rest(B8, frames=20)
    assert watcher.said[2:] == [("vanished", "r7")]
    assert watcher.labels == ["b8"]


def test_a_card_nobody_looked_at_has_not_gone() -> None:
    watcher = Watcher()
    watcher.rest(R7, G4, frames=40)
    watcher.hand()
    for _ in range(6):
        watcher.see(G4, part=(200, 200, 400, 400))
    assert watcher.labels == ["r7", "g4"]
    for _ in range(6):
        watcher.see(G4)
    assert watcher.labels == ["g4"]


def test_a_card_pulled_back_at_once_is_withdrawn() -> None:
    watcher = Watcher()
    watcher.rest(R7, frames=40)
    watcher.hand()
    watcher.rest(R7, B8, frames=4)
    watcher.hand(3)
    watcher.rest(R7, looks=3)
    assert watcher.said == [("appeared", "r7"), ("appeared", "b8"), ("withdrawn", "b8")]


def test_a_sleeve_over_a_card_is_forgiven() -> None:
    watcher = Watcher()
    watcher.rest(R7, B8, frames=40)
    numbers = [thing.number for thing in watcher.memory.table]
    watcher.hand()
    watcher.rest(B8, looks=3)
    assert watcher.said[-1] == ("vanished", "r7")
    watcher.hand(3)
    watcher.rest(B8, R7)
    assert watcher.said[-1] == ("withdrawn", "r7")
    assert sorted(thing.number for thing in watcher.memory.table) == numbers


def test_what_has_gone_is_not_back_for_one_look_while_nothing_stirs() -> None:
    watcher = Watcher()
    watcher.rest(R7, B8, frames=40)
    watcher.hand()
    watcher.rest(B8, looks=3)
    watcher.rest(B8, R7, frames=4)  # made of the halves of others
    watcher.rest(B8, looks=3)
    assert watcher.labels == ["b8"]
    watcher.rest(B8, R7)
    watcher.see(B8, replace(R7, p=0.98))
    watcher.rest(B8, replace(R7, p=0.98))
    assert watcher.said[-1] == ("withdrawn", "r7")


def test_a_card_moved_keeps_its_number() -> None:
    watcher = Watcher()
    watcher.rest(R7, B8)
    before = watcher.memory.table[0]
    watcher.hand()
    watcher.rest(shaken(R7, 200, 40), B8)
    assert [str(each.what) for each in watcher.changes] == ["appeared", "appeared", "moved"]
    assert watcher.changes[-1].before == before
    assert watcher.changes[-1].thing.number == before.number


def test_a_card_turned_is_told_by_how_much() -> None:
    for turn in (90, 180, 270):
        watcher = Watcher()
        watcher.rest(card("warriors", 100, 100))
        watcher.hand()
        watcher.rest(card("warriors", 102, 99, turn=turn))
        assert [(each.what, each.by) for each in watcher.changes[1:]] == [(What.TURNED, turn)]


def test_a_back_that_becomes_a_face_is_flipped() -> None:
    watcher = Watcher()
    watcher.rest(card("valhalla-back", 100, 100))
    watcher.hand()
    watcher.rest(card("axe", 101, 101))
    assert watcher.said[1:] == [("flipped", "axe")]
    before = watcher.changes[-1].before
    assert before is not None
    assert before.label == "valhalla-back"


def test_dice_are_rolled_on_the_spot_and_across_the_tray() -> None:
    watcher = Watcher()
    watcher.rest(die(3, 50, 200), die(5, 90, 200))
    watcher.hand()
    watcher.rest(die(6, 51, 201), die(2, 120, 230))
    assert sorted(watcher.said[2:]) == [("rolled", 2), ("rolled", 6)]


def test_a_die_found_twice_by_one_look_is_one_die() -> None:
    """Dice are 12 millimetres wide or wider."""
    watcher = Watcher()
    watcher.rest(die(5, 34, 216), die(5, 27, 219), frames=10)
    assert watcher.labels == [5]
    watcher.hand()
    watcher.rest(die(5, 34, 216), die(5, 46, 216), frames=10)
    assert watcher.labels == [5, 5]


def test_a_die_found_aside_by_the_next_look_is_the_same_die() -> None:
    watcher = Watcher()
    watcher.rest(die(3, 40, 212), die(5, 71, 215))
    for _ in range(6):
        watcher.see(die(3, 33, 211), die(5, 69, 214))
    assert sorted(watcher.said) == [("appeared", 3), ("appeared", 5)]
    assert watcher.labels == [3, 5]
    assert not any(thing.covered for thing in watcher.memory.table)


def test_a_card_laid_on_a_pile_covers_it_and_bares_it_again() -> None:
    watcher = Watcher()
    watcher.rest(R7, frames=40)
    watcher.hand()
    watcher.rest(card("g9", 151, 131), frames=40)
    assert watcher.said == [("appeared", "r7"), ("appeared", "g9")]
    assert {thing.label: thing.covered for thing in watcher.memory.table} == {
        "r7": True,
        "g9": False,
    }
    watcher.hand()
    watcher.rest(R7, looks=3)
    assert watcher.said[2:] == [("vanished", "g9")]


def test_a_card_pulled_out_of_a_fan_has_gone() -> None:
    """It lay under its neighbour all the time: that the neighbour covers it is no excuse."""
    watcher = Watcher()
    over = card("b7", 172, 130)
    watcher.rest(R7, over, frames=40)
    watcher.hand()
    watcher.rest(over, frames=20)
    assert watcher.said[2:] == [("vanished", "r7")]


def test_a_card_under_a_new_one_has_not_gone() -> None:
    watcher = Watcher()
    watcher.rest(R7, frames=40)
    watcher.hand()
    watcher.rest(card("b7", 160, 135), frames=20)
    assert watcher.said == [("appeared", "r7"), ("appeared", "b7")]


def test_several_unsure_looks_make_one_surer_opinion() -> None:
    watcher = Watcher()
    unsure: tuple[tuple[str | int, float], ...] = (("k7", 0.3),)
    for step in range(6):
        watcher.see(card("r7", 150 + step / 10, 130, 0.6, others=unsure))
    (thing,) = watcher.memory.table
    assert thing.label == "r7"
    assert thing.p > 0.75


def test_what_was_seen_stays_while_nothing_stirs() -> None:
    watcher = Watcher()
    watcher.rest(R7, B8)
    watcher.rest(B8, looks=8, frames=60)
    assert watcher.labels == ["r7", "b8"]
    watcher.hand()
    watcher.rest(B8, looks=3)
    assert watcher.said[-1] == ("vanished", "r7")


def test_nobody_lays_a_card_while_nothing_stirs() -> None:
    """Another face on the same spot is another opinion of the same card."""
    watcher = Watcher()
    watcher.rest(card("k7", 150, 130, 0.85))
    for step in range(4):
        watcher.see(card("r7", 150 + step / 10, 130, 0.98))
    watcher.rest()
    assert watcher.labels == ["r7"]
    assert watcher.said == [("appeared", "k7")]


def test_a_table_not_still_for_long_was_stirred_though_no_hand_was_seen() -> None:
    watcher = Watcher()
    watcher.rest(R7, B8, frames=40)
    for _ in range(10):
        watcher.see(motion=Motion.MOVING, looked=False)
    watcher.rest(B8, looks=3)
    assert watcher.said[-1] == ("vanished", "r7")


def test_one_card_found_twice_is_one_card() -> None:
    watcher = Watcher()
    for step in range(3):
        watcher.see(shaken(R7, step / 10, 0), shaken(card("k7", 150, 130, 0.6), 3, 2))
    (thing,) = watcher.memory.table
    assert thing.label == "r7"
    assert 0 < thing.likely("k7") < thing.p


def test_an_unclear_find_of_one_look_is_not_told() -> None:
    watcher = Watcher()
    watcher.see(R7, card("g2", 300, 130, 0.5))
    for _ in range(3):
        watcher.see(looked=False)
    watcher.rest(R7, looks=2)
    assert watcher.said == [("appeared", "r7")]


def test_a_misread_look_changes_nothing() -> None:
    watcher = Watcher()
    watcher.rest(R7, frames=10)
    watcher.see(card("k7", 150, 131, 0.7))
    watcher.see(card("k7", 150, 130.5, 0.75))
    watcher.rest(R7, frames=10)
    assert watcher.said == [("appeared", "r7")]


def test_a_known_card_half_under_another_is_not_read_anew() -> None:
    watcher = Watcher()
    watcher.rest(R7, frames=40)
    watcher.hand()
    over = card("b8", 154, 162, turn=90)
    watcher.rest(over, replace(card(None, 150, 118, 0.8), found=0.8), looks=3)
    watcher.rest(over, card("k7", 150, 129, 0.9), looks=3)
    watcher.rest(over, card("r7", 151, 127, turn=90), looks=3)
    assert watcher.said == [("appeared", "r7"), ("appeared", "b8")]
    known = next(thing for thing in watcher.memory.table if thing.label == "r7")
    assert known.p > 0.97
    assert known.quad == R7.quad


def test_a_card_that_left_a_spot_where_the_bare_table_looks_like_one_has_gone() -> None:
    watcher = Watcher()
    watcher.rest(R7, G4, frames=40)
    watcher.hand()
    watcher.rest(G4, replace(card(None, 152, 131, 0.4), found=0.4), looks=4)
    assert watcher.said[-1] == ("vanished", "r7")


def test_what_cannot_be_read_between_two_cards_is_made_of_them() -> None:
    watcher = Watcher()
    left, right = card("g4", 300, 130), card("o1", 358, 131)
    for found in (0.75, 0.8, 0.7):
        watcher.see(left, right, replace(card(None, 328, 130, 0.75), found=found))
    watcher.see(left, right, replace(card("k9", 328, 130, 0.9), found=0.4))
    watcher.see(left, right, replace(card("k9", 328, 130, 0.6), found=0.6))
    watcher.rest(frames=40)
    assert watcher.labels == ["g4", "o1"]
    watcher.rest(left, right, replace(card("k9", 328, 130, 0.99), found=0.4), frames=40)
    assert watcher.labels == ["g4", "o1", "k9"]


def test_a_token_hardly_seen_on_a_card_is_there() -> None:
    watcher = Watcher(patience=Patience(copies=True))
    token = Sighting("card", "food", 0.9, quad_at(155, 140, 0, (20.0, 20.0)), 0, (), 0.35)
    watcher.rest(R7, token, looks=3, frames=20)
    assert watcher.labels == ["r7", "food"]


def test_what_is_hardly_found_must_be_seen_for_long() -> None:
    watcher = Watcher()
    hardly = replace(card("k9", 300, 130, 0.9), found=0.35)
    watcher.see(R7, hardly)
    watcher.see(R7, shaken(hardly, 0.2, 0))
    assert watcher.labels == ["r7"]
    assert watcher.memory.settled, "nobody waits for it"
    watcher.rest(R7, looks=3)
    assert watcher.labels == ["r7"]
    watcher.rest(R7, hardly, frames=40)
    assert watcher.labels == ["r7", "k9"]


def test_a_face_that_exists_once_does_not_come_a_second_time() -> None:
    """Unless there are copies of it."""
    again = replace(card("r7", 300, 130, 0.99), found=0.4)
    for copies in (False, True):
        watcher = Watcher(patience=Patience(copies=copies))
        watcher.rest(R7, frames=10)
        watcher.see(R7, again)
        watcher.rest(shaken(R7, 0.2, 0), again, frames=40)
        assert watcher.labels.count("r7") == 1 + copies


def test_a_covered_card_has_gone_when_only_older_ones_lie_over_its_place() -> None:
    watcher = Watcher()
    row = (card("g4", 100, 130), card("r7", 129, 130), card("o1", 158, 130))
    watcher.rest(*row, frames=40)
    watcher.hand()
    over = card("b8", 130, 131)
    watcher.rest(row[0], over, row[2], frames=40)
    watcher.hand()
    watcher.rest(row[0], row[2], looks=4, frames=40)
    assert sorted(watcher.said[4:]) == [("vanished", "b8"), ("vanished", "r7")]


places = st.sampled_from([(150.0, 130.0), (180.0, 131.0), (300.0, 290.0), (420.0, 100.0)])
labels = st.sampled_from(["r7", "b8", "g4", "o1", "k9"])
tables = st.dictionaries(places, labels, max_size=4).map(
    lambda spots: tuple(
        card(label, *spot) for label, spot in {n: at for at, n in spots.items()}.items()
    )
)
ghosts = st.builds(card, labels, st.floats(40, 90), st.floats(40, 380), st.floats(0.2, 0.99))


@examples(150)
@given(tables, st.data())
def test_flicker_is_never_told(table: tuple[Sighting, ...], data: st.DataObject) -> None:
    """Any one look may miss cards, add ghosts, misread with little sureness and jitter; hands
    pass. Between bad looks there are good ones."""
    watcher = Watcher()
    watcher.rest(*table)
    known = len(watcher.changes)
    for _ in range(data.draw(st.integers(1, 8))):
        kept = [
            shaken(each, data.draw(st.floats(-1.5, 1.5)), data.draw(st.floats(-1.5, 1.5)))
            for each in table
            if data.draw(st.integers(0, 3))
        ]
        if data.draw(st.booleans()) and kept:
            x, y = kept[0].middle
            kept[0] = card("p5", x, y, data.draw(st.floats(0.3, 0.79)))
        strange: list[Sighting] = data.draw(st.lists(ghosts, max_size=1))
        watcher.see(*kept, *strange)
        if data.draw(st.booleans()):
            watcher.hand(data.draw(st.integers(1, 4)))
        watcher.see(*table)
        watcher.see(*table)
        watcher.see(*(shaken(each, 0.2, 0.1) for each in table))
    assert watcher.changes[known:] == []


@examples(60)
@given(
    st.lists(labels, min_size=2, max_size=4, unique=True),
    st.floats(-30, 30),
    st.floats(-30, 30),
)
def test_a_bumped_table_is_no_change(names: list[str], dx: float, dy: float) -> None:
    table = [card(name, 100 + 90 * at, 130) for at, name in enumerate(names)]
    watcher = Watcher()
    watcher.rest(*table)
    known = len(watcher.changes)
    watcher.hand(2)
    watcher.rest(*(shaken(each, dx, dy) for each in table), frames=20)
    assert watcher.changes[known:] == []


def test_one_card_of_two_pushed_aside_is_no_bump() -> None:
    watcher = Watcher()
    watcher.rest(card("p5", 100, 130), card("g2", 190, 130))
    lying = watcher.memory.table
    assert bump(lying, [card("p5", 100, 130), card("g2", 198, 130)], most=45.0) is None
    assert bump(lying, [card("p5", 108, 130), card("g2", 198, 130)], most=45.0) == (8, 0)


@examples(100)
@given(tables, tables)
def test_what_settles_is_what_lies_there(
    before: tuple[Sighting, ...], after: tuple[Sighting, ...]
) -> None:
    watcher = Watcher()
    watcher.rest(*before, frames=40)
    watcher.hand()
    watcher.rest(*after, frames=40)
    assert watcher.memory.settled
    lying = {(each.label, each.middle) for each in watcher.memory.table if not each.covered}
    assert lying == {(each.label, each.middle) for each in after}


@examples(60)
@given(tables, st.data())
def test_nothing_is_learnt_while_hands_are_in_view(
    table: tuple[Sighting, ...], data: st.DataObject
) -> None:
    watcher = Watcher()
    watcher.rest(*table)
    memory = watcher.memory
    for _ in range(data.draw(st.integers(1, 10))):
        seen = data.draw(tables)
        motion = data.draw(st.sampled_from([Motion.HANDS, Motion.MOVING]))
        memory, told = track(memory, Look(99, 99.0, motion, seen, looked=False))
        assert told == ()
    assert memory == watcher.memory


def test_a_card_that_peeps_out_from_under_another_has_been_carried_there() -> None:
    watcher = Watcher()
    watcher.rest(R7, B8, G4, frames=40)
    watcher.hand()
    upper = card("g4", 530, 210)
    lower = replace(card("r7", 533, 213), under=True)
    watcher.rest(upper, lower, frames=30)
    assert ("vanished", "b8") in watcher.said
    lies = {thing.label: thing for thing in watcher.memory.table}
    assert set(lies) == {"g4", "r7"}
    assert lies["r7"].covered
    assert lies["r7"].quad == lower.quad
    assert ("moved", "r7") in watcher.said


def test_and_stays_there_under_what_is_thrown_on_it() -> None:
    watcher = Watcher()
    watcher.rest(R7, B8, G4, frames=40)
    watcher.hand()
    watcher.rest(card("g4", 530, 210), replace(card("r7", 533, 213), under=True), frames=30)
    watcher.hand()
    watcher.rest(card("k2", 531, 211), frames=30)
    assert [said for said in watcher.said if said[1] == "r7"] == [
        ("appeared", "r7"),
        ("moved", "r7"),
    ]
