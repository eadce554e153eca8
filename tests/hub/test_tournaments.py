"""Tournaments and the tables of the club: games end boards, people are merged, owners correct."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.foundation.errors import BadInput
from companion.hub.contests.board_results import Finish
from companion.hub.contests.tournaments import (
    BoardAt,
    Kind,
    Tournament,
    TournamentNow,
    make_tournament,
    pair,
    report,
    tournament_now,
)
from companion.hub.hall import Hall
from companion.hub.people import merge, person_called
from companion.hub.store import Store
from companion.hub.worker import FoldingWorker
from companion.ledger.events import Retracted, Unwritten
from companion.ledger.journal import Journal
from companion.ledger.session import replayed
from tests.hub.tables import NearHub, all_sent, joined
from tests.hub.test_folding import whole_game

ROUND_ROBIN = Tournament(0, "Cup", "odin", Kind.ROUND_ROBIN, 2, 0)


def made(store: Store, club: int, names: tuple[str, ...], asked: Tournament = ROUND_ROBIN) -> int:
    """A tournament whose first round is drawn up."""
    with store.transaction() as transaction:
        number = make_tournament(transaction, club, asked, names)
    drawn(store, club, number)
    return number


def drawn(store: Store, club: int, number: int) -> None:
    with store.transaction() as transaction:
        found = tournament_now(transaction, club, number)
        assert found is not None
        pair(transaction, found)


def as_it_is(store: Store, club: int, number: int) -> TournamentNow:
    with store.transaction() as transaction:
        found = tournament_now(transaction, club, number)
    assert found is not None
    return found


def folded(store: Store, journal: Journal, hub: NearHub) -> None:
    all_sent(journal, hub)
    with FoldingWorker(store, Hall()) as worker:
        assert worker.settle(20)


def test_a_game_of_a_boards_people_is_its_result(store: Store, journal: Journal) -> None:
    club, hub = joined(store, journal)
    whole_game(journal, ("Anna", "Ben"))  # before they were paired: it does not count
    number = made(store, club.number, ("Anna", "Ben", "Cleo", "Dora"))
    folded(store, journal, hub)
    assert not any(board.done for board in as_it_is(store, club.number, number).rounds[0])
    before = as_it_is(store, club.number, number)
    names = [tuple(before.names[p] for p in board.people) for board in before.rounds[0]]
    game = whole_game(journal, (names[0][1], names[0][0]))  # seated as they like
    whole_game(journal, (names[0][0], names[1][1]))  # no board has these two
    folded(store, journal, hub)
    now = as_it_is(store, club.number, number)
    session = replayed(journal.events(game))
    standing = session.game.standing(session.state)
    board = now.rounds[0][0]
    assert {now.names[each.person]: (each.place, each.points) for each in board.seats} == dict(
        zip(
            session.setup.names,
            zip(standing.ranks, standing.points, strict=True),
            strict=True,
        )
    )
    assert {(each.box, each.game) for each in board.seats} == {(journal.box, game)}
    assert not now.rounds[0][1].done
    assert any(rank.points for rank in now.ranks) == any(standing.points)


def test_an_end_that_is_taken_back_opens_its_board_again(store: Store, journal: Journal) -> None:
    club, hub = joined(store, journal)
    number = made(store, club.number, ("Anna", "Ben"))
    game = whole_game(journal, ("Anna", "Ben"))
    folded(store, journal, hub)
    assert as_it_is(store, club.number, number).rounds[0][0].done
    last = journal.events(game)[-1].seq
    journal.append_all(game, [Unwritten(Retracted(1))], last, "page")
    folded(store, journal, hub)
    assert not as_it_is(store, club.number, number).rounds[0][0].done


def test_the_owners_word_goes_before_the_tables(store: Store, journal: Journal) -> None:
    club, hub = joined(store, journal)
    number = made(store, club.number, ("Anna", "Ben"))
    game = whole_game(journal, ("Anna", "Ben"))
    folded(store, journal, hub)
    now = as_it_is(store, club.number, number)
    one, other = now.people
    said = {one: Finish(2, 7), other: Finish(1, 3)}
    with store.transaction() as transaction:
        report(transaction, now, BoardAt(1, 1), said)
    last = journal.events(game)[-1].seq
    journal.append_all(game, [Unwritten(Retracted(1))], last, "page")
    folded(store, journal, hub)
    whole_game(journal, ("Anna", "Ben"))
    folded(store, journal, hub)
    (board,) = as_it_is(store, club.number, number).rounds[0]
    assert {each.person: Finish(each.place, each.points) for each in board.seats} == said


def test_a_board_of_an_earlier_round_can_be_corrected(store: Store, journal: Journal) -> None:
    club, _ = joined(store, journal)
    number = made(store, club.number, ("Anna", "Ben", "Cleo"))
    first = as_it_is(store, club.number, number)
    at = next(n for n, board in enumerate(first.rounds[0], start=1) if not board.rests)
    one, other = first.rounds[0][at - 1].people
    with store.transaction() as transaction:
        report(transaction, first, BoardAt(1, at), {one: Finish(1, 1), other: Finish(2, 2)})
    drawn(store, club.number, number)
    second = as_it_is(store, club.number, number)
    with store.transaction() as transaction:
        report(transaction, second, BoardAt(1, at), {one: Finish(2, 1), other: Finish(1, 2)})
    board = as_it_is(store, club.number, number).rounds[0][at - 1]
    assert {each.person: each.place for each in board.seats} == {one: 2, other: 1}
    for nowhere in (BoardAt(0, at), BoardAt(9, 1), BoardAt(1, 0), BoardAt(1, 9)):
        with store.transaction() as transaction, pytest.raises(BadInput):
            report(transaction, second, nowhere, {one: Finish(1, 1), other: Finish(2, 2)})


def test_merged_people_are_one_in_tournaments_too(store: Store, journal: Journal) -> None:
    club, _ = joined(store, journal)
    number = made(store, club.number, ("Annie", "Ben", "Cleo", "Dora"))
    with store.transaction() as transaction:
        anna = person_called(transaction, club.number, "Anna")
        merge(transaction, club.number, person_called(transaction, club.number, "Annie"), anna)
    now = as_it_is(store, club.number, number)
    assert sorted(now.names.values()) == ["Anna", "Ben", "Cleo", "Dora"]
    assert set(now.people) == {each for board in now.rounds[0] for each in board.people}
    met = {board.people for board in now.rounds[0]}
    for _ in range(2):  # nobody meets again, though Anna's number is another now
        with store.transaction() as transaction:
            found = tournament_now(transaction, club.number, number)
            assert found is not None
            for at, board in enumerate(found.rounds[-1], start=1):
                ended = {p: Finish(place, 0) for place, p in enumerate(board.people, start=1)}
                report(transaction, found, BoardAt(len(found.rounds), at), ended)
        drawn(store, club.number, number)
        met |= {board.people for board in as_it_is(store, club.number, number).rounds[-1]}
    assert len({frozenset(pair) for pair in met}) == 6


def test_two_who_play_in_one_tournament_are_not_merged(store: Store, journal: Journal) -> None:
    club, _ = joined(store, journal)
    number = made(store, club.number, ("Anna", "Ben"))
    one, other = as_it_is(store, club.number, number).people
    with store.transaction() as transaction, pytest.raises(BadInput, match="Cup"):
        merge(transaction, club.number, one, other)
    assert len(as_it_is(store, club.number, number).ranks) == 2


def test_a_name_entered_twice_is_one_entrant_before_the_first_round(
    store: Store, journal: Journal
) -> None:
    club, _ = joined(store, journal)
    with store.transaction() as transaction:
        asked = Tournament(0, "Cup", "odin", Kind.SWISS, 2, 3)
        names = ("Anna", "Annie", "Ben")
        number = make_tournament(transaction, club.number, asked, names)
        merge(
            transaction, club.number, person_called(transaction, club.number, "Annie"),
            person_called(transaction, club.number, "Anna"),
        )  # fmt: skip
    assert sorted(as_it_is(store, club.number, number).names.values()) == ["Anna", "Ben"]


@pytest.mark.parametrize(
    ("asked", "rounds"),
    [
        (Tournament(0, "Cup", "odin", Kind.ROUND_ROBIN, 2, 5), 9),  # until everybody has met
        (Tournament(0, "Cup", "odin", Kind.ROUND_ROBIN, 3, 5), 7),
        (Tournament(0, "Cup", "odin", Kind.SWISS, 2, 5), 5),
        (Tournament(0, "Cup", "odin", Kind.SWISS, 2, 0), 4),
    ],
)
def test_a_round_robin_is_never_cut_short(
    store: Store, journal: Journal, asked: Tournament, rounds: int
) -> None:
    club, _ = joined(store, journal)
    number = made(store, club.number, tuple(f"P{n}" for n in range(10)), asked)
    assert as_it_is(store, club.number, number).tournament.rounds == rounds


def test_too_many_for_a_round_robin_are_told_so(store: Store, journal: Journal) -> None:
    club, _ = joined(store, journal)
    for count, seats in ((70, 2), (30, 3)):
        asked = replace(ROUND_ROBIN, seats=seats)
        with pytest.raises(BadInput, match="choose Swiss"):
            made(store, club.number, tuple(f"P{n}" for n in range(count)), asked)
