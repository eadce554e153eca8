"""Owners' sheets: entered once, kept in a file, told to every new game."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest

from companion.dashboard import Parts, create_app
from companion.foundation.errors import BadInput
from companion.games.valhal.owner_sheet import SHEET
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.ledger.sheets import MOST_BYTES, OwnersSheet, sheets_in


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


def test_the_page_fills_it_in_and_a_game_starts_with_it(
    journal: Journal, referee: Referee, tmp_path: Path
) -> None:
    sheets = sheets_in(tmp_path)
    client = create_app(Parts(referee, journal, sheets=sheets)).test_client()
    page = client.get("/sheet/valhal").text
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
