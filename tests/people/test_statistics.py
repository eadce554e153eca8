"""What people have done: folds over the journal."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path

from companion.core.game import Setup
from companion.ledger.events import Did, Fact, Opened, Retracted, Source
from companion.ledger.journal import Journal
from companion.people.register import Register, forgotten, merged, remembered
from companion.people.spreadsheet import as_csv
from companion.people.statistics import Statistics
from companion.people.summaries import FILE, Summaries
from tests.people.games import play

ANNA_BEN = ("Anna", "Ben")


def test_a_game_is_summed_up_with_its_feats(journal: Journal) -> None:
    setup = Setup("odin", ANNA_BEN, "en", (("hand_size", "3"), ("limit", "one_hand")))
    lines = ("deal A", "A r3", "B g5 g4", "A pass", "B b9", "A pass", "B r3")
    facts: list[Fact] = [Opened(setup, 2), *map(Did, lines), Did("count 2 0")]
    journal.import_game([(fact, "2026-11-18T10:00:00Z", Source.RECORD) for fact in facts])
    (game,) = Summaries(journal, None).all()
    assert (game.names, game.points, game.winners, game.over) == (ANNA_BEN, (2, 0), (1,), True)
    assert game.curve == ((0, 0), (2, 0))
    best = {(each.kind, each.seat): each.amount for each in game.best}
    assert best[("value", 1)] == 54
    assert best[("cards", 1)] == 2
    assert best[("value", 0)] == 3


def test_what_was_taken_back_is_no_feat(journal: Journal) -> None:
    event = journal.open_game(Opened(Setup("odin", ANNA_BEN), 2), Source.PAGE)
    for fact in (Did("deal A"), Did("A r9"), Retracted(1), Did("A r2")):
        event = journal.append(event.game, fact, event.seq, Source.PAGE)
    (game,) = Summaries(journal, None).all()
    assert not game.over
    assert max(each.amount for each in game.best if each.kind == "value") == 2


def test_a_game_is_folded_again_only_when_it_got_longer(journal: Journal, tmp_path: Path) -> None:
    for seed in range(3):
        play(journal, ANNA_BEN, seed, f"2026-11-0{seed + 1}T10:00:00Z")
    first = Summaries(journal, tmp_path)
    games = first.all()
    assert first.all() == games
    assert (tmp_path / FILE).exists()
    after = Summaries(journal, tmp_path)
    assert after.all() == games
    play(journal, ANNA_BEN, 7, "2026-11-09T10:00:00Z")
    assert after.all()[:3] == games
    assert len(after.all()) == 4


def test_many_games_are_folded_in_portions(journal: Journal) -> None:
    for seed in range(3):
        play(journal, ANNA_BEN, seed, "2026-11-01T10:00:00Z")
    summaries = Summaries(journal, None)
    assert (len(summaries.all(0)), summaries.waiting) == (1, 2)
    assert (len(summaries.all(0)), summaries.waiting) == (2, 1)
    assert (len(summaries.all(60)), summaries.waiting) == (3, 0)


def test_summaries_of_another_journal_are_not_believed(journal: Journal, tmp_path: Path) -> None:
    play(journal, ANNA_BEN, 1, "2026-11-01T10:00:00Z")
    Summaries(journal, tmp_path).all()
    with Journal(tmp_path / "restored.db") as restored:
        play(restored, ("Cleo", "Dag"), 1, "2026-10-01T10:00:00Z")
        (game,) = Summaries(restored, tmp_path).all()
    assert game.names == ("Cleo", "Dag")
    (tmp_path / FILE).write_bytes(b"{broken")
    assert len(Summaries(journal, tmp_path).all()) == 1


def test_people_pairs_months_and_leaders(journal: Journal) -> None:
    months = ("2026-09", "2026-10", "2026-10", "2026-11")
    for seed, month in enumerate(months):
        play(journal, ("Anna", "Ben", "Cleo"), seed, f"{month}-05T10:00:00Z")
    games = Summaries(journal, None).all()
    register = remembered(Register(), ("Anna", "Ben", "Cleo"))
    found = Statistics(register, games)
    won = [sum(seat in each.winners for each in games) for seat in range(3)]
    assert [each.total.wins for each in map(found.of, register.people)] == won
    assert found.months() == ("2026-11", "2026-10", "2026-09")
    board = found.leaderboard("odin", "2026-10")
    assert [row.tally.games for row in board] == [2, 2, 2]
    assert [row.tally.wins for row in board] == sorted(
        (row.tally.wins for row in board), reverse=True
    )
    pair = found.pair(register.people[0], register.people[1])
    behind = sum(each.ranks[1] < each.ranks[0] for each in games)
    before = sum(each.ranks[0] < each.ranks[1] for each in games)
    assert (pair.games, pair.ahead, pair.curve[-1]) == (4, (before, behind), before - behind)
    best = next(each for each in found.best_feats() if each.kind == "value")
    highest = max(one.amount for each in games for one in each.best if one.kind == "value")
    assert best.amount == highest


def test_merged_and_forgotten_people_in_the_figures(journal: Journal) -> None:
    play(journal, ANNA_BEN, 1, "2026-11-01T10:00:00Z")
    number = play(journal, ("Anna", "Benny"), 2, "2026-11-02T10:00:00Z")
    games = Summaries(journal, None).all()
    register = merged(remembered(Register(), ("Anna", "Ben", "Benny")), 3, 2)
    ben = register.person(2)
    assert Statistics(register, games).of(ben).total.games == 2
    gone = forgotten(register, 2, number)
    found = Statistics(gone, games)
    assert [each.person.name for each in found.people] == ["Anna"]
    assert "Ben" not in as_csv(gone, games)


def test_a_spreadsheet_of_all_games(journal: Journal) -> None:
    play(journal, ANNA_BEN, 1, "2026-11-01T10:00:00Z")
    games = Summaries(journal, None).all()
    register = remembered(Register(), ANNA_BEN)
    rows = list(csv.DictReader(StringIO(as_csv(register, games))))
    assert [row["person"] for row in rows] == ["Anna", "Ben"]
    assert [int(row["points"]) for row in rows] == list(games[0].points)


def test_every_game_tells_its_feats(journal: Journal) -> None:
    three = ("Anna", "Ben", "Cleo")
    play(journal, three, 1, "2026-11-01T10:00:00Z", game="valhalla", max_players="as_printed")
    (game,) = Summaries(journal, None).all()
    assert not game.broken
    assert {each.kind for each in game.best} >= {"owned", "turns"}
