"""The cards of a table of Valhalla, each copy by itself: in which place each is, where exactly it
lies, and where it goes when people tidy up after a play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import hypot
from types import MappingProxyType

import numpy as np

from companion.core.notation import Seat
from companion.games.valhalla.bots.choices import Moving
from companion.games.valhalla.layout import ZONES
from companion.games.valhalla.rules.actions import Lose, Place, Return, Reveal, Take
from companion.games.valhalla.rules.cards import DEALT, NAMED, Card, is_deity
from companion.games.valhalla.rules.options import cards_in_play
from companion.games.valhalla.rules.state import State
from companion.sim.steps import Lying, placed, pushed, shuffled
from companion.tabletop.mat import CARD
from companion.tabletop.zones import centre, size

BACK = "valhalla-back"
_SHOWN_OF_DECK = 2
"""Cards of the deck that are painted; the others are hidden below them."""
_ROWS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"armory": ("armory", "armory-2"), "reveal": ("reveal",)}
)
"""Places where cards lie side by side, and the zones they have there."""
_STEP_MM = 29.0
"""From one slot of a row to the next. Cards lie on every second slot while there is room, then on
the slots between them, as far from each other as can be. The newest lies over the others."""
_LOWER_MM = 35.0
"""The armory has too many cards for that. There a card that finds no room lies this much lower,
over one card alone, so that the upper third of that card stays in view."""
_INWARD_MM = 29.0
"""How far towards the middle of the mat a lost card lies."""


def _slots(place: str) -> dict[int, tuple[float, float]]:
    """Where cards can lie in a row; those with even numbers hardly touch each other."""
    found: dict[int, tuple[float, float]] = {}
    for at, name in enumerate(_ROWS[place]):
        row = _zone_slots(name)
        if place == "armory":
            row = {slot: spot for slot, spot in row.items() if slot % 2 == 0}
        if name == "armory":
            row = _in_two_lines(row)
        found |= {100 * at + slot: spot for slot, spot in row.items()}
    return found


def _zone_slots(name: str) -> dict[int, tuple[float, float]]:
    """Slots along a zone, one step apart, by their number from the left."""
    zone = ZONES[name]
    left, y = zone[0][0] + CARD[0] / 2 + 4, centre(zone)[1]
    room = int((size(zone)[0] - CARD[0] - 8) // _STEP_MM) + 1
    return {slot: (left + _STEP_MM * slot, y) for slot in range(room)}


def _in_two_lines(row: Mapping[int, tuple[float, float]]) -> dict[int, tuple[float, float]]:
    """The slots moved up a little, and below each of them another one with the next number."""
    upper = {slot: (x, y - _LOWER_MM / 2) for slot, (x, y) in row.items()}
    return upper | {slot + 1: (x, y + _LOWER_MM) for slot, (x, y) in upper.items()}


def _nearest(slots: Mapping[int, tuple[float, float]], one: Lying) -> int:
    return min(slots, key=lambda each: hypot(slots[each][0] - one.x, slots[each][1] - one.y))


def _crowded(place: str, slot: int, taken: set[int]) -> tuple[int, int, int, int]:
    """How bad a slot is for one more card, to sort by: first how many cards it would lie over,
    then how many may already lie over those."""
    if place == "armory":
        return len(taken & {slot ^ 1}), 0, slot % 2, slot
    near = len(taken & {slot - 1, slot + 1})
    beyond = len(taken & {slot - 2, slot + 2}) if near else 0
    return near, beyond, slot % 2, slot


def _pack(state: State) -> list[str]:
    """Every card of the game before it is dealt, each copy with a name of its own."""
    pack: list[str] = []
    for card, copies in cards_in_play(state.options).items():
        if card is Card.DEITY:
            pack += list(state.options.deities)
        elif card in NAMED:
            pack.append(card.value)
        else:
            pack += [f"{card}-{number}" for number in range(1, copies + 1)]
    return pack


@dataclass(slots=True, eq=False)
class Cards:
    rng: np.random.Generator
    by_name: bool
    """Whether the rules tell Deities apart by their names."""
    deck: list[str] = field(default_factory=list)
    """Top first."""
    places: dict[str, list[str]] = field(default_factory=dict)
    """Every card outside the deck by where it is: `hand A`, `A.main`, `armory`; newest last."""
    spots: dict[str, Lying] = field(default_factory=dict)
    """Where every card lies that can be seen outside the deck, the last on top."""
    _pile: dict[str, Lying] = field(default_factory=dict)
    """Where each card lies while it is on top of the deck."""

    def deal(self, state: State) -> None:
        """One weapon of each kind and a Wolf to everybody; the rest is the deck."""
        pack = _pack(state)
        for seat in state.seats:
            held = [next(each for each in pack if self.kind(each) is card) for card in DEALT]
            self.places[f"hand {seat}"] = held
            pack = [each for each in pack if each not in held]
        self.deck = shuffled(self.rng, pack)

    def copied(self) -> Cards:
        """A copy to go back to after a mistake."""
        places = {name: list(each) for name, each in self.places.items()}
        return replace(self, deck=list(self.deck), places=places, spots=dict(self.spots))

    def table(self) -> tuple[Lying, ...]:
        """Everything to be seen; of the deck only what is on top."""
        top = self.deck[:_SHOWN_OF_DECK]
        for piece in top:
            if piece not in self._pile:
                self._pile[piece] = placed(self.rng, piece, BACK, ZONES["deck"])
        return (*(self._pile[piece] for piece in reversed(top)), *self.spots.values())

    def out_of_sight(self) -> tuple[str, ...]:
        """The deck below what is seen of it."""
        return tuple(self.deck[_SHOWN_OF_DECK:])

    def kind(self, piece: str) -> Card:
        name = piece.rpartition("-")[0] if piece[-1].isdigit() else piece
        card = Card(name)
        return Card.DEITY if is_deity(card) and not self.by_name else card

    def face(self, piece: str) -> str:
        return piece.rpartition("-")[0] if piece[-1].isdigit() else piece

    def hand(self, seat: Seat) -> list[str]:
        return self.places.setdefault(f"hand {seat}", [])

    def held(self, seat: Seat) -> list[Card]:
        return [self.kind(piece) for piece in self.hand(seat)]

    def newest(self, place: str, card: Card) -> str:
        return next(each for each in reversed(self.places[place]) if self.kind(each) is card)

    def kinds(self, place: str) -> Counter[Card]:
        return Counter(map(self.kind, self.places.get(place, [])))

    def move(self, piece: str, to: str, face: str = "") -> None:
        """Move the card from wherever it is. In a hand or the deck it is out of sight, anywhere
        else it is laid down, showing `face` or its own."""
        if piece in self.deck:
            self.deck.remove(piece)
        for cards in self.places.values():
            if piece in cards:
                cards.remove(piece)
        self.spots.pop(piece, None)
        if to == "deck":
            self.deck.append(piece)
            return
        if not to.startswith("hand"):
            self.spots[piece] = self._laid(piece, to, face or self.face(piece))
        self.places.setdefault(to, []).append(piece)

    def turn_up(self, seat: Seat) -> Reveal:
        """Turn Main and Support face up where they lie."""
        laid = [self.places.get(f"{seat}.{zone}", []) for zone in ("main", "support")]
        pieces = [piece for place in laid for piece in place]
        for piece in pieces:
            turned = pushed(self.rng, self.spots[piece])
            self.spots[piece] = replace(turned, face=self.face(piece))
        main, *support = map(self.kind, pieces)
        return Reveal(seat, main, support[0] if support else None)

    def put(self, action: Moving, *, to_hand: bool) -> None:
        """Move the one card the action is about to where it goes."""
        seat, card = action.seat, action.card
        match action:
            case Take():
                place = f"hand {seat}" if to_hand else f"{seat}.discard"
                self.move(self.newest("armory", card), place)
            case Return():
                self.move(self.newest("armory", card), "deck")
            case Lose():
                self._lose(action)

    def _lose(self, action: Lose) -> None:
        """A card that leaves the game is first laid crosswise before its owner, where the mat
        shows that."""
        seat = action.seat
        where = {
            Place.HAND: (f"hand {seat}",),
            Place.DISCARD: (f"{seat}.discard",),
            Place.TABLE: (f"{seat}.support", f"{seat}.main"),
        }[action.place]
        place = next(each for each in where if self.kinds(each)[action.card])
        zone = "main" if place in (f"hand {seat}", f"{seat}.main") else "support"
        self.move(self.newest(place, action.card), f"{seat}.lost {zone}")

    def _laid(self, piece: str, place: str, face: str) -> Lying:
        if ".lost " in place:
            return self._crosswise(piece, place, face)
        zone = ZONES["graveyard" if place == "buried" else place]
        one = placed(self.rng, piece, face, zone, self._facing(place))
        if place not in _ROWS:
            return one
        (x, y), (dx, dy) = self._free(place), self.rng.normal(0, 1.2, 2)
        return replace(one, x=x + float(dx), y=y + float(dy))

    def _crosswise(self, piece: str, place: str, face: str) -> Lying:
        """Crosswise over the inner end of a place, so that a card in that place stays in view."""
        facing = self._facing(place)
        zone = ZONES[place.replace("lost ", "")]
        one = placed(self.rng, piece, face, zone, facing + 90)
        inward = np.radians(facing)
        x, y = one.x + _INWARD_MM * np.sin(inward), one.y - _INWARD_MM * np.cos(inward)
        return replace(one, x=float(x), y=float(y))

    def _free(self, place: str) -> tuple[float, float]:
        """Where one more card of a row is laid: the least crowded free slot; if all are taken, the
        least crowded of them."""
        slots = _slots(place)
        lying = [self.spots[each] for each in self.places.get(place, []) if each in self.spots]
        taken = {_nearest(slots, one) for one in lying}
        free = [each for each in slots if each not in taken]
        return slots[min(free or slots, key=lambda each: _crowded(place, each, taken))]

    def _facing(self, place: str) -> float:
        seat = place.partition(".")[0]
        return {"A": 180.0, "B": 180.0, "E": 90.0}.get(seat, 0.0)

    def tidy(self, state: State, seat: Seat) -> bool:
        """Lay the seat's cards where the books say they are. True if any had to be moved."""
        if not state.players[seat].alive:
            return self._bury(state, seat)
        moved = False
        for piece in self._lost(seat):
            self.move(piece, "graveyard")
            moved = True
        moved = self._clear_laid(state, seat) or moved
        moved = self._thin_discard(state, seat) or moved
        return self._give_up(state, seat) or moved

    def _clear_laid(self, state: State, seat: Seat) -> bool:
        """Main and Support that do not lie there any more go to the discard pile or home."""
        player, moved = state.players[seat], False
        want = Counter(player.discard)
        for zone, card in (("main", player.main), ("support", player.support)):
            for piece in list(self.places.get(f"{seat}.{zone}", [])):
                if player.down or self.kind(piece) is card:
                    continue
                short = want[self.kind(piece)] > self.kinds(f"{seat}.discard")[self.kind(piece)]
                self.move(piece, f"{seat}.discard" if short else self._home(state, seat))
                moved = True
        return moved

    def _thin_discard(self, state: State, seat: Seat) -> bool:
        """Cards the books do not have in the discard pile any more leave it, the newest first."""
        want, moved = Counter(state.players[seat].discard), False
        for piece in reversed(self.places.get(f"{seat}.discard", [])[:]):
            if self.kinds(f"{seat}.discard")[self.kind(piece)] > want[self.kind(piece)]:
                self.move(piece, self._home(state, seat))
                moved = True
        return moved

    def _lost(self, seat: Seat) -> list[str]:
        lost = [place for place in self.places if place.startswith(f"{seat}.lost")]
        return [piece for place in lost for piece in self.places[place]]

    def _home(self, state: State, seat: Seat) -> str:
        """Where a card goes that leaves the table: back to the hand; or to the graveyard, if the
        hand has as many as the books say."""
        full = len(self.hand(seat)) >= state.players[seat].hand
        return "graveyard" if full else f"hand {seat}"

    def _give_up(self, state: State, seat: Seat) -> bool:
        """Cards leave the hand that the books took out of it: everybody knew them, so nobody had
        to choose."""
        moved = False
        while len(self.hand(seat)) > state.players[seat].hand:
            missing = Counter(state.graveyard)
            missing.subtract(map(self.kind, self.places.get("graveyard", [])))
            piece = next(each for each in self.hand(seat) if missing[self.kind(each)] > 0)
            self.move(piece, "graveyard")
            moved = True
        return moved

    def _bury(self, state: State, seat: Seat) -> bool:
        """All cards of somebody who is out go to the graveyard; those nobody has seen, face
        down."""
        mine = [f"{seat}.main", f"{seat}.support", f"{seat}.discard", f"hand {seat}"]
        pieces = [
            *self._lost(seat),
            *(each for place in mine for each in self.places.get(place, [])),
        ]
        missing = Counter(state.graveyard)
        missing.subtract(map(self.kind, self.places.get("graveyard", [])))
        for piece in pieces:
            if missing[self.kind(piece)] > 0:
                missing[self.kind(piece)] -= 1
                self.move(piece, "graveyard")
            else:
                self.move(piece, "buried", face=BACK)
        return bool(pieces)

    def tidy_middle(self, state: State) -> bool:
        """Cards that were revealed go to the armory or the deck; cards the armory has too many of
        go to the deck."""
        moved = False
        for place in ("reveal", "armory"):
            for piece in reversed(self.places.get(place, [])[:]):
                have = Counter(map(self.kind, self.places.get("armory", [])))
                want = Counter(state.armory)
                kind = self.kind(piece)
                if place == "reveal" and want[kind] > have[kind]:
                    self.move(piece, "armory")
                elif place == "reveal" or have[kind] > want[kind]:
                    self.move(piece, "deck")
                else:
                    continue
                moved = True
        if any(note.what == "shuffled" for note in state.notes):
            self.deck = shuffled(self.rng, self.deck)
        return self._spread("armory") or moved

    def _spread(self, place: str) -> bool:
        """Cards that cover others are laid beside them, if there is room now."""
        slots, moved = _slots(place), False
        for piece in self.places.get(place, [])[:]:
            x, y = self._free(place)
            over = _nearest(slots, self.spots[piece]) % 2
            if over and _nearest(slots, replace(self.spots[piece], x=x, y=y)) % 2 == 0:
                self.move(piece, place)
                moved = True
        return moved

    def check(self, state: State) -> None:
        """Raises if table and books differ: then a bot has played something else than it said."""
        have = {
            "deck": (len(self.deck), state.deck),
            "armory": (self.kinds("armory"), Counter(state.armory)),
            "graveyard": (self.kinds("graveyard"), Counter(state.graveyard)),
            "buried": (len(self.places.get("buried", [])), state.buried),
        }
        for seat in state.seats:
            player = state.players[seat]
            have[f"hand {seat}"] = (len(self.hand(seat)), player.hand)
            have[f"{seat}.discard"] = (self.kinds(f"{seat}.discard"), Counter(player.discard))
        wrong = {place: pair for place, pair in have.items() if pair[0] != pair[1]}
        if wrong:
            raise AssertionError(f"table and books differ: {wrong}")
