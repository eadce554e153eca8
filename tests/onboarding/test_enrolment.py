"""Learning a deck: nine after nine, names put right, photographs, and whatever may go wrong."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from companion.foundation.errors import BadInput
from companion.foundation.frames import jpeg
from companion.onboarding.deck_draft import CardShot, draft_file, load_draft, save_draft
from companion.onboarding.deck_shelf import DeckShelf
from companion.onboarding.deck_workshop import DeckOrder, DeckWorkshop, deck_of
from companion.onboarding.desk import Desk
from companion.onboarding.enrolment import Making
from companion.sim.virtual_table import LAID_COLUMNS_MM, LAID_ROWS_MM
from companion.tabletop.layout import PLAYING_CARDS
from companion.vision import decks
from companion.vision.pictures import small_picture
from tests.onboarding.table import SIZE, WORDS, PaintedCamera, painted, painter, photograph

PATIENCE_SECONDS = 60.0


@pytest.fixture
def camera() -> PaintedCamera:
    return PaintedCamera()


@contextmanager
def desk_in(folder: Path, camera: PaintedCamera) -> Iterator[Desk]:
    desk = Desk(folder, camera)
    try:
        yield desk
    finally:
        desk.close()


@pytest.fixture
def desk(tmp_path: Path, camera: PaintedCamera) -> Iterator[Desk]:
    with desk_in(tmp_path, camera) as opened:
        yield opened


def keep_what_lies(desk: Desk, name: str, *labels: str) -> None:
    laid = desk.enrolment.look(name)
    given = labels or laid.names[: len(laid.quads)]
    desk.enrolment.keep(name, laid.token, [*given, *[""] * (len(laid.quads) - len(given))])


def wait_until_made(desk: Desk) -> None:
    patience = time.monotonic() + PATIENCE_SECONDS
    while desk.enrolment.making.state is Making.GOING_ON and time.monotonic() < patience:
        time.sleep(0.02)


def shown_deck(desk: Desk, camera: PaintedCamera, name: str, *words: str) -> None:
    """Shown and learnt."""
    desk.enrolment.begin(name, words)
    camera.lay(*words)
    keep_what_lies(desk, name)
    desk.enrolment.make(name)
    wait_until_made(desk)
    assert desk.enrolment.making.state is Making.DONE, desk.enrolment.making.problem


# -- nine after nine ------------------------------------------------------------------------------


def test_cards_are_asked_for_nine_at_a_time_and_kept_with_their_names(
    desk: Desk, camera: PaintedCamera
) -> None:
    desk.enrolment.begin("mine", WORDS)
    camera.lay(*WORDS[:9])
    laid = desk.enrolment.look("mine")
    assert laid.names == WORDS[:9]
    assert len(laid.outlines) == 9
    draft = desk.enrolment.keep("mine", laid.token, laid.names)
    assert draft.missing == WORDS[9:]
    camera.lay(*WORDS[9:])
    assert desk.enrolment.look("mine").names == WORDS[9:]


def test_cards_that_still_lie_there_are_not_taken_for_the_next_ones(
    desk: Desk, camera: PaintedCamera
) -> None:
    """Whoever taps faster than they lay would teach it every card under a second name."""
    desk.enrolment.begin("mine", WORDS)
    camera.lay(*WORDS[:9])
    keep_what_lies(desk, "mine")
    camera.lay(*WORDS[:9])  # the next picture, and nobody has touched anything
    again = desk.enrolment.look("mine")
    assert again.again
    with pytest.raises(BadInput, match="Lay the next ones"):
        desk.enrolment.keep("mine", again.token, ["3H", "8C", "6S", *[""] * 6])
    assert desk.enrolment.draft("mine").missing == WORDS[9:]
    camera.lay(*WORDS[9:])
    assert not desk.enrolment.look("mine").again


def test_swapped_names_are_put_right_and_an_outline_is_taken_away(
    desk: Desk, camera: PaintedCamera
) -> None:
    desk.enrolment.begin("mine", ("7H", "KS"))
    camera.lay("KS", "7H", "2C")
    laid = desk.enrolment.look("mine")
    whole = [*laid.quads]
    assert len(whole) >= 2
    desk.enrolment.keep("mine", laid.token, ["KS", "7H", *[""] * (len(whole) - 2)])
    kept = {each.label: each.picture for each in desk.enrolment.draft("mine").shots}
    assert set(kept) == {"7H", "KS"}
    named = {each.label: each.picture.jpeg for each in _shots_of("KS", "7H")}
    for label, picture in kept.items():
        same = _likeness(picture.jpeg, named[label])
        other = _likeness(picture.jpeg, named["7H" if label == "KS" else "KS"])
        assert same > other


def _shots_of(*faces: str) -> tuple[CardShot, ...]:
    from companion.onboarding.enrolment import _shot  # what the desk itself keeps of a card
    from companion.vision.calibration import markers_in, solve
    from companion.vision.enrolment.deck_making import Sample
    from companion.vision.enrolment.laid_out import cards_in

    image = painted(*faces)
    plane = solve(markers_in(image), SIZE)
    quads = cards_in(image, plane, len(faces))
    return tuple(_shot(Sample(f, image, q)) for f, q in zip(faces, quads, strict=True))


def _likeness(one: bytes, other: bytes) -> float:
    a, b = (small_picture(each, (160, 224)) for each in (one, other))
    assert a is not None
    assert b is not None
    return float(np.corrcoef(a.ravel(), b.ravel())[0, 1])


def test_names_that_were_not_asked_for_and_names_given_twice_are_refused(
    desk: Desk, camera: PaintedCamera
) -> None:
    desk.enrolment.begin("mine", ("7H", "KS"))
    camera.lay("7H", "KS")
    laid = desk.enrolment.look("mine")
    for labels in (["7H", "7H"], ["7H", "goat"], ["7H"], ["7H", "K" * 99]):
        with pytest.raises(BadInput):
            desk.enrolment.keep("mine", laid.token, labels)
    assert desk.enrolment.draft("mine").shots == ()


def test_a_draft_changes_names_with_another_card_and_forgets_one(desk: Desk) -> None:
    desk.enrolment.begin("mine", ("7H", "KS", "2C"))
    shots = (CardShot("7H", b"seven"), CardShot("KS", b"king"))
    desk.enrolment.change("mine", lambda draft: draft.with_shots(shots))
    swapped = desk.enrolment.change("mine", lambda draft: draft.renamed("7H", "KS"))
    assert {each.label: each.jpeg for each in swapped.shots} == {"KS": b"seven", "7H": b"king"}
    left = desk.enrolment.change("mine", lambda draft: draft.without("KS"))
    assert left.missing == ("KS", "2C")


def test_two_phones_show_cards_of_one_deck_and_nothing_is_lost(
    desk: Desk, camera: PaintedCamera
) -> None:
    desk.enrolment.begin("mine", WORDS[:4])
    camera.lay(*WORDS[:4])
    one, other = desk.enrolment.look("mine"), desk.enrolment.look("mine")
    assert one is other  # the same picture is looked at once
    desk.enrolment.keep("mine", one.token, [*WORDS[:4]])
    with pytest.raises(BadInput, match="changed meanwhile"):
        desk.enrolment.keep("mine", other.token, [*WORDS[:4]])

    def show(label: str) -> None:
        shot = CardShot(label, label.encode())
        desk.enrolment.change("mine", lambda draft: draft.with_shots([shot]))

    desk.enrolment.begin("both", WORDS)
    phones = [
        threading.Thread(
            target=lambda label=label: desk.enrolment.change(
                "both", lambda draft: draft.with_shots([CardShot(label, label.encode())])
            )
        )
        for label in WORDS
    ]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    assert desk.enrolment.draft("both").missing == ()
    show("7H")


# -- photographs ----------------------------------------------------------------------------------


def test_fifty_photographs_one_after_the_other_show_fifty_cards(desk: Desk) -> None:
    words = tuple(f"card {number}" for number in range(50))
    desk.enrolment.begin("mine", words)
    picture = photograph("7H")
    for word in words:
        assert desk.enrolment.add_photograph("mine", picture, f"{word}.jpg") == (word,)
    assert desk.enrolment.draft("mine").missing == ()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not a picture",
        b"\xff\xd8\xff\xe0" + b"x" * 500,
        photograph("7H")[:2000],
        b"%PDF-1.7 a letter",
    ],
    ids=["empty", "text", "only its beginning", "cut off", "a letter"],
)
def test_what_is_no_photograph_is_refused_and_changes_nothing(desk: Desk, data: bytes) -> None:
    desk.enrolment.begin("mine", ("7H",))
    with pytest.raises(BadInput):
        desk.enrolment.add_photograph("mine", data, "7H.jpg")
    assert desk.enrolment.draft("mine").shots == ()


def test_a_photograph_without_a_card_is_refused(desk: Desk) -> None:
    desk.enrolment.begin("mine", ("7H",))
    empty = jpeg(np.full((480, 640, 3), 90, np.uint8), 640, 90)
    with pytest.raises(BadInput, match="no card can be seen"):
        desk.enrolment.add_photograph("mine", empty, "holiday.jpg")


# -- making it ------------------------------------------------------------------------------------


def test_a_deck_is_made_beside_everything_else_and_can_be_read(
    desk: Desk, camera: PaintedCamera
) -> None:
    shown_deck(desk, camera, "mine", "7H", "KS", "2C", "9D")
    assert desk.enrolment.making.learnt == 4
    assert desk.enrolment.drafts() == ()
    camera.lay("KS", "9D")
    lying = {each.label: each.outline for each in desk.practice.lying("mine")}
    assert set(lying) == {"KS", "9D"}  # and no marker among them
    middle = np.array(lying["KS"]).mean(0) * SIZE
    truth = painter().view.pixels(np.array([(LAID_COLUMNS_MM[0], LAID_ROWS_MM[0])]))[0]
    assert np.abs(middle - truth).max() < 5


def test_two_cards_that_look_the_same_are_named_and_the_draft_stays(
    desk: Desk, camera: PaintedCamera
) -> None:
    desk.enrolment.begin("mine", ("7H", "KS", "goat"))
    camera.lay("7H", "KS", "7H")
    keep_what_lies(desk, "mine")
    desk.enrolment.make("mine")
    wait_until_made(desk)
    made = desk.enrolment.making
    assert made.state is Making.FAILED
    assert set(made.alike) == {"7H", "goat"}
    assert desk.shelf.own() == ()
    assert len(desk.enrolment.draft("mine").shots) == 3


def test_a_card_is_added_and_another_one_replaced_later(desk: Desk, camera: PaintedCamera) -> None:
    shown_deck(desk, camera, "mine", "7H", "KS", "2C")
    king = next(each.jpeg for each in desk.shelf.get("mine").pictures if each.label == "KS")
    desk.enrolment.begin("mine", ("goat", "KS"), adding=True)
    camera.lay("QH", "9D")
    keep_what_lies(desk, "mine")
    desk.enrolment.make("mine")
    wait_until_made(desk)
    pictures = {each.label: each.jpeg for each in desk.shelf.get("mine").pictures}
    assert set(pictures) == {"7H", "KS", "2C", "goat"}
    assert pictures["KS"] != king


def test_a_card_added_to_a_deck_that_rests_on_a_built_in_one_leaves_its_cards(
    desk: Desk, camera: PaintedCamera
) -> None:
    before = decks.named(PLAYING_CARDS)
    shots = _shots_of("7H")
    rests = deck_of(PLAYING_CARDS, [each.picture for each in shots], before).deck
    assert rests.base == PLAYING_CARDS
    desk.shelf.put(rests)
    desk.enrolment.begin(PLAYING_CARDS, ("goat",), adding=True)
    camera.lay("QH")
    keep_what_lies(desk, PLAYING_CARDS)
    desk.enrolment.make(PLAYING_CARDS)
    wait_until_made(desk)
    labels = set(desk.shelf.get(PLAYING_CARDS).labels)
    assert labels >= {*before.labels, "goat"}


def test_a_camera_that_is_unplugged_is_said_and_the_draft_stays(
    desk: Desk, camera: PaintedCamera
) -> None:
    desk.enrolment.begin("mine", WORDS)
    camera.lay(*WORDS[:9])
    keep_what_lies(desk, "mine")
    camera.unplug()
    with pytest.raises(BadInput, match="No picture comes from the camera"):
        desk.enrolment.look("mine")
    assert desk.enrolment.draft("mine").missing == WORDS[9:]


# -- power cuts -----------------------------------------------------------------------------------

MAKING = """
import sys, time
from pathlib import Path
from companion.onboarding.desk import Desk

if __name__ == "__main__":
    desk = Desk(Path(sys.argv[1]))
    desk.enrolment.make("mine")
    while not desk.enrolment.making.learnt:
        time.sleep(0.005)
    print("learning", flush=True)
    time.sleep(60)
"""


def test_a_power_cut_while_it_learns_leaves_the_draft_and_no_half_deck(tmp_path: Path) -> None:
    shots = _shots_of(*WORDS[:9])
    folder = tmp_path / "decks"
    with desk_in(tmp_path, PaintedCamera()) as desk:
        draft = desk.enrolment.begin("mine", WORDS[:9])
        save_draft(folder, draft.with_shots(shots))
    script = tmp_path / "making.py"
    script.write_text(MAKING)
    root = str(Path(__file__).parents[2])
    making = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path)],
        env=os.environ | {"PYTHONPATH": root},
        stdout=subprocess.PIPE,
    )
    with making:
        assert making.stdout is not None
        assert making.stdout.readline() == b"learning\n"
        children = _children_of(making.pid)
        assert children
        making.send_signal(signal.SIGKILL)
    assert DeckShelf(folder).own() == ()
    assert load_draft(folder, "mine").missing == ()
    assert [each.name for each in folder.iterdir()] == [draft_file(folder, "mine").name]
    patience = time.monotonic() + PATIENCE_SECONDS
    while any(map(_lives, children)) and time.monotonic() < patience:
        time.sleep(0.02)
    assert not any(map(_lives, children))  # nobody computes for a companion that is gone


def _children_of(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(each) for task in tasks for each in task.read_text().split()]


def _lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_a_workshop_that_is_closed_ends_at_once_and_says_so() -> None:
    workshop, order = (
        DeckWorkshop(),
        DeckOrder("mine", tuple(s.picture for s in _shots_of(*WORDS[:9]))),
    )
    learning = threading.Event()
    told: list[BaseException] = []

    def make() -> None:
        try:
            workshop.make(order, lambda _now, _of: learning.set())
        except BadInput as bad:
            told.append(bad)

    thread = threading.Thread(target=make)
    thread.start()
    assert learning.wait(PATIENCE_SECONDS)
    workshop.close()
    thread.join(PATIENCE_SECONDS)
    assert "not finished" in str(told[0])
