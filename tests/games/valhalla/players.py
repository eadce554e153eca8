"""Players of Valhalla with real cards, who lay them on a watched table."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from companion.core.game import Refused
from companion.games.valhalla.layout import ZONES
from companion.games.valhalla.rules.actions import (
    Action,
    Draw,
    Fetch,
    First,
    Lose,
    Pass,
    Place,
    Reveal,
    Stand,
    Take,
    Turn,
)
from companion.games.valhalla.rules.cards import Card
from companion.games.valhalla.rules.state import Phase, State
from companion.ledger.events import Proposal, Source
from companion.tabletop.mat import MAT
from companion.tabletop.readings import Question
from companion.tabletop.zones import centre
from tests.games.valhalla.rules.real import RealTable
from tests.watch.watched import Lying, WatchedTable

PLACES = {name: centre(outline) for name, outline in ZONES.items()}
BACK = "valhalla-back"


class _Told(RealTable):
    last: Action

    def _choice(self) -> tuple[Action, list[Card], int]:
        action, kept, taken = super()._choice()
        self.last = action
        return action, kept, taken


class ValhallaPlayers:
    """Plays by the rules; `missed` are actions a camera could see and the companion did not."""

    def __init__(self, table: WatchedTable, state: State, seed: int) -> None:
        self.table = table
        self.real = _Told(state, seed)
        self.slots: dict[str, Lying] = {}
        self.row: list[Lying] = []
        self.seen = 0
        self.asked: list[str] = []
        self.missed: list[str] = []

    @property
    def state(self) -> State:
        return self.real.state

    def step(self) -> None:
        before = self.state
        self.real.step()
        action = self.real.last
        self._shown(action)
        if isinstance(action, Lose):
            self._lost(action)
        elif isinstance(action, Reveal):  # all see the cards before they are put away
            for card, zone in zip(action.cards, ("main", "support"), strict=False):
                slot = f"{action.seat}.{zone}"
                self._put(slot, str(card), *PLACES[slot])
        elif isinstance(action, Take):
            self._took(before, action)
        elif not isinstance(action, Draw | Stand):
            self._arranged()
        if self._visible(action):
            self.table.settle(4.0)
            self.seen += 1
            self._checked(action)
        else:
            self._entered(action)
        self._cleared()
        self._arranged()
        self.table.settle(4.0)

    def agrees(self) -> bool:
        """But for the order of cards that came to a row or under the deck at once."""
        return _unordered(self.table.session.state) == _unordered(self.state)

    def _visible(self, action: Action) -> bool:
        match action:
            case First() | Pass() | Fetch():
                return False
            case Draw(shown=shown):
                return bool(shown)
            case _:
                return True

    def _checked(self, action: Action) -> None:
        if self.agrees():
            return
        asked = self.table.opinion
        if isinstance(asked, Question):
            self.asked.append(str(action))
            right = [each for each in asked.readings if each.lines == (str(action),)]
            if right:
                self.table.referee.adopt(right[0], self.table.session.seq, Source.PAGE)
                if self.agrees():
                    return
        self.missed.append(str(action))
        self._entered(action)

    def _entered(self, action: Action) -> None:
        ruling = self.table.referee.propose(
            Proposal(str(action), self.table.session.seq, Source.PAGE)
        )
        assert not isinstance(ruling, Refused), (str(action), ruling)

    # -- the cards ---------------------------------------------------------------------------

    def _shown(self, action: Action) -> None:
        """Cards laid on the reveal spot; the one that is kept leaves it first."""
        keeps: tuple[Card, ...] = ()
        match action:
            case Draw(shown=shown, keeps=keeps):
                cards = shown
            case Stand(shown=shown, keeps=kept):
                cards, keeps = shown, () if kept is None else (kept,)
            case Turn(card=card):
                cards = (card,)
            case _:
                return
        x, y = PLACES["reveal"]
        for at, card in enumerate(cards):
            self._put(f"reveal-{at}", str(card), x - 70 + 70 * at, y)
        if keeps:
            self.table.settle(1.0)
            slot = next(s for s, lying in self.slots.items() if lying.label in keeps and "rev" in s)
            self.table.take(self.slots.pop(slot))

    def _lost(self, action: Lose) -> None:
        """Crosswise, over the inner end of its owner's places; off the pile at once."""
        from_pile = action.place is Place.DISCARD
        zone = f"{action.seat}.{'support' if from_pile else 'main'}"
        x, y = PLACES[zone]
        self._put(f"lost {zone}", str(action.card), x, y + (29 if y < MAT[1] / 2 else -29), turn=90)
        if from_pile:
            slot = f"{action.seat}.discard"
            pile = self.state.players[action.seat].discard
            self.table.take(self.slots.pop(slot))
            if pile:
                self._put(slot, str(pile[-1]), *PLACES[slot])

    def _cleared(self) -> None:
        """What was shown, or laid down to be lost, goes its way."""
        passing = [slot for slot in self.slots if slot.startswith(("reveal", "lost"))]
        self.table.take(*(self.slots.pop(slot) for slot in passing))

    def _took(self, before: State, action: Take) -> None:
        """Out of the row, and in the Strategy Phase onto the pile."""
        taken = next(each for each in reversed(self.row) if each.label == str(action.card))
        self.row.remove(taken)
        self.table.take(taken)
        if before.phase is Phase.STRATEGY:
            slot = f"{action.seat}.discard"
            self._put(slot, str(action.card), *PLACES[slot])

    def _arranged(self) -> None:
        """Everything as the state has it."""
        wanted = self._wanted()
        for slot in [*self.slots]:
            if slot not in wanted and not slot.startswith(("reveal", "lost")):
                self.table.take(self.slots.pop(slot))
        for slot, label in wanted.items():
            self._put(slot, label, *PLACES[slot])
        self._row()

    def _wanted(self) -> dict[str, str]:
        wanted: dict[str, str] = {}
        for seat, player in zip(self.state.seats, self.state.players, strict=True):
            for at, (zone, face) in enumerate((("main", player.main), ("support", player.support))):
                if face is not None or player.down > at:
                    wanted[f"{seat}.{zone}"] = BACK if face is None else str(face)
            if player.discard:
                wanted[f"{seat}.discard"] = str(player.discard[-1])
        if self.state.graveyard:
            wanted["graveyard"] = str(self.state.graveyard[-1])
        return wanted

    def _put(self, slot: str, label: str, x: float, y: float, turn: int = 0) -> None:
        lying = self.slots.get(slot)
        if lying is not None and lying.label == label:
            return
        if lying is not None:
            self.table.take(lying)
        self.slots[slot] = self.table.lay(label, x, y, turn)

    def _row(self) -> None:
        """Cards stay where they are; new ones fill the gaps."""
        due = Counter(str(card) for card in self.state.armory)
        for lying in reversed([*self.row]):
            if sum(each.label == lying.label for each in self.row) > due[str(lying.label)]:
                self.row.remove(lying)
                self.table.take(lying)
        due.subtract(str(each.label) for each in self.row)
        _, y = PLACES["armory"]
        for label in due.elements():
            taken = {round(each.x) for each in self.row}
            x = next(x for x in (*range(142, 560, 54), *range(169, 560, 54)) if x not in taken)
            self.row.append(self.table.lay(label, x, y))


def _unordered(state: State) -> State:
    return replace(
        state,
        notes=(),
        armory=tuple(sorted(state.armory)),
        bottom=tuple(sorted(state.bottom, key=str)),
    )
