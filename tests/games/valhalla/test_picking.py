"""Where there are too many possibilities for a button each, every one can still be picked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from companion.core.game import Accepted, Setup
from companion.core.notation import Seat
from companion.games.valhalla import rules
from companion.games.valhalla.rules.cards import Card
from companion.games.valhalla.rules.following import actions, candidates
from companion.games.valhalla.rules.state import Phase, State
from companion.games.valhalla.words.choices import MOST, choices
from companion.games.valhalla.words.picking import Picker
from companion.views import speech_for

SETUP = Setup("valhalla", ("Anna", "Ben"), "en", (("expansion", "true"), ("clash_by", "by_name")))


def played(*lines: str) -> State:
    state = rules.start(SETUP)
    for line in lines:
        verdict = rules.judge(state, rules.parse(line))
        assert isinstance(verdict, Accepted), (line, verdict)
        state = verdict.state
    return state


def crowded() -> Iterator[State]:
    """States of a game, whatever is done first, that have too many possibilities."""
    state = played("first A")
    for step in range(400):
        found = list(islice(actions(state), MOST + 1))
        if not found:
            return
        if len(found) > MOST:
            yield state
        verdict = rules.judge(state, found[(step * 7919) % len(found)])
        assert isinstance(verdict, Accepted)
        state = verdict.state


def said(picker: Picker, line: str) -> str:
    """The line as the form says it, field by field in the order of their names."""
    words = line.split()[2:]
    shown, kept = (words, []) if "keeps" not in words else _halves(words)
    given = {"say.1": iter(shown), "say.2": iter(kept)}
    made = [picker.said]
    for slot in (*picker.slots, picker.last):
        word = next(given[slot.name[:5]], "")
        assert word in {pick.word for pick in slot.picks}, (slot, word)
        if word:
            made += ["keeps", word] if slot.name.endswith("keeps") else [word]
    return " ".join(made)


def _halves(words: list[str]) -> tuple[list[str], list[str]]:
    at = words.index("keeps")
    return words[:at], words[at + 1 :]


def test_every_possibility_can_be_picked_and_none_need_be_typed() -> None:
    seen = 0
    for state in islice(crowded(), 6):
        asked = choices(speech_for(SETUP, "en"), state)
        buttons = {c.action for a in asked for g in a.groups for c in g.choices}
        pickers = {p.said: p for a in asked for p in a.pickers}
        assert pickers
        for action in candidates(state):
            line = str(action)
            if line not in buttons and not any(rules_refuse(state, line)):
                assert said(pickers[" ".join(line.split()[:2])], line) == line
        seen += 1
    assert seen


def rules_refuse(state: State, line: str) -> Iterator[object]:
    verdict = rules.judge(state, rules.parse(line))
    if not isinstance(verdict, Accepted):
        yield verdict


def test_cards_are_picked_in_any_order() -> None:
    state = next(each for each in crowded() if each.phase is Phase.STAND)
    (picker,) = choices(speech_for(SETUP, "en"), state)[0].pickers
    seat = state.debts[0].seat
    assert picker.said == f"{seat} stands"
    assert isinstance(seat, Seat)
    drawable = [p.word for p in picker.slots[0].picks if p.word != Card.DRAUGR][:3]
    for cards in (drawable, drawable[::-1]):
        line = f"{picker.said} {' '.join(cards)} keeps {cards[0]}"
        assert isinstance(rules.judge(state, rules.parse(line)), Accepted), line


def test_few_possibilities_are_buttons_as_ever() -> None:
    asked = choices(speech_for(SETUP, "en"), played("first A", "ready"))
    assert asked
    assert not any(each.pickers for each in asked)
