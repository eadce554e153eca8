"""What a table of Valhal means: dice in the attackers' and the town's half, cards on the reading
spot, ships before a town. What the Jarls do at home is read in `valhal_home`.

Wounds, stages of projects, what is completed, glory, favour and the battle tableau follow from the
books by themselves: a card turned or a marker moved for them says nothing new (`valhal_marks`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from math import dist, inf
from types import MappingProxyType

from companion.core.notation import Seat
from companion.deciding.scene import (
    UNREADABLE,
    Guess,
    Scene,
    Weighed,
    joint,
    judged,
    ranked,
    unread,
)
from companion.games.valhal import rules as valhal
from companion.games.valhal.reading import marks as valhal_marks
from companion.games.valhal.reading.home import commissioned
from companion.games.valhal.rules.notation.actions import Attack, Boats, FrontLine
from companion.games.valhal.rules.raid.battle import attack_dice, row_of
from companion.games.valhal.rules.raid.vikingfahrt import able, ready_units
from companion.games.valhal.rules.sheet.sheet import TownCard
from companion.games.valhal.rules.state import Phase, State
from companion.games.valhal.rules.vocabulary import Kind
from companion.tabletop.mat import MAT
from companion.tabletop.observations import Thing, What
from companion.tabletop.readings import Desync, Reading
from companion.tabletop.zones import centre

LEFT, RIGHT = "attackers", "town"
GUESTS = 0.05
"""Attacks to which somebody is invited, of all whose ships look the same."""
HIDDEN = 0.4
"""Attacks of which only the boats or only the units are seen, of what seems to be one."""
PLAIN = 0.9
"""How sure the pips of a die beside the trays must be."""
MOST = 24
FRESH = (What.APPEARED, What.ROLLED, What.MOVED, What.FLIPPED, What.WITHDRAWN)


def read(state: State, scene: Scene) -> tuple[Reading, ...]:
    reading = _BY_PHASE.get(state.phase)
    if reading is None:
        return ()
    found, unknown = reading(state, scene)
    return ranked(found, unknown)


def on_table(_state: State) -> frozenset[str]:
    return frozenset()


def disagreement(state: State, scene: Scene) -> Desync | None:
    return valhal_marks.disagreement(state, scene)


def _weighed(state: State, guesses: list[Guess]) -> list[Weighed]:
    return [judged(valhal, state, each, frozenset()) for each in guesses]


# Dice


def _half(scene: Scene, thing: Thing) -> str:
    """Dice beside the trays count for the side of the table they lie on."""
    zone = scene.zone(thing)
    if zone in (LEFT, RIGHT):
        return zone
    return LEFT if thing.middle[0] < MAT[0] / 2 else RIGHT


def _dice(scene: Scene) -> list[Thing]:
    """Those in the trays, and plain ones elsewhere: the table's own pattern may look like one."""
    return [e for e in scene.dice() if scene.zone(e) in (LEFT, RIGHT) or e.p >= PLAIN]


def _rolled(scene: Scene, half: str, due: int) -> list[Thing]:
    """The dice thrown in one half since the last entry, if they are as many as are due or more.

    A die that shows what it showed, where it lay, seems not to have been thrown; and dice of the
    last round may still lie there.
    """
    dice = [each for each in _dice(scene) if _half(scene, each) == half]
    thrown = {each.thing.number for each in scene.changes if each.what in FRESH}
    fresh = [each for each in dice if each.number in thrown]
    found = fresh if len(fresh) >= due else dice if fresh and len(dice) == due else []
    return sorted(found, key=lambda each: each.middle)


def _pips(thing: Thing) -> list[tuple[str, float]]:
    return [(str(label), p) for label, p in thing.odds][:3]


def _choice_roll(state: State, scene: Scene) -> tuple[list[Weighed], float]:
    """VHAL-VF-1: one after the other, in order; or several at once, each before its Jarl."""
    lying = {each.number: each for each in _dice(scene)}
    thrown = [each.thing.number for each in scene.changes if each.what in FRESH]
    fresh = [lying[number] for number in dict.fromkeys(thrown) if number in lying]
    if not fresh or not state.waiting:
        return [], 0.0
    owners = [_nearest(state, scene, each) for each in fresh]
    whose = dict(zip(owners, fresh, strict=True))
    if len(fresh) == 1 or len(whose) < len(fresh) or not set(whose) <= set(state.waiting):
        whose = {state.waiting[0]: fresh[-1]}
    seats = [seat for seat in state.waiting if seat in whose]
    odds = [_pips(whose[seat]) for seat in seats]
    guesses = [
        Guess(tuple(f"{seat} rolls {die}" for seat, die in zip(seats, pips, strict=True)), p, p)
        for pips, p in joint(odds, MOST)
    ]
    return _weighed(state, guesses), unread(odds)


def _nearest(state: State, scene: Scene, thing: Thing) -> Seat:
    """The Jarl before whose sites it lies."""

    def apart(seat: Seat) -> float:
        sites = [outline for name, outline in scene.zones.items() if name.startswith(f"{seat}.s")]
        return min((dist(centre(each), thing.middle) for each in sites), default=inf)

    return min(state.seats, key=apart)


def _battle_roll(state: State, scene: Scene) -> tuple[list[Weighed], float]:
    """The attackers' dice at the left, the town's at the right, as many as each side has."""
    raid = state.raids[0]
    row = row_of(state, raid)
    sides: list[tuple[str, list[Thing]]] = []
    if raid.attack is None and (ours := _rolled(scene, LEFT, attack_dice(state, raid))):
        sides.append((f"{raid.seats[0]} rolls", ours))
    if raid.defence is None and row is not None and (theirs := _rolled(scene, RIGHT, row.dice)):
        sides.append(("town rolls", theirs))
    if not sides:
        return [], 0.0
    odds = [_pips(die) for _, dice in sides for die in dice]
    guesses = [Guess(_said(sides, pips), p, p) for pips, p in joint(odds, 24)]
    return _weighed(state, guesses), unread(odds)


def _said(sides: list[tuple[str, list[Thing]]], pips: tuple[str, ...]) -> tuple[str, ...]:
    """Each side's throw in a line, from the pips of all dice in order."""
    lines, rest = [], list(pips)
    for who, dice in sides:
        mine, rest = rest[: len(dice)], rest[len(dice) :]
        lines.append(f"{who} {' '.join(sorted(mine))}")
    return tuple(lines)


# Cards on the reading spot and in the town's place


def _town_named(state: State, label: str | int) -> str | None:
    """By the name on the owner's sheet, or by its number among the towns."""
    towns: tuple[TownCard, ...] = state.sheet.towns
    if any(town.name == label for town in towns):
        return str(label)
    kind, _, number = str(label).partition("-")
    if kind == "town" and number.isdigit() and 0 < int(number) <= len(towns):
        return towns[int(number) - 1].name
    return None


def _fresh_cards(scene: Scene, *zones: str) -> list[Thing]:
    lying = {
        each.number: each
        for each in scene.things
        if each.kind == "card" and not each.covered and scene.zone(each) in zones
    }
    stirred = [each.thing.number for each in scene.changes if each.what in FRESH]
    return [lying[number] for number in dict.fromkeys(stirred) if number in lying]


def _laid_town(state: State, scene: Scene) -> tuple[list[Weighed], float]:
    verb = "heidrun" if state.phase is Phase.HEIDRUN else "lay"
    return _told_card(
        state,
        scene,
        lambda label: [f"{verb} {name}"] if (name := _town_named(state, label)) else [],
    )


def _drawn_card(state: State, scene: Scene) -> tuple[list[Weighed], float]:
    """VHAL-CARD-1: whoever has to draw lays the card on the reading spot."""
    names = {card.name for card in state.sheet.cards}
    if state.phase is Phase.EVENT:
        return _told_card(state, scene, lambda label: [f"event {label}"] if label in names else [])
    seats = state.dues[0].seats
    return _told_card(
        state,
        scene,
        lambda label: [f"{seat} draws {label}" for seat in seats] if label in names else [],
    )


def _told_card(
    state: State, scene: Scene, say: Callable[[str | int], list[str]]
) -> tuple[list[Weighed], float]:
    every = _fresh_cards(scene, "reading", RIGHT)
    lying = [each for each in every if any(say(label) for label, _ in each.odds)]
    if not lying:
        return [], 0.0
    odds = [(line, p) for label, p in lying[-1].odds for line in say(label)]
    known = [(str(label), p) for label, p in lying[-1].odds if say(label)]
    return _weighed(state, [Guess((line,), p, p) for line, p in odds]), unread([known])


# Vikingfahrt


def _attack(state: State, scene: Scene) -> tuple[list[Weighed], float]:
    """VHAL-VF-2 and -4: a town card opposite, longboats and who goes on them at the left."""
    cards = [each for each in scene.things if each.kind == "card" and not each.covered]
    sails = {*(unit.name for unit in state.sheet.units), str(Kind.LONGBOAT)}
    here = [each for each in cards if scene.zone(each) == LEFT]
    fleet = [each for each in here if any(label in sails for label, _ in each.odds)]
    right = [each for each in cards if scene.zone(each) == RIGHT]
    opposite = [e for e in right if any(_town_named(state, label) for label, _ in e.odds)]
    if not fleet or not opposite or not _fresh_cards(scene, LEFT, RIGHT):
        return [], 0.0
    towns = [(name, p) for label, p in opposite[-1].odds if (name := _town_named(state, label))]
    odds = [[(str(label), p) for label, p in each.odds if label in sails] for each in fleet]
    found, unknown = [], UNREADABLE * (len(here) > len(fleet))
    for (town, *words), p in joint([towns, *odds], MOST):
        for attack, seen in _sent(state, town, words, [each.turn == 180 for each in fleet]):
            shares = _guests(state, attack)
            found += [Guess((str(one),), p * seen * share, p * seen) for one, share in shares]
            unknown = max(unknown, p * (1 - seen))
    weighed = [replace(each, open_end=True) for each in _weighed(state, found)]
    return weighed, (unread([towns, *odds]) + unknown) if found else 0.0


def _sent(
    state: State, town: str, words: list[str], turned: list[bool]
) -> Iterator[tuple[Attack, float]]:
    """VHAL-BAT-14: a longboat that lies upside down is damaged. Units lie on their boats, so one
    may hide the other: what the rules need and nobody sees is asked for."""
    seat = state.queue[0]
    boats = [down for word, down in zip(words, turned, strict=True) if word == Kind.LONGBOAT]
    units = tuple(sorted(word for word in words if word != Kind.LONGBOAT))
    sailing = Boats(boats.count(False), boats.count(True))
    if boats and units:
        yield Attack(seat, town, units, sailing), 1.0
    elif units:
        yield Attack(seat, town, units, Boats((len(units) + 1) // 2)), HIDDEN
    else:
        ready = dict.fromkeys(ready_units(state, seat))
        for each in ready:
            yield Attack(seat, town, (each,), sailing), HIDDEN / len(ready)


def _guests(state: State, attack: Attack) -> list[tuple[Attack, float]]:
    """Whom the Jarl invites is said, not laid."""
    others = [each for each in state.seats if each is not attack.seat and able(state, each)]
    asked = [replace(attack, invites=(each,)) for each in others]
    return [(attack, 1 - GUESTS), *((each, GUESTS / len(others)) for each in asked)]


def _front(state: State, scene: Scene) -> tuple[list[Weighed], float]:
    """The unit pushed nearest to the town."""
    lying = [each for each in scene.cards_in(LEFT) if each.label != "longboat"]
    pushed = {each.thing.number for each in scene.changes if each.what in FRESH}
    front = max(lying, key=lambda each: each.middle[0], default=None)
    if front is None or front.number not in pushed:
        return [], 0.0
    guesses = [
        Guess((str(action),), p, p)
        for action in valhal.actions(state)
        if isinstance(action, FrontLine) and (p := front.likely(action.unit)) > 0.01
    ]
    return _weighed(state, guesses), 0.0


_BY_PHASE: Mapping[Phase, Callable[[State, Scene], tuple[list[Weighed], float]]] = MappingProxyType(
    {
        Phase.LAYING: _laid_town,
        Phase.HEIDRUN: _laid_town,
        Phase.EVENT: _drawn_card,
        Phase.DRAW: _drawn_card,
        Phase.ROLL: _choice_roll,
        Phase.CHOOSE: _attack,
        Phase.FRONT: _front,
        Phase.BATTLE: _battle_roll,
        Phase.COMMISSION: commissioned,
    }
)
