"""What people boast of after a game of Valhal, and the chapters of its rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from companion.core.notation import Seat
from companion.games.valhal.rules import Action, State
from companion.games.valhal.rules.state import Happening, Note
from companion.views.speech import N_
from companion.views.words import Done, Feat

FEAT_WORDS: dict[str, str] = {
    "town": N_("Largest town taken, in hit points of its walls"),
    "towns": N_("Most towns taken in one game"),
    "glory": N_("Most glory"),
    "rounds": N_("Longest battle won, in rounds"),
}

CHAPTERS: dict[str, str] = {
    "SET": N_("Before the game"),
    "SEA": N_("Seasons"),
    "FOOD": N_("Food"),
    "COM": N_("Commissioning"),
    "CON": N_("Construction"),
    "BT": N_("Coins and tokens"),
    "BLD": N_("Buildings"),
    "SAC": N_("Sacrifices"),
    "VF": N_("The Vikingfahrt"),
    "JOIN": N_("Sailing together"),
    "BAT": N_("Battles"),
    "LOOT": N_("Loot"),
    "GLO": N_("Glory and favour"),
    "FAV": N_("Glory and favour"),
    "CARD": N_("Cards"),
    "ACH": N_("Achievements"),
    "CHG": N_("Changes of the Mainland"),
    "CONC": N_("Changes of the Mainland"),
    "FIN": N_("The final stage"),
    "VAR": N_("Variants"),
}


def feats(done: Iterable[Done[State, Action]]) -> Iterator[Feat]:
    """Towns taken count for everybody who has not retreated from them."""
    towns, glory = Counter[Seat](), Counter[Seat]()
    for before, _, after in done:
        for note in after.notes:
            if note.what is Happening.VICTORY and note.seat is not None:
                towns[note.seat] += 1
                yield from _taken(before, after, note)
        for seat in after.seats:
            glory[seat] = max(glory[seat], after.players[seat].glory)
    yield from (Feat("towns", seat, count) for seat, count in towns.items())
    yield from (Feat("glory", seat, most) for seat, most in glory.items() if most)


def _taken(before: State, after: State, note: Note) -> Iterator[Feat]:
    """A victory: how strong the town was, and how long it held out."""
    seat, rows = note.seat, after.sheet.town(note.thing).rows or ()
    rounds = max(
        (raid.rounds for raid in (*after.raids, *before.raids) if raid.town == note.thing),
        default=0,
    )
    if seat is not None and rows:
        yield Feat("town", seat, sum(row.hp for row in rows))
    if seat is not None and rounds:
        yield Feat("rounds", seat, rounds)
