"""A photograph of a card is kept with its entry, and the camera knows the card by it."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient
from PIL import Image
from werkzeug.test import TestResponse

from companion.core.game import Setup
from companion.dashboard import Parts, create_app
from companion.dashboard.access.needs import PHOTOGRAPH_BYTES
from companion.deciding.scene import Scene
from companion.foundation.frames import Frame
from companion.games.valhal import faces as valhal
from companion.games.valhal import reading as reader
from companion.games.valhal import rules as valhal_rules
from companion.games.valhal.layout import ZONES
from companion.games.valhal.rules.state import State
from companion.games.valhalla import faces as valhalla
from companion.ledger.events import Source
from companion.ledger.journal import Journal
from companion.ledger.photographs import MOST_PHOTOGRAPHS
from companion.ledger.referee import Referee
from companion.ledger.sheets import sheets_in
from companion.service.backup import back_up
from companion.sim.render.crops import DrawnFace, drawn, view
from companion.sim.render.scene import CardOn, Light, camera, render
from companion.tabletop.observations import TableChange, Thing, What
from companion.tabletop.zones import centre
from companion.vision.decks import Deck
from companion.vision.networks import network
from companion.watch.eyes import Eyes
from tests.games.valhal.rules.tables import commissioning, sailing
from tests.strategies import played
from tests.tracking.looks import quad_at
from tests.vision.test_calibration import mat, overhead, seen_by

CLEAR = Light(hard=0.05, glare=0.0, blur=0.4, jpeg=False)
FACES = {face.label: drawn(face) for face in valhalla.faces()}
SHOWN, OTHER = FACES["thor"], FACES["freyja"]
"""Cards that no deck of this game knows: they stand for two events of somebody's copy."""


@pytest.fixture
def client(journal: Journal, referee: Referee, tmp_path: Path) -> Iterator[FlaskClient]:
    sheets = sheets_in(tmp_path)
    for card in ("e1", "e2"):
        sheets["valhal"].enter(f"card.event.{card}", "coins+2")
    with create_app(Parts(referee, journal, sheets=sheets)).test_client() as client:
        yield client


def _photograph(card: DrawnFace | None, seed: int = 1) -> bytes:
    """A card on a table, from above, a little turned."""
    rng = np.random.default_rng(seed)
    ground = np.full((960, 1280, 3), (60, 75, 95), np.uint8)
    cards = [] if card is None else [CardOn(card, 0.0, 0.0, float(rng.uniform(-20, 20)))]
    image = render(camera(1280, 960, 6.0), ground, cards, CLEAR, rng).image
    return cv2.imencode(".jpg", image)[1].tobytes()


def _sent(client: FlaskClient, data: bytes, card: str = "event.e1") -> tuple[int, str]:
    reply = _posted(client, "/sheet/valhal/photographs", data, card=card)
    return reply.status_code, reply.text


def _posted(client: FlaskClient, path: str, data: bytes, **named: str) -> TestResponse:
    """As a phone sends a form with a picture; without one the field is there, and empty."""
    field = b'--edge\r\nContent-Disposition: form-data; name="%b"\r\n\r\n%b\r\n'
    words = b"".join(field % (name.encode(), value.encode()) for name, value in named.items())
    taken = b"IMG_1.jpg" if data else b""
    return client.post(
        path,
        data=words + field % (b'photograph"; filename="' + taken, data) + b"--edge--\r\n",
        content_type="multipart/form-data; boundary=edge",
        headers={"X-Live": "1"},
    )


def _deck(folder: Path) -> Deck:
    """What the camera knows when a game begins."""
    frame = Frame(seen_by(overhead(), mat()), 0.0, 1)
    eye = Eyes(folder, lambda _: None)(Setup("valhal", ("Anna", "Ben")), frame)
    assert eye is not None
    return eye.deck


def _read(deck: Deck, *cards: DrawnFace) -> list[tuple[str | None, bool]]:
    """What each is taken for in other light, from elsewhere; and whether that is sure."""
    rng = np.random.default_rng(7)
    cuts = [view(card, rng, hard=0.3, astray=0.01, covered=0.0) for card in cards]
    found = deck.match(network("embedder").run(np.stack(cuts)))
    return [(each.label, each.p > 0.9) for each in found]


def test_a_card_photographed_once_is_known_from_then_on(
    client: FlaskClient, tmp_path: Path
) -> None:
    before = _deck(tmp_path)
    assert "event.e1" not in {label for label, _ in _read(before, SHOWN, OTHER)}
    assert _sent(client, _photograph(SHOWN))[0] == 303
    assert _sent(client, _photograph(OTHER, seed=2), "event.e2")[0] == 303
    after = _deck(tmp_path)
    assert _read(after, *[SHOWN, OTHER] * 3) == [("event.e1", True), ("event.e2", True)] * 3
    own = [drawn(face) for face in valhal.faces()]
    assert not {"event.e1", "event.e2"} & {label for label, _ in _read(after, *own)}

    client.post("/sheet/valhal/photographs/forget", data={"card": "event.e1"})
    assert "event.e1" not in _deck(tmp_path).labels


def test_it_is_shown_with_its_entry_and_goes_into_backups(
    client: FlaskClient, tmp_path: Path
) -> None:
    assert client.get("/sheet/valhal/photographs/event.e1").status_code == 404
    assert "capture" in client.get("/sheet/valhal?stop=event&told=event.e1").text
    _sent(client, _photograph(SHOWN))
    reply = client.get("/sheet/valhal/photographs/event.e1")
    assert reply.mimetype == "image/jpeg"
    with Image.open(BytesIO(reply.data)) as kept:
        assert kept.size == (480, 672)
    page = client.get("/sheet/valhal?photographed=event.e1").text
    entry = page[page.index("<dt>card.event.e1</dt>") :]
    assert 'src="/sheet/valhal/photographs/event.e1"' in entry[: entry.index("</dd>")]
    assert "the camera knows event.e1 from now on" in page

    saved = back_up(tmp_path, None, tmp_path / "saved.zip")
    assert "data/decks/valhal.cards/event.e1.jpg" in {item.name for item in saved.items}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "Take or choose a photograph first"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not a picture"),
        (b"\xff\xd8\xff\xe0" + bytes(5000), "not a picture"),
        (_photograph(SHOWN)[:9000], "not a picture"),
        (_photograph(None), "no card can be seen"),
        (b"\xff\xd8" + bytes(PHOTOGRAPH_BYTES), "10 MB at most"),
    ],
    ids=["nothing", "a drawing", "only a head", "half of one", "an empty table", "too large"],
)
def test_what_is_no_photograph_of_a_card_is_said_and_not_kept(
    client: FlaskClient, tmp_path: Path, data: bytes, said: str
) -> None:
    code, text = _sent(client, data)
    assert (code, said in text) == (400, True)
    assert not (tmp_path / "decks").exists()


def test_a_picture_of_far_too_many_pixels_is_not_unpacked(client: FlaskClient) -> None:
    for side in (30_000, 6_000):
        Image.new("1", (side, side)).save(out := BytesIO(), "PNG")
        code, text = _sent(client, out.getvalue())
        assert (code, "more than 30 megapixels; make it smaller" in text) == (400, True)


def test_only_cards_of_the_sheet_and_only_so_many(client: FlaskClient, tmp_path: Path) -> None:
    shown = _photograph(SHOWN)
    for strange in ("e9", "../../journal", ""):
        assert _sent(client, shown, strange)[0] == 400
    assert client.post("/sheet/odin/photographs", data={"card": "e1"}).status_code == 404
    folder = tmp_path / "decks" / "valhal.cards"
    folder.mkdir(parents=True)
    for number in range(MOST_PHOTOGRAPHS):
        (folder / f"x{number}.jpg").write_bytes(b"torn")
    assert "room for no more" in _sent(client, shown)[1]
    assert _deck(tmp_path).labels  # torn ones are left out


# At the table, with the entry of a new card


@pytest.fixture
def playing(client: FlaskClient, referee: Referee) -> FlaskClient:
    referee.open(Setup("valhal", ("Anna", "Ben")), Source.PAGE)
    return client


def _told(client: FlaskClient, referee: Referee, line: str, data: bytes) -> tuple[str, str]:
    session = referee.moment.session
    assert session is not None
    reply = _posted(client, "/act/photographed", data, say=line, seq=str(session.seq))
    assert reply.status_code == 200
    return reply.headers["X-Verdict"], unquote(reply.headers["X-Said"])


def test_a_new_card_is_photographed_where_it_is_entered(
    playing: FlaskClient, referee: Referee, tmp_path: Path
) -> None:
    entry = "sheet card.event.e7 coins+1"
    verdict, said = _told(playing, referee, entry, _photograph(SHOWN))
    assert (verdict, said) == ("accepted", "Kept: the camera knows event.e7 from now on.")
    kept = sheets_in(tmp_path)["valhal"]
    assert list(kept.photographs.files()) == ["event.e7"]
    assert ("card.event.e7", "coins+1") in kept.entered


@pytest.mark.parametrize(
    ("photograph", "told"),
    [(b"", ""), (b"no picture", "IMG_1.jpg"), (_photograph(None), "card")],
    ids=["none", "broken", "of no card"],
)
def test_the_entry_counts_whatever_becomes_of_the_picture(
    playing: FlaskClient, referee: Referee, tmp_path: Path, photograph: bytes, told: str
) -> None:
    verdict, said = _told(playing, referee, "sheet card.event.e7 coins+1", photograph)
    assert verdict == "accepted"
    assert (told in said) if told else (said == "")
    assert sheets_in(tmp_path)["valhal"].photographs.files() == {}


def test_a_refused_entry_keeps_no_picture(
    playing: FlaskClient, referee: Referee, tmp_path: Path
) -> None:
    verdict, said = _told(playing, referee, "A rolls 3", _photograph(SHOWN))
    assert (verdict, said) == ("refused", "")
    assert sheets_in(tmp_path)["valhal"].photographs.files() == {}


def test_cards_of_two_stacks_with_one_name_have_a_picture_each(
    client: FlaskClient, tmp_path: Path
) -> None:
    sheet = sheets_in(tmp_path)["valhal"]
    for stack in ("event", "wrath"):
        sheet.enter(f"card.{stack}.storm", "coins-1")
        assert _sent(client, _photograph(SHOWN), f"{stack}.storm")[0] == 303
    assert list(sheet.photographs.files()) == ["event.storm", "wrath.storm"]
    assert {"event.storm", "wrath.storm"} <= set(sheet.cards)


@pytest.mark.parametrize(
    ("label", "lines"),
    [
        ("lesser.storm", ["A draws lesser storm"]),
        ("larger.storm", []),  # that stack is not drawn from
        ("event.storm", []),
        ("storm", ["A draws storm"]),  # of a deck that knows names only
        ("lesser.unknown", []),
    ],
)
def test_a_photographed_card_is_read_as_one_of_its_stack(label: str, lines: list[str]) -> None:
    state = sailing("A attacks v1 with warriors on 1", "B stays")
    for stack in ("event", "lesser", "larger"):
        state = played(valhal_rules, state, f"sheet card.{stack}.storm coins+1")
    state = played(valhal_rules, state, "A rolls 6", "town rolls 1")
    assert _lines(state, label) == lines
    turned = played(valhal_rules, commissioning(), "sheet card.event.storm coins+1", "agree")
    events = ["event storm"] if label in ("event.storm", "storm") else []
    assert _lines(turned, label) == events


def _lines(state: State, label: str) -> list[str]:
    """What is read when such a card has been laid on the reading spot."""
    quad = quad_at(*centre(ZONES["reading"]), 0, (20.0, 20.0))
    card = Thing(1, "card", ((label, 0.999),), quad, 0)
    laid = TableChange(1, 0.0, What.APPEARED, card, card)
    found = reader.read(state, Scene((card,), ZONES, {}, (laid,)))
    return [line for reading in found if reading.legal for line in reading.lines]
