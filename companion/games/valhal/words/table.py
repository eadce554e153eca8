"""The table of Valhal as a page shows it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.core.notation import Seat
from companion.games.valhal.rules.codes import Code
from companion.games.valhal.rules.following import waited_for
from companion.games.valhal.rules.notation.actions import Agree
from companion.games.valhal.rules.objections import objections
from companion.games.valhal.rules.settlement.achievements import SEEN, in_play, owner_of
from companion.games.valhal.rules.settlement.clerk import steps, warnings
from companion.games.valhal.rules.sheet.sheet import ACHIEVEMENTS
from companion.games.valhal.rules.state import Phase, Stage, State, Step, Work
from companion.games.valhal.rules.vocabulary import LEVELS, SEASONS, Season
from companion.games.valhal.words.chronicle import Curve, curves
from companion.games.valhal.words.correcting import Books, adding, books
from companion.games.valhal.words.entry.answers import questions
from companion.games.valhal.words.entry.choices import Asked, choices
from companion.games.valhal.words.entry.fields import Choice, Form
from companion.games.valhal.words.entry.forms import by_hand, forms
from companion.games.valhal.words.entry.sailing import Sailing, sailing
from companion.games.valhal.words.naming import effect, piece
from companion.games.valhal.words.planning import GoOn, checklist, going_on, reminders
from companion.games.valhal.words.sentences import notes
from companion.games.valhal.words.settlement import (
    OFFER_WORDS,
    Place,
    place,
    say_reason,
    token_words,
)
from companion.games.valhal.words.voyage import BattleView, Voyage, battle, voyage
from companion.views.glance import Glance, OwnSeat
from companion.views.speech import N_, Speech

STAGES = (
    (N_("Event"), (Stage.EVENT,)),
    (N_("Vikingfahrt"), (Stage.ROLL, Stage.CHOOSE, Stage.INVITE)),
    (N_("Battles"), (Stage.BATTLE,)),
    (N_("Mainland"), (Stage.HEIDRUN, Stage.REMOVAL, Stage.LAYING)),
    (N_("Commission"), (Stage.COMMISSION,)),
    (N_("Construction"), (Stage.CONSTRUCTION,)),
)
SUMMER_ONLY = STAGES[1:4]
NEXT_WORDS: dict[Stage, str] = {
    Stage.FIRST: N_("Then the Mainland is laid with Villages."),
    Stage.SPECIALS: N_("Then the Mainland is laid with Villages."),
    Stage.LAYING: N_("Then it goes on as soon as the Mainland is full."),
    Stage.EVENT: N_("The Event hits everybody, the starting player first."),
    Stage.ROLL: N_("The highest die chooses first; equal dice roll again."),
    Stage.CHOOSE: N_("Once nobody wants to attack any more, the battles begin."),
    Stage.INVITE: N_("Once all who are invited have answered, choosing goes on."),
    Stage.BATTLE: N_("After the last battle all units go home and the Mainland is laid anew."),
    Stage.HEIDRUN: N_("That card stays beside the Mainland for good."),
    Stage.REMOVAL: N_("Then the Mainland is laid anew."),
    Stage.COMMISSION: N_("When all agree, construction runs by itself and the season turns."),
    Stage.CONSTRUCTION: N_("Construction goes on as soon as this is settled."),
}


@dataclass(frozen=True, slots=True)
class SeasonView:
    season: str
    words: str
    now: bool
    later: tuple[str, ...]  # what lies there for whom


@dataclass(frozen=True, slots=True)
class StageView:
    words: str
    now: bool


@dataclass(frozen=True, slots=True)
class Wheel:
    year: int
    first: str  # who has the starting token
    seasons: tuple[SeasonView, ...]
    stages: tuple[StageView, ...]
    next: str
    waited: tuple[str, ...]
    final: str


@dataclass(frozen=True, slots=True)
class RowView:
    hp: int
    base: int
    dice: int
    falls: bool


@dataclass(frozen=True, slots=True)
class TownView:
    name: str
    level: str
    rank: int  # how strong, from 1
    rows: tuple[RowView, ...]
    glory: int | None
    loot: str
    text: str
    heidrun: bool


@dataclass(frozen=True, slots=True)
class Stacked:
    words: str
    count: int | None


@dataclass(frozen=True, slots=True)
class TokenView:
    words: str
    owner: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Whether a Jarl agrees, and the button that says so."""

    name: str
    agreed: bool
    action: str
    stopped: bool


@dataclass(frozen=True, slots=True)
class Table:
    phase: str
    wheel: Wheel
    places: tuple[Place, ...]
    mainland: tuple[TownView, ...]
    stack: tuple[Stacked, ...]
    tokens: tuple[TokenView, ...]
    voyage: Voyage | None
    battle: BattleView | None
    notes: tuple[str, ...]
    questions: tuple[Form, ...]
    asked: tuple[Asked, ...]
    forms: tuple[Form, ...]
    forms_first: bool  # buttons then are the smaller part
    sailing: Sailing | None
    by_hand: Form | None  # what a card says in words
    going_on: tuple[GoOn, ...]
    checklist: tuple[str, ...]
    curves: tuple[Curve, ...]
    agreements: tuple[Agreement, ...]
    all_agree: bool
    ahead: tuple[str, ...]  # what construction will do
    short: tuple[str, ...]  # what the supply has not enough of
    starters: tuple[Place, ...]
    books: tuple[Books, ...]
    adding: tuple[Form, ...]  # what lies on the table and not in the books
    nobody: bool  # over, and nobody won


def table(speech: Speech, state: State) -> Table:
    places = tuple(
        replace(place(speech, state, seat), reminders=reminders(speech, state, seat))
        for seat in state.seats
    )
    commission = state.phase is Phase.COMMISSION
    return Table(
        phase=state.phase,
        wheel=_wheel(speech, state),
        places=places,
        mainland=_mainland(speech, state),
        stack=_stack(speech, state),
        tokens=_tokens(speech, state),
        voyage=voyage(speech, state),
        battle=battle(speech, state),
        notes=notes(speech, state),
        questions=questions(speech, state),
        asked=choices(speech, state),
        forms=forms(speech, state),
        forms_first=state.phase in (Phase.INVITE, Phase.BATTLE),
        sailing=sailing(speech, state),
        by_hand=None if state.over else by_hand(speech, state),
        going_on=going_on(speech, state),
        checklist=checklist(speech, state),
        curves=curves(speech, state),
        agreements=_agreements(speech, state) if commission else (),
        all_agree=commission and not any(objections(state, Agree())),
        ahead=tuple(_step(speech, each) for each in steps(state)) if commission else (),
        short=_short(speech, state) if commission else (),
        starters=places if state.phase is Phase.FIRST else (),
        books=tuple(books(speech, state, seat) for seat in state.seats),
        adding=() if state.over else adding(speech, state),
        nobody=state.over and state.winner is None,
    )


# The season


def glance(speech: Speech, state: State) -> tuple[Glance, ...]:
    """The season and the year."""
    return (
        Glance("season", speech.say(N_("Season")), speech.word(state.season)),
        Glance("year", speech.say(N_("Year")), str(state.year)),
    )


def own_seat(speech: Speech, state: State, seat: Seat) -> OwnSeat:
    """What is in this settlement's store, and how far its Jarl has come."""
    player = state.players[seat]
    counted = (
        ("coins", N_("coins"), player.coins),
        ("iron", N_("iron"), player.iron),
        ("wood", N_("wood"), player.wood),
        ("glory", N_("glory"), player.glory),
        ("favour", N_("favour"), player.favour),
    )
    values = tuple(Glance(key, speech.say(words), str(count)) for key, words, count in counted)
    return OwnSeat(values=values)


def _wheel(speech: Speech, state: State) -> Wheel:
    begun = state.phase is not Phase.FIRST
    return Wheel(
        year=state.year,
        first=speech.word(state.first) if begun else "",
        seasons=tuple(_season(speech, state, season) for season in SEASONS),
        stages=tuple(_stages(speech, state)),
        next="" if state.over else speech.say(NEXT_WORDS[state.stage]),
        waited=tuple(speech.word(seat) for seat in waited_for(state)),
        final=_final(speech, state),
    )


def _season(speech: Speech, state: State, season: Season) -> SeasonView:
    later = tuple(
        f"{speech.word(seat)} {effect(speech, replace(each, season=None))}"
        for seat in state.seats
        for each in state.players[seat].later
        if each.season is season
    )
    now = state.season is season and not state.over
    return SeasonView(season, speech.word(season), now, later)


def _stages(speech: Speech, state: State) -> list[StageView]:
    summer = state.season is Season.SUMMER
    first_summer = state.year == 1 and summer
    return [
        StageView(speech.say(words), state.stage in found)
        for words, found in STAGES
        if (summer or (words, found) not in SUMMER_ONLY)
        and not (first_summer and Stage.EVENT in found)
    ]


def _final(speech: Speech, state: State) -> str:
    if state.final is None or state.over:
        return ""
    words = N_("Final Stage: after the next Vikingfahrt %(seat)s wins, unless another is faster.")
    if state.final.after <= state.voyages:
        words = N_("Final Stage: after this Vikingfahrt %(seat)s wins, unless another is faster.")
    return speech.say(words, seat=state.final.seat)


# The common boards


def _mainland(speech: Speech, state: State) -> tuple[TownView, ...]:
    aside = (state.heidrun,) if state.heidrun else ()
    return tuple(_town(speech, state, name) for name in (*state.mainland, *aside))


def _town(speech: Speech, state: State, name: str) -> TownView:
    card = state.sheet.town(name)
    return TownView(
        name=name,
        level="?" if card.level is None else speech.word(card.level),
        rank=0 if card.level is None else LEVELS.index(card.level) + 1,
        rows=tuple(RowView(row.hp, row.base, row.dice, row.falls) for row in card.rows or ()),
        glory=card.glory,
        loot=", ".join(speech.word(each) for each in card.loot or ()),
        text=card.text,
        heidrun=name == state.heidrun,
    )


def _stack(speech: Speech, state: State) -> tuple[Stacked, ...]:
    pairs = zip(LEVELS, state.stack, strict=True)
    return tuple(Stacked(speech.word(level), count) for level, count in pairs)


def _tokens(speech: Speech, state: State) -> tuple[TokenView, ...]:
    found = []
    for token in ACHIEVEMENTS:
        owner = owner_of(state, token)
        if in_play(state, token) is False and owner is None:
            continue
        told = owner is None and token not in SEEN and in_play(state, token)
        takes = tuple(
            Choice(f"{seat} achieves {token}", speech.word(seat)) for seat in state.seats if told
        )
        name = "" if owner is None else speech.word(owner)
        found.append(TokenView(token_words(speech, state, token), name, takes))
    return tuple(found)


# Commission


def _agreements(speech: Speech, state: State) -> tuple[Agreement, ...]:
    found = []
    for seat in state.order:
        agreed = state.players[seat].agreed
        verb = "disagrees" if agreed else "agrees"
        stopped = not agreed and any(objections(state, Agree(seat)))
        found.append(Agreement(speech.word(seat), agreed, f"{seat} {verb}", stopped))
    return tuple(found)


def _step(speech: Speech, step: Step) -> str:
    match step.what:
        case Work.TURN:
            thing = piece(speech, step.thing)
            return speech.say(N_("%(seat)s: turn %(thing)s."), seat=step.seat, thing=thing)
        case Work.SACRIFICE:
            words = {str(offer): words for offer, words in OFFER_WORDS.items()}[step.thing]
            offer = speech.say(words)
            return speech.say(N_("%(seat)s: sacrifice, %(offer)s."), seat=step.seat, offer=offer)
        case Work.CLEAR:
            return speech.say(N_("%(seat)s: food of the season off."), seat=step.seat)


def _short(speech: Speech, state: State) -> tuple[str, ...]:
    found = warnings(state)
    return tuple(say_reason(speech, each) for each in found if each.code == Code.SUPPLY_SHORT)
