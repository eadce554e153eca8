"""Reading what the Jarls do at home, all at the same time: projects on their sites with what pays
for them, coins and food on the food displays, offerings on the altars, the season's marker.

Table and books are compared place by place. Only what somebody has touched since the last entry
counts as done: a food token that nobody has tidied away says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from companion.core.game import Refused
from companion.core.notation import Seat
from companion.deciding.scene import ILLEGAL, UNREADABLE, Scene, Weighed, joint
from companion.games.valhal import rules as valhal
from companion.games.valhal.layout import SITES
from companion.games.valhal.reading.marks import by_zone, fresh_mark
from companion.games.valhal.rules.notation.actions import (
    Action,
    Agree,
    Build,
    Feed,
    Offering,
    PayFor,
    Unfeed,
    Withdraw,
)
from companion.games.valhal.rules.settlement.building import works
from companion.games.valhal.rules.settlement.food import on_space
from companion.games.valhal.rules.settlement.sacrifice import price
from companion.games.valhal.rules.sheet.sheet import VETERANS
from companion.games.valhal.rules.state import Offer, Project, State
from companion.games.valhal.rules.vocabulary import SPACES, Fill, Kind, Pay
from companion.tabletop.observations import TableChange, Thing, What
from companion.tracking.matching import BACK

CAME = (What.APPEARED, What.MOVED, What.FLIPPED, What.WITHDRAWN)
"""Changes after which a thing has just come to its place."""
WENT = (What.VANISHED, What.WITHDRAWN, What.MOVED)
"""Changes after which a thing has just left its place."""
LEAST = 0.001
"""Less probable labels are not followed up."""
ABSENT = 0.99
"""How sure it is that a missing thing was taken away and not overlooked: further looks have been
taken by then."""
UNTOLD = 0.3
"""How likely an offering is meant if only half of it is seen: the glory marker moved back without
the token on the altar, or the token without the marker."""
LIKE_A_MARK = 0.1
"""What lies on a track is its marker if it is at least this likely to be one: nothing else should
lie there."""
SAME_KIND = 0.3
"""A card is a project of some kind if it is at least this likely to be one."""
SAME_TOKEN_MM = 8.0
"""Two finds of one kind that are no further apart, across and down, are one token."""
MOST = 24
"""Readings that are followed up."""
_PAYS = tuple(map(str, Pay))
_OFFER_OF_GLORY = {2: Offer.GLORY, 7: Offer.FAVOUR}
"""What is offered by giving up so much glory."""


@dataclass(frozen=True, slots=True)
class _Interpretation:
    """One way to understand a difference between table and books."""

    actions: tuple[Action, ...]
    """What was done."""
    weight: float = 1.0
    pixels: float = 1.0
    """How probable the labels are that it rests on."""
    names: tuple[tuple[int, str], ...] = ()
    """Numbers of things, and what each is from now on."""

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(map(str, self.actions))


Ways = list[_Interpretation]
"""All ways to understand one difference."""


def commissioned(state: State, scene: Scene) -> tuple[list[Weighed], float]:
    """Readings of all that was done at home, and the weight of what could not be read."""
    found, unknown = [], 0.0
    lying = by_zone(scene)
    for seat in state.seats:
        home = _Home(state, scene, seat, lying)
        found += [ways for ways in home.differences() if ways]
        unknown = max(unknown, home.unread())
    found += [ways for ways in (_agreed(state, scene),) if ways]
    if not found:
        return [], 0.0
    read = prod(min(1.0, sum(way.weight for way in ways)) for ways in found)
    unknown = max(unknown, (1.0 - read) * UNREADABLE)
    several = sorted(found, key=lambda ways: _order(ways[0]))
    options = sorted(product(*several), key=lambda each: -prod(way.weight for way in each))
    return [_weighed(state, each) for each in options[:MOST]], unknown


_ORDER = (Withdraw, Unfeed, Build, PayFor, Offering, Feed, Agree)
"""Things done in one reach have no order of their own. So what frees something comes first, and
that all agree comes last."""


def _order(way: _Interpretation) -> int:
    return next(at for at, kind in enumerate(_ORDER) if isinstance(way.actions[0], kind))


def _weighed(state: State, ways: Sequence[_Interpretation]) -> Weighed:
    """All of it as one reading; or, if a part is against the rules, that part alone: the rest is
    entered when that has been put right."""
    weight = prod(way.weight for way in ways)
    for way in ways:
        for action in way.actions:
            verdict = valhal.judge(state, action)
            if isinstance(verdict, Refused):
                line = (str(action),)
                return Weighed(line, weight * ILLEGAL, way.pixels, legal=False, blamed=True)
            state = verdict.state
    return Weighed(
        tuple(line for way in ways for line in way.lines),
        weight,
        prod(way.pixels for way in ways),
        names=tuple(name for way in ways for name in way.names),
    )


@dataclass(frozen=True, slots=True)
class _Home:
    """One Jarl's places on the table."""

    state: State
    scene: Scene
    seat: Seat
    lying: Mapping[str, Sequence[Thing]]
    """Things by the zone they lie in."""

    # -- what is there --------------------------------------------------------------------

    def differences(self) -> Iterator[Ways]:
        """Each difference between table and books, as the ways to understand it."""
        yield from self._sites()
        for space in SPACES:
            yield self._food(f"{self.seat}.food-{space}", space)
        yield self._altar()

    def unread(self) -> float:
        """The weight of something new in these places that looks like nothing known."""
        mine = [
            each
            for zone, things in self.lying.items()
            for each in things
            if zone.startswith(f"{self.seat}.") and each.kind == "card" and self._came(each)
        ]
        return max((1.0 - sum(p for _, p in each.odds) for each in mine), default=0.0) * UNREADABLE

    def _came(self, thing: Thing) -> bool:
        return any(
            each.what in CAME and each.thing.number == thing.number for each in self.scene.changes
        )

    def _went(self, zone: str) -> list[TableChange]:
        """The changes by which something left that zone."""
        return [
            each
            for each in self.scene.changes
            if each.what in WENT and self.scene.zone(each.before or each.thing) == zone
        ]

    def _tokens(self, zone: str, labels: Iterable[str]) -> list[Thing]:
        """What lies there that may be one of these, the oldest first; a token found twice counts
        once."""
        allowed = tuple(labels)
        found: list[Thing] = []
        for each in sorted(self.lying.get(zone, ()), key=lambda each: -each.p):
            near = any(_is_near(each, other) for other in found)
            if not near and each.kind == "card" and _odds(each, allowed):
                found.append(each)
        return sorted(found, key=lambda each: (self._came(each), each.number))

    # -- projects ---------------------------------------------------------------------------

    def _sites(self) -> Iterator[Ways]:
        """Projects begun, paid for or taken away."""
        cards = self._cards()
        running = {each.site: each for each in self.state.players[self.seat].projects}
        known = self._known(cards, running)
        for zone, card in cards:
            project = known.get(card.number)
            yield self._begun(zone, card) if project is None else self._paid(zone, card, project)
        for site, project in running.items():
            if project not in known.values():
                yield self._taken_away(site, project)

    def _cards(self) -> list[tuple[str, Thing]]:
        """The project on each site, with its zone, the oldest first."""
        zones = [f"{self.seat}.site-{at + 1}" for at in range(SITES)]
        found = []
        for zone in zones:
            cards = [each for each in self.lying.get(zone, ()) if _kinds(each) and not each.covered]
            found += [(zone, max(cards, key=lambda each: each.p))] if cards else []
        return sorted(found, key=lambda each: each[1].number)

    def _known(
        self, cards: Sequence[tuple[str, Thing]], running: dict[str, Project]
    ) -> dict[int, Project]:
        """Which running project each card is: by the name it was given, else by its kind."""
        found: dict[int, Project] = {}
        for _, card in cards:
            seat, _, site = self.scene.names.get(card.number, "").partition(" ")
            if seat == str(self.seat) and site in running and running[site] not in found.values():
                found[card.number] = running[site]
        for _, card in cards:
            free = [each for each in running.values() if each not in found.values()]
            odds = dict(_kinds(card))
            best = max(free, key=lambda each: odds.get(each.kind, 0.0), default=None)
            if card.number in found or best is None:
                continue
            if odds.get(best.kind, 0.0) >= SAME_KIND:
                found[card.number] = best
        return found

    def _begun(self, zone: str, card: Thing) -> Ways:
        """VHAL-COM-1: a card laid back up, with what is paid lying on it. Without any payment
        there is nothing to enter yet."""
        tokens = self._tokens(zone, _PAYS)
        if not any(map(self._came, (card, *tokens))):
            return []
        ways = []
        for pay, p in self._payment(tokens):
            for kind, sure in _kinds(card):
                for given in self._given(kind):
                    build = Build(self.seat, kind, pay, given)
                    name = (card.number, f"{self.seat} {self._next_site(kind)}")
                    ways.append(_Interpretation((build,), p * sure, p * sure, (name,)))
        return ways

    def _given(self, kind: Kind) -> list[str]:
        """The units that may have become Veterans: which it was cannot be seen."""
        if kind is not Kind.VETERANS:
            return [""]
        units = self.state.players[self.seat].units
        return [each for each in dict.fromkeys(units) if each != VETERANS] or [""]

    def _next_site(self, kind: Kind) -> str:
        taken = {each.slot for each in self.state.players[self.seat].projects if each.kind is kind}
        return Project(kind, next(at for at in range(1, 9) if at not in taken)).site

    def _paid(self, zone: str, card: Thing, project: Project) -> Ways:
        """VHAL-COM-4: tokens come to a running project, or go from it."""
        tokens = self._tokens(zone, _PAYS)
        name = ((card.number, f"{self.seat} {project.site}"),)
        more = len(tokens) - len(project.pay)
        new = tokens[len(tokens) - more :] if more > 0 else []
        if any(map(self._came, new)):
            return [
                _Interpretation((PayFor(self.seat, project.site, pay),), p, p, name)
                for pay, p in self._payment(new)
            ]
        gone = [each for each in self._went(zone) if _odds(each.thing, _PAYS)]
        if more >= 0 or not gone:
            return []
        back: Action = Withdraw(self.seat, project.site)
        rest = [each for each, _ in self._payment(tokens)[:1] if each]
        again: list[Action] = [PayFor(self.seat, project.site, pay) for pay in rest]
        if project.fresh:
            again = [Build(self.seat, project.kind, pay, project.given) for pay in rest]
        return [_Interpretation((back, *again), ABSENT, ABSENT, name)]

    def _taken_away(self, site: str, project: Project) -> Ways:
        """VHAL-CON-3: a project that was begun just now is taken back."""
        gone = [
            each
            for at in range(SITES)
            for each in self._went(f"{self.seat}.site-{at + 1}")
            if dict(_kinds(each.before or each.thing)).get(project.kind, 0.0) >= SAME_KIND
        ]
        if not gone or not project.fresh:
            return []
        return [_Interpretation((Withdraw(self.seat, site),), ABSENT, ABSENT)]

    def _payment(self, tokens: Sequence[Thing]) -> list[tuple[tuple[Pay, ...], float]]:
        """What these tokens may be together, likeliest first; each with its coins in front."""
        if not tokens:
            return []
        odds = [_odds(each, _PAYS) for each in tokens]
        return [
            (tuple(sorted((Pay(word) for word in words), key=list(Pay).index)), p)
            for words, p in joint(odds, 6)
        ]

    # -- food -------------------------------------------------------------------------------

    def _food(self, zone: str, space: str) -> Ways:
        """VHAL-FOOD-2 and -4: a coin or stored food comes to a space, or leaves it."""
        at = SPACES[list(map(str, SPACES)).index(space)]
        fill = on_space(self.state.players[self.seat], at)
        lying = self._tokens(zone, ("coin", "food"))
        if lying and fill is Fill.EMPTY and self._came(lying[-1]):
            return [
                _Interpretation((Feed(self.seat, at, larder=label == "food"),), p, p)
                for label, p in _odds(lying[-1], ("coin", "food"))
            ]
        gone = [each for each in self._went(zone) if _odds(each.thing, ("coin", "food"))]
        if not lying and gone and fill in (Fill.COIN, Fill.TOKEN):
            return [_Interpretation((Unfeed(self.seat, at),), ABSENT, ABSENT)]
        return []

    # -- sacrifices -------------------------------------------------------------------------

    def _altar(self) -> Ways:
        """VHAL-SAC-2 to -6: coins on the altar; or its token there, and the glory marker moved
        back."""
        zone = f"{self.seat}.altar"
        coins = self._tokens(zone, ("coin",))
        token = [each for each in self._tokens(zone, ("sacrifice",)) if each not in coins]
        if self.state.players[self.seat].sacrifice is not None:
            gone = not coins and not token and bool(self._went(zone))
            back = Withdraw(self.seat, "sacrifice")
            return [_Interpretation((back,), ABSENT, ABSENT)] if gone else []
        return self._glory_moved_back(token) or self._offered(coins, token)

    def _glory_moved_back(self, token: Sequence[Thing]) -> Ways:
        """An offering of as much glory as the marker was moved back by."""
        glory = fresh_mark(self.scene, self.lying, f"{self.seat}.glory", LIKE_A_MARK)
        if glory is None:
            return []
        number, marker = glory
        offer = _OFFER_OF_GLORY.get(self.state.players[self.seat].glory - number)
        if offer is None:
            return []
        sure = marker.likely("marker") * (_sure(token, "sacrifice") if token else UNTOLD)
        return [_Interpretation((Offering(self.seat, offer),), sure, sure)]

    def _offered(self, coins: Sequence[Thing], token: Sequence[Thing]) -> Ways:
        """Offerings that may be meant by what lies on the altar alone."""
        player = self.state.players[self.seat]
        if token and any(map(self._came, token)):  # some glory is given up: but how much?
            return [
                _Interpretation((Offering(self.seat, each),), UNTOLD, UNTOLD)
                for least, each in _OFFER_OF_GLORY.items()
                if player.glory >= least
            ]
        if not coins or not any(map(self._came, coins)):
            return []
        altar = works(self.state, self.seat, Kind.ALTAR)
        offers = (Offer.COINS, Offer.WRATH) if altar else (Offer.COINS,)
        sure = _sure(coins, "coin")
        return [
            _Interpretation((Offering(self.seat, offer),), sure, sure)
            for offer in offers
            if len(coins) >= price(self.state, player, offer)
        ]


def _agreed(state: State, scene: Scene) -> Ways:
    """VHAL-SEA-5: the season's marker is moved on when all are done."""
    zone = f"season-{state.season.next}"
    came = {each.thing.number for each in scene.changes if each.what in CAME}
    for thing in scene.things:  # by where it lies now: it may have been moved back
        p = thing.likely("season")
        if thing.number in came and scene.zone(thing) == zone and p >= LEAST:
            return [_Interpretation((Agree(),), p, p)]
    return []


# -- what a thing may be --------------------------------------------------------------------


def _odds(thing: Thing, labels: Sequence[str]) -> list[tuple[str, float]]:
    return [(str(each), p) for each, p in thing.odds if each in labels and p >= LEAST]


def _sure(things: Sequence[Thing], label: str) -> float:
    return prod(each.likely(label) for each in things)


def _kinds(thing: Thing) -> list[tuple[Kind, float]]:
    """The kinds of project that a card may be, by its back: then it is being built."""
    kinds = set(map(str, Kind))
    words = [(str(label).removesuffix(f"-{BACK}"), str(label), p) for label, p in thing.odds]
    return [(Kind(w), p) for w, whole, p in words if w in kinds and w != whole and p >= LEAST]


def _is_near(one: Thing, other: Thing) -> bool:
    (x, y), (a, b) = one.middle, other.middle
    return abs(x - a) <= SAME_TOKEN_MM and abs(y - b) <= SAME_TOKEN_MM
