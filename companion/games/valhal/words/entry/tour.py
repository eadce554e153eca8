"""The owner's sheet of Valhal as a guided tour: what the next season needs, then stack by stack."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.games.valhal.rules.sheet.checking import (
    BY_BOOKS,
    CARDS,
    TOWNS,
    ability_gap,
    missing,
    town_gaps,
    unit_gaps,
    unmarked,
)
from companion.games.valhal.rules.sheet.sheet import ACHIEVEMENTS, UNITS, Sheet, TownCard
from companion.games.valhal.rules.state import Stage, State
from companion.games.valhal.rules.vocabulary import (
    CARD_INITIALS,
    LEVELS,
    TOWN_INITIALS,
    Kind,
    Stack,
)
from companion.games.valhal.words.entry.answers import answer
from companion.games.valhal.words.entry.chips import ability_fields, card_fields
from companion.games.valhal.words.entry.fields import Field, Form, Option, says
from companion.games.valhal.words.naming import piece
from companion.views.sheet_tour import Stop, Tour
from companion.views.speech import N_, Speech

MAINLAND = "mainland"  # with as many players as there are
NEEDED_FIRST = (  # a first summer asks for these, in this order
    "unit.warriors",
    "build.longboat",
    "gift.turn",
    "gift.defeat",
    "longhouse.food",
    MAINLAND,
    "favour.change",
    "favour.wrath",
)
MOST_FIRST = 4
TOWN_FACTS = 5
UNIT_FACTS = 4
TOKEN_WORDS = len(ACHIEVEMENTS) - len(BY_BOOKS)
BOARD_FACTS = 4 + 1 + 3 + 2  # displays, glory, icons, edition and Final Stage


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
        for path in dict.fromkeys((*ahead, *_usual(state)))
        if any(gap == path or _within(gap, path) for gap in gaps)
    ]


def _usual(state: State | None) -> Iterator[str]:
    """Before a game nobody knows how many will play it: two at least."""
    seats = 2 if state is None else len(state.seats)
    yield from (f"{path}.{seats}" if path == MAINLAND else path for path in NEEDED_FIRST)


def _within(gap: str, path: str) -> bool:
    """Is it a part of that card? An ability is not asked for first: nothing waits for it."""
    return gap.startswith(f"{path}.") and not gap.endswith(".ability")


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
    gaps = {unit.name: tuple(unit_gaps(sheet, unit.name)) for unit in sheet.units}
    unread = [path for unit in sheet.units for path in ability_gap(f"unit.{unit.name}", unit)]
    wanted = [f"unit.{name}" for name, lack in gaps.items() if lack]
    wanted += [path for path in unread if path.rpartition(".")[0] not in wanted]
    forms = (*(answer(speech, sheet, path) for path in wanted), *_words(speech, "unit", UNITS))
    total = UNIT_FACTS * len(sheet.units)
    known = total - sum(map(len, gaps.values())) - len(unread)
    return Stop("units", speech.say(N_("Units")), known, total, forms)


def _words(speech: Speech, head: str, names: Iterable[str]) -> Iterator[Form]:
    """Ability and words of any card that is on the sheet, told once more or for the first time."""
    cards = {name: piece(speech, name) for name in names}
    if not cards:
        return
    for part, words, fields in (
        ("ability", N_("An ability, told anew"), tuple(ability_fields(speech))),
        ("text", N_("Title or words of a card"), (Field("text", words=speech.say(N_("words"))),)),
    ):
        which = tuple(Option(f"sheet {head}.{key}.{part}", name) for key, name in cards.items())
        card = Field("select", words=speech.say(N_("Card")), options=which)
        button = speech.say(N_("So it says"))
        yield Form(speech.say(words), (card, *fields), button, folded=True)


def _backs(speech: Speech, sheet: Sheet) -> Stop:
    gaps = {back.kind: len(tuple(unmarked(back))) for back in sheet.backs}
    forms = tuple(answer(speech, sheet, f"build.{kind}") for kind, lack in gaps.items() if lack)
    total = 2 * len(Kind) + 1  # stages and saw of each, and one anvil
    words = speech.say(N_("Backs of projects"))
    return Stop("backs", words, total - sum(gaps.values()), total, forms)


def _towns(speech: Speech, sheet: Sheet) -> Stop:
    known = sum(TOWN_FACTS - len(_lacking(town)) for town in sheet.towns)
    wanted = [path for town in sheet.towns if (path := _open(town))]
    forms = [answer(speech, sheet, path) for path in wanted[:MOST_FIRST]]
    names = {town.name for town in sheet.towns}
    for level in LEVELS if len(names) < TOWNS else ():
        name = _unused(TOWN_INITIALS[level], names)
        form = answer(speech, sheet, f"town.{name}")
        words = speech.say(N_("Another %(level)s, called %(name)s"), level=level, name=name)
        fields = (says(f"sheet town.{name}"), says(f"level:{level}"), *form.fields[1:])
        forms.append(Form(words, fields, form.button, folded=True))
    forms += _words(speech, "town", sorted(names))
    total = TOWN_FACTS * TOWNS
    return Stop("towns", speech.say(N_("Town cards")), min(known, total), total, tuple(forms))


def _lacking(town: TownCard) -> tuple[str, ...]:
    return (*town_gaps(town), *ability_gap(f"town.{town.name}", town))


def _open(town: TownCard) -> str:
    """What is asked of it next: all of it, or the last thing that is missing; empty: nothing."""
    if town.rows is None or town.glory is None:
        return f"town.{town.name}"
    return next(iter(_lacking(town)), "")


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
    total = BOARD_FACTS + len(sheet.tokens) + TOKEN_WORDS + len(sheet.spaces) + len(LEVELS)
    forms = tuple(answer(speech, sheet, path) for path in gaps)
    words = speech.say(N_("Boards, tokens and signs"))
    return Stop("boards", words, total - len(gaps), total, forms)


def _unused(initial: str, names: set[str]) -> str:
    return next(name for n in range(1, 99) if (name := f"{initial}{n}") not in names)
