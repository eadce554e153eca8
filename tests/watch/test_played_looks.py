"""A deck learnt by playing: looks of plays that stood are gathered, and make a deck if it reads
better."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.core.game import Setup
from companion.dashboard import Parts, create_app
from companion.foundation.errors import BadInput
from companion.foundation.frames import jpeg
from companion.ledger.events import Proposal, Source, Undo
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.ledger.session import Session
from companion.sim.faces import playing
from companion.sim.render.crops import drawn, view
from companion.tabletop.deck_offers import DeckOffer
from companion.tabletop.readings import Reading
from companion.vision.crops import HIGH, MARGIN, WIDE, within
from companion.vision.decks import load
from companion.watch.evidence import ConfirmedLook, Evidence, Play, confirmed
from companion.watch.eyes import Eyes
from companion.watch.played_looks import MOST_OF_ONE_CARD, DeckKeeper, PlayedLooks
from tests.games.odin.players import LANES
from tests.strategies import NAMES
from tests.watch.watched import WatchedTable

CARDS = ("AS", "4S", "7S", "KS", "AC", "4C", "7C", "KC", "5H", "8D")
QUAD = within(WIDE, HIGH, 1 + 2 * MARGIN)


def _picture(label: str, number: int) -> bytes:
    style = playing.printing(np.random.default_rng([91, 4]))
    cut = view(drawn(playing.face(label, style)), np.random.default_rng(number), hard=0.2)
    return jpeg(cut, WIDE, 95)


@pytest.fixture(scope="module")
def looks() -> dict[tuple[str, int], bytes]:
    return {(label, n): _picture(label, n) for label in CARDS for n in range(2)}


@pytest.fixture
def played(tmp_path: Path) -> PlayedLooks:
    return PlayedLooks(tmp_path / "decks", QUAD)


@pytest.fixture
def keeper(played: PlayedLooks, tmp_path: Path) -> DeckKeeper:
    return DeckKeeper(played, tmp_path / "decks", lambda: None)


def test_looks_are_kept_a_few_of_each_card(played: PlayedLooks) -> None:
    picture = _picture("AS", 1)
    for _ in range(MOST_OF_ONE_CARD + 2):
        played.add("playing-cards", "AS", picture, read=False)
    played.add("playing-cards", "4S", b"no picture", read=True)
    kept = played.of("playing-cards")
    assert [(each.label, each.read) for each in kept] == [("AS", False)] * MOST_OF_ONE_CARD


def test_a_deck_is_offered_once_it_is_nearly_whole(
    played: PlayedLooks, keeper: DeckKeeper, looks: dict[tuple[str, int], bytes]
) -> None:
    for label in CARDS[:8]:
        played.add("playing-cards", label, looks[label, 0], read=label != "AS")
    assert keeper.offer("playing-cards", CARDS) is None
    played.add("playing-cards", CARDS[8], looks[CARDS[8], 0], read=True)
    found = keeper.offer("playing-cards", CARDS)
    assert found == DeckOffer("playing-cards", 9, 10, (CARDS[9],), 9, 1)


def test_it_is_made_under_its_name_and_for_its_game(
    played: PlayedLooks, keeper: DeckKeeper, looks: dict[tuple[str, int], bytes], tmp_path: Path
) -> None:
    for (label, _), picture in looks.items():
        played.add("playing-cards", label, picture, read=False)
    with pytest.raises(BadInput, match="letters, digits"):
        keeper.keep("playing-cards", "../etc", CARDS)
    with pytest.raises(BadInput, match="not like a game's"):
        keeper.keep("playing-cards", "odin", CARDS)
    keeper.keep("playing-cards", "grandmothers", CARDS)
    keeper.wait()
    found = keeper.offer("playing-cards", CARDS)
    assert found is not None
    assert found.told is not None
    facts = dict(found.told.facts)
    assert (facts["looks"], facts["before"]) == (10, 0)
    assert int(str(facts["after"])) >= 8
    for name in ("grandmothers", "playing-cards"):
        deck = load(tmp_path / "decks" / f"{name}.deck")
        assert (deck.name, set(deck.labels)) == (name, set(CARDS))
        assert deck.head is not None
        assert len(deck.pictures) == 20


def test_one_that_reads_no_better_changes_nothing(
    played: PlayedLooks, keeper: DeckKeeper, looks: dict[tuple[str, int], bytes], tmp_path: Path
) -> None:
    for label in CARDS:  # what was called the same card looked like two
        other = CARDS[(CARDS.index(label) + 1) % len(CARDS)]
        played.add("playing-cards", label, looks[label, 0], read=True)
        played.add("playing-cards", label, looks[other, 1], read=True)
    keeper.keep("playing-cards", "mine", CARDS)
    keeper.wait()
    found = keeper.offer("playing-cards", CARDS)
    assert found is not None
    assert found.told is not None
    assert not list((tmp_path / "decks").glob("*.deck"))


def test_an_owners_own_deck_is_left_alone(
    looks: dict[tuple[str, int], bytes], tmp_path: Path
) -> None:
    eyes = Eyes(tmp_path, lambda _: None)
    suits = (("deck", "valhalla36"), ("colours", "hearts diamonds spades clubs"))
    setup = Setup("odin", ("Anna", "Ben"), changes=suits)
    assert len(eyes.cards_of(setup)) == 36
    eyes.gather(setup, ConfirmedLook(1, "s4", read=True), looks["4S", 0])
    eyes.gather(setup, ConfirmedLook(1, "x4", read=True), looks["4S", 0])
    assert [each.label for each in eyes.played.of("playing-cards")] == ["4S"]
    (tmp_path / "decks" / "playing-cards.deck").write_bytes(b"its owner's")
    eyes.gather(setup, ConfirmedLook(1, "s7", read=True), looks["7S", 0])
    assert [each.label for each in eyes.played.of("playing-cards")] == ["4S"]


def _play(table: WatchedTable) -> tuple[Session, Play]:
    """The last entry, as if the camera had read it."""
    session = table.session
    entry = next(iter(session.entries))
    ref = entry.event.because
    assert ref is not None
    word = entry.action.split()[1]
    reading = Reading((entry.action,), 1.0, names=((5, word),), id=ref.reading)
    return session, Play(1, reading, ((5, ((word, 0.99),)),), clear=(5,))


@pytest.fixture
def table(referee: Referee, tmp_path: Path) -> WatchedTable:
    referee.open(Setup("odin", NAMES[:3]), Source.PAGE)
    table = WatchedTable(referee, tmp_path)
    referee.propose(Proposal("deal A", table.session.seq, Source.PAGE))
    table.lay("r7", *LANES[0])
    table.settle()
    return table


def test_a_play_that_stood_is_confirmed(table: WatchedTable) -> None:
    session, play = _play(table)
    assert list(confirmed(session, play)) == [ConfirmedLook(5, "r7", read=True)]
    assert not list(confirmed(session, replace(play, clear=())))
    unsure = replace(play, odds=((5, (("r7", 0.6), ("o7", 0.4))),))
    assert list(confirmed(session, unsure)) == [ConfirmedLook(5, "r7", read=False)]


def test_one_that_was_put_right_counts_as_what_it_was(table: WatchedTable) -> None:
    _, play = _play(table)
    seq = next(iter(table.session.entries)).event.seq
    table.witness.correct(seq, "A o7", table.session.seq)
    assert list(confirmed(table.session, play)) == [ConfirmedLook(5, "o7", read=False)]


def test_one_that_was_taken_back_does_not(table: WatchedTable) -> None:
    session, play = _play(table)
    table.referee.propose(Undo(session.seq, Source.PAGE, 1))
    assert not list(confirmed(table.session, play))


def test_a_play_counts_as_stood_after_a_few_more(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path)
    plays = [Play(1, Reading((f"A r{n}",), 1.0, id=f"{n}.1"), ()) for n in range(1, 9)]
    stood = []
    for play in plays:
        evidence.entered(play)
        stood.append(evidence.stood())
    assert stood == [None] * 6 + plays[:2]


def test_the_page_offers_it_and_tells_what_came_of_it(
    table: WatchedTable, journal: Journal
) -> None:
    teach = table.taught
    client = create_app(Parts(table.referee, journal, table=table.witness)).test_client()
    assert "Keep the deck" not in client.get("/table").get_data(as_text=True)
    teach.offered = DeckOffer("odin", 52, 54, ("r8", "g2"), 90, 7)
    table.referee.wake()
    shown = client.get("/table").get_data(as_text=True)
    assert "52 of the 54 cards were seen in play" in shown
    assert "red 8, green 2" in shown
    client.post("/keep-deck", data={"name": "ours"})
    assert teach.kept == ["ours"]
    assert client.post("/keep-deck", data={"name": ""}).status_code == 400
