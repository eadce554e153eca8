"""Bots that play Odin on the simulated table, with real hidden hands.

They lay overlapping sets into the free lane of the middle, take up a card of the beaten set,
discard the rest, clear the middle after a round, and count hands at the end.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from companion.core.game import Setup
from companion.core.notation import Seat
from companion.games.odin import rules as odin
from companion.games.odin.layout import ZONES
from companion.games.odin.phone_pictures import hand, hands
from companion.games.odin.rules.actions import Action, Count, Deal, Pass, Play, Take
from companion.games.odin.rules.cards import GOAT, SUITS, Card, is_set, value
from companion.games.odin.rules.state import Hand, Phase, State
from companion.sim.bots import BotTable
from companion.sim.goals import Goal, Least, Most
from companion.sim.players import Bots
from companion.sim.steps import (
    By,
    Lying,
    Playing,
    Script,
    Step,
    around,
    heaped,
    names,
    pick,
    pushed,
    row,
    shuffled,
    stacked,
)
from companion.sim.visitors import Asked, Visitors
from companion.tabletop.mat import CARD

_LANES = (ZONES["middle-1"], ZONES["middle-2"])
_ERRS = 0.15
"""How often a bot that still owes mistakes makes one at its turn."""
_REVEALS = 0.5
"""How often hands are laid open when they are counted."""
_ROWS_Y_MM = (374.0, 46.0)
"""Where open hands lie, near and far: beside the lanes."""
_ROWS_X_MM = (68.0, 526.0)
"""From where to where they may reach: between the corner markers, which must stay in view."""
_MOST_STEP_MM = 30.0
"""From one card of an open hand to the next, if there is room."""
_LEAST_STEP_MM = 24.0
"""Cards nearer to each other than this cannot be read."""


def script(how: Playing, visitors: Visitors) -> Script:
    setup = Setup("odin", names(how.seats), how.edition, how.changes)
    state = odin.start(setup)
    suits = any(card.colour in SUITS for card in state.deck)
    rng = np.random.default_rng([7, how.seed])
    bots = _Table(odin, how, rng, state, visitors, suits)
    deck = "playing-cards" if suits else "odin"
    return Script(setup, deck, around(how.seats), bots.steps())


def face_of(card: Card, *, suits: bool = False) -> str:
    """The label of the card's face. Of ordinary cards it has the rank first, and the goat is a
    joker."""
    if card == GOAT:
        return "joker" if suits else "goat"
    if card.colour in SUITS:
        return f"{'A' if card.number == 1 else card.number}{str(card.colour).upper()}"
    return str(card)


@dataclass(slots=True, eq=False)
class _Table(BotTable[State, Action]):
    suits: bool
    """Whether ordinary playing cards are used instead of Odin's deck."""
    held: list[list[Card]] = field(default_factory=list)
    """The cards in each hand."""
    lying: list[Lying] = field(default_factory=list)
    """Everything on the table, the last on top."""
    lane: int = 0
    """The lane of the set to beat."""

    def steps(self) -> Iterator[Step]:
        while not self.state.over:
            yield self._deal()
            while self.state.phase is not Phase.COUNT:
                yield from self._turn()
            yield from self._counted()
            self.lying.clear()
            for cards in self.held:
                cards.clear()
            yield self.step("gather", None)

    # -- the frame of a hand --------------------------------------------------------------

    def _deal(self) -> Step:
        state = self.state
        first = state.next_starter is None
        starter = pick(self.rng, state.seats) if first else state.next_starter
        assert starter is not None  # noqa: S101 - for the types
        pack = shuffled(self.rng, sorted(state.deck, key=str))
        many = state.options.hand_size
        self.held = [pack[seat * many : (seat + 1) * many] for seat in state.seats]
        left = pack[len(state.seats) * many :]
        if state.options.goat_forced_into_a_hand and GOAT in left:  # A-ODIN-12
            lucky = pick(self.rng, state.seats)
            left[left.index(GOAT)], self.held[lucky][0] = self.held[lucky][0], GOAT
        back = "back" if self.suits else "odin-back"
        self.lying = [stacked(self.rng, str(card), back, ZONES["deck"]) for card in left]
        self.lane = int(self.rng.integers(2))
        by = By.PAGE if first else By.BUTTON
        line = self.enter(Deal(starter))
        return self.step("deal", starter, lines=(line,), by=by, press="" if first else "confirm")

    def _left(self) -> Count:
        """The cards left in the hands, as they are counted."""
        goat = next((seat for seat in self.state.seats if GOAT in self.held[seat]), None)
        return Count(tuple(len(cards) for cards in self.held), goat)

    def _count(self, left: Count) -> Step:
        known = odin.expected(self.state) is not None
        line = self.enter(left)
        by, press = (By.BUTTON, "confirm") if known else (By.PAGE, "")
        return self.step("count", None, lines=(line,), by=by, press=press)

    def _counted(self) -> Iterator[Step]:
        """The hands are counted. Sometimes people lay open what they hold, each in a row at the
        edge of the table."""
        number = len(self.state.tallies)
        # A random source of its own: whether hands are laid open does not change the game.
        rng = np.random.default_rng([23, self.how.seed, number])
        rows = self._rows(rng) if rng.random() < _REVEALS else []
        left = self._left()
        if not rows:
            yield self._count(left)
            return
        for seat, cards in rows:
            self.lying += cards
            self.held[seat].clear()
            if (seat, cards) != rows[-1]:
                yield self.step("reveal", seat)
        seat, _ = rows[-1]
        yield replace(self._count(left), what="reveal", seat=seat, by=By.CAMERA, press="")

    def _rows(self, rng: np.random.Generator) -> list[tuple[Seat, list[Lying]]]:
        """A row of cards for each hand that is not empty; no rows at all if one does not fit."""
        (near, far), (left, right) = _ROWS_Y_MM, _ROWS_X_MM
        across = (len(self.state.seats) + 1) // 2
        wide = (right - left) / across
        out = []
        for seat in self.state.seats:
            cards = self.held[seat]
            step = min(_MOST_STEP_MM, (wide - CARD[0] - 8) / max(len(cards) - 1, 1))
            if step < _LEAST_STEP_MM:
                return []
            y = near if seat < across else far
            x = left + wide * (seat % across) + (wide - step * (len(cards) - 1)) / 2
            row = []
            for at, card in enumerate(cards):
                dx, dy, turn = rng.normal(0, (1.0, 1.5, 2.0))
                face = face_of(card, suits=self.suits)
                row.append(Lying(str(card), face, x + at * step + dx, y + dy, turn))
            if row:
                out.append((seat, row))
        return out

    # -- a turn ---------------------------------------------------------------------------

    def _turn(self) -> Iterator[Step]:
        hand = self._hand
        seat = hand.to_move
        if self.rng.random() < self.how.fidgets:
            yield self._fidget()
        if self.owed and self.rng.random() < _ERRS and not self.visitors.sits(seat):
            wrong = self._wrong_play(hand)
            if wrong is not None:
                self.owed -= 1
                yield from self.mistaken(Play(seat, wrong))
        cards = yield from self._decided(hand)
        if cards is None:
            yield from self._passes(seat)
            return
        beaten = hand.middle
        self._put(seat, cards, self._free_lane())
        line = self.enter(Play(seat, cards))
        yield self.step("lead" if not beaten else "play", seat, lines=(line,))
        if beaten:
            self.lane = 1 - self.lane
        if beaten and self.state.phase is not Phase.COUNT:
            yield from self._takes(seat, beaten)

    def _passes(self, seat: Seat) -> Iterator[Step]:
        rounds = self._hand.round
        line = self.enter(Pass(seat))
        yield self.step("pass", seat, lines=(line,), by=By.BUTTON, press="pass")
        if self._hand.round > rounds:
            for one in self._in_lanes():
                self._discard(one)
            yield self.step("clear", seat)

    def _takes(self, seat: Seat, beaten: tuple[Card, ...]) -> Iterator[Step]:
        """One of the beaten cards is taken up, and the others are discarded with a second reach.
        If only one is left it may be discarded in the same reach: it lies on top of the pile, so
        everybody sees which one was taken."""
        taken = yield from self._picked(seat, beaten)
        line = self.enter(Take(seat, taken)) if len(beaten) > 1 else ""
        self.lying = [one for one in self.lying if one.piece != str(taken)]
        self.held[seat].append(taken)
        rest = [one for one in self.lying if one.piece in {str(card) for card in beaten}]
        at_once = 0.5 if len(rest) == 1 else self.how.sloppy
        apart = bool(rest) and self.rng.random() >= at_once
        if apart:
            yield self.step("take", seat, lines=(line,))
        for one in rest:
            self._discard(one)
        if apart:
            yield self.step("discard", seat)
        else:
            yield self.step("take", seat, lines=(line,) if line else ())

    # -- somebody in a bot's place ----------------------------------------------------------

    def _decided(self, hand: Hand) -> Generator[Step, None, tuple[Card, ...] | None]:
        """The cards to lay, or None to pass, chosen by a visitor or the bot. A visitor's mistakes
        are taken back like a bot's."""
        seat = hand.to_move
        while True:
            held = self.held[seat]
            leave = "pass" if self.fits(Pass(seat)) else ""
            asked = Asked("lay", tuple(map(str, held)), several=True, leave=leave)
            said = yield from self.said(seat, asked)
            if said is None:
                return self._chosen(hand)
            if said == ("pass",):
                return None
            cards = tuple(sorted((c for c in held if str(c) in said), key=lambda c: -c.number))
            if self.fits(Play(seat, cards)):
                return cards
            yield from self.mistaken(Play(seat, cards))

    def _picked(self, seat: Seat, beaten: tuple[Card, ...]) -> Generator[Step, None, Card]:
        if len(beaten) > 1:
            said = yield from self.said(seat, Asked("take", tuple(map(str, beaten))))
            if said is not None:
                return next(card for card in beaten if str(card) in said)
        return min(beaten, key=lambda card: self._use(seat, card))

    def _use(self, seat: Seat, card: Card) -> tuple[float, float]:
        """How little a card helps, to sort by: cards that share its colour or number make long
        sets. Some chance is added."""
        mates = sum(
            other.colour == card.colour or other.number == card.number for other in self.held[seat]
        )
        return -mates + float(self.rng.normal(0, 0.8)), -card.number

    def _chosen(self, hand: Hand) -> tuple[Card, ...] | None:
        """What the bot lays: mostly the longest and lowest set it can; None to pass."""
        seat = hand.to_move
        can = [cards for cards in self._sets(hand) if self.fits(Play(seat, cards))]
        if not hand.middle:
            return self._led(seat, can)
        if not can or self.rng.random() < 0.06:
            return None
        if self.rng.random() < 0.2:
            return pick(self.rng, can)
        return min(can, key=lambda cards: (-len(cards), value(cards)))

    def _led(self, seat: Seat, can: list[tuple[Card, ...]]) -> tuple[Card, ...]:
        """What the bot leads: the whole hand if it is a set, else one card."""
        whole = [cards for cards in can if 1 < len(cards) == len(self.held[seat])]
        forced = self.state.options.whole_hand_lead == "forced"
        if whole and (forced or self.rng.random() < 0.9):
            return whole[0]
        single = [cards for cards in can if len(cards) == 1]
        if self.rng.random() < 0.5:
            return min(single, key=value)
        return pick(self.rng, single)

    def _sets(self, hand: Hand) -> Iterator[tuple[Card, ...]]:
        """Sets this bot could lay from what it really holds."""
        held = sorted(self.held[hand.to_move], key=lambda card: (-card.number, str(card)))
        counts = {len(hand.middle), len(hand.middle) + 1} if hand.middle else {1, len(held)}
        for count in sorted(counts):
            for cards in combinations(held, count):
                if is_set(cards, goat_in_number_set=self.state.options.goat_in_number_set):
                    yield cards

    # -- what goes wrong ------------------------------------------------------------------

    def _wrong_play(self, hand: Hand) -> tuple[Card, ...] | None:
        """Cards of the bot's own hand that the referee must refuse; None if none were found."""
        held = self.held[hand.to_move]
        for _ in range(40):
            most = min(len(held) - 1, len(hand.middle) + 2)
            if most < 1:
                return None
            cards = tuple(shuffled(self.rng, held)[: int(self.rng.integers(1, most + 1))])
            if not self.fits(Play(hand.to_move, cards)):
                return cards
        return None

    def mistaken(self, action: Action) -> Iterator[Step]:
        line = odin.format(action)
        if not isinstance(action, Play) or self.fits(odin.parse(line)):
            raise AssertionError(f"{line} should be refused")
        before = list(self.lying)
        self._put(action.seat, action.cards, self._free_lane())
        yield self.step("mistake", action.seat, refused=line)
        self.lying = before
        self.held[action.seat].extend(action.cards)
        yield self.step("take back", action.seat)

    def _fidget(self) -> Step:
        """Somebody points at a card, or pushes the middle a little."""
        seat = pick(self.rng, self.state.seats)
        if self.rng.random() < 0.5:
            return self.step("point", seat)
        moved = {one.piece for one in self._in_lanes()}
        self.lying = [pushed(self.rng, one) if one.piece in moved else one for one in self.lying]
        return self.step("push" if moved else "point", seat)

    # -- cards in hands and on the table --------------------------------------------------

    @property
    def _hand(self) -> Hand:
        if self.state.hand is None:
            raise AssertionError("no hand is being played")
        return self.state.hand

    def _free_lane(self) -> int:
        return 1 - self.lane if self._hand.middle else self.lane

    def _in_lanes(self) -> list[Lying]:
        middle = {str(card) for card in self._middle()}
        return [one for one in self.lying if one.piece in middle]

    def _middle(self) -> list[Card]:
        """The cards that lie within the lanes, whatever the books say."""
        left, right = _LANES[0][0][0], _LANES[0][1][0]
        cards = {str(card): card for card in self.state.deck}
        return [cards[one.piece] for one in self.lying if left <= one.x <= right]

    def _put(self, seat: Seat, cards: tuple[Card, ...], lane: int) -> None:
        shown = [(str(card), face_of(card, suits=self.suits)) for card in cards]
        upright = 180.0 if self.rng.random() < 0.35 else 0.0
        self.lying.extend(row(self.rng, shown, _LANES[lane], upright))
        for card in cards:
            self.held[seat].remove(card)

    def _discard(self, one: Lying) -> None:
        self.lying.remove(one)
        self.lying.append(heaped(self.rng, one.piece, one.face, ZONES["discard"]))

    def table(self) -> tuple[Lying, ...]:
        return tuple(self.lying)

    def hands(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(str(card) for card in cards) for cards in self.held)


def _set_in_order(words: list[str]) -> list[str]:
    """The words of a line in a fixed order: cards of a set may be named in any order."""
    return [words[0], *sorted(words[1:])]


BOTS = Bots(
    script=script,
    short=(("hand_size", "6"), ("limit", "one_hand")),
    in_order=_set_in_order,
    drills=(hand, hands),
    goals=(
        Goal(
            "Odin, good light",
            "good",
            (Least(0.995), Most(100), Most(2_000), Most(0), Least(0.99), Least(0.97)),
        ),
        Goal(
            "Odin, hard light",
            "hard",
            (Least(0.97), Most(25), Most(500), Most(2_000), Least(0.97), Least(0.85)),
        ),
    ),
)
