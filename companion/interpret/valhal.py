"""What a table of Valhal means: dice in the attackers' and the town's half, cards on the reading
spot, projects on their sites, food and coins on the food display, the season marker.

Wounds, stages of projects and what is completed follow from the books by themselves: a card turned
or flipped for them says nothing new. Whose settlement a thing lies in, the mat does not say where
several could have laid it: then it is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import islice
from types import MappingProxyType

from companion.interpret.scene import Guess, Scene, Weighed, joint, judged, ranked, unread
from companion.pieces import Seat
from companion.rules import valhal
from companion.rules.valhal.actions import (
    Action,
    Attack,
    Build,
    Feed,
    FrontLine,
    PayFor,
    Unfeed,
    Withdraw,
)
from companion.rules.valhal.battle import attack_dice, row_of
from companion.rules.valhal.sheet import TownCard
from companion.rules.valhal.state import Phase, State
from companion.rules.valhal.words import SPACES, Kind, Season
from companion.settle import is_back
from companion.table import Desync, Reading, TableChange, Thing, What
from companion.zones import MAT

LEFT, RIGHT = "attackers", "town"
OUTSIDE = 0.9
"""Dice beside the tray count for the side of the table they lie on."""
NO_GUESTS = 0.8
"""Attacks to which nobody is invited, of all whose ships look the same."""
OWNER, OWN = Seat.A, 0.95
"""Whose settlement the mat's sites and food display most likely are, and how likely."""
MOST = 400
"""Moves held against the table; attacks with many units have more."""
FRESH = (What.APPEARED, What.ROLLED, What.MOVED, What.FLIPPED, What.WITHDRAWN)


def read(state: State, scene: Scene) -> tuple[Reading, ...]:
    reading = _BY_PHASE.get(state.phase)
    if reading is None:
        return ()
    found, unknown = reading(state, scene)
    return ranked(found, unknown)


def on_table(_state: State) -> frozenset[str]:
    return frozenset()


def disagreement(_state: State, _scene: Scene) -> Desync | None:
    """Too much of this table lies where no camera looks to call it wrong."""
    return None


def _weighed(state: State, guesses: list[Guess]) -> list[Weighed]:
    return [judged(valhal, state, each, frozenset()) for each in guesses]


# Dice


def _half(scene: Scene, thing: Thing) -> tuple[str, float]:
    zone = scene.zone(thing)
    if zone in (LEFT, RIGHT):
        return zone, 1.0
    return (LEFT if thing.middle[0] < MAT[0] / 2 else RIGHT), OUTSIDE


def _rolled(scene: Scene, half: str | None = None) -> list[Thing]:
    """Dice of one half, if any of them was thrown since the last entry."""
    dice = [each for each in scene.dice() if half is None or _half(scene, each)[0] == half]
    thrown = {each.thing.number for each in scene.changes if each.what in FRESH}
    fresh = [each for each in dice if each.number in thrown]
    return sorted(dice if fresh else [], key=lambda each: each.middle)


def _pips(thing: Thing) -> list[tuple[str, float]]:
    return [(str(label), p) for label, p in thing.odds][:3]


def _choice_roll(state: State, scene: Scene) -> tuple[list[Weighed], float]:
    """VHAL-VF-1: each who has yet to roll, in order; the die thrown last is theirs."""
    thrown = [each for each in scene.changes if each.thing.kind == "die" and each.what in FRESH]
    lying = {each.number: each for each in scene.dice()}
    if not thrown or thrown[-1].thing.number not in lying or not state.waiting:
        return [], 0.0
    die, seat = lying[thrown[-1].thing.number], state.waiting[0]
    guesses = [Guess((f"{seat} rolls {pips}",), p, p) for pips, p in _pips(die)]
    return _weighed(state, guesses), unread([_pips(die)])


def _battle_roll(state: State, scene: Scene) -> tuple[list[Weighed], float]:
    """The attackers' dice at the left, the town's at the right, as many as each side has."""
    raid = state.raids[0]
    row = row_of(state, raid)
    ours, theirs = _rolled(scene, LEFT), _rolled(scene, RIGHT)
    sides: list[tuple[str, list[Thing]]] = []
    # Fewer dice than due are still rolling, or overlooked; more are too many.
    if raid.attack is None and ours and len(ours) >= attack_dice(state, raid):
        sides.append((f"{raid.seats[0]} rolls", ours))
    if raid.defence is None and row is not None and theirs and len(theirs) >= row.dice:
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
    lying = {each.number: each for each in scene.cards_in(*zones) if not each.covered}
    stirred = [each.thing.number for each in scene.changes if each.what in FRESH]
    return [lying[number] for number in dict.fromkeys(stirred) if number in lying]


def _laid_town(state: State, scene: Scene) -> tuple[list[Weighed], float]:
    verb = "heidrun" if state.phase is Phase.HEIDRUN else "lay"
    return _told_card(
        state, scene, lambda label: f"{verb} {name}" if (name := _town_named(state, label)) else ""
    )


def _drawn_card(state: State, scene: Scene) -> tuple[list[Weighed], float]:
    """VHAL-CARD-1: whoever has to draw lays the card on the reading spot."""
    names = {card.name for card in state.sheet.cards}
    if state.phase is Phase.EVENT:
        return _told_card(state, scene, lambda label: f"event {label}" if label in names else "")
    seat = state.dues[0].seats[0]
    return _told_card(state, scene, lambda label: f"{seat} draws {label}" if label in names else "")


def _told_card(
    state: State, scene: Scene, say: Callable[[str | int], str]
) -> tuple[list[Weighed], float]:
    lying = _fresh_cards(scene, "reading", RIGHT)
    if not lying:
        return [], 0.0
    odds = [(line, p) for label, p in lying[-1].odds if (line := say(label))]
    return _weighed(state, [Guess((line,), p, p) for line, p in odds]), unread([odds])


# Vikingfahrt


def _attack(state: State, scene: Scene) -> tuple[list[Weighed], float]:
    """VHAL-VF-4: a town card opposite, units and longboats at the left."""
    towns = [_town_named(state, each.label or "") for each in scene.cards_in(RIGHT)]
    fleet = Counter(str(each.label) for each in scene.cards_in(LEFT) if not each.covered)
    boats = fleet.pop("longboat", 0)
    if not boats or not any(towns):
        return [], 0.0
    guesses = []
    for action in islice(valhal.actions(state), MOST):
        if (
            isinstance(action, Attack)
            and action.town in towns
            and Counter(action.units) == fleet
            and action.boats.count == boats
        ):
            weight = (1 - NO_GUESTS) / 4 if action.invites else NO_GUESTS
            guesses.append(Guess((str(action),), weight * (0.3 if action.boats.damaged else 1.0)))
    return _weighed(state, guesses), 0.0


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


# Commission


def _commissioned(state: State, scene: Scene) -> tuple[list[Weighed], float]:
    guesses: list[Guess] = []
    sites = dict.fromkeys(scene.zone(each.thing) or "" for each in scene.changes)
    for kind in (zone.removeprefix("site-") for zone in sites if zone.startswith("site-")):
        guesses += _paid(state, scene, kind)
    for change in scene.changes:
        zone = scene.zone(change.thing) or ""
        if zone.startswith("site-"):
            guesses += _built(state, scene, change, zone.removeprefix("site-"))
        elif zone.startswith("food-"):
            guesses += _fed(state, change, zone.removeprefix("food-"))
        elif zone.startswith("season-"):
            guesses += _agreed(state, change, zone.removeprefix("season-"))
    return _weighed(state, guesses), 0.0


def _shared(actions: list[Action]) -> list[Guess]:
    """The mat has the places of one settlement: most likely that of its owner, seat A."""
    mine = [each for each in actions if str(each).startswith(f"{OWNER} ")]
    others = [each for each in actions if each not in mine]
    return [
        *(Guess((str(each),), OWN / len(mine)) for each in mine),
        *(Guess((str(each),), (1.0 - OWN) / len(others)) for each in others),
    ]


def _paid(state: State, scene: Scene, kind: str) -> list[Guess]:
    """VHAL-CON-3: tokens come to a project that lies there already, or all of it goes."""
    zone = f"site-{kind}"
    here = [each for each in scene.changes if scene.zone(each.thing) == zone]
    came = {each.thing.number for each in here if each.what in FRESH}
    tokens = Counter(
        str(each.label)
        for each in scene.cards_in(zone)
        if each.label in _TOKENS and each.number in came
    )
    gone = any(each.what is What.VANISHED for each in here)
    found: list[Action] = []
    for action in valhal.actions(state):
        if not isinstance(action, PayFor | Withdraw) or _kind_of(action.site) != kind:
            continue
        pays = isinstance(action, PayFor) and tokens and Counter(map(str, action.pay)) == tokens
        leaves = isinstance(action, Withdraw) and gone and not tokens
        if pays or leaves:
            found.append(action)
    return _shared(found)


def _kind_of(site: str) -> str:
    return site.partition("-")[0]


def _built(state: State, scene: Scene, change: TableChange, kind: str) -> list[Guess]:
    """VHAL-CON-1: a card back up on its site, with what is paid lying there."""
    if change.what not in FRESH or kind not in tuple(Kind) or not is_back(change.thing.label):
        return []
    paid = Counter(
        str(each.label) for each in scene.cards_in(f"site-{kind}") if each.label in _TOKENS
    )
    found: list[Action] = [
        action
        for action in valhal.actions(state)
        if isinstance(action, Build)
        and action.kind == kind
        and (not paid or Counter(map(str, action.pay)) == paid)
    ]
    return _shared(found)


_TOKENS = ("coin", "wood", "iron")


def _fed(state: State, change: TableChange, space: str) -> list[Guess]:
    """VHAL-FOOD-2: a coin or stored food comes to a space, or leaves it."""
    if space not in tuple(SPACES):
        return []
    came = change.what in FRESH and change.what is not What.WITHDRAWN
    larder = change.thing.label == "food"
    if change.thing.label not in ("coin", "food"):
        return []
    found: list[Action] = [
        action
        for action in valhal.actions(state)
        if (isinstance(action, Feed) and came and action.larder == larder and action.space == space)
        or (isinstance(action, Unfeed) and not came and action.space == space)
    ]
    return _shared(found)


def _agreed(state: State, change: TableChange, season: str) -> list[Guess]:
    """The marker goes on when all are done."""
    moved = change.what in FRESH and change.thing.label == "season"
    if moved and season == state.season.next and season in tuple(Season):
        return [Guess(("agree",), 1.0)]
    return []


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
        Phase.COMMISSION: _commissioned,
    }
)
