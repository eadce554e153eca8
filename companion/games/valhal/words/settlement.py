"""One settlement of Valhal as a page shows it: food display, goods, units, projects, favour."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from companion.core.game import Reason
from companion.core.notation import Seat
from companion.games.valhal.rules.following import waited_for
from companion.games.valhal.rules.options import steps_to_win
from companion.games.valhal.rules.settlement.clerk import jarl_warnings, season_objections
from companion.games.valhal.rules.settlement.food import longhouse_food, on_space
from companion.games.valhal.rules.state import Fighter, Held, Offer, Phase, Player, Project, State
from companion.games.valhal.rules.vocabulary import (
    SEASON_OF,
    SPACES,
    SPACES_OF,
    Effect,
    Fill,
    Kind,
    Space,
)
from companion.games.valhal.words.naming import effect, piece
from companion.games.valhal.words.sentences import SENTENCES
from companion.views.speech import N_, Speech

FILL_WORDS: dict[Fill, str] = {
    Fill.EMPTY: N_("empty"),
    Fill.TOKEN: N_("food"),
    Fill.COIN: N_("coin"),
    Fill.GRANARY: N_("Granary"),
}
OFFER_WORDS: dict[Offer, str] = {
    Offer.COINS: N_("Coins for a Benevolence card"),
    Offer.GLORY: N_("2 glory for a Benevolence card"),
    Offer.WRATH: N_("Coins for a Wrath card"),
    Offer.FAVOUR: N_("7 glory for a step of favour"),
}
SHORT_SPACE: dict[Space, str] = {
    Space.SUMMER: N_("Summer"),
    Space.WINTER_1: N_("Winter 1"),
    Space.WINTER_2: N_("Winter 2"),
    Space.SPRING: N_("Spring"),
}


@dataclass(frozen=True, slots=True)
class Good:
    """A supply: its sign, its word, how many."""

    sign: str
    words: str
    count: int


@dataclass(frozen=True, slots=True)
class FoodSpace:
    words: str
    fill: str
    lies: str  # what lies there, in words
    now: bool  # this season's
    blocked: bool


@dataclass(frozen=True, slots=True)
class Units:
    """Cards of one kind that are alike: at home, or away and perhaps wounded."""

    words: str
    count: int
    state: str  # home, sailing, wounded, damaged
    told: str
    stats: str


@dataclass(frozen=True, slots=True)
class Site:
    """A project at its place: the number on top, quarter turns made, what lies on it."""

    site: str
    words: str
    left: int | None
    turns: tuple[bool, ...]  # of all quarters, those made
    pay: tuple[Good, ...]
    after: str
    fresh: bool


@dataclass(frozen=True, slots=True)
class Spot:
    """A space of the Favour display."""

    number: int
    here: bool
    wrath: bool
    change: bool
    last: bool


@dataclass(frozen=True, slots=True)
class Remark:
    """Of the season clerk."""

    words: str
    stops: bool  # nobody can agree to it


@dataclass(frozen=True, slots=True)
class KeptCard:
    words: str
    action: str


@dataclass(frozen=True, slots=True)
class Place:
    seat: Seat
    name: str
    first: bool
    waited: bool
    agreed: bool
    glory: int
    glory_max: int | None
    favour: int
    favour_max: int
    track: tuple[Spot, ...]
    goods: tuple[Good, ...]
    food: tuple[FoodSpace, ...]
    provided: int  # spaces with something on them
    units: tuple[Units, ...]
    boats: tuple[Units, ...]
    sites: tuple[Site, ...]
    buildings: tuple[str, ...]
    sacrifice: str
    kept: tuple[KeptCard, ...]
    tokens: tuple[str, ...]
    flags: tuple[str, ...]
    warnings: tuple[Remark, ...]
    reminders: tuple[str, ...] = ()


def place(speech: Speech, state: State, seat: Seat) -> Place:
    player = state.players[seat]
    return Place(
        seat=seat,
        name=speech.word(seat),
        first=state.first is seat and state.phase is not Phase.FIRST,
        waited=seat in waited_for(state),
        agreed=player.agreed and state.phase is Phase.COMMISSION,
        glory=player.glory,
        glory_max=state.sheet.glory_max,
        favour=player.favour,
        favour_max=steps_to_win(state.options),
        track=_track(state, player),
        goods=_goods(speech, state, player),
        food=tuple(_space(speech, state, player, space) for space in SPACES),
        provided=sum(fill is not Fill.EMPTY for fill in player.food),
        units=_units(speech, state, seat),
        boats=_boats(speech, state, seat),
        sites=tuple(_site(speech, state, each) for each in player.projects),
        buildings=tuple(speech.word(each) for each in player.buildings),
        sacrifice=_sacrifice(speech, player),
        kept=tuple(
            KeptCard(card_words(speech, state, held), f"{seat} uses {held.name}")
            for held in player.kept
        ),
        tokens=tuple(
            token_words(speech, state, each.token) for each in state.owners if each.seat is seat
        ),
        flags=_flags(speech, state, seat),
        warnings=_warnings(speech, state, seat),
    )


def token_words(speech: Speech, state: State, token: str) -> str:
    text = state.sheet.token(token).text
    words = piece(speech, token)
    return f"{words}: {text}" if text else words


def say_reason(speech: Speech, each: Reason) -> str:
    """A warning of the clerk in a sentence."""
    facts = dict(each.facts)
    named = {n: piece(speech, v) if isinstance(v, str) else v for n, v in facts.items()}
    sentence = speech.say(SENTENCES[each.code], **named)
    return sentence[:1].upper() + sentence[1:]


# Supplies


def _goods(speech: Speech, state: State, player: Player) -> tuple[Good, ...]:
    offered = player.sacrifice is not None and player.sacrifice.offer.startswith("glory")
    goods = [
        Good("coin", speech.say(N_("coins")), player.coins),
        Good("wood", speech.say(N_("wood")), player.wood),
        Good("iron", speech.say(N_("iron")), player.iron),
        Good("sacrifice", speech.say(N_("sacrifice token")), 0 if offered else 1),
    ]
    if longhouse_food(state):
        goods.append(Good("food", speech.say(N_("food in the longhouse")), player.larder))
    return tuple(goods)


def _space(speech: Speech, state: State, player: Player, space: Space) -> FoodSpace:
    fill = on_space(player, space)
    return FoodSpace(
        words=speech.say(SHORT_SPACE[space]),
        fill=fill,
        lies=speech.say(FILL_WORDS[fill]),
        now=space in SPACES_OF[state.season],
        blocked=SEASON_OF[space] in player.blocked,
    )


# Units and longboats


def _units(speech: Speech, state: State, seat: Seat) -> tuple[Units, ...]:
    home = Counter((name, "home") for name in state.players[seat].units)
    away = Counter(
        (fighter.name, "wounded" if fighter.wounded else "sailing")
        for raid in state.raids
        for force in raid.forces
        if force.seat is seat
        for fighter in force.fighters
    )
    return tuple(
        Units(
            piece(speech, name),
            count,
            kind,
            state_words(speech, kind),
            stats(speech, state, Fighter(name, wounded=kind == "wounded")),
        )
        for (name, kind), count in (home + away).items()
    )


def _boats(speech: Speech, state: State, seat: Seat) -> tuple[Units, ...]:
    player = state.players[seat]
    sent = [f for raid in state.raids for f in raid.forces if f.seat is seat]
    away = sum(force.boats for force in sent)
    counts = {"home": player.boats - player.damaged, "damaged": player.damaged, "sailing": away}
    words = speech.word(Kind.LONGBOAT)
    return tuple(
        Units(words, count, kind, state_words(speech, kind), "")
        for kind, count in counts.items()
        if count
    )


STATE_WORDS = {
    "home": N_("healthy"),
    "sailing": N_("on the Vikingfahrt"),
    "wounded": N_("wounded"),
    "damaged": N_("damaged"),
}


def state_words(speech: Speech, kind: str) -> str:
    return speech.say(STATE_WORDS[kind])


def stats(speech: Speech, state: State, fighter: Fighter) -> str:
    """Hit points, base attack and dice, as far as the sheet knows them."""
    card = state.sheet.unit(fighter.name)
    side = card.wounded if fighter.wounded else card.healthy
    known = [
        (N_("%(count)s HP"), side.hp),
        (N_("base %(count)s"), side.base),
        (N_("dice %(count)s"), side.dice),
    ]
    return " · ".join(speech.say(words, count=n) for words, n in known if n is not None)


# Projects


def _site(speech: Speech, state: State, project: Project) -> Site:
    most = state.sheet.back(project.kind).stages or project.left or 0
    left = project.left
    words = speech.word(project.kind)
    if project.slot > 1:
        words = f"{words} {project.slot}"
    if project.given:
        words = speech.say(
            N_("%(unit)s becoming %(kind)s"),
            unit=piece(speech, project.given),
            kind=project.kind,
        )
    return Site(
        site=project.site,
        words=words,
        left=left,
        turns=() if left is None else tuple(at < most - left for at in range(most)),
        pay=tuple(Good(each, speech.word(each), 1) for each in project.pay),
        after=_after(speech, project),
        fresh=project.fresh,
    )


def _after(speech: Speech, project: Project) -> str:
    """What construction will make of it."""
    if not project.pay:
        return speech.say(N_("rests"))
    if project.left is None:
        return ""
    if project.left <= len(project.pay):
        return speech.say(N_("will be finished"))
    return speech.say(N_("will show %(count)s"), count=project.left - len(project.pay))


def _sacrifice(speech: Speech, player: Player) -> str:
    return "" if player.sacrifice is None else speech.say(OFFER_WORDS[player.sacrifice.offer])


def card_words(speech: Speech, state: State, held: Held) -> str:
    """Its name, and its text or what it does."""
    card = state.sheet.card(held.stack, held.name)
    if card is None:
        return held.name
    lots = f" {speech.say(N_('or'))} ".join(effects_words(speech, lot) for lot in card.choices)
    return f"{held.name}: {card.text or lots}"


def effects_words(speech: Speech, effects: tuple[Effect, ...]) -> str:
    return ", ".join(effect(speech, each) for each in effects) or speech.say(N_("nothing"))


# Favour, flags and warnings


def _track(state: State, player: Player) -> tuple[Spot, ...]:
    last = steps_to_win(state.options)
    wrath, change = state.display.wrath or (), state.display.change or ()
    return tuple(
        Spot(at, player.favour == at, at in wrath, at in change, at == last)
        for at in range(last + 1)
    )


def _flags(speech: Speech, state: State, seat: Seat) -> tuple[str, ...]:
    player = state.players[seat]
    told = []
    if state.final is not None and state.final.seat is seat:
        told.append(speech.say(N_("began the Final Stage")))
    told += [speech.say(N_("no food in %(season)s"), season=season) for season in player.blocked]
    told += [
        speech.say(
            N_("%(thing)s unusable in %(season)s"),
            thing=piece(speech, each.thing),
            season=each.season,
        )
        for each in player.unusable
    ]
    return tuple(told)


def _warnings(speech: Speech, state: State, seat: Seat) -> tuple[Remark, ...]:
    if state.phase is not Phase.COMMISSION:
        return ()
    stopping = tuple(season_objections(state, seat))
    return tuple(
        Remark(say_reason(speech, each), each in stopping) for each in jarl_warnings(state, seat)
    )
