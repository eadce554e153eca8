"""A picture of a Jarl's settlement beside the books: food, projects with stage and payment, units,
longboats, coins, glory and favour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.core.game import Accepted
from companion.core.notation import Seat
from companion.games.valhal import rules as valhal
from companion.games.valhal.layout import SITES, TRACKS
from companion.games.valhal.reading.marks import MARKS
from companion.games.valhal.rules.corrections import owned
from companion.games.valhal.rules.notation.actions import Build, Has, PayFor, Withdraw
from companion.games.valhal.rules.settlement.food import on_space
from companion.games.valhal.rules.sheet.sheet import UNITS
from companion.games.valhal.rules.state import Player, Project, State
from companion.games.valhal.rules.vocabulary import BUILDINGS, SPACES, Fill, Kind, Pay, Space
from companion.scanning.scanner import ScannedFact, ScannedView, Subject
from companion.tabletop.observations import Sighting
from companion.tracking.matching import BACK

LEAST = 0.3
"""Something less likely to be a thing than this is not that thing."""
EMPTY = 0.97
"""How sure it is that nothing lies where nothing was seen."""
UNCLEAR = 0.5
"""The same where the place does not look bare."""
GONE = 0.7
"""The same where the books have something: it may lie elsewhere, or under something. Never sure."""
BESIDE = 0.85
"""How sure it is, at most, that something beside a board belongs to its owner."""
PAID = 0.85
"""How sure a payment is, at most, that the books do not have: print on a card's back looks like
tokens."""
STOCK = ("coin", "wood", "iron")
"""Tokens that lie beside the places, if they lie there at all, are what a Jarl owns."""
_OWNED = {"coin": "coins", "wood": "wood", "iron": "iron"}
_FILLED = {"food": "food", "coin": "coin"}
_BOAT = "longboat"


def settled(
    state: State, subject: Subject, views: tuple[ScannedView, ...]
) -> Iterator[ScannedFact]:
    """What these views say of one Jarl's settlement."""
    seat = subject.seat
    if seat is None:
        return
    letter = str(seat)
    there = [view for view in views if view.owner]
    mine = [view for view in there if letter in (view.owner, *view.alike)] or there
    for view in mine:
        yield from _Home(state, seat, view).facts()


@dataclass(frozen=True, slots=True)
class _Home:
    """One view of one Jarl's places."""

    state: State
    seat: Seat
    view: ScannedView

    @property
    def player(self) -> Player:
        return self.state.players[self.seat]

    def facts(self) -> Iterator[ScannedFact]:
        for space in SPACES:
            yield from self._food(space)
        yield from self._projects()
        for name in ("glory", "favour"):
            yield from self._mark(name)
        yield from self._buildings()
        yield from self._units()
        yield from self._stock()

    def _has(self, thing: str, count: int, p: float) -> ScannedFact:
        """What is owned, as the picture and as the books have it."""
        have = owned(self.state, Has(self.seat, thing, count))
        return ScannedFact(str(Has(self.seat, thing, count)), p, str(Has(self.seat, thing, have)))

    def _on(self, place: str, labels: Sequence[str]) -> list[Sighting]:
        """What lies on a place and may be one of these, the surest first."""
        there = [s for s in self.view.sightings if self.view.place(s) == place]
        named = [s for s in there if s.label in labels and s.p >= LEAST]
        return sorted(named, key=lambda each: -each.p)

    # -- food ---------------------------------------------------------------------------------

    def _food(self, space: Space) -> Iterator[ScannedFact]:
        """What lies on one space of the food display. A turned token of the Granary stays."""
        place, fill = f"food-{space}", on_space(self.player, space)
        if place not in self.view.places or fill is Fill.GRANARY:
            return
        lying = self._on(place, tuple(_FILLED))
        was = "coin" if fill is Fill.COIN else "food"
        books = str(Has(self.seat, f"{was}.{space}", int(fill is not Fill.EMPTY)))
        if lying:
            line = str(Has(self.seat, f"{lying[0].label}.{space}", 1))
            yield ScannedFact(line, lying[0].p, books)
        else:
            line = str(Has(self.seat, f"{was}.{space}", 0))
            yield ScannedFact(line, UNCLEAR if place in self.view.unclear else EMPTY, books)

    # -- projects -----------------------------------------------------------------------------

    def _projects(self) -> Iterator[ScannedFact]:
        if not any(place.startswith("site-") for place in self.view.places):
            return
        free = list(self.player.projects)
        for place, card, kind in self._cards():
            project = self._likest(free, kind, card)
            if project is None:
                yield from self._begun(place, card, kind)
                continue
            free.remove(project)
            yield from self._stage(card, project)
            yield from self._payment(place, project)
        for project in free:
            yield self._has(f"stage.{project.site}", 0, GONE)

    def _cards(self) -> Iterator[tuple[str, Sighting, Kind]]:
        """The card on each site that lies back up, and what is being built by it."""
        backs = {f"{kind}-{BACK}": kind for kind in Kind}
        for at in range(SITES):
            place = f"site-{at + 1}"
            for card in self._on(place, tuple(backs))[:1]:
                yield place, card, backs[str(card.label)]

    def _likest(self, free: Sequence[Project], kind: Kind, card: Sighting) -> Project | None:
        """The project of the books that a card is: of two alike the one with its stage."""
        mine = [each for each in free if each.kind is kind]
        shown = self._shown(card, kind)
        return min(mine, key=lambda each: abs((each.left or 0) - (shown or 0)), default=None)

    def _shown(self, card: Sighting, kind: Kind) -> int | None:
        """The number at its upper edge: it is turned a quarter counter-clockwise a payment."""
        stages = self.state.sheet.back(kind).stages
        if stages is None:
            return None
        facing = 180 if self.view.upside_down else 0
        return stages - (-card.turn - facing) // 90 % 4

    def _stage(self, card: Sighting, project: Project) -> Iterator[ScannedFact]:
        shown = self._shown(card, project.kind)
        if shown is not None and shown > 0:
            yield self._has(f"stage.{project.site}", shown, card.p)

    def _begun(self, place: str, card: Sighting, kind: Kind) -> Iterator[ScannedFact]:
        """A project the books do not have: commissioned, if the rules allow that now."""
        pay, sure = self._paid(place)
        build = Build(self.seat, kind, pay)
        if pay and isinstance(valhal.judge(self.state, build), Accepted):
            yield ScannedFact(str(build), min(card.p, sure))
            return
        shown = self._shown(card, kind)
        taken = {each.slot for each in self.player.projects if each.kind is kind}
        slot = next(at for at in range(1, 9) if at not in taken)
        if shown:
            yield self._has(f"stage.{Project(kind, slot).site}", shown, card.p)

    def _paid(self, place: str) -> tuple[tuple[Pay, ...], float]:
        """What lies on a project, and how sure that is."""
        tokens = self._on(place, tuple(map(str, Pay)))
        order = list(Pay)
        pay = sorted((Pay(str(each.label)) for each in tokens), key=order.index)
        return tuple(pay), min((each.p for each in tokens), default=EMPTY)

    def _payment(self, place: str, project: Project) -> Iterator[ScannedFact]:
        pay, sure = self._paid(place)
        kept = tuple(sorted(project.pay, key=list(Pay).index))
        if pay == kept:
            if pay:
                line = str(PayFor(self.seat, project.site, pay))
                yield ScannedFact(line, sure, line)
            return
        more = Counter(pay) - Counter(kept)
        if not Counter(kept) - Counter(pay):
            line = str(PayFor(self.seat, project.site, tuple(more.elements())))
            yield ScannedFact(line, min(sure, PAID))
        else:
            yield ScannedFact(str(Withdraw(self.seat, project.site)), min(sure, GONE))

    # -- markers, buildings, units, stock -----------------------------------------------------

    def _mark(self, name: str) -> Iterator[ScannedFact]:
        found = [
            (number, each)
            for number in TRACKS[name]
            for each in self._on(f"{name}-{number}", (MARKS[name],))
        ]
        if found:
            number, marker = max(found, key=lambda row: row[1].p)
            yield self._has(name, number, marker.p / len(found))

    def _buildings(self) -> Iterator[ScannedFact]:
        """Those that stand on a site face up."""
        for at in range(SITES):
            for card in self._on(f"site-{at + 1}", BUILDINGS)[:1]:
                yield self._has(str(card.label), 1, card.p)

    def _units(self) -> Iterator[ScannedFact]:
        """Units and longboats that lie face up on the board or beside it; if there are none, they
        are kept elsewhere."""
        for names, thing in (*(((unit,), unit) for unit in UNITS), ((_BOAT,), "longboats")):
            seen = [s for s in self.view.sightings if s.label in names and s.p >= LEAST]
            if seen:
                yield self._has(thing, len(seen), self._sure(seen))

    def _stock(self) -> Iterator[ScannedFact]:
        """Coins, wood and iron beside the places; if there are none, they are kept elsewhere."""
        for label in STOCK:
            loose = [
                s
                for s in self.view.sightings
                if s.label == label and s.p >= LEAST and not self.view.place(s)
            ]
            if loose:
                yield self._has(_OWNED[label], len(loose), self._sure(loose))

    def _sure(self, seen: Sequence[Sighting]) -> float:
        """How sure it is that these are all, and this Jarl's: beside the board never quite."""
        return min(min(each.p, BESIDE if self.view.beside(each) else 1.0) for each in seen)
