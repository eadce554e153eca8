"""The food display. Rules VHAL-FOOD-1 to -9."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Reason, reason
from companion.core.notation import Seat
from companion.games.valhal.rules.codes import Code
from companion.games.valhal.rules.notation.actions import Feed, Unfeed
from companion.games.valhal.rules.settlement.books import changed, noted, returned, spent
from companion.games.valhal.rules.sheet.sheet import Asked
from companion.games.valhal.rules.state import Happening, Player, State
from companion.games.valhal.rules.vocabulary import (
    SEASON_OF,
    SPACES,
    SPACES_OF,
    Fill,
    Kind,
    Pay,
    Season,
    Space,
)

FULL = (Fill.TOKEN, Fill.GRANARY)
PROVIDED = (Fill.TOKEN, Fill.COIN, Fill.GRANARY)


def on_space(player: Player, space: Space) -> Fill:
    return player.food[SPACES.index(space)]


def provided(player: Player, season: Season, version: int = 5) -> bool:
    """VHAL-FOOD-2 and -3: something on every space of the season; VHAL-FOOD-8: the Granary's
    space counts as filled, if the Granary may be used. VHAL-FOOD-9: nothing helps where a marker
    lies."""
    if season in player.blocked or out_of_use(player, season):
        return False
    spaces = SPACES_OF[season]
    if version > 1 and granary_idle(player) and on_space(player, spaces[-1]) is Fill.GRANARY:
        return False
    return all(on_space(player, space) in PROVIDED for space in spaces)


def out_of_use(player: Player, season: Season) -> str:
    """VHAL-CARD-5: food itself, or a space the season needs; nothing if neither is marked."""
    things = ("food", *SPACES_OF[season])
    return next((str(each) for each in things if player.unused(each, season)), "")


def granary_idle(player: Player) -> bool:
    """VHAL-CARD-5: the Granary's space wants food like any other while a marker lies on it."""
    return player.unused(Kind.GRANARY, Season.WINTER)


def needs_food(state: State, player: Player) -> bool:
    """VHAL-FOOD-1: only for coins on projects; VHAL-BT-1: tokens need none. A-6: sacrifices."""
    if state.options.sacrifice_needs_food and player.sacrifice is not None:
        return True
    return any(Pay.COIN in project.pay for project in player.projects)


def with_space(state: State, seat: Seat, space: Space, fill: Fill) -> State:
    food = list(state.players[seat].food)
    food[SPACES.index(space)] = fill
    return changed(state, seat, food=tuple(food))


# Receiving


def received(state: State, seat: Seat, count: int) -> State:
    """VHAL-FOOD-5: at once, from the current season on clockwise, one to a space."""
    for _ in range(count):
        space = next_space(state, seat)
        if space is None:
            state = noted(state, Happening.FOOD_LOST, seat, "food", 1)
            continue
        if on_space(state.players[seat], space) is Fill.COIN:
            state = noted(returned(state, seat, "coins", 1), Happening.COIN_BACK, seat, space, 1)
        state = with_space(state, seat, space, Fill.TOKEN)
        state = noted(state, Happening.GAINED, seat, "food", 1)
    return state


def next_space(state: State, seat: Seat) -> Space | None:
    player = state.players[seat]
    at = SPACES.index(SPACES_OF[state.season][0])
    for space in (*SPACES[at:], *SPACES[:at]):
        blocked = SEASON_OF[space] is state.season and state.season in player.blocked
        marked = player.unused(space, SEASON_OF[space])
        if on_space(player, space) not in FULL and not blocked and not marked:
            return space
    return None


def taken(state: State, seat: Seat, count: int) -> State:
    """Food tokens a card takes away, from the current season on clockwise."""
    at = SPACES.index(SPACES_OF[state.season][0])
    for space in (*SPACES[at:], *SPACES[:at]):
        if count and on_space(state.players[seat], space) is Fill.TOKEN:
            state = with_space(state, seat, space, Fill.EMPTY)
            state = noted(state, Happening.LOST, seat, "food", 1)
            count -= 1
    return state


# Construction


def cleared(state: State, seat: Seat) -> State:
    """VHAL-FOOD-6: off it comes, built or not; A-35: in winter from both spaces."""
    for space in SPACES_OF[state.season]:
        fill = on_space(state.players[seat], space)
        if fill in (Fill.TOKEN, Fill.COIN):
            state = with_space(state, seat, space, _beneath(state.players[seat], space))
            state = noted(state, Happening.CLEARED, seat, f"{fill} {space}")
    return state


def _beneath(player: Player, space: Space) -> Fill:
    """What is left when food comes off: the Granary's own token stays."""
    granary = space is Space.WINTER_2 and Kind.GRANARY in player.buildings
    return Fill.GRANARY if granary else Fill.EMPTY


def granary_built(state: State, seat: Seat) -> State:
    """VHAL-FOOD-8: a token turned over at the bottom; A-5: one lying there is that token, a coin
    lying there goes back (A-4)."""
    if on_space(state.players[seat], Space.WINTER_2) is Fill.COIN:
        state = noted(
            returned(state, seat, "coins", 1), Happening.COIN_BACK, seat, Space.WINTER_2, 1
        )
    return with_space(state, seat, Space.WINTER_2, Fill.GRANARY)


def blocked(state: State, seat: Seat, season: Season, *, famine: bool) -> State:
    """VHAL-FOOD-9; the Granary wards one kind of it off (VHAL-FOOD-8)."""
    player = state.players[seat]
    if famine and Kind.GRANARY in player.buildings and not player.unused(Kind.GRANARY, season):
        return noted(state, Happening.WARDED, seat, season)
    if season in player.blocked:
        return state
    return changed(state, seat, blocked=(*player.blocked, season))


# Coins on and off


def longhouse_food(state: State) -> bool | None:
    """A-3: may the food tokens of the longhouse be laid out? None while nobody has told."""
    chosen, printed = state.options.start_food_on_longhouse_usable, state.sheet.longhouse_food
    if chosen != "asked":
        return chosen == "true"
    return None if printed is None else printed == "usable"


def feed_objections(state: State, action: Feed) -> Iterator[Reason]:
    """VHAL-FOOD-7: nobody has to."""
    player, seat = state.players[action.seat], action.seat
    if player.agreed:
        yield reason(Code.AGREED, "VHAL-CON-3", seat=seat)
    if not _open(player, action.space):
        yield reason(
            Code.SPACE_TAKEN, "VHAL-FOOD-2", may_stand=False, seat=seat, space=action.space
        )
    if SEASON_OF[action.space] in player.blocked:
        yield reason(Code.FOOD_BLOCKED, "VHAL-FOOD-9", seat=seat, season=SEASON_OF[action.space])
    for thing in ("food", action.space):
        if player.unused(thing, SEASON_OF[action.space]):
            yield reason(Code.UNUSABLE, "VHAL-CARD-5", seat=seat, thing=thing)
    if action.larder:
        yield from _stored(state, seat)
    elif not player.coins:
        yield reason(Code.CANNOT_PAY, "VHAL-FOOD-2", seat=seat, thing="coins", have=0, need=1)


def _stored(state: State, seat: Seat) -> Iterator[Reason]:
    """A-3"""
    usable = longhouse_food(state)
    if usable is None:
        path = Asked("longhouse.food")
        yield reason(Code.NUMBER_ASKED, "VHAL-SET-1", may_stand=False, seat=seat, path=path)
    elif not (usable and state.players[seat].larder):
        yield reason(Code.NO_FOOD_STORED, "VHAL-SET-1", may_stand=False, seat=seat)


def _open(player: Player, space: Space) -> bool:
    """Can something be laid there? On the Granary's space only while it does not work."""
    fill = on_space(player, space)
    return fill is Fill.EMPTY or (fill is Fill.GRANARY and granary_idle(player))


def fed(state: State, action: Feed) -> State:
    seat = action.seat
    if action.larder:
        state = changed(state, seat, larder=state.players[seat].larder - 1)
        return with_space(state, seat, action.space, Fill.TOKEN)
    return with_space(spent(state, seat, "coins", 1), seat, action.space, Fill.COIN)


def unfeed_objections(state: State, action: Unfeed) -> Iterator[Reason]:
    """VHAL-FOOD-4: coins come off again, food tokens stay."""
    player, seat = state.players[action.seat], action.seat
    fill = on_space(player, action.space)
    if player.agreed:
        yield reason(Code.AGREED, "VHAL-CON-3", seat=seat)
    if fill is Fill.TOKEN:
        yield reason(Code.TOKEN_STAYS, "VHAL-FOOD-4", seat=seat, space=action.space)
    elif fill is not Fill.COIN:
        yield reason(
            Code.NOTHING_THERE, "VHAL-FOOD-4", may_stand=False, seat=seat, space=action.space
        )


def unfed(state: State, action: Unfeed) -> State:
    seat = action.seat
    if on_space(state.players[seat], action.space) is Fill.COIN:
        state = returned(state, seat, "coins", 1)
    return with_space(state, seat, action.space, _beneath(state.players[seat], action.space))
