"""Of events the hub makes the same games as the table did, whenever and however they came in."""

from __future__ import annotations

from itertools import groupby

from companion.hub.clubs import boxes_of
from companion.hub.contests.leagues import League, Scoring, leaderboard, league_table, make_league
from companion.hub.contests.records import RecordKind, records_of
from companion.hub.folding import Folder
from companion.hub.hall import Hall, seen
from companion.hub.people import merge, people_of, tallies
from companion.hub.store import Store
from companion.hub.worker import FoldingWorker
from companion.ledger.events import Did, Opened, Retracted, Unwritten
from companion.ledger.journal import Journal
from companion.ledger.session import replayed
from tests.hub.tables import all_sent, joined, play

WON = ("deal A", "A r9", "B pass", "end A 0 B 5")


def games_to_the_end(journal: Journal, rounds: int, names: tuple[str, str]) -> None:
    """Games of one hand, which Anna or whoever sits first wins."""
    for _ in range(rounds):
        whole_game(journal, names)


def whole_game(journal: Journal, names: tuple[str, str]) -> int:
    """A game of Odin with a single hand that ends at once, played by its own rules."""
    from companion.core.catalog import game_named
    from companion.core.game import Accepted, Setup

    game = game_named("odin")
    setup = Setup("odin", names, changes=(("limit", "one_hand"),))
    state = game.start(setup)
    lines: list[str] = []
    while not game.standing(state).over:
        expected = game.expected(state)
        action = expected if expected is not None else next(iter(game.actions(state)))
        judged = game.judge(state, action)
        assert isinstance(judged, Accepted)
        state = judged.state
        lines.append(game.format(action))
    opened = Opened(setup, game.VERSION)
    return journal.open_with([opened, *map(Did, lines)], "page")[0].game


def test_a_finished_game_has_its_results(store: Store, journal: Journal) -> None:
    club, hub = joined(store, journal)
    number = whole_game(journal, ("Anna", "Ben"))
    all_sent(journal, hub)
    with FoldingWorker(store, Hall()) as worker:
        worker.news_of(journal.box)
        assert worker.settle(20)
    with store.transaction() as transaction:
        rows = transaction.all(
            "SELECT seat, points, place, won FROM result WHERE club = ? ORDER BY seat", club.number
        )
        games = transaction.all("SELECT number, game, over, broken FROM game")
    session = replayed(journal.events(number))
    standing = session.game.standing(session.state)
    assert [(row[1], row[2]) for row in rows] == list(
        zip(standing.points, standing.ranks, strict=True)
    )
    assert {row[0] for row in rows if row[3]} == set(standing.winners)
    assert games == [(number, "odin", 1, "")]


def test_an_end_that_is_taken_back_has_no_results(store: Store, journal: Journal) -> None:
    club, hub = joined(store, journal)
    number = whole_game(journal, ("Anna", "Ben"))
    all_sent(journal, hub)
    with FoldingWorker(store, Hall()) as worker:
        assert worker.settle(20)
        last = journal.events(number)[-1].seq
        journal.append_all(number, [Unwritten(Retracted(1))], last, "page")
        all_sent(journal, hub)
        worker.news_of(journal.box)
        assert worker.settle(20)
    with store.transaction() as transaction:
        assert transaction.all("SELECT * FROM result WHERE club = ?", club.number) == []
        assert transaction.all("SELECT over FROM game") == [(0,)]


def test_what_a_stop_left_unfolded_is_folded_at_the_next_start(
    store: Store, journal: Journal
) -> None:
    club, hub = joined(store, journal)
    whole_game(journal, ("Anna", "Ben"))
    all_sent(journal, hub)
    hall = Hall()
    with FoldingWorker(store, hall) as worker:
        assert worker.settle(20)
    with FoldingWorker(store, again := Hall()) as worker:
        assert worker.settle(20)
        assert again.tables(club.number) == []  # nobody has looked yet
        worker.show(club.number)
    for each in (hall, again):
        (table,) = each.tables(club.number)
        assert [seat.name for seat in seen(table, "en").seats] == ["Anna", "Ben"]
        assert seen(table, "de").over
    with store.transaction() as transaction:
        assert transaction.one("SELECT COUNT(*) FROM result") == (2,)


def test_folding_in_any_portions_gives_the_same(store: Store, journal: Journal) -> None:
    club, hub = joined(store, journal)
    play(journal)
    all_sent(journal, hub)
    folder = Folder()
    with store.transaction() as transaction:
        (box,) = boxes_of(transaction, club.number)
        folder.fold(transaction, box)
    play(journal, ("Cleo", "Dora"))
    all_sent(journal, hub)
    with store.transaction() as transaction:
        (box,) = boxes_of(transaction, club.number)
        session = Folder().fold(transaction, box)  # knows nothing of what was folded before
    assert session is not None
    assert session.setup.names == ("Cleo", "Dora")


def test_a_game_nobody_has_here_is_said_and_stops_no_other(store: Store, journal: Journal) -> None:
    from companion.core.game import Setup

    club, hub = joined(store, journal)
    journal.open_with([Opened(Setup("chess", ("Anna", "Ben")), 1)], "page")
    whole_game(journal, ("Anna", "Ben"))
    all_sent(journal, hub)
    with FoldingWorker(store, Hall()) as worker:
        assert worker.settle(20)
    with store.transaction() as transaction:
        rows = transaction.all("SELECT number, broken FROM game ORDER BY number")
        assert transaction.one("SELECT COUNT(*) FROM result WHERE club = ?", club.number) == (2,)
    assert "chess" in rows[0][1]
    assert rows[1][1] == ""


def test_a_game_nobody_has_here_is_folded_though_it_is_the_last(
    store: Store, journal: Journal
) -> None:
    from companion.core.game import Setup

    club, hub = joined(store, journal)
    whole_game(journal, ("Anna", "Ben"))
    journal.open_with([Opened(Setup("chess", ("Anna", "Ben")), 1)], "page")
    all_sent(journal, hub)
    hall = Hall()
    with FoldingWorker(store, hall) as worker:
        assert worker.settle(20)
        with store.transaction() as transaction:
            (box,) = boxes_of(transaction, club.number)
            rows = transaction.all("SELECT over, broken FROM game ORDER BY number")
        assert box.folded == box.heard.seq
        assert rows[0] == (1, "")
        assert "chess" in rows[1][1]
        (table,) = hall.tables(club.number)
        assert seen(table, "en").unknown


def test_leagues_and_leaderboards_count_what_was_played(store: Store, journal: Journal) -> None:
    club, hub = joined(store, journal)
    games_to_the_end(journal, 3, ("Anna", "Ben"))
    games_to_the_end(journal, 1, ("anna", "Cleo"))
    all_sent(journal, hub)
    with FoldingWorker(store, Hall()) as worker:
        assert worker.settle(30)
    with store.transaction() as transaction:
        rows = leaderboard(transaction, club.number, "odin")
        assert sum(row.games for row in rows) == 8
        assert sum(row.wins for row in rows) == 4
        assert next(row.games for row in rows if row.name == "Anna") == 4
        league = League(0, "Winter", "odin", Scoring.PLACES, "2020-01-01", "2099-12-31")
        make_league(transaction, club.number, league)
        table = league_table(transaction, club.number, league)
        assert [(row.place, row.score) for row in table] == sorted(
            ((row.place, row.score) for row in table), key=lambda each: (each[0], -each[1])
        )
        past = League(0, "Old", "odin", Scoring.WINS, "2019-01-01", "2019-12-31")
        assert league_table(transaction, club.number, past) == []


def test_two_names_of_one_person_can_be_merged(store: Store, journal: Journal) -> None:
    club, hub = joined(store, journal)
    whole_game(journal, ("Anna", "Ben"))
    whole_game(journal, ("Annie", "Ben"))
    all_sent(journal, hub)
    with FoldingWorker(store, Hall()) as worker:
        assert worker.settle(20)
        with store.transaction() as transaction:
            people = {each.name: each.number for each in people_of(transaction, club.number)}
            merge(transaction, club.number, people["Annie"], people["Anna"])
        whole_game(journal, ("Annie", "Ben"))
        all_sent(journal, hub)
        worker.news_of(journal.box)
        assert worker.settle(20)
    with store.transaction() as transaction:
        names = [each.name for each in people_of(transaction, club.number)]
        (tally,) = tallies(transaction, club.number, people["Anna"])
    assert names == ["Anna", "Ben"]
    assert tally.games == 3


def test_records_of_a_game_that_few_points_win(store: Store, journal: Journal) -> None:
    club, hub = joined(store, journal)
    games_to_the_end(journal, 3, ("Anna", "Ben"))
    games_to_the_end(journal, 1, ("Ben", "Anna"))
    all_sent(journal, hub)
    with FoldingWorker(store, Hall()) as worker:
        assert worker.settle(30)
    with store.transaction() as transaction:
        found = {each.kind: each for each in records_of(transaction, club.number, "odin")}
        fewest = transaction.one("SELECT MIN(points) FROM result")
        won = transaction.all(
            "SELECT person.name FROM result JOIN person ON person.id = result.person"
            " WHERE won = 1 ORDER BY result.number"
        )
    winners = [name for (name,) in won]
    assert fewest == (found[RecordKind.BEST].value,)
    assert found[RecordKind.STREAK].name == winners[0]
    assert found[RecordKind.STREAK].value == max(len(list(run)) for _, run in groupby(winners))
    assert found[RecordKind.MOST_GAMES].value == 4
