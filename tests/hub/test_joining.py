"""Who may speak for a box: the box itself, and nobody who merely has the club's key."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.foundation.errors import BadInput
from companion.hub.clubs import NewClub, box_at, box_in, box_of, make_club, new_keys
from companion.hub.joining import join, leave, let_go, shut_out, welcome
from companion.hub.store import Store
from companion.ledger.journal import Journal
from companion.outbox.protocol import Heard, Joining
from tests.hub.tables import NearHub, all_sent, play


@pytest.fixture
def club(store: Store) -> NewClub:
    return make_club(store, "Ravens")


def works(store: Store, box: str, token: str) -> bool:
    with store.transaction() as transaction:
        return box_of(transaction, box, token) is not None


def test_whoever_has_the_clubs_key_cannot_take_a_box_that_is_there(
    store: Store, club: NewClub, journal: Journal
) -> None:
    """Box names are public; the key alone must not be enough, nor may the old token die of it."""
    first = join(store, club.key, Joining(journal.box, "Table one")).token
    for token in ("", "guessed", club.key):
        with pytest.raises(BadInput, match="did not show its token"):
            join(store, club.key, Joining(journal.box, "Taken", token))
    assert works(store, journal.box, first)
    with store.transaction() as transaction:
        box = box_at(transaction, journal.box)
    assert box is not None
    assert box.name == "Table one"


def test_a_box_joins_again_with_its_token(store: Store, club: NewClub, journal: Journal) -> None:
    first = join(store, club.key, Joining(journal.box, "One")).token
    again = join(store, club.key, Joining(journal.box, "New name", first)).token
    assert works(store, journal.box, again)
    assert not works(store, journal.box, first)


def test_the_owner_can_let_a_box_join_again_once(
    store: Store, club: NewClub, journal: Journal
) -> None:
    lost = join(store, club.key, Joining(journal.box, "One")).token
    with store.transaction() as transaction:
        welcome(transaction, club.club, journal.box)
    token = join(store, club.key, Joining(journal.box, "One")).token
    assert works(store, journal.box, token)
    assert not works(store, journal.box, lost)
    with pytest.raises(BadInput):
        join(store, club.key, Joining(journal.box, "Taken"))


def test_a_box_that_is_shut_out_cannot_speak_nor_join(
    store: Store, club: NewClub, journal: Journal
) -> None:
    token = join(store, club.key, Joining(journal.box, "One")).token
    with store.transaction() as transaction:
        shut_out(transaction, club.club, journal.box)
    assert not works(store, journal.box, token)
    with pytest.raises(BadInput):
        join(store, club.key, Joining(journal.box, "One", token))


def test_a_box_that_was_let_go_joins_another_club_and_its_games_stay(
    store: Store, club: NewClub, journal: Journal
) -> None:
    told = join(store, club.key, Joining(journal.box, "Table one"))
    play(journal)
    all_sent(journal, NearHub(store, journal.box, told.token))
    crows = make_club(store, "Crows")
    with pytest.raises(BadInput, match="another club"):
        join(store, crows.key, Joining(journal.box, "Mine"))
    with store.transaction() as transaction:
        let_go(transaction, club.club, journal.box)
    assert not works(store, journal.box, told.token)
    there = join(store, crows.key, Joining(journal.box, "At the crows"))
    assert there.heard == Heard()
    all_sent(journal, NearHub(store, journal.box, there.token))
    with store.transaction() as transaction:
        here, gone = (box_in(transaction, each.club.number, journal.box) for each in (crows, club))
        rows = transaction.all("SELECT club, COUNT(*) FROM event GROUP BY club ORDER BY club")
    assert here is not None
    assert gone is not None
    assert (here.name, gone.name) == ("At the crows", "Table one")
    assert rows == [(club.club.number, 4), (crows.club.number, 4)]


def test_a_box_that_left_by_itself_comes_back_with_its_token_and_goes_on(
    store: Store, club: NewClub, journal: Journal
) -> None:
    told = join(store, club.key, Joining(journal.box, "One"))
    play(journal)
    hub = NearHub(store, journal.box, told.token)
    all_sent(journal, hub)
    with store.transaction() as transaction:
        box = box_of(transaction, journal.box, told.token)
        assert box is not None
        leave(transaction, box)
    assert not works(store, journal.box, told.token)
    with pytest.raises(BadInput):
        join(store, club.key, Joining(journal.box, "Somebody else"))
    again = join(store, club.key, Joining(journal.box, "One", told.token))
    assert again.heard.seq == 4
    play(journal)
    assert all_sent(journal, NearHub(store, journal.box, again.token)) == [4]


def test_new_keys_end_the_old_ones_and_tables_stay(
    store: Store, club: NewClub, journal: Journal, tmp_path: Path
) -> None:
    token = join(store, club.key, Joining(journal.box, "One")).token
    with store.transaction() as transaction:
        key = new_keys(transaction, club.club, owner=False)
    with Journal(tmp_path / "other.db") as other:
        with pytest.raises(BadInput, match="no club has this key"):
            join(store, club.key, Joining(other.box, "Two"))
        assert join(store, key, Joining(other.box, "Two")).club == "Ravens"
    assert works(store, journal.box, token)


def test_deciding_about_a_table_of_another_club_changes_nothing(
    store: Store, club: NewClub, journal: Journal
) -> None:
    token = join(store, club.key, Joining(journal.box, "One")).token
    crows = make_club(store, "Crows")
    for decide in (welcome, shut_out, let_go):
        with store.transaction() as transaction, pytest.raises(BadInput):
            decide(transaction, crows.club, journal.box)
    assert works(store, journal.box, token)
