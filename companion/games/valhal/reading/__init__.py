"""Reading a table of Valhal: dice thrown in the attackers' and the town's half, cards on the
reading spot, ships before a town. What the Jarls do at home is read in `home`.

Wounds, stages of projects, what is completed, glory, favour and the battle tableau follow from the
books by themselves. A card turned or a marker moved for them says nothing new; `marks` only checks
that it agrees with the books.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from companion.games.valhal.reading import marks
from companion.games.valhal.reading.home import commissioned
from companion.games.valhal.rules.cards import drawable
from companion.games.valhal.rules.notation.actions import Attack, Boats, FrontLine
from companion.games.valhal.rules.raid.battle import attack_dice, row_of
from companion.games.valhal.rules.raid.vikingfahrt import able, ready_units
from companion.games.valhal.rules.sheet.sheet import TownCard, split_label
from companion.games.valhal.rules.state import Phase, State
from companion.games.valhal.rules.vocabulary import Kind, Stack
from companion.tabletop.observations import Thing, What
from companion.tabletop.readings import Desync, Reading
from companion.tabletop.zones import centre

LEFT, RIGHT = "attackers", "town"
"""The zones at both sides of the battle tableau: cards and dice of the one side and the other."""
INVITES = 0.05
"""How often somebody is invited to an attack: that is said and cannot be seen."""
HALF_SEEN = 0.4
"""How likely something is an attack if only its boats or only its units are seen."""
PLAIN = 0.9
"""The pips of a die outside the trays must be at least this probable."""
MOST = 24
"""Readings of one look that are followed up."""
LEAST_LIKELY = 0.01
"""A unit less likely than this is not the one in the front line."""
FRESH = (What.APPEARED, What.ROLLED, What.MOVED, What.FLIPPED, What.WITHDRAWN)
"""Changes after which a card or die has just been laid or thrown."""
Found = tuple[list[Weighed], float]
"""Readings with their weights, and the weight of what could not be read."""
NOTHING: Found = ([], 0.0)


def read(state: State, scene: Scene) -> tuple[Reading, ...]:
    """Readings of what happened since the books' last entry, likeliest first."""
    reading = _BY_PHASE.get(state.phase)
    if reading is None:
        return ()
    found, unknown = reading(state, scene)
    return ranked(found, unknown)


def on_table(_state: State) -> frozenset[str]:
    """None: copies of a card are alike, so a name lasts no longer than its thing."""
    return frozenset()


def disagreement(state: State, scene: Scene) -> Desync | None:
    """How a marker that was just moved differs from the books."""
    return marks.disagreement(state, scene)


def _weighed(state: State, guesses: list[Guess]) -> list[Weighed]:
    return [judged(valhal, state, each, frozenset()) for each in guesses]


# Dice


def _half(scene: Scene, thing: Thing) -> str:
    """Whose half a die lies in. One outside the trays counts for its side of the table."""
    zone = scene.zone(thing)
    if zone in (LEFT, RIGHT):
        return zone
    trays = {name: centre(scene.zones[name]) for name in (LEFT, RIGHT) if name in scene.zones}
    return min(trays, key=lambda name: dist(trays[name], thing.middle), default=LEFT)


def _dice(scene: Scene) -> list[Thing]:
    """Dice in the trays, and plain ones elsewhere: there the table's pattern may look like one."""
    return [e for e in scene.dice() if scene.zone(e) in (LEFT, RIGHT) or e.p >= PLAIN]


def _rolled(scene: Scene, half: str, due: int) -> list[Thing]:
    """The dice thrown in one half since the last entry; none if fewer than are due.

    A die that comes to lie where it lay, with the same pips, seems not to have been thrown: so if
    any die is new and all in this half are as many as are due, they count as thrown. Dice of the
    last round may still lie there, so without a new one nothing was thrown.
    """
    dice = [each for each in _dice(scene) if _half(scene, each) == half]
    thrown = {each.thing.number for each in scene.changes if each.what in FRESH}
    fresh = [each for each in dice if each.number in thrown]
    found = fresh if len(fresh) >= due else dice if fresh and len(dice) == due else []
    return sorted(found, key=lambda each: each.middle)


def _pips(thing: Thing) -> list[tuple[str, float]]:
    """What a die may show, likeliest first."""
    return [(str(label), p) for label, p in thing.odds][:3]


def _choice_roll(state: State, scene: Scene) -> Found:
    """VHAL-VF-1: the Jarls roll for who chooses first."""
    fresh = _fresh(scene, _dice(scene))
    if not fresh or not state.waiting:
        return NOTHING
    whose = _thrown_by(state, scene, fresh)
    seats = [seat for seat in state.waiting if seat in whose]
    odds = [_pips(whose[seat]) for seat in seats]
    guesses = [Guess(_rolls(seats, pips), p, p) for pips, p in joint(odds, MOST)]
    return _weighed(state, guesses), unread(odds)


def _rolls(seats: Sequence[Seat], pips: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{seat} rolls {die}" for seat, die in zip(seats, pips, strict=True))


def _thrown_by(state: State, scene: Scene, dice: list[Thing]) -> dict[Seat, Thing]:
    """Whose die is which. Jarls throw in turn, so a single die is that of whoever is next; several
    thrown at once lie each before its own Jarl."""
    owners = [_nearest(state, scene, each) for each in dice]
    whose = dict(zip(owners, dice, strict=True))
    if len(dice) == 1 or len(whose) < len(dice) or not set(whose) <= set(state.waiting):
        return {state.waiting[0]: dice[-1]}
    return whose


def _fresh(scene: Scene, things: Iterable[Thing]) -> list[Thing]:
    """Those of the things that were just laid or thrown, in the order in which they came."""
    lying = {each.number: each for each in things}
    stirred = [each.thing.number for each in scene.changes if each.what in FRESH]
    return [lying[number] for number in dict.fromkeys(stirred) if number in lying]


def _nearest(state: State, scene: Scene, thing: Thing) -> Seat:
    """The Jarl to whose sites it lies nearest."""

    def apart(seat: Seat) -> float:
        sites = [outline for name, outline in scene.zones.items() if name.startswith(f"{seat}.s")]
        return min((dist(centre(each), thing.middle) for each in sites), default=inf)

    return min(state.seats, key=apart)


def _battle_roll(state: State, scene: Scene) -> Found:
    """A throw in battle: the attackers' dice at the left, the town's at the right."""
    raid = state.raids[0]
    row = row_of(state, raid)
    sides: list[tuple[str, list[Thing]]] = []
    if raid.attack is None and (ours := _rolled(scene, LEFT, attack_dice(state, raid))):
        sides.append((f"{raid.seats[0]} rolls", ours))
    if raid.defence is None and row is not None and (theirs := _rolled(scene, RIGHT, row.dice)):
        sides.append(("town rolls", theirs))
    if not sides:
        return NOTHING
    odds = [_pips(die) for _, dice in sides for die in dice]
    guesses = [Guess(_said(sides, pips), p, p) for pips, p in joint(odds, MOST)]
    return _weighed(state, guesses), unread(odds)


def _said(sides: list[tuple[str, list[Thing]]], pips: tuple[str, ...]) -> tuple[str, ...]:
    """A line for each side's throw; `pips` are those of all dice, in the order of the sides."""
    lines, rest = [], list(pips)
    for who, dice in sides:
        mine, rest = rest[: len(dice)], rest[len(dice) :]
        lines.append(f"{who} {' '.join(sorted(mine))}")
    return tuple(lines)


# Cards on the reading spot and in the town's place


def _town_named(state: State, label: str | int) -> str | None:
    """The town of a label: its name on the owner's sheet, or its number among the towns."""
    towns: tuple[TownCard, ...] = state.sheet.towns
    if any(town.name == label for town in towns):
        return str(label)
    kind, _, number = str(label).partition("-")
    if kind == "town" and number.isdigit() and 0 < int(number) <= len(towns):
        return towns[int(number) - 1].name
    return None


def _open_cards(scene: Scene, *zones: str) -> list[Thing]:
    """The cards in these zones that nothing was laid over."""
    return [
        each
        for each in scene.things
        if each.kind == "card" and not each.covered and scene.zone(each) in zones
    ]


def _laid_town(state: State, scene: Scene) -> Found:
    """A town card laid out, or the one that Heidrun is asked about."""
    verb = "heidrun" if state.phase is Phase.HEIDRUN else "lay"
    return _told_card(
        state,
        scene,
        lambda label: [f"{verb} {name}"] if (name := _town_named(state, label)) else [],
    )


def _drawn_card(state: State, scene: Scene) -> Found:
    """VHAL-CARD-1: whoever draws a card lays it on the reading spot."""
    if state.phase is Phase.EVENT:
        return _told_card(state, scene, lambda label: _event_lines(state, str(label)))
    return _told_card(state, scene, lambda label: _draw_lines(state, str(label)))


def _event_lines(state: State, label: str) -> list[str]:
    stack, name = split_label(label)
    known = stack in ("", Stack.EVENT) and any(card.name == name for card in state.sheet.cards)
    return [f"event {name}"] if known else []


def _draw_lines(state: State, label: str) -> list[str]:
    """A photographed card is known by its stack too: cards of two stacks may have one name."""
    stack, name = split_label(label)
    seats = state.dues[0].seats
    if not stack:
        known = any(card.name == name for card in state.sheet.cards)
        return [f"{seat} draws {name}" for seat in seats] if known else []
    due = stack in [each.stack for each in drawable(state)]
    known = due and state.sheet.card(Stack(stack), name) is not None
    return [f"{seat} draws {stack} {name}" for seat in seats] if known else []


def _told_card(state: State, scene: Scene, say: Callable[[str | int], list[str]]) -> Found:
    """The last card laid that `say` has lines for, as one of those lines."""
    every = _fresh(scene, _open_cards(scene, "reading", RIGHT))
    lying = [each for each in every if any(say(label) for label, _ in each.odds)]
    if not lying:
        return NOTHING
    odds = [(line, p) for label, p in lying[-1].odds for line in say(label)]
    known = [(str(label), p) for label, p in lying[-1].odds if say(label)]
    return _weighed(state, [Guess((line,), p, p) for line, p in odds]), unread([known])


# Vikingfahrt


Odds = list[tuple[str, float]]
"""What a card may be, with the probabilities."""


def _attack(state: State, scene: Scene) -> Found:
    """VHAL-VF-2 and -4: a town card at the right, longboats and who goes on them at the left."""
    ships = _open_cards(scene, LEFT)
    fleet = [(each, sails) for each in ships if (sails := _sailing(state, each))]
    towns = [named for each in _open_cards(scene, RIGHT) if (named := _towns(state, each))]
    if not fleet or not towns or not _fresh(scene, _open_cards(scene, LEFT, RIGHT)):
        return NOTHING
    odds = [towns[-1], *(sails for _, sails in fleet)]
    turned = [each.turn == 180 for each, _ in fleet]
    found, unknown = [], UNREADABLE * (len(ships) > len(fleet))
    for (town, *words), p in joint(odds, MOST):
        for attack, seen in _sent(state, town, words, turned):
            shares = _with_invited(state, attack)
            found += [Guess((str(one),), p * seen * share, p * seen) for one, share in shares]
            unknown = max(unknown, p * (1 - seen))
    weighed = [replace(each, open_end=True) for each in _weighed(state, found)]
    return weighed, (unread(odds) + unknown) if found else 0.0


def _sailing(state: State, thing: Thing) -> Odds:
    """The units and longboats that a card may be."""
    sails = {*(unit.name for unit in state.sheet.units), str(Kind.LONGBOAT)}
    return [(str(label), p) for label, p in thing.odds if label in sails]


def _towns(state: State, thing: Thing) -> Odds:
    """The towns that a card may be."""
    return [(name, p) for label, p in thing.odds if (name := _town_named(state, label))]


def _sent(
    state: State, town: str, words: list[str], turned: list[bool]
) -> Iterator[tuple[Attack, float]]:
    """The attacks that these cards may be; `turned` says which of them lie upside down.

    VHAL-BAT-14: a longboat that lies upside down is damaged. Units lie on their boats, so one may
    hide the other: what an attack needs and nobody sees is assumed, with less weight.
    """
    seat = state.queue[0]
    boats = [down for word, down in zip(words, turned, strict=True) if word == Kind.LONGBOAT]
    units = tuple(sorted(word for word in words if word != Kind.LONGBOAT))
    sailing = Boats(boats.count(False), boats.count(True))
    if boats and units:
        yield Attack(seat, town, units, sailing), 1.0
    elif units:
        yield Attack(seat, town, units, Boats((len(units) + 1) // 2)), HALF_SEEN
    else:
        ready = dict.fromkeys(ready_units(state, seat))
        for each in ready:
            yield Attack(seat, town, (each,), sailing), HALF_SEEN / len(ready)


def _with_invited(state: State, attack: Attack) -> list[tuple[Attack, float]]:
    """The attack alone, or with one other Jarl invited, each with its probability."""
    others = [each for each in state.seats if each is not attack.seat and able(state, each)]
    asked = [replace(attack, invites=(each,)) for each in others]
    return [(attack, 1 - INVITES), *((each, INVITES / len(others)) for each in asked)]


def _front(state: State, scene: Scene) -> Found:
    """The unit in the front line: the one pushed nearest to the town."""
    lying = [each for each in scene.cards_in(LEFT) if each.label != "longboat"]
    pushed = {each.thing.number for each in scene.changes if each.what in FRESH}
    front = max(lying, key=lambda each: each.middle[0], default=None)
    if front is None or front.number not in pushed:
        return NOTHING
    guesses = [
        Guess((str(action),), p, p)
        for action in valhal.actions(state)
        if isinstance(action, FrontLine) and (p := front.likely(action.unit)) > LEAST_LIKELY
    ]
    return _weighed(state, guesses), 0.0


_BY_PHASE: Mapping[Phase, Callable[[State, Scene], Found]] = MappingProxyType(
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
