"""The exact chances of drawing Draugr, from what everybody may know.

Cards outside the deck that nobody can name are never Draugr, so all unseen Draugr are in the deck.
Cards that were put under the deck face up are counted where they lie.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb

from companion.core.notation import Seat
from companion.games.valhalla.rules.cards import DEITIES, Card, draugr_in
from companion.games.valhalla.rules.phases.draugr import STAND
from companion.games.valhalla.rules.phases.drawing import draw_size, drawn_from
from companion.games.valhalla.rules.placing import stocked
from companion.games.valhalla.rules.state import State, unseen

Odds = tuple[Fraction, ...]
"""The chance of no Draugr, of one, of two and so on."""


def draugr_odds(state: State, count: int) -> Odds:
    """The chance of each number of Draugr among the next `count` cards, or as many as are left."""
    state = _topped_up(state, count)
    count = min(count, state.deck)
    named = _named(state, count)
    chances = [Fraction(0)] * (count + 1)
    for draugr in range(count - len(named) + 1):
        chances[draugr + draugr_in(named)] = _among(state, count - len(named), draugr)
    return tuple(chances)


def next_draw(state: State, seat: Seat) -> Fraction:
    """The chance that drawing now would hit this seat, with the Axe or Hammer used on it."""
    count = draw_size(state, seat)
    if state.players[seat].axed:
        return 1 - draugr_odds(state, count)[0]
    chances = draugr_odds(_topped_up(state, count), count)
    return sum(
        (chance * _hits(state, seat, draugr) for draugr, chance in enumerate(chances)), Fraction(0)
    )


def next_battle(state: State, fighters: int, axes: int = 0) -> Odds:
    """The chance of each number of Draugr in a battle of so many fighters; or, if one is being
    revealed, in the rest of that."""
    if state.battle is not None and state.battle.due:
        return draugr_odds(state, state.battle.due - len(state.battle.revealed))
    return draugr_odds(state, 2 * fighters + 2 * axes)


def last_stand(state: State) -> Fraction:
    """The chance that a last stand would be survived; with an empty deck it never is (A-24)."""
    chances = draugr_odds(state, STAND)
    return chances[0] if len(chances) > 1 else Fraction(0)


def _topped_up(state: State, count: int) -> State:
    """The graveyard goes back if the deck is too short (A-24). Unlike `stocked`, what lies under a
    long enough deck is not forgotten."""
    return stocked(state, count) if count > state.deck else state


def _named(state: State, count: int) -> list[Card]:
    """Those of the next cards that everybody knows, because they were put there face up."""
    above = state.deck - len(state.bottom)
    return [card for card in state.bottom[: max(0, count - above)] if card is not None]


def _among(state: State, drawn: int, draugr: int) -> Fraction:
    """The chance that among `drawn` unnamed cards of the deck there are `draugr` Draugr:
    hypergeometric."""
    left = unseen(state)[Card.DRAUGR]
    unnamed = state.deck - sum(card is not None for card in state.bottom)
    ways = comb(left, draugr) * comb(unnamed - left, drawn - draugr)
    return Fraction(ways, comb(unnamed, drawn))


def _hits(state: State, seat: Seat, draugr: int) -> Fraction:
    """The chance that a draw with so many Draugr hits although some may be ignored. A-8, A-26."""
    count = draw_size(state, seat)
    if draugr == 0:
        return Fraction(0)
    if draugr == count or (draugr > 1 and state.options.ignorable_draugr == "one"):
        return Fraction(1)
    if state.options.deity_allows_ignore:
        return Fraction(0)
    left = unseen(drawn_from(state, seat))
    return _all_deities(left, count - draugr)


def _all_deities(left: Counter[Card], count: int) -> Fraction:
    """The chance that so many cards, none of them a Draugr, are all Deities."""
    others = sum(left.values()) - left[Card.DRAUGR]
    return Fraction(comb(sum(left[card] for card in DEITIES), count), comb(others, count))
