"""A card that fills in the middle of a game: what was confirmed stays, the game goes on elsewhere,
and comes back when there is room."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.app import App, Controls, build
from companion.core.game import Setup
from companion.foundation.errors import JournalFull
from companion.foundation.notices import Notices
from companion.ledger.events import Proposal, Source
from companion.ledger.journal import Journal
from companion.service.keeping.condition import Ailment, JournalCondition
from companion.service.keeping.recovery import Errand
from companion.service.keeping.upkeep import Upkeep
from companion.service.settings import Settings
from tests.cards import fill, small_card
from tests.ledger.logs import OPENED, at_table, worn_out
from tests.waiting import soon

LINES = ("A r3", "B b5", "A r6", "B b7", "A r8", "B b9")


@pytest.fixture
def card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "memory").mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "memory"))
    with small_card(tmp_path / "data") as place:
        yield place


def say(app: App, line: str) -> object:
    return app.referee.propose(Proposal(line, at_table(app.referee).seq, Source.PAGE))


def say_all(app: App) -> None:
    for line in LINES:
        say(app, line)


def actions(app: App) -> list[str]:
    return [each.action for each in at_table(app.referee).entries][::-1]


def test_the_game_goes_on_in_memory_and_comes_back(card: Path) -> None:
    settings = Settings(data=str(card), port=0, host="127.0.0.1", gpio="none")
    errands: list[Errand] = []
    controls = Controls(start_again=errands.append)
    with ExitStack() as stack:
        app = build(settings, stack, controls)
        app.referee.open(Setup("odin", ("Anna", "Ben")), Source.PAGE)
        say(app, "deal A")
        junk = fill(card)
        with pytest.raises(JournalFull):
            say_all(app)
        kept = actions(app)
        assert soon(lambda: bool(errands)), "nobody has to ask for it"
    with ExitStack() as stack:
        app = build(settings, stack, controls)
        assert not app.referee.moment.trouble
        assert actions(app) == kept, "everything that was confirmed"
        following = LINES[len(kept) - 1]
        say(app, following)
    junk.unlink()
    with ExitStack() as stack:
        app = build(settings, stack, controls)
        assert actions(app) == [*kept, following]
        assert app.parts[0].what.startswith(str(card / "journal.db"))


def test_an_entry_refused_for_another_reason_starts_nothing_anew(tmp_path: Path) -> None:
    asked: list[str] = []
    condition = JournalCondition(Notices())
    with Journal(tmp_path / "journal.db") as journal:
        upkeep = Upkeep(journal, None, condition, elsewhere=lambda: asked.append("x"))
        opened = journal.open_game(OPENED, "page")
        with worn_out(journal.path), pytest.raises(JournalFull):
            journal.open_game(OPENED, "page")
        assert journal.refuses
        upkeep.look_at_card()
        assert (asked, condition.worst) == ([], None), "the card takes files"
        journal.prove()
        assert journal.refuses, "that wrote nothing"
        journal.open_game(OPENED, "page")
        assert not journal.refuses
        assert opened.game == 1


def test_where_nothing_can_be_started_anew_it_is_said(card: Path) -> None:
    notices = Notices()
    condition = JournalCondition(notices)
    with Journal(card / "journal.db") as journal:
        upkeep = Upkeep(journal, None, condition)
        junk = fill(card)
        with pytest.raises(JournalFull):
            [journal.open_game(OPENED, "page") for _ in range(100)]
        upkeep.look_at_card()
        assert condition.worst is not None
        assert condition.worst.ailment is Ailment.FULL
        assert [each.code for each in notices.standing] == ["journal-full"]
        junk.unlink()
        upkeep.look_at_card()
        assert notices.standing == ()
