"""The Vikingfahrt and the battle tableau of Valhal as a page shows them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from companion.games.valhal.rules.raid.battle import (
    fighters,
    front_fighter,
    hp_left,
    row_of,
    tableau,
    town_roller,
)
from companion.games.valhal.rules.raid.odds import battle_odds
from companion.games.valhal.rules.raid.solver import Odds
from companion.games.valhal.rules.state import Fighter, Force, Phase, Raid, Stage, State, rows_of
from companion.games.valhal.words.naming import piece
from companion.games.valhal.words.settlement import stats
from companion.views.speech import N_, Speech

ENEMY_MOST, BASE_MOST, FRONT_MOST = 13, 21, 6  # the tracks of the Battle Tableau


@dataclass(frozen=True, slots=True)
class ChoiceRoll:
    name: str
    die: int | None


@dataclass(frozen=True, slots=True)
class ForceView:
    name: str
    units: str
    boats: str


@dataclass(frozen=True, slots=True)
class RaidView:
    town: str
    forces: tuple[ForceView, ...]
    now: bool


@dataclass(frozen=True, slots=True)
class Voyage:
    """Who rolled what, who chooses in which order, and what has been chosen."""

    number: int
    rolls: tuple[ChoiceRoll, ...]
    queue: tuple[str, ...]
    invited: tuple[str, ...]
    raids: tuple[RaidView, ...]


@dataclass(frozen=True, slots=True)
class Marker:
    """One track of the tableau."""

    sign: str
    words: str
    value: int
    spaces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Fort:
    """One row of the Town card."""

    number: int
    hp: int
    left: int
    base: int
    dice: int
    falls: bool
    state: str  # down, now, ahead
    told: str


@dataclass(frozen=True, slots=True)
class FighterView:
    owner: str
    words: str
    wounded: bool
    front: bool
    hp: int
    stats: str


@dataclass(frozen=True, slots=True)
class SideView:
    """The dice of one side and what they come to."""

    name: str
    base: int
    dice: int
    rolled: tuple[int, ...]
    total: int | None


@dataclass(frozen=True, slots=True)
class BattleView:
    town: str
    text: str
    round: int
    markers: tuple[Marker, ...]
    forts: tuple[Fort, ...]
    fighters: tuple[FighterView, ...]
    sides: tuple[SideView, ...]
    surplus: str
    odds: tuple[str, ...]
    chance: int | None  # to win, in percent


def voyage(speech: Speech, state: State) -> Voyage | None:
    if state.stage not in (Stage.ROLL, Stage.CHOOSE, Stage.INVITE, Stage.BATTLE):
        return None
    if not (state.rolls or state.raids or state.queue or state.waiting):
        return None
    rolled = dict(state.rolls)
    return Voyage(
        number=state.voyages,
        rolls=tuple(ChoiceRoll(speech.word(seat), rolled.get(seat)) for seat in state.order)
        if state.stage is not Stage.BATTLE
        else (),
        queue=tuple(speech.word(seat) for seat in state.queue),
        invited=tuple(speech.word(seat) for seat in state.waiting)
        if state.stage is Stage.INVITE
        else (),
        raids=tuple(_raid(speech, state, each) for each in state.raids),
    )


def _raid(speech: Speech, state: State, raid: Raid) -> RaidView:
    forces = tuple(_force(speech, each) for each in raid.forces)
    return RaidView(raid.town, forces, raid is state.raid)


def _force(speech: Speech, force: Force) -> ForceView:
    units = ", ".join(_fighter_words(speech, each) for each in force.fighters)
    whole = N_("longboats: %(count)s")
    broken = N_("longboats: %(count)s, damaged: %(damaged)s")
    boats = speech.say(broken if force.damaged else whole, count=force.boats, damaged=force.damaged)
    return ForceView(speech.word(force.seat), units or speech.say(N_("nobody left")), boats)


def _fighter_words(speech: Speech, fighter: Fighter) -> str:
    words = piece(speech, fighter.name)
    return speech.say(N_("%(unit)s (wounded)"), unit=words) if fighter.wounded else words


# The battle


def battle(speech: Speech, state: State) -> BattleView | None:
    raid = state.raid
    if raid is None or state.stage is not Stage.BATTLE:
        return None
    town = state.sheet.town(raid.town)
    found = _known_odds(state)
    waits = N_("%(count)s damage waits for the next front-line unit.")
    return BattleView(
        town=raid.town,
        text=town.text,
        round=raid.rounds + 1,
        markers=_markers(speech, state),
        forts=_forts(speech, state, raid),
        fighters=_fighters(speech, state, raid),
        sides=_sides(speech, state, raid),
        surplus=speech.say(waits, count=raid.surplus) if raid.surplus else "",
        odds=_odds(speech, state, found),
        chance=None if found is None else round(100 * float(found.win)),
    )


def _markers(speech: Speech, state: State) -> tuple[Marker, ...]:
    board = tableau(state)
    if board is None:
        return ()
    tracks = (
        ("wall", N_("Enemy hit points"), board.enemy_hp, 0, ENEMY_MOST),
        ("sword", N_("Base attack"), board.base, 0, BASE_MOST),
        ("shield", N_("Front-line hit points"), board.front_hp, 0, FRONT_MOST),
    )
    return tuple(
        Marker(sign, speech.say(words), value, tuple(range(least, max(most, value) + 1)))
        for sign, words, value, least, most in tracks
    )


def _forts(speech: Speech, state: State, raid: Raid) -> tuple[Fort, ...]:
    words = {"down": N_("fallen"), "now": N_("under attack"), "ahead": N_("behind it")}
    found = []
    for at, row in enumerate(rows_of(state, raid)):
        kind = "down" if at < raid.row else "now" if at == raid.row else "ahead"
        left = {"down": 0, "now": max(0, row.hp - raid.hurt), "ahead": row.hp}[kind]
        told = speech.say(words[kind])
        found.append(Fort(at + 1, row.hp, left, row.base, row.dice, row.falls, kind, told))
    return tuple(found)


def _fighters(speech: Speech, state: State, raid: Raid) -> tuple[FighterView, ...]:
    front = front_fighter(raid)
    return tuple(
        FighterView(
            owner=speech.word(seat),
            words=piece(speech, fighter.name),
            wounded=fighter.wounded,
            front=fighter is front,
            hp=hp_left(state, fighter),
            stats=stats(speech, state, fighter),
        )
        for seat, fighter in fighters(raid)
    )


def _sides(speech: Speech, state: State, raid: Raid) -> tuple[SideView, ...]:
    board, row = tableau(state), row_of(state, raid)
    if board is None or row is None:
        return ()
    roller = town_roller(state)
    town = speech.say(N_("%(town)s, rolled by anybody"), town=raid.town)
    if roller is not None:
        town = speech.say(N_("%(town)s, rolled by %(seat)s"), town=raid.town, seat=roller)
    return (
        _side(speech.word(raid.seats), board.base, board.dice, raid.attack),
        _side(town, row.base, row.dice, raid.defence),
    )


def _side(name: str, base: int, dice: int, rolled: tuple[int, ...] | None) -> SideView:
    total = None if rolled is None else base + sum(rolled)
    return SideView(name, base, dice, rolled or (), total)


def _known_odds(state: State) -> Odds | None:
    """Exact; shown unless the table does not want it."""
    fought = state.phase in (Phase.FRONT, Phase.BATTLE, Phase.STRIKE)
    return battle_odds(state) if fought and state.options.odds else None


def _odds(speech: Speech, state: State, found: Odds | None) -> tuple[str, ...]:
    if found is None:
        return ()
    told = [
        speech.say(N_("This battle is won: %(chance)s."), chance=_percent(found.win)),
        speech.say(N_("Units lost on average: %(count)s."), count=f"{float(found.losses):.1f}"),
    ]
    if state.phase is Phase.FRONT:
        best = piece(speech, found.front)
        told.append(speech.say(N_("Best in front: %(unit)s."), unit=best))
    return tuple(told)


def _percent(chance: Fraction) -> str:
    return f"{float(chance):.0%}"
