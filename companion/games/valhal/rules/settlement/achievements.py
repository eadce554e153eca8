"""Yggdrasil. Rules VHAL-ACH-1 to -5: three conditions the books can see, the others are told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.core.game import Reason, reason
from companion.core.notation import Seat
from companion.games.valhal.rules.codes import Code
from companion.games.valhal.rules.notation.actions import Achieve
from companion.games.valhal.rules.settlement.books import noted
from companion.games.valhal.rules.settlement.favour import favoured
from companion.games.valhal.rules.sheet.checking import BY_BOOKS
from companion.games.valhal.rules.sheet.sheet import BLESSED, Asked
from companion.games.valhal.rules.state import Happening, Owner, State, boats_of
from companion.games.valhal.rules.vocabulary import Stack

SEEN = BY_BOOKS
ENOUGH = 3  # longboats; "when activated" Benevolence cards


def owner_of(state: State, token: str) -> Seat | None:
    return next((each.seat for each in state.owners if each.token == token), None)


def in_play(state: State, token: str) -> bool | None:
    """VHAL-SET-9: II for two players, III for three, all for four; None if nobody has told."""
    group = state.sheet.token(token).group
    return None if group is None else group <= len(state.seats)


def blessings(state: State, seat: Seat) -> int:
    """VHAL-ACH-4: Benevolence cards lying in front of a Jarl."""
    return sum(held.stack is Stack.BENEVOLENCE for held in state.players[seat].kept)


def meets(state: State, seat: Seat, token: str) -> bool:
    match token:
        case "longboats":  # VHAL-ACH-2
            return boats_of(state, seat) >= ENOUGH
        case "double":  # VHAL-ACH-3; A-31: a joint attack counts for every attacker
            return len(set(state.players[seat].beaten)) >= 2
        case _:
            return _most_blessed(state) is seat


def _most_blessed(state: State) -> Seat | None:
    """Who has three or more, and more than anybody else."""
    counts = {seat: blessings(state, seat) for seat in state.seats}
    most = max(counts.values())
    top = [seat for seat, count in counts.items() if count == most]
    return top[0] if most >= ENOUGH and len(top) == 1 else None


def unasked(state: State) -> Iterator[str]:
    """Tokens somebody would take, if they are in play at all."""
    for token in SEEN:
        open_question = owner_of(state, token) is None and in_play(state, token) is None
        if open_question and any(meets(state, seat, token) for seat in state.seats):
            yield f"achievement.{token}.group"


def achieved(state: State) -> State | None:
    """The next token that changes hands by itself. VHAL-ACH-1: the first to meet it keeps it."""
    for token in SEEN:
        if owner_of(state, token) is None and in_play(state, token):
            for seat in state.order:
                if meets(state, seat, token):
                    return awarded(state, seat, token)
    return _taken_over(state)


def awarded(state: State, seat: Seat, token: str) -> State:
    state = replace(state, owners=(*state.owners, Owner(token, seat)))
    return favoured(noted(state, Happening.ACHIEVED, seat, token), seat, 1)


def _taken_over(state: State) -> State | None:
    """VHAL-ACH-4: more cards than the owner take it over, and at least three (A-38); if several
    have more and none most, it goes back. The old owner steps back either way."""
    owner = owner_of(state, BLESSED)
    if owner is None:
        return None
    mine = blessings(state, owner)
    least = ENOUGH if state.options.blessed_takeover == "three" else 0
    more = [seat for seat in state.seats if blessings(state, seat) > max(mine, least - 1)]
    if not more:
        return None
    owners = tuple(each for each in state.owners if each.token != BLESSED)
    state = favoured(replace(state, owners=owners), owner, -1)
    most = max(blessings(state, seat) for seat in more)
    top = [seat for seat in more if blessings(state, seat) == most]
    if len(top) > 1:
        return noted(state, Happening.RETURNED, owner, BLESSED)
    return awarded(state, top[0], BLESSED)


def achieve_objections(state: State, action: Achieve) -> Iterator[Reason]:
    """VHAL-ACH-5: what the table reads on Yggdrasil."""
    seat, token = action.seat, action.token
    owner, playing = owner_of(state, token), in_play(state, token)
    if playing is None:
        path = Asked(f"achievement.{token}.group")
        yield reason(Code.NUMBER_ASKED, "VHAL-SET-9", may_stand=False, path=path)
    elif not playing:
        yield reason(Code.TOKEN_OUT, "VHAL-SET-9", token=token)
    if owner is not None:
        yield reason(Code.TOKEN_OWNED, "VHAL-ACH-1", may_stand=False, token=token, owner=owner)
    elif token in SEEN:
        yield reason(Code.CONDITION_SEEN, "VHAL-ACH-1", seat=seat, token=token)
