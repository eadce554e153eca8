"""`companion look`, `enrol`, `score` and `calibrate`, as somebody at a keyboard gives them."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from companion.games.odin import faces as odin
from companion.sim.render.crops import drawn
from companion.sim.render.scene import CardOn, Light, camera, render
from companion.sim.render.tables import Table, table
from companion.vision import decks
from tests.cli.calling import Answer, companion
from tests.vision.test_calibration import mat, overhead, seen_by

CLEAR = Light(hard=0.05, glare=0.0, blur=0.4, jpeg=False)


def refused(answer: Answer, part: str) -> None:
    """One sentence on the error output, exit 2, and nothing else."""
    (line,) = answer.err.splitlines()
    assert line.startswith("companion: ")
    assert part in line
    assert (answer.code, answer.text) == (2, "")


def photograph(label: str, path: Path, seed: int = 1) -> None:
    """One Odin card on a table, close by."""
    face = next(f for f in odin.faces() if f.label == label)
    rng = np.random.default_rng(seed)
    ground = np.full((480, 640, 3), (60, 75, 95), np.uint8)
    card = CardOn(drawn(face), 0.0, 0.0, float(rng.uniform(-20, 20)))
    cv2.imwrite(str(path), render(camera(640, 480, 3.0), ground, [card], CLEAR, rng).image)


def enrolled(here: Path, *labels: str) -> None:
    """The owner's deck `mine`, of these cards."""
    (here / "cards").mkdir()
    for label in labels:
        photograph(label, here / "cards" / f"{label}.png")
    assert companion("enrol", "mine", "cards").code == 0


def before_the_camera(here: Path, label: str, seed: int = 1) -> None:
    """It sees that card, whenever it looks."""
    (here / "film").mkdir()
    photograph(label, here / "film" / "0.png", seed)
    (here / "companion.toml").write_text(f'camera = "file:{here / "film"}"')


def test_look_says_what_lay_there_whenever_a_film_was_still(here: Path) -> None:
    photograph("r7", here / "a.png")
    photograph("b2", here / "b.png")
    first, last = (cv2.imread(str(here / name)) for name in ("a.png", "b.png"))
    assert first is not None
    assert last is not None
    brighter = np.clip(first * 1.2, 0, 255).astype(np.uint8)
    film = cv2.VideoWriter("film.avi", cv2.VideoWriter.fourcc(*"FFV1"), 8.0, (640, 480))
    for picture in (*[first] * 8, *[brighter] * 8):  # the camera sets its exposure anew
        film.write(picture)
    for at in range(6):  # a hand
        reached = brighter.copy()
        cv2.rectangle(reached, (0, 60 * at), (500, 60 * at + 150), (120, 150, 205), -1)
        film.write(reached)
    for _ in range(8):
        film.write(last)
    film.release()
    answer = companion("look", "film.avi", "--deck", "odin")
    assert [line.split("(")[0] for line in answer.text.splitlines()] == [
        "film.avi 0:00.4: card r7 ",
        "film.avi 0:03.1: card b2 ",
    ]
    rows = json.loads(companion("look", "film.avi", "--deck", "odin", "--json").text)
    assert [row["second"] for row in rows] == [0.38, 3.12]


def test_a_film_that_is_none_is_said(here: Path) -> None:
    (here / "film.mp4").write_bytes(b"no film")
    answer = companion("look", "film.mp4")
    assert (answer.code, answer.text) == (2, "")
    assert "no film that can be read" in answer.err


def test_look_says_what_lies_there(here: Path) -> None:
    photograph("r7", here / "a.png")
    answer = companion("look", "a.png", "--deck", "odin")
    assert answer.code == 0
    assert "card r7" in answer.text


def test_look_as_json_and_as_a_marked_picture(here: Path) -> None:
    picture, _ = table(3, Table("odin", cards=5))
    cv2.imwrite(str(here / "b.png"), picture.image)
    answer = companion("look", "b.png", "--deck", "odin", "--json", "--overlay", "marked")
    (seen,) = json.loads(answer.out)
    assert seen["file"] == "b.png"
    first = seen["sightings"][0]
    assert set(first) >= {"kind", "label", "p", "quad"}
    assert np.array(first["quad"]).shape == (4, 2)
    with Image.open(here / "marked" / "b.seen.png") as marked:
        assert marked.size == (1280, 720)


def test_look_at_an_empty_table(here: Path) -> None:
    cv2.imwrite(str(here / "c.png"), np.full((480, 640, 3), 90, np.uint8))
    assert companion("look", "c.png").text == "c.png: nothing seen\n"


def test_bad_pictures_and_decks(here: Path) -> None:
    (here / "bad.jpg").write_bytes(b"no")
    refused(companion("look", "bad.jpg"), "bad.jpg: not a picture, or only part of one")
    refused(companion("look", "none.jpg"), "none.jpg: no such file")
    (here / "x.deck").write_bytes(b"no")
    refused(companion("look", "bad.jpg", "--deck", "x.deck"), "not a deck, or damaged")
    refused(companion("look", "bad.jpg", "--deck", "tarot"), "no deck is called tarot")


def test_a_deck_is_enrolled_from_a_folder_and_read(here: Path) -> None:
    (here / "cards").mkdir()
    for label in ("r7", "b2", "g9"):
        photograph(label, here / "cards" / f"{label}.png")
    answer = companion("enrol", "mine", "cards")
    assert answer.code == 0
    assert "3 cards from 3 pictures" in answer.text
    photograph("b2", here / "again.png", seed=5)
    assert "card b2" in companion("look", "again.png", "--deck", "mine").text
    photograph("p4", here / "other.png", seed=6)
    assert "card b2" not in companion("look", "other.png", "--deck", "mine").text
    once = companion("enrol", "mine", "other.png", "--only", "p4")
    assert once.code == 0
    assert "card p4" in companion("look", "other.png", "--deck", "mine").text


def test_two_cards_that_are_one(here: Path) -> None:
    (here / "cards").mkdir()
    photograph("r7", here / "cards" / "one.png")
    photograph("r7", here / "cards" / "two.png")
    refused(companion("enrol", "mine", "cards"), "one and two look the same")
    assert not (here / "data" / "decks" / "mine.deck").exists()


def test_what_cannot_be_enrolled(here: Path) -> None:
    (here / "cards").mkdir()
    refused(companion("enrol", "mine", "cards"), "no pictures in this folder")
    refused(companion("enrol", "../mine", "cards"), "a deck's name is letters")
    cv2.imwrite(str(here / "cards" / "empty.png"), np.full((300, 300, 3), 90, np.uint8))
    refused(companion("enrol", "mine", "cards"), "no card can be seen")
    (here / "m.jsonl").write_text('{"file": 7}\n')
    refused(companion("enrol", "mine", "m.jsonl"), "m.jsonl, line 1: wanted")


def test_an_owners_deck_goes_before_the_built_in_one(here: Path) -> None:
    (here / "cards").mkdir()
    photograph("g9", here / "cards" / "r7.png")  # so they printed their sevens
    photograph("p4", here / "cards" / "goat.png")
    answer = companion("enrol", "odin", "cards")
    assert answer.code == 0
    assert "2 cards from 2 pictures" in answer.text
    assert "not shown, so not known: b1, b2" in answer.text
    photograph("g9", here / "again.png", seed=5)
    assert "card r7" in companion("look", "again.png", "--deck", "odin").text


def test_a_games_deck_has_the_games_words(here: Path) -> None:
    (here / "cards").mkdir()
    photograph("b7", here / "cards" / "7 blue.png")
    refused(
        companion("enrol", "odin", "cards"), "7 blue: no card of odin is called so; they are b1"
    )
    assert not (here / "data" / "decks" / "odin.deck").exists()


def test_valhal_has_the_words_of_its_owners_sheet(here: Path) -> None:
    (here / "cards").mkdir()
    photograph("b7", here / "cards" / "Lindisfarne.png")
    answer = companion("enrol", "valhal", "cards")
    assert answer.code == 0
    assert "these must be names on your sheet of valhal: Lindisfarne" in answer.text


def test_an_owners_joker_joins_the_built_in_cards(here: Path) -> None:
    photograph("goat", here / "joker.png")
    assert companion("enrol", "playing-cards", "joker.png", "--only", "joker").code == 0
    photograph("goat", here / "again.png", seed=5)
    assert "card joker" in companion("look", "again.png").text
    deck = decks.named("playing-cards", here / "data" / "decks")
    assert {"QH", "joker"} < set(deck.labels)


def test_cards_are_laid_before_the_camera(here: Path) -> None:
    names = ("r7", "b2", "g9")
    faces = {face.label: face for face in odin.faces()}
    cards = [CardOn(drawn(faces[name]), -75.0 + 75 * n, 0.0, 2.0) for n, name in enumerate(names)]
    ground = np.full((720, 1280, 3), (60, 75, 95), np.uint8)
    rng = np.random.default_rng(2)
    (here / "film").mkdir()
    seen = render(camera(1280, 720, 3.0), ground, cards, CLEAR, rng).image
    for number in range(8):
        cv2.imwrite(str(here / "film" / f"{number}.png"), seen)
    (here / "names.txt").write_text("\n".join(names))
    (here / "companion.toml").write_text(f'camera = "file:{here / "film"}"')
    assert companion("enrol", "mine", "--live", "names.txt").code == 1  # nobody presses a key
    assert not (here / "data" / "decks" / "mine.deck").exists()
    answer = companion("enrol", "mine", "--live", "names.txt", stdin=" ")
    assert answer.code == 0
    assert "Lay down two fingers apart, left to right, row by row: r7, b2, g9" in answer.text
    photograph("b2", here / "again.png", seed=5)
    assert "card b2" in companion("look", "again.png", "--deck", "mine").text


def test_one_card_is_laid_before_the_camera_again(here: Path) -> None:
    enrolled(here, "r7", "b2")
    before_the_camera(here, "g9")
    answer = companion("enrol", "mine", "--live", "--only", "b2", stdin=" ")
    assert answer.code == 0
    assert "row by row: b2\n" in answer.text
    photograph("g9", here / "again.png", seed=5)
    assert "card b2" in companion("look", "again.png", "--deck", "mine").text


def test_cards_that_were_mixed_up_are_asked_for_again(here: Path) -> None:
    enrolled(here, "r7")
    before_the_camera(here, "r7", seed=4)
    (here / "names.txt").write_text("b2")
    answer = companion("enrol", "mine", "--add", "--live", "names.txt", stdin="  ")
    assert answer.code == 1  # the keyboard ends before another card lies there
    assert "b2 and r7 look the same" in answer.text
    assert answer.text.count("row by row: b2\n") == 3


def test_one_card_of_a_list_or_a_folder_is_enrolled_again(here: Path) -> None:
    enrolled(here, "r7", "b2")
    kept = (here / "data" / "decks" / "mine.deck").read_bytes()
    refused(companion("enrol", "mine", "cards", "--only", "g9"), "cards: no picture of g9 in it")
    assert (here / "data" / "decks" / "mine.deck").read_bytes() == kept
    photograph("p4", here / "new.png")
    entry = {"file": "new.png", "objects": [{"label": "b2"}]}
    (here / "m.jsonl").write_text(json.dumps(entry))
    assert "2 cards from 1 pictures" in companion("enrol", "mine", "m.jsonl", "--only", "b2").text
    photograph("p4", here / "again.png", seed=5)
    assert "card b2" in companion("look", "again.png", "--deck", "mine").text


@pytest.mark.parametrize(
    "wrong",
    [
        {"polygon": "text"},
        {"polygon": [[1, 2], [1, 2], [1, 2], [1, 2]]},
        {"polygon": [[0, 0], [float("nan"), 0], [9, 9], [0, 9]]},
        {"bbox": [1, 2]},
        {"label": None},
    ],
)
def test_lists_that_are_wrong(here: Path, wrong: dict[str, object]) -> None:
    photograph("r7", here / "a.png")
    marked = {"label": "r7", **wrong}
    (here / "manifest.jsonl").write_text(json.dumps({"file": "a.png", "objects": [marked]}))
    refused(companion("enrol", "mine", "manifest.jsonl"), "manifest.jsonl, ")


def test_where_no_picture_can_be_drawn(here: Path) -> None:
    cv2.imwrite(str(here / "mat.png"), seen_by(overhead(), mat()))
    refused(companion("calibrate", "mat.png", "--overlay", "zones"), "end the picture's name in")
    assert not (here / "data" / "table.json").exists()
    refused(companion("look", "mat.png", "--overlay", "mat.png"), "cannot be written")
    refused(companion("score", ".", "--sheet", "worst"), "end the picture's name in")


def test_what_the_camera_cannot_enrol(here: Path) -> None:
    refused(companion("enrol", "mine", "--live"), "mine is no game's deck")
    refused(companion("enrol", "odin", "--live"), "no camera")
    refused(companion("enrol", "odin"), "say where the pictures are, or --live")
    refused(companion("enrol", "mine", "--live", "none.txt"), "none.txt: cannot be read")


def test_where_nothing_can_be_written(here: Path) -> None:
    photograph("r7", here / "r7.png")
    (here / "cards").mkdir()
    (here / "r7.png").rename(here / "cards" / "r7.png")
    (here / "data").write_text("a file, not a folder")
    refused(companion("enrol", "mine", "cards"), "cannot be written")
    cv2.imwrite(str(here / "mat.png"), seen_by(overhead(), mat()))
    refused(companion("calibrate", "mat.png"), "cannot be written")


def test_score_counts_and_shows_the_worst(here: Path) -> None:
    (here / "set" / "images").mkdir(parents=True)
    lines = []
    for label, said in (("r7", "r7"), ("b2", "b2"), ("g9", "o1")):
        photograph(label, here / "set" / "images" / f"{label}.png")
        lines.append(json.dumps({"file": f"images/{label}.png", "objects": [{"label": said}]}))
    (here / "set" / "manifest.jsonl").write_text("\n".join(lines))
    answer = companion("score", "set", "--deck", "odin", "--json", "--sheet", "worst.png")
    figures = json.loads(answer.out)
    assert (figures["images"], figures["right"], figures["wrong"]) == (3, 2, 1)
    assert figures["confusions"] == [["o1", "g9", 1]]
    assert (here / "worst.png").exists()


def test_calibrate_from_markers_and_by_hand(here: Path) -> None:
    cv2.imwrite(str(here / "mat.png"), seen_by(overhead(), mat()))
    answer = companion("calibrate", "mat.png", "--overlay", "zones.png")
    assert "1.5" in answer.text
    assert (here / "data" / "table.json").exists()
    assert (here / "zones.png").exists()
    cv2.imwrite(str(here / "half.png"), seen_by(overhead(), mat(hidden=(0,))))
    refused(companion("calibrate", "half.png"), "corner marker not seen: far left")
    by_hand = companion("calibrate", "half.png", "--corners", "100,80 1100,90 1090,640 110,630")
    assert by_hand.code == 0
    refused(companion("calibrate", "half.png", "--corners", "1,2 3"), "corners are four pairs")


@pytest.mark.parametrize("command", ["look", "enrol", "score", "calibrate"])
def test_help_says_what_a_command_is_for(command: str) -> None:
    assert "Usage" in companion(command, "--help").text


def test_a_broken_enrolment_leaves_the_deck_as_it_was(here: Path) -> None:
    enrolled(here, "r7", "b2")
    file = next(here.rglob("mine.deck"))
    before = file.read_bytes()
    (here / "cards" / "zz.png").write_bytes(b"torn")
    answer = companion("enrol", "mine", "cards")
    assert answer.code == 2
    assert "zz.png: not a picture" in answer.err
    assert file.read_bytes() == before
    assert [each.name for each in file.parent.iterdir()] == ["mine.deck"]


def test_a_sheet_of_pairs_must_be_a_picture(here: Path) -> None:
    photograph("r7", here / "r7.png")
    refused(companion("enrol", "mine", "r7.png", "--only", "r7", "--sheet", "a.txt"), "end the pic")
