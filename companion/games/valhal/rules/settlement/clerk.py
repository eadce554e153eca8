"""The season clerk: what is wrong or about to be lost before the season turns, and the steps the
construction process takes. Rules VHAL-CON-3 and -4, VHAL-FOOD-1 to -9, A-24."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Reason, reason
from companion.core.notation import Seat
from companion.games.valhal.rules.codes import Code
from companion.games.valhal.rules.notation.actions import Agree, Disagree
from companion.games.valhal.rules.settlement.books import SUPPLY, left
from companion.games.valhal.rules.settlement.building import unnumbered
from companion.games.valhal.rules.settlement.food import (
    granary_idle,
    longhouse_food,
    needs_food,
    next_space,
    on_space,
    out_of_use,
    provided,
)
from companion.games.valhal.rules.settlement.gifts import TURN, gift_shown
from companion.games.valhal.rules.sheet.sheet import Asked
from companion.games.valhal.rules.state import Player, Project, State, Step, Work
from companion.games.valhal.rules.vocabulary import (
    SPACES_OF,
    TOKEN_FOR,
    Fill,
    Kind,
    Pay,
    Season,
    Space,
)


def warnings(state: State) -> tuple[Reason, ...]:
    """Everything worth saying before all agree, Jarl by Jarl."""
    found = [each for seat in state.order for each in jarl_warnings(state, seat)]
    short = [
        reason(Code.SUPPLY_SHORT, "VHAL-SET-4", thing=thing, left=left(state, thing))
        for thing in SUPPLY
        if left(state, thing) < 0
    ]
    return (*found, *short)


def jarl_warnings(state: State, seat: Seat) -> Iterator[Reason]:
    hungry = tuple(season_objections(state, seat))
    yield from hungry
    if hungry and longhouse_food(state) is None:  # now it matters
        path = Asked("longhouse.food")
        yield reason(Code.NUMBER_ASKED, "VHAL-SET-1", seat=seat, path=path)
    for project in state.players[seat].projects:
        yield from _project_warnings(seat, project)
    yield from _lost_soon(state, seat)
    yield from (
        reason(Code.NUMBER_ASKED, "VHAL-COM-2", seat=seat, path=Asked(path))
        for path in unnumbered(state, seat)
    )


def season_objections(state: State, seat: Seat) -> Iterator[Reason]:
    """What a Jarl may not agree to: coins on projects and no food."""
    player, season = state.players[seat], state.season
    if needs_food(state, player) and not provided(player, season, state.version):
        if season in player.blocked:
            yield reason(Code.FOOD_BLOCKED, "VHAL-FOOD-9", seat=seat, season=season)
        elif thing := out_of_use(player, season):
            yield reason(Code.UNUSABLE, "VHAL-CARD-5", seat=seat, thing=thing)
        else:
            rule = "VHAL-FOOD-3" if season is Season.WINTER else "VHAL-FOOD-1"
            yield reason(
                Code.NOT_PROVIDED, rule, seat=seat, season=season, spaces=bare(state, player)
            )


def bare(state: State, player: Player) -> tuple[Space, ...]:
    """VHAL-FOOD-2: the spaces that still want a token or a coin."""
    empty = (Fill.EMPTY, Fill.GRANARY) if granary_idle(player) else (Fill.EMPTY,)
    return tuple(s for s in SPACES_OF[state.season] if on_space(player, s) in empty)


def _project_warnings(seat: Seat, project: Project) -> Iterator[Reason]:
    token = TOKEN_FOR[project.kind]
    for each in dict.fromkeys(project.pay):
        if each not in (Pay.COIN, token):
            yield reason(
                Code.WRONG_TOKEN, "VHAL-BT-3", seat=seat, site=project.site, got=each, need=token
            )
    if project.left is not None and len(project.pay) > project.left:
        yield reason(Code.OVERPAID, "VHAL-CON-2", seat=seat, site=project.site)
    if not project.pay:
        yield reason(Code.RESTS, "VHAL-COM-4", seat=seat, site=project.site)
    if project.kind is Kind.ALTAR:
        yield reason(Code.ALTAR_UNDER_WAY, "VHAL-BLD-ALTAR", seat=seat)


def _lost_soon(state: State, seat: Seat) -> Iterator[Reason]:
    player = state.players[seat]
    idle = not any(project.pay for project in player.projects)
    for space in SPACES_OF[state.season]:
        if idle and on_space(player, space) in (Fill.TOKEN, Fill.COIN):
            yield reason(Code.FOOD_GOES, "VHAL-FOOD-6", seat=seat, space=space)
    if gift_shown(state, TURN) == "food" and next_space(state, seat) is None:
        yield reason(Code.DISPLAY_FULL, "VHAL-FOOD-5", seat=seat)
    if state.sheet.glory_max is not None and player.glory >= state.sheet.glory_max:
        yield reason(Code.GLORY_FULL, "VHAL-GLO-1", seat=seat)


def steps(state: State) -> tuple[Step, ...]:
    """VHAL-CON-4: Jarl by Jarl from the starting player: projects, sacrifice, food off."""
    found = []
    for seat in state.order:
        player = state.players[seat]
        found += [Step(seat, Work.TURN, each.site) for each in player.projects if each.pay]
        if player.sacrifice is not None:
            found.append(Step(seat, Work.SACRIFICE, player.sacrifice.offer))
        found.append(Step(seat, Work.CLEAR))
    return tuple(found)


# Agreeing


def agree_objections(state: State, action: Agree) -> Iterator[Reason]:
    if action.seat is None:
        for seat in state.order:
            if not state.players[seat].agreed:
                yield from season_objections(state, seat)
        return
    if state.players[action.seat].agreed:
        yield reason(Code.AGREED, "VHAL-CON-3", may_stand=False, seat=action.seat)
    yield from season_objections(state, action.seat)


def disagree_objections(state: State, action: Disagree) -> Iterator[Reason]:
    if not state.players[action.seat].agreed:
        yield reason(Code.AGREED_NOT, "VHAL-CON-3", may_stand=False, seat=action.seat)
