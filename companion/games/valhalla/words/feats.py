"""What people boast of after a game of Valhalla, and the chapters of its rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from companion.core.notation import Seat
from companion.games.valhalla.rules import Action, State
from companion.games.valhalla.rules.actions import Armory, Draw
from companion.games.valhalla.rules.cards import Card
from companion.views.speech import N_
from companion.views.words import Done, Feat

FEAT_WORDS: dict[str, str] = {
    "draugr": N_("Most Draugr survived in one game"),
    "owned": N_("Most cards owned at once"),
    "turns": N_("Longest life, in turns"),
}

CHAPTERS: dict[str, str] = {
    "COMP": N_("What is in the box"),
    "SETUP": N_("Before the game"),
    "STR": N_("The Strategy Phase"),
    "AXE": N_("The cards"),
    "HAM": N_("The cards"),
    "SWO": N_("The cards"),
    "WOL": N_("The cards"),
    "DEI": N_("The cards"),
    "BAT": N_("The Battle Phase"),
    "DRA": N_("Draugr"),
    "ARM": N_("The armory"),
    "END": N_("The End Phase"),
    "WIN": N_("Winning"),
    "DARE": N_("Dares"),
}


def feats(done: Iterable[Done[State, Action]]) -> Iterator[Feat]:
    """A Draugr is survived by everybody it was turned up for who still lives at the end of the
    game, or lived on to meet the next one."""
    met, survived, owned = Counter[Seat](), Counter[Seat](), Counter[Seat]()
    last: State | None = None
    for before, action, after in done:
        last = after
        for seat, count in _met(before, action):
            survived[seat] = met[seat]
            met[seat] += count
        for seat in after.seats:
            owned[seat] = max(owned[seat], after.players[seat].owned)
    if last is None:
        return
    fell = {fallen.seat: fallen.turn for fallen in last.fallen}
    for seat in last.seats:
        lived = met[seat] if last.players[seat].alive else survived[seat]
        if lived:
            yield Feat("draugr", seat, lived)
        yield Feat("owned", seat, owned[seat])
        yield Feat("turns", seat, fell.get(seat, last.turn))


def _met(state: State, action: Action) -> Iterator[tuple[Seat, int]]:
    """Who has met how many Draugr by this."""
    match action:
        case Draw(seat, shown):
            if count := shown.count(Card.DRAUGR):
                yield seat, count
        case Armory(Card.DRAUGR):
            yield from ((seat, 1) for seat in state.fighters)
        case _:
            return
