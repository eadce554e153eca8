"""What the symbols that are not in the rulebook's text give: at the end of a turn (VHAL-SEA-5, A-1)
and for a defeated unit (VHAL-BAT-11, A-2). The owner's sheet says it, or an option of the game."""

from __future__ import annotations

from companion.core.notation import Seat
from companion.games.valhal.rules.settlement.books import changed, gained, noted, owing
from companion.games.valhal.rules.settlement.favour import gloried
from companion.games.valhal.rules.settlement.food import received, taken
from companion.games.valhal.rules.state import Due, Happening, Owed, State
from companion.games.valhal.rules.vocabulary import Fill

TURN, DEFEAT = "turn", "defeat"
OPTIONS = {TURN: "end_of_turn_gift", DEFEAT: "defeated_unit_gift"}


def gift_shown(state: State, which: str) -> str | None:
    """One of `GIFTS`; None while nobody has told. Games of the first version did not ask; what
    they assumed can still be told otherwise."""
    chosen: str = getattr(state.options, OPTIONS[which])
    printed: str | None = getattr(state.sheet, f"{which}_gift")
    if chosen == "asked":
        return printed
    return chosen if state.version > 1 or printed is None else printed


def gift(state: State, seat: Seat, which: str) -> State:
    """Given now; or as soon as it is told what it is."""
    thing = gift_shown(state, which)
    if thing is None:
        return owing(state, [Due(Owed.GIFT, (seat,), thing=which)])
    state = changed(state, seat, gifts=(*state.players[seat].gifts, which))
    return _given(state, seat, thing, 1)


def gifts_put_right(before: State, state: State) -> State:
    """The sheet tells another gift than was given so far: the whole game is put right at once. Of
    a wrong gift that is spent the table is told: the books cannot take what is not there."""
    for which in (TURN, DEFEAT):
        wrong, right = gift_shown(before, which), gift_shown(state, which)
        if wrong is None or right is None or wrong == right:
            continue
        for seat in state.seats:
            count = state.players[seat].gifts.count(which)
            if count:
                state = noted(state, Happening.PUT_RIGHT, seat, which, count)
                spent = count - min(count, _holding(state, seat, wrong))
                state = _given(_given(state, seat, wrong, -count), seat, right, count)
                state = noted(state, Happening.OWES, seat, wrong, spent) if spent else state
    return state


def _holding(state: State, seat: Seat, thing: str) -> int:
    """What could be taken back; food only while it lies on the display."""
    player = state.players[seat]
    return player.food.count(Fill.TOKEN) if thing == "food" else int(getattr(player, thing))


def _given(state: State, seat: Seat, thing: str, count: int) -> State:
    if thing == "glory":
        return gloried(state, seat, count)
    if thing == "food":
        return received(state, seat, count) if count > 0 else taken(state, seat, -count)
    return gained(state, seat, thing, count)
