"""The owner's sheet of Valhal as a guided tour: what the next season needs, then stack by stack."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.valhal.rules.cards import INITIALS as CARD_INITIALS
from companion.games.valhal.rules.raid.mainland import INITIALS
from companion.games.valhal.rules.sheet.checking import (
    CARDS,
    TOWNS,
    missing,
    town_gaps,
    unit_gaps,
    unmarked,
)
from companion.games.valhal.rules.sheet.sheet import Sheet
from companion.games.valhal.rules.state import Stage, State
from companion.games.valhal.rules.vocabulary import LEVELS, Kind, Stack
from companion.games.valhal.words.entry.answers import answer
from companion.games.valhal.words.entry.chips import card_fields
from companion.games.valhal.words.entry.fields import Form, says
from companion.views.sheet_tour import Stop, Tour
from companion.views.speech import N_, Speech

NEEDED_FIRST = (  # a first summer asks for these, in this order
    "unit.warriors",
    "build.longboat",
    "gift.turn",
    "gift.defeat",
    "longhouse.food",
    "mainland.2",
    "mainland.3",
    "mainland.4",
    "favour.change",
    "favour.wrath",
)
MOST_FIRST = 4
TOWN_FACTS = 4
UNIT_FACTS = 3


def tour(speech: Speech, sheet: Sheet, state: State | None = None) -> Tour:
    wanted = needed_first(sheet, state)[:MOST_FIRST]
    first = tuple(answer(speech, sheet, path) for path in wanted)
    return Tour(first, tuple(_stops(speech, sheet)))


def needed_first(sheet: Sheet, state: State | None) -> list[str]:
    """What the running game is going to ask for, then what every first summer does."""
    gaps = missing(sheet)
    ahead = () if state is None or state.over else _ahead(state)
    return [
        path
        for path in dict.fromkeys((*ahead, *NEEDED_FIRST))
        if any(gap == path or gap.startswith(f"{path}.") for gap in gaps)
    ]


def _ahead(state: State) -> tuple[str, ...]:
    """What is asked now, then who may fight whom and what is being built, in the season's order."""
    raided = [raid.town for raid in state.raids]
    units = [unit for player in state.players for unit in player.units]
    fights = [f"town.{name}" for name in raided] + [f"unit.{name}" for name in units]
    fights += [f"town.{name}" for name in state.mainland]
    kinds = [project.kind for player in state.players for project in player.projects]
    builds = [f"build.{kind}" for kind in kinds]
    home = state.stage in (Stage.COMMISSION, Stage.CONSTRUCTION)
    return (*state.asks, *builds, *fights) if home else (*state.asks, *fights, *builds)


def _stops(speech: Speech, sheet: Sheet) -> Iterator[Stop]:
    yield _units(speech, sheet)
    yield _backs(speech, sheet)
    yield _towns(speech, sheet)
    yield from (_stack(speech, sheet, stack, count) for stack, count in CARDS.items())
    yield _boards(speech, sheet)


def _units(speech: Speech, sheet: Sheet) -> Stop:
    gaps = {unit.name: len(tuple(unit_gaps(sheet, unit.name))) for unit in sheet.units}
    forms = tuple(answer(speech, sheet, f"unit.{name}") for name, lack in gaps.items() if lack)
    total = UNIT_FACTS * len(sheet.units)
    return Stop("units", speech.say(N_("Units")), total - sum(gaps.values()), total, forms)


def _backs(speech: Speech, sheet: Sheet) -> Stop:
    gaps = {back.kind: len(tuple(unmarked(back))) for back in sheet.backs}
    forms = tuple(answer(speech, sheet, f"build.{kind}") for kind, lack in gaps.items() if lack)
    total = 2 * len(Kind) + 1  # stages and saw of each, and one anvil
    words = speech.say(N_("Backs of projects"))
    return Stop("backs", words, total - sum(gaps.values()), total, forms)


def _towns(speech: Speech, sheet: Sheet) -> Stop:
    known = sum(TOWN_FACTS - len(tuple(town_gaps(town))) for town in sheet.towns)
    open_towns = [town for town in sheet.towns if town.rows is None or town.glory is None]
    forms = [answer(speech, sheet, f"town.{town.name}") for town in open_towns[:MOST_FIRST]]
    names = {town.name for town in sheet.towns}
    for level in LEVELS if len(names) < TOWNS else ():
        name = _unused(INITIALS[level], names)
        form = answer(speech, sheet, f"town.{name}")
        words = speech.say(N_("Another %(level)s, called %(name)s"), level=level, name=name)
        fields = (says(f"sheet town.{name}"), says(f"level:{level}"), *form.fields[1:])
        forms.append(Form(words, fields, form.button, folded=True))
    total = TOWN_FACTS * TOWNS
    return Stop("towns", speech.say(N_("Town cards")), min(known, total), total, tuple(forms))


def _stack(speech: Speech, sheet: Sheet, stack: Stack, total: int) -> Stop:
    """The next card of a stack; after it comes another."""
    cards = [card for card in sheet.cards if card.stack is stack]
    known = min(total, sum(card.copies or 1 for card in cards))
    name = _unused(CARD_INITIALS[stack], {card.name for card in cards})
    words = speech.say(N_("%(stack)s: the next card, called %(name)s"), stack=stack, name=name)
    fields = (says(f"sheet card.{stack}.{name}"), *card_fields(speech))
    form = Form(words, fields, speech.say(N_("So it says, and on to the next")))
    return Stop(stack, speech.word(stack), known, total, (form,) if known < total else ())


def _boards(speech: Speech, sheet: Sheet) -> Stop:
    """Displays, tracks, tokens, counts and signs."""
    cards = ("unit", "build", "town", "card")
    gaps = [path for path in missing(sheet) if path.partition(".")[0] not in cards]
    total = 4 + 1 + len(sheet.tokens) + len(sheet.spaces) + 3 + len(LEVELS)
    forms = tuple(answer(speech, sheet, path) for path in gaps)
    words = speech.say(N_("Boards, tokens and signs"))
    return Stop("boards", words, total - len(gaps), total, forms)


def _unused(initial: str, names: set[str]) -> str:
    return next(name for n in range(1, 99) if (name := f"{initial}{n}") not in names)
