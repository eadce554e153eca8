"""What following must reach, and whether probabilities mean what they say."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from companion.__main__ import main
from companion.deciding.decide import tempered
from companion.sim.goals import COLUMNS, Least, Most
from companion.trials.bars import FIT_SEEDS, JUDGE_SEEDS, RowResult, as_json, markdown, rows
from companion.trials.reliability import ReliabilitySample, curve, fitted, loss, off_by
from companion.trials.scoring import FirstLookTally, Tally

GOOD = Tally(
    games=100, plays=9000, right=8970, asked=30, illegal=200, caught=199, scores=100, perfect=98
)
RAW = FirstLookTally(right=8000, plays=9000, caught=180, illegal=200, perfect=3, games=100)
ROWS = rows()
ODIN = ROWS[0].name


def row(whole: Tally) -> str:
    lines = list(markdown({(ODIN, "real"): RowResult(whole, RAW)}))
    return next(line for line in lines if "| real, after fusion |" in line)


def test_the_table_names_every_row_with_its_bar() -> None:
    lines = list(markdown({}))
    assert [line.split("**")[1] for line in lines if "**" in line] == [each.name for each in ROWS]
    assert all(line.count("|") == len(COLUMNS) + 3 for line in lines)
    assert sum("not measured" in line for line in lines) == sum(len(each.eyes) for each in ROWS)


def test_boards_have_a_row_of_their_own_for_real_eyes() -> None:
    (boards,) = [each for each in ROWS if each.boards]
    assert boards.eyes == ("real",)
    assert str(boards.bars[0]) == "≥ 97.0%"


def test_only_games_on_boards_are_judged_on_boards() -> None:
    answer = CliRunner().invoke(main, ["track", "odin", "--bars", "--boards"])
    assert answer.exit_code == 2
    assert "no bars for that" in answer.output


def test_figures_are_told_with_their_counts_and_held_against_the_bar() -> None:
    assert "8,970 of 9,000 (99.7%) met" in row(GOOD)
    assert "not met" not in row(GOOD)


@pytest.mark.parametrize(
    "change",
    [
        {"right": 8900},
        {"asked": 91},
        {"wrong": 5},
        {"ghosts": 5},
        {"accused": 1},
        {"caught": 190},
        {"perfect": 96},
    ],
)
def test_one_figure_too_bad_is_not_met(change: dict[str, int]) -> None:
    assert row(replace(GOOD, **change)).count("**not met**") == 1


def test_raw_stands_beside_what_votes_and_rules_make_of_it() -> None:
    lines = list(markdown({(ODIN, "real"): RowResult(GOOD, RAW)}))
    raw = next(line for line in lines if "| real, raw |" in line)
    assert "8,000 of 9,000 (88.9%)" in raw


def test_programs_get_the_same() -> None:
    (told,) = as_json({(ODIN, "real"): RowResult(GOOD, RAW)})
    assert json.loads(json.dumps(told))["met"]["asked"] is True


def test_nothing_is_judged_on_what_it_was_fitted_on() -> None:
    assert not set(FIT_SEEDS) & set(JUDGE_SEEDS)


def test_bars_as_people_say_them() -> None:
    assert str(Least(0.995)) == "≥ 99.5%"
    assert str(Most(2000)) == "≤ 1 in 2,000"
    assert Most(2000).met(1, 2000)
    assert not Most(2000).met(1, 1999)
    assert not Least(0.97).met(0, 0)


# Reliability


def said(p: float, right: int, wrong: int) -> list[ReliabilitySample]:
    return [ReliabilitySample(p, True)] * right + [ReliabilitySample(p, False)] * wrong


def test_too_sure_a_speaker_is_made_less_sure() -> None:
    samples = said(0.99, 90, 10) + said(0.9, 70, 30)
    factor = fitted(samples)
    assert factor > 1.3
    assert off_by(curve(samples, factor)) < off_by(curve(samples))
    assert loss(samples, factor) < loss(samples, 1.0)


def test_too_modest_a_speaker_is_made_surer() -> None:
    assert fitted(said(0.7, 95, 5)) < 0.8


def test_who_means_it_stays_as_he_is() -> None:
    assert 0.9 < fitted(said(0.9, 90, 10) + said(0.6, 60, 40)) < 1.1


def test_nothing_is_learnt_where_all_was_right() -> None:
    assert fitted(said(0.8, 50, 0)) == 1.0


def test_a_curve_has_every_sample_once() -> None:
    samples = said(0.3, 1, 2) + said(0.95, 20, 1) + said(1.0, 7, 0)
    bins = curve(samples)
    assert sum(each.many for each in bins) == len(samples)
    assert [each.right for each in bins] == [1 / 3, 20 / 21, 1.0]


@given(st.floats(0.001, 0.999), st.floats(0.3, 5))
def test_tempering_keeps_the_order_and_the_middle(p: float, temper: float) -> None:
    assert tempered(0.5, temper) == pytest.approx(0.5)
    assert (tempered(p, temper) > 0.5) == (p > 0.5) or p == pytest.approx(0.5)
    assert tempered(p, 1.0) == p
    assert tempered(tempered(p, temper), 1 / temper) == pytest.approx(p)
