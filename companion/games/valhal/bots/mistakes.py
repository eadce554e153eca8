"""Mistakes at a table of Valhal: plays against the rules that people really make."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from companion.core.notation import Seat
from companion.games.valhal.bots.mat import (
    MOST_DICE,
    MOST_SAILING,
    Mat,
    dice,
    fed,
    fleet,
    marked,
    offering,
    project,
    standing,
)
from companion.games.valhal.rules.notation.actions import (
    Action,
    Agree,
    Attack,
    Boats,
    Build,
    Feed,
    Offering,
    PayFor,
    Roll,
    TownRoll,
    Unfeed,
)
from companion.games.valhal.rules.raid.battle import attack_dice, row_of
from companion.games.valhal.rules.raid.vikingfahrt import ready_units, targets
from companion.games.valhal.rules.sheet.sheet import VETERANS
from companion.games.valhal.rules.state import Offer, Phase, Project, Sacrifice, State
from companion.games.valhal.rules.vocabulary import SPACES, TOKEN_FOR, Fill, Kind, Pay
from companion.sim.steps import Lying

Throw = Callable[[int], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is done, by whom, and what it changes on the mat. It may happen to be legal: only the
    rules say whether it is against them now."""

    kind: str
    action: Action
    seat: Seat
    lays: Mapping[str, Lying] = field(default_factory=dict)
    """What is put on the mat."""
    takes: tuple[str, ...] = ()
    """The keys of what is taken off it."""

    @property
    def line(self) -> str:
        return str(self.action)


def possible_mistakes(state: State, mat: Mat, throw: Throw) -> Iterator[Mistake]:
    """The mistakes that could be made now."""
    match state.phase:
        case Phase.COMMISSION:
            for seat in state.seats:
                if not state.players[seat].agreed:
                    yield from _begun(state, mat, seat)
                    yield from _paid(state, mat, seat)
                    yield from _fed(state, mat, seat)
                    yield from _offered(state, seat)
            yield Mistake("season", Agree(), state.first, marked(state.season.next))
        case Phase.BATTLE:
            yield from _thrown(state, throw)
        case Phase.CHOOSE:
            yield from _overloaded(state)
        case _:
            return


def _begun(state: State, mat: Mat, seat: Seat) -> Iterator[Mistake]:
    """A project begun wrongly."""
    player, free = state.players[seat], mat.free(seat)
    if not free:
        return
    given = next((unit for unit in player.units if unit != VETERANS), "")
    for kind in Kind:
        if kind in player.buildings:
            continue
        running = sum(each.kind is kind for each in player.projects)
        for name, pay in _begun_with(kind, running=bool(running), given=given).items():
            new = Project(kind, running + 1, pay=pay)
            action = Build(seat, kind, pay, given if kind is Kind.VETERANS else "")
            yield Mistake(name, action, seat, project(seat, new, free[0]))


def _begun_with(kind: Kind, *, running: bool, given: str) -> dict[str, tuple[Pay, ...]]:
    """Ways to begin such a project wrongly, and what is paid: without the smith, twice, with the
    wrong token, with a token that is not in store. `given` is the unit to become Veterans."""
    if kind is Kind.VETERANS:
        return {"no smith": (Pay.COIN,)} if given else {}
    if running:
        return {"twice": (Pay.COIN,)}
    return {"wrong token": (Pay.COIN, _other(kind)), "not in store": (TOKEN_FOR[kind],)}


def _paid(state: State, mat: Mat, seat: Seat) -> Iterator[Mistake]:
    """A second coin, or the wrong token, on a running project."""
    for each in state.players[seat].projects:
        at = mat.sites.get((seat, each.site))
        if at is None or len(each.pay) > 1:
            continue
        extra = Pay.COIN if Pay.COIN in each.pay else _other(each.kind)
        laid = project(seat, replace(each, pay=(*each.pay, extra)), at)
        key = f"pay {seat} {each.site} {len(each.pay)} {extra}"
        action = PayFor(seat, each.site, (extra,))
        yield Mistake("paid wrongly", action, seat, {key: laid[key]})


def _other(kind: Kind) -> Pay:
    """The token such a project cannot be paid with."""
    return Pay.IRON if TOKEN_FOR[kind] is Pay.WOOD else Pay.WOOD


def _fed(state: State, mat: Mat, seat: Seat) -> Iterator[Mistake]:
    """Food is taken back that may not be; food is paid with a coin or taken from a stock that
    nobody has left."""
    for space, fill in zip(SPACES, state.players[seat].food, strict=True):
        key = f"food {seat} {space} food"
        if fill is Fill.TOKEN and key in mat.lying:
            yield Mistake("food taken back", Unfeed(seat, space), seat, takes=(key,))
        if fill is Fill.EMPTY:
            yield Mistake("food unpaid", Feed(seat, space), seat, fed(seat, space, "coin"))
            stored = Feed(seat, space, larder=True)
            yield Mistake("food from stock", stored, seat, fed(seat, space, "food"))


def _offered(state: State, seat: Seat) -> Iterator[Mistake]:
    """Glory is sacrificed for what only the Altar gives, or gives no more; coins are while it is
    still being built."""
    player = state.players[seat]
    if player.sacrifice is not None:
        return
    for offer, cost in ((Offer.GLORY, 2), (Offer.FAVOUR, 7)):
        if player.glory >= cost:
            lays = {
                **dict(offering(seat, Sacrifice(offer, cost))),
                **dict(standing(seat, player.glory - cost, player.favour)),
            }
            yield Mistake("sacrifice", Offering(seat, offer), seat, lays)
    if Kind.ALTAR not in player.buildings:
        coin = dict(offering(seat, Sacrifice(Offer.COINS, state.options.runestone_coin_cost)))
        yield Mistake("sacrifice", Offering(seat, Offer.COINS), seat, coin)


def _thrown(state: State, throw: Throw) -> Iterator[Mistake]:
    """One die too many is thrown."""
    raid = state.raids[0]
    row, mine = row_of(state, raid), attack_dice(state, raid)
    if raid.attack is None and 0 < mine < MOST_DICE:
        seat, pips = raid.seats[0], throw(mine + 1)
        yield Mistake("a die too many", Roll(seat, pips), seat, dice("attackers", pips))
    if raid.defence is None and raid.attack is not None and row is not None and row.dice:
        pips = throw(row.dice + 1)
        yield Mistake("a die too many", TownRoll(pips), raid.seats[0], dice("town", pips))


def _overloaded(state: State) -> Iterator[Mistake]:
    """VHAL-VF-4: three on one longboat; a longboat without anybody."""
    seat = state.queue[0]
    units, boats = sorted(ready_units(state, seat)), state.players[seat].boats
    for town in list(targets(state, seat))[:1]:
        for kind, sent, fleets in (("overloaded", units[:3], 1), ("empty boat", units[:1], 2)):
            enough = len(sent) == (3 if fleets == 1 else 1) and boats >= fleets
            if enough and len(sent) + fleets <= MOST_SAILING:
                attack = Attack(seat, town, tuple(sent), Boats(fleets))
                yield Mistake(kind, attack, seat, fleet(attack))
