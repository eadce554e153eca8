"""Owners' sheets: entered once, kept in a file, told to every new game."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

from companion.core.game import Setup
from companion.dashboard import Parts, create_app
from companion.foundation.errors import BadInput
from companion.foundation.resources import shipped
from companion.games.valhal import rules as valhal
from companion.games.valhal.owner_sheet import SHEET
from companion.games.valhal.rules.state import Project, Stage
from companion.games.valhal.rules.vocabulary import Kind
from companion.games.valhal.words.entry.sailing import MOST_LOADS
from companion.games.valhal.words.entry.tour import needed_first
from companion.ledger.events import Proposal, Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.ledger.sheets import MOST_BYTES, Merged, OwnersSheet, sheets_in
from tests.games.valhal.rules.tables import SHEET as FULL
from tests.strategies import played


@pytest.fixture
def sheet(tmp_path: Path) -> OwnersSheet:
    return sheets_in(tmp_path)["valhal"]


def test_a_fresh_sheet_holds_what_the_rulebook_says(sheet: OwnersSheet) -> None:
    assert sheet.entered == ()
    assert "build.longboat.stages" in sheet.missing
    assert "build.warriors.stages" not in sheet.missing
    assert sheet.contradictions == ()


def test_what_is_entered_is_kept_and_told_to_the_next_game(
    sheet: OwnersSheet, tmp_path: Path
) -> None:
    sheet.enter("build.longboat.stages", "4")
    sheet.enter("card.benevolence.b1", 'activated reroll text "Hands off!"')
    again = sheets_in(tmp_path)["valhal"]
    assert again.lines == (
        "sheet build.longboat.stages 4",
        'sheet card.benevolence.b1 activated reroll text "Hands off!"',
    )
    assert "build.longboat.stages" not in again.missing


def test_a_sheet_goes_to_a_file_and_comes_back(sheet: OwnersSheet, tmp_path: Path) -> None:
    sheet.enter("town.v1.rows", "2/8/2 1/8/2*")
    other = OwnersSheet("other", SHEET, tmp_path)
    other.replace(sheet.export().encode())
    assert other.entered == sheet.entered


def test_what_contradicts_the_rulebook_is_said(sheet: OwnersSheet) -> None:
    sheet.enter("unit.warriors.hp", "3 1")
    assert [dict(each.facts)["path"] for each in sheet.contradictions] == ["unit.warriors.hp"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("", ""),
        ("nonsense", "1"),
        ("build.longboat.stages", "many"),
        ("town.v1.rows", "2/8"),
        ("build", "3"),  # paths that end too early
        ("card", "1"),
        ("card.event", "e1"),
        ("card.event.e1.text", "more"),  # and too late
    ],
)
def test_entries_that_do_not_exist_leave_the_sheet_as_it_was(
    sheet: OwnersSheet, path: str, text: str
) -> None:
    sheet.enter("glory.max", "20")
    before = sheet.export()
    with pytest.raises(BadInput):
        sheet.enter(path, text)
    assert sheet.export() == before


@pytest.mark.parametrize(
    "data",
    [
        b"\xff",
        b"a = [",
        b"unit = 3",
        b'build = "1"',
        b'card.event = "e1"',
        b'nonsense.entry = "1"',
        b"#" * (MOST_BYTES + 1),
    ],
)
def test_files_that_are_no_sheets_leave_it_as_it_was(sheet: OwnersSheet, data: bytes) -> None:
    sheet.enter("glory.max", "20")
    with pytest.raises(BadInput):
        sheet.replace(data)
    assert sheet.entered == (("glory.max", "20"),)


def test_what_was_pasted_with_unprintable_letters_is_cleaned(sheet: OwnersSheet) -> None:
    sheet.enter("unit.veterans.text", "strong\x01 and\x7f brave\u2028men")
    assert sheet.entered == (("unit.veterans.text", "strong and brave men"),)


@pytest.mark.parametrize("text", ["strong\\u0001men", "x" * 400])
def test_what_no_game_could_be_told_is_refused(sheet: OwnersSheet, text: str) -> None:
    sheet.enter("glory.max", "20")
    with pytest.raises(BadInput, match=r"unit\.veterans\.text"):
        sheet.replace(f'unit.veterans.text = "{text}"'.encode())
    assert sheet.entered == (("glory.max", "20"),)


def test_a_damaged_sheet_can_be_replaced_on_its_page(
    journal: Journal, referee: Referee, tmp_path: Path
) -> None:
    sheets = sheets_in(tmp_path)
    (tmp_path / "valhal-sheet.toml").write_text("a = [")
    client = create_app(Parts(referee, journal, sheets=sheets)).test_client()
    page = client.get("/sheet/valhal")
    assert page.status_code == 200
    assert "is not TOML" in page.text
    file = {"file": (BytesIO(b'glory.max = "20"'), "valhal-sheet.toml")}
    assert client.post("/sheet/valhal/file", data=file).status_code == 303
    assert "sheet glory.max 20" in sheets["valhal"].lines


@pytest.mark.parametrize("damage", ['build = "1"', "a = [", 'nonsense.entry = "1"'])
def test_a_game_is_played_on_a_damaged_sheet(
    journal: Journal, referee: Referee, tmp_path: Path, damage: str
) -> None:
    sheets, file = sheets_in(tmp_path), tmp_path / "valhal-sheet.toml"
    file.write_text(damage)
    parts = Parts(referee, journal, sheets=sheets)
    client = create_app(parts).test_client()
    client.post("/games", data={"game": "valhal", "name": ["Anna", "Ben"], "count": "2"})
    assert "The owner&#39;s sheet cannot be used" in client.get("/").text
    for line in ("first A", "lay v1 village", "sheet build.longboat.stages 4"):
        session = referee.moment.session
        assert session is not None
        said = {"say": line, "seq": str(session.seq)}
        reply = client.post("/act", data=said, headers={"X-Live": "1"})
        assert (reply.status_code, reply.headers["X-Verdict"]) == (200, "accepted"), line
    session = referee.moment.session
    assert session is not None
    assert session.state.mainland == ("v1",)
    assert file.read_text() == damage, "nobody has thrown it away"
    assert "the owner&#39;s sheet cannot keep it" in client.get("/").text

    whole = {"file": (BytesIO(b'glory.max = "20"'), "valhal-sheet.toml")}
    client.post("/sheet/valhal/file", data=whole)
    assert parts.notices.standing == ()


def test_the_page_fills_it_in_and_a_game_starts_with_it(
    journal: Journal, referee: Referee, tmp_path: Path
) -> None:
    sheets = sheets_in(tmp_path)
    client = create_app(Parts(referee, journal, sheets=sheets)).test_client()
    page = client.get("/sheet/valhal?stop=boards").text
    assert "Which numbers are on a die?" not in page, "the rulebook's own dice are known"
    assert "What is the last space of the glory track?" in page
    assert (
        client.post("/sheet/valhal", data={"path": "glory.max", "value": "20"}).status_code == 303
    )
    bad = client.post("/sheet/valhal", data={"path": "glory.max", "value": "far"})
    assert (bad.status_code, "has no entry glory.max" in bad.text) == (400, True)
    short = client.post("/sheet/valhal", data={"path": "card.event", "value": "e1"})
    assert (short.status_code, "has no entry card.event" in short.text) == (400, True)
    client.post("/games", data={"game": "valhal", "name": ["Anna", "Ben"], "count": "2"})
    session = referee.moment.session
    assert session is not None
    assert session.state.sheet.glory_max == 20

    # What the table answers during a game is asked only once.
    told = {"say": "sheet build.longboat.stages 4", "seq": str(session.seq)}
    client.post("/act", data=told, headers={"X-Live": "1"})
    assert "sheet build.longboat.stages 4" in sheets["valhal"].lines

    saved = client.get("/sheet/valhal/file").data
    sheets["valhal"].replace(b"")
    file = {"file": (BytesIO(saved), "valhal-sheet.toml")}
    assert client.post("/sheet/valhal/file", data=file).status_code == 303
    assert "sheet glory.max 20" in sheets["valhal"].lines
    assert client.post("/sheet/valhal/file", data={}).status_code == 400
    assert client.get("/sheet/odin").status_code == 404


# A guided tour, by chips


def test_the_tour_counts_real_facts_and_says_what_is_needed_first(
    journal: Journal, referee: Referee, tmp_path: Path
) -> None:
    sheets = sheets_in(tmp_path)
    client = create_app(Parts(referee, journal, sheets=sheets)).test_client()
    known, total = _progress(client.get("/sheet/valhal").text)
    assert (known, total) == (6, 332)  # what the rulebook itself tells of every copy
    page = client.get("/sheet/valhal").text
    assert page.index("What is printed on Nordic Warriors") < page.index("Town cards")

    # Several cards in a row: the answer leads back to the same stack, with the next name.
    told = {"say.001": "sheet card.event.e1", "say.003.coins": "2", "say.004.food": "0"}
    reply = client.post("/sheet/valhal", data={**told, "stop": "event"})
    assert reply.headers["Location"].endswith("/sheet/valhal?stop=event&told=event.e1#stop-event")
    assert "sheet card.event.e1 coins+2" in sheets["valhal"].lines
    page = client.get("/sheet/valhal?stop=event").text
    assert "sheet card.event.e2" in page
    assert _progress(page) == (known + 1, total)

    # A whole town in one answer, five facts.
    town = {"say.001": "sheet town.v1", "say.002": "level:village", "say.003": "2", "say.004": "/"}
    town |= {"say.005": "0", "say.006": "/", "say.007": "1", "say.008": "glory:", "say.009": "2"}
    town |= {"say.010": "lesser:", "say.011": "1", "say.012": "ability:", "say.013": "now"}
    assert client.post("/sheet/valhal", data={**town, "stop": "towns"}).status_code == 303
    assert _progress(client.get("/sheet/valhal").text) == (known + 6, total)
    tap = {"say": "sheet gift.turn coins", "stop": "boards"}
    client.post("/sheet/valhal", data=tap)
    assert "sheet gift.turn coins" in sheets["valhal"].lines


def _progress(page: str) -> tuple[int, int]:
    found = re.search(r"Known of your copy</span> <b>(\d+)/(\d+)</b>", page)
    assert found is not None
    return int(found[1]), int(found[2])


def test_a_sheet_that_is_full_has_nothing_left_to_ask(
    journal: Journal, referee: Referee, tmp_path: Path
) -> None:
    sheets = sheets_in(tmp_path)
    sheets["valhal"].write(FULL)
    page = (
        create_app(Parts(referee, journal, sheets=sheets))
        .test_client()
        .get("/sheet/valhal?stop=boards")
    )
    assert "Needed first" not in page.text
    assert "All of it is known." in page.text


# A friend's sheet


def test_a_friends_sheet_adds_what_is_new_and_shows_where_they_differ(
    journal: Journal, referee: Referee, tmp_path: Path
) -> None:
    sheets = sheets_in(tmp_path)
    mine = sheets["valhal"]
    mine.enter("glory.max", "20")
    client = create_app(Parts(referee, journal, sheets=sheets)).test_client()
    theirs = b'glory.max = "24"\nbuild.longboat.stages = "4"\n'
    page = client.post("/sheet/valhal/friend", data={"file": (BytesIO(theirs), "friend.toml")}).text
    assert "New entries taken over: 1" in page
    assert "Take the other: 24" in page
    assert mine.entered == (("build.longboat.stages", "4"), ("glory.max", "20"))
    client.post("/sheet/valhal", data={"path": "glory.max", "value": "24"})
    assert ("glory.max", "24") in mine.entered
    again = client.post("/sheet/valhal/friend", data={"file": (BytesIO(theirs), "friend.toml")})
    assert "They do not contradict each other." in again.text
    assert client.post("/sheet/valhal/friend", data={}).status_code == 400
    broken = client.post("/sheet/valhal/friend", data={"file": (BytesIO(b"a = ["), "x.toml")})
    assert (broken.status_code, "is not TOML" in broken.text) == (400, True)
    assert ("glory.max", "24") in mine.entered


def merged(sheet: OwnersSheet, *theirs: str) -> Merged:
    lines = (f'{path} = "{text}"' for path, _, text in (each.partition(" ") for each in theirs))
    return sheet.merge("\n".join(lines).encode())


def test_cards_are_matched_by_what_they_say(sheet: OwnersSheet) -> None:
    """Both have drawn the same two cards, in another order."""
    sheet.enter("card.event.e1", "coins+2")
    sheet.enter("card.event.e2", "food+1 text A good Harvest")
    before = sheet.export()
    found = merged(sheet, "card.event.e1 food+1 text a good harvest!", "card.event.e2 coins+2")
    assert (found.new, sheet.export()) == (0, before)
    assert [path for path, _, _ in found.differences] == ["card.event.e2"], "typed otherwise"


def test_a_card_of_the_same_automatic_name_is_another_card(sheet: OwnersSheet) -> None:
    sheet.enter("card.event.e1", "coins+2")
    found = merged(sheet, "card.event.e1 iron+1", "card.event.e2 wood+1")
    assert (found.new, found.differences) == (2, ())
    assert dict(sheet.entered) == {
        "card.event.e1": "coins+2",
        "card.event.e2": "wood+1",
        "card.event.e3": "iron+1",
    }


def test_a_title_tells_a_card_even_if_it_says_something_else(sheet: OwnersSheet) -> None:
    sheet.enter("card.wrath.w1", "coins-1 text Storm")
    found = merged(sheet, "card.wrath.w4 coins-2 text storm")
    assert found.differences == (("card.wrath.w1", "coins-1 text Storm", "coins-2 text storm"),)


def test_names_people_gave_are_kept(sheet: OwnersSheet) -> None:
    sheet.enter("card.event.storm", "coins-1")
    found = merged(sheet, "card.event.storm coins-2", "card.event.frost food-1")
    assert (found.new, len(found.differences)) == (1, 1)


def test_one_card_there_is_one_card_here(sheet: OwnersSheet) -> None:
    """Two different cards may say the same."""
    sheet.enter("card.lesser.l1", "coins+2")
    assert merged(sheet, "card.lesser.l1 coins+2", "card.lesser.l2 coins+2").new == 1
    assert merged(sheet, "card.lesser.l7 coins+2", "card.lesser.l8 coins+2").new == 0


def test_towns_are_matched_by_what_is_printed_on_them(sheet: OwnersSheet) -> None:
    for path, text in (("rows", "2/8/2"), ("level", "village"), ("glory", "2")):
        sheet.enter(f"town.v1.{path}", text)
    sheet.enter("town.v2.level", "village")
    same = ("town.v2.rows 2/8/2", "town.v2.level village", "town.v2.glory 2")
    assert merged(sheet, *same).new == 0
    other = merged(sheet, "town.v1.rows 3/9/1", "town.v1.level village")
    assert (other.new, other.differences) == (2, ())
    assert dict(sheet.entered)["town.v1.rows"] == "2/8/2"
    assert dict(sheet.entered)["town.v3.rows"] == "3/9/1", "nobody knows that it is v2"


def test_a_sheet_of_another_edition_is_not_mixed_in(sheet: OwnersSheet) -> None:
    sheet.enter("copy.edition", "first")
    before = sheet.export()
    with pytest.raises(BadInput, match="another edition"):
        merged(sheet, "copy.edition second", "glory.max 24")
    assert sheet.export() == before
    assert merged(sheet, "copy.edition first", "glory.max 24").new == 1
    assert merged(sheet, "build.longboat.stages 4").new == 1, "nobody told of which edition"


def test_what_a_game_comes_to_know_is_kept(sheet: OwnersSheet) -> None:
    state = valhal.start(Setup("valhal", ("Anna", "Ben")))
    after = played(valhal, state, "first A", "lay v1 mill")
    sheet.learn(state, after)
    assert ("town.mill.level", "village") in sheet.entered


def test_what_is_needed_first_follows_the_running_game() -> None:
    state = valhal.start(Setup("valhal", ("Anna", "Ben")))
    assert needed_first(state.sheet, None)[0] == "unit.warriors"
    laid = played(valhal, state, "first A", "lay v1 village")
    assert needed_first(laid.sheet, laid)[:2] == ["unit.warriors", "town.v1"]

    # While commissions are made, what is being built comes before who may fight.
    jarl = replace(laid.players[0], projects=(Project(Kind.GRANARY),))
    home = replace(laid, stage=Stage.COMMISSION, players=(jarl, *laid.players[1:]))
    first = needed_first(home.sheet, home)
    assert first[:3] == ["build.granary", "unit.warriors", "town.v1"]
    assert len(first) == len(set(first))
    assert needed_first(FULL, replace(home, sheet=FULL)) == []


def test_the_page_of_the_sheet_asks_first_what_the_running_game_needs(
    journal: Journal, referee: Referee, tmp_path: Path
) -> None:
    sheets = sheets_in(tmp_path)
    sheets["valhal"].enter("town.v7.level", "village")
    client = create_app(Parts(referee, journal, sheets=sheets)).test_client()
    assert "sheet town.v7" not in _needed_first(client.get("/sheet/valhal").text)
    session = referee.open(
        Setup("valhal", ("Anna", "Ben")), Source.PAGE, ("sheet town.v7.level village",)
    )
    for line in ("first A", "lay v7"):
        session = referee.moment.session or session
        referee.propose(Proposal(line, session.seq, Source.PAGE))
    assert "sheet town.v7" in _needed_first(client.get("/sheet/valhal").text)


def _needed_first(page: str) -> str:
    return page[page.index("Needed first") : page.index('id="stop-')]


def test_every_load_that_is_shown_has_a_panel() -> None:
    style = (shipped("web") / "static/css/parts.css").read_text()
    panels = re.findall(r"label:nth-child\((\d+)\) :checked\) > .tab:nth-of-type\((\d+)\)", style)
    assert len(panels) >= MOST_LOADS
    assert all(int(panel) == int(label) + 1 for label, panel in panels)


@pytest.mark.parametrize("count", ["100", "9" * 9, "9" * 30])
def test_more_loot_than_any_stack_has_is_refused(sheet: OwnersSheet, count: str) -> None:
    """Each piece becomes a word: a large number would be that many of them."""
    with pytest.raises(BadInput, match="the sheet has no entry"):
        sheet.enter("unit.veterans.rows", f"2/8/2 lesser:{count}")
