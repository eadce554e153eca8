"""Random games of Valhal on the page: every phase is shown, and every branch of every template of
its folder is rendered at least once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from flask import Flask
from jinja2 import nodes

from companion.core.game import Setup
from companion.dashboard import Parts, create_app
from companion.dashboard.fragments import Fragments
from companion.foundation.resources import package_folder
from companion.games.valhal import rules as valhal
from companion.games.valhal.rules.sheet.filling import filled
from companion.games.valhal.rules.state import Phase, State
from companion.games.valhal.rules.vocabulary import Kind
from companion.ledger.journal import Journal
from companion.ledger.referee import Moment, Referee
from companion.ledger.session import Session
from companion.views.speech import LANGUAGES
from tests.games.valhal.rules.tables import begun, random_game, setup, with_player
from tests.games.valhal.rules.test_asking import answered, undescribed
from tests.strategies import accepted

ALL = {"variant_heidrun": "true", "special_units": "true", "mainland_removal": "chosen"}
FOLDER = package_folder("companion.games.valhal", "templates")
assert FOLDER is not None
ELSEWHERE = {"_stop.html", "_sheet_head.html"}  # of the sheet's page
TEMPLATES = {f"valhal/{path.name}" for path in FOLDER.glob("*.html") if path.name not in ELSEWHERE}


class Branches:
    """Notes which branches of the templates of Valhal are rendered."""

    def __init__(self, app: Flask) -> None:
        self.every: set[str] = set()
        self.rendered: set[str] = set()
        env: Any = app.jinja_env
        self._parse = env._parse
        env._parse, env.branch_rendered = self._marked, self.rendered.add

    def _marked(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree: nodes.Template = self._parse(source, name, filename)
        if name is not None and name.startswith("valhal/"):
            found: Iterator[Any] = tree.find_all((nodes.If, nodes.For))
            for number, node in enumerate(found):
                for part, body in (("", node.body), (" else", node.else_)):
                    if body:
                        branch = f"{name}, line {node.lineno}, branch {number}{part}"
                        self.every.add(branch)
                        body.insert(0, _mark(branch, node.lineno))
        return tree


def _mark(branch: str, line: int) -> nodes.Node:
    call = nodes.Call(
        nodes.EnvironmentAttribute("branch_rendered"), [nodes.Const(branch)], [], None, None
    )
    return nodes.ExprStmt(call).set_lineno(line)


def described(chosen: Setup) -> State:
    """Rich Jarls with Altars, one move before the Mainland changes; some towns hit hard."""
    state = begun(chosen)
    sheet = state.sheet
    hard = ("v1.text Palisade", "v1.rows 3/12/2", "f1.text Palisade", "f1.rows 3/12/2*")
    for entry in (*hard, "v1.ability reroll", "v2.ability reroll-own"):
        path, value = entry.split()
        sheet = filled(sheet, f"town.{path}", (value,))
    for seat in state.seats:
        units = ("veterans", *("warriors",) * 3)
        state = with_player(state, seat, favour=1, coins=30, boats=2, units=units)
        state = with_player(state, seat, glory=5, buildings=(Kind.ALTAR,))
    return replace(state, sheet=sheet)


def shown() -> Iterator[tuple[Setup, State]]:
    """What the table looks like in random games; in some the sheet is filled in as they go."""
    for seed in range(8):
        chosen = setup(2 + seed % 3, odds="true", **(ALL if seed % 2 else {}))
        start = described(chosen)
        yield chosen, start
        yield from ((chosen, state) for _, _, state in random_game(start, seed))
    for seed in range(2):
        chosen = setup(2 + seed)
        asking = undescribed(chosen)
        for _, action, _ in random_game(begun(chosen), seed, 150):
            asking = accepted(valhal.judge(asking, action))
            yield chosen, asking
            asking = answered(asking)


def test_every_branch_is_shown(referee: Referee, journal: Journal) -> None:
    parts = Parts(referee, journal)
    app = create_app(parts)
    branches, fragments = Branches(app), Fragments(app, parts)
    pages: Counter[Phase] = Counter()
    for number, (chosen, state) in enumerate(shown()):
        rare = any(raid.surplus for raid in state.raids)
        if pages[state.phase] < 40 or number % 10 == 0 or rare:
            pages[state.phase] += 1
            moment = Moment(number, Session(valhal, chosen, 1, state, 1))
            page = fragments.table(moment, LANGUAGES[number % len(LANGUAGES)])
            assert "%(" not in page
    assert set(Phase) - set(pages) == {Phase.CONSTRUCTION}, "where nobody is waited for"
    assert {each.partition(",")[0] for each in branches.every} == TEMPLATES
    assert branches.every - branches.rendered == set()
