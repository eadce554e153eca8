"""What lies on the mat of Valhal: in the shared places, and in those of each Jarl along the edge.

Everything is public, so what lies there follows from the books; only where exactly is chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from companion.core.notation import Seat
from companion.games.valhal.layout import FAR_SEATS, SITES, ZONES
from companion.games.valhal.rules.notation.actions import Action, Agree, Attack, Lay, Roll, TownRoll
from companion.games.valhal.rules.raid.battle import front_fighter, tableau
from companion.games.valhal.rules.state import Phase, Project, Sacrifice, Stage, State
from companion.games.valhal.rules.vocabulary import SPACES, Fill, Season, Space
from companion.sim.steps import Lying
from companion.tabletop.zones import centre, size

MOST_DICE = 9
"""As many dice as a tray has room for."""
MOST_SAILING = 6
"""As many units and longboats as it has room for side by side."""


@dataclass(slots=True, eq=False)
class Mat:
    """The pieces on the mat. A piece that does not change stays exactly where it lies."""

    rng: np.random.Generator
    lying: dict[str, Lying] = field(default_factory=dict)
    """Each piece by a key that says what it is for."""
    _ideal: dict[str, Lying] = field(default_factory=dict)
    """The same pieces exactly in their places, before a hand laid them down."""
    _sites: dict[tuple[Seat, str], int] = field(default_factory=dict)
    """The building site each project lies on."""

    def copied(self) -> Mat:
        return replace(self, lying=dict(self.lying), _ideal=dict(self._ideal))

    def show(self, wanted: Mapping[str, Lying]) -> bool:
        """Lay the mat out as wanted. True if anything had to be moved."""
        gone = [key for key in self.lying if key not in wanted]
        for key in gone:
            del self.lying[key]
        return self.add(wanted) or bool(gone)

    def add(self, wanted: Mapping[str, Lying]) -> bool:
        """Lay these down if they do not lie there yet. True if any did not."""
        new = [key for key, one in wanted.items() if key not in self.lying or self._other(key, one)]
        for key in new:
            self._ideal[key] = wanted[key]
            self.lying.pop(key, None)  # what is laid anew lies on top
            self.lying[key] = self._by_hand(wanted[key])
        return bool(new)

    def flip(self, seat: Seat, sites: Sequence[str]) -> bool:
        """Turn finished projects face up and take their payment off. True if there were any."""
        done = [site for site in sites if f"project {seat} {site}" in self.lying]
        for site in done:
            key = f"project {seat} {site}"
            face = self.lying[key].face.removesuffix("-back")
            turn = 180.0 if seat.name in FAR_SEATS else 0.0
            self.lying[key] = replace(self.lying[key], face=face, turn=turn)
            for each in [each for each in self.lying if each.startswith(f"pay {seat} {site} ")]:
                del self.lying[each]
        return bool(done)

    def sited(self, state: State) -> Mapping[tuple[Seat, str], int]:
        """The site each project lies on: the one it was begun on, or the first free one."""
        running = {
            (seat, each.site) for seat in state.seats for each in state.players[seat].projects
        }
        self._sites = {key: at for key, at in self._sites.items() if key in running}
        for seat, site in sorted(running - set(self._sites)):
            free = self.free(seat)
            if free:
                self._sites[seat, site] = free[0]
        return self._sites

    @property
    def sites(self) -> Mapping[tuple[Seat, str], int]:
        """The site of each project when the mat was last laid out."""
        return self._sites

    @staticmethod
    def kind(site: str) -> str:
        return site.partition("-")[0]

    def differs(self, state: State, after: State) -> bool:
        """Whether the mat looks different in the two states."""
        kept = dict(self._sites)
        now, then = self.shown_on(state), self.shown_on(after)
        self._sites = kept
        return now != then

    def free(self, seat: Seat) -> list[int]:
        taken = {at for (whose, _), at in self._sites.items() if whose is seat}
        return [at for at in range(1, SITES + 1) if at not in taken]

    def shown_on(self, state: State) -> dict[str, Lying]:
        """Everything that lies on the mat in this state, by its key."""
        out = {"season": _at("season", "season", f"season-{state.season}")}
        sited = self.sited(state)
        for seat in state.seats:
            player = state.players[seat]
            out.update(_food(seat, player.food))
            out.update(standing(seat, player.glory, player.favour))
            out.update(offering(seat, player.sacrifice))
            for each in player.projects:
                if (seat, each.site) in sited:
                    stages = state.sheet.back(each.kind).stages or each.left or 0
                    turns = stages - (stages if each.left is None else each.left)
                    out.update(project(seat, each, sited[seat, each.site], turns))
        for seat, pips in state.rolls if state.phase is Phase.ROLL else ():
            out.update(dice("attackers", (pips,), f"{seat}"))
        if state.stage is Stage.BATTLE and state.raids:
            out.update(_battle(state))
        return out

    @staticmethod
    def reading(card: str) -> dict[str, Lying]:
        return {f"card {card}": _at(f"card {card}", card, "reading")}

    def _other(self, key: str, one: Lying) -> bool:
        return self._ideal.get(key) != one or self.lying[key].face != one.face

    def _by_hand(self, one: Lying) -> Lying:
        spread = 6.0 if one.kind == "die" else 1.2
        dx, dy = np.clip(self.rng.normal(0, spread / 2, 2), -spread, spread)
        lean = float(self.rng.uniform(0, 360)) if one.kind == "die" else self.rng.normal(0, 2.5)
        return replace(one, x=one.x + float(dx), y=one.y + float(dy), turn=one.turn + float(lean))


def _food(seat: Seat, food: Sequence[Fill]) -> Iterator[tuple[str, Lying]]:
    faces = {Fill.TOKEN: "food", Fill.COIN: "coin"}
    for space, fill in zip(SPACES, food, strict=True):
        if fill in faces:
            yield from fed(seat, space, faces[fill]).items()


def fed(seat: Seat, space: Space, face: str) -> dict[str, Lying]:
    key = f"food {seat} {space} {face}"
    return {key: _at(key, face, f"{seat}.food-{space}")}


def standing(seat: Seat, glory: int, favour: int) -> Iterator[tuple[str, Lying]]:
    """The Raven Head on the favour track and the marker on the glory track. A number the mat has
    no space for is not shown."""
    for track, face, count in (("glory", "marker", glory), ("favour", "raven", favour)):
        if f"{seat}.{track}-{count}" in ZONES:
            key = f"{track} {seat}"
            yield key, _at(key, face, f"{seat}.{track}-{count}", (0, 3 * _way(seat)))


def offering(seat: Seat, sacrifice: Sacrifice | None) -> Iterator[tuple[str, Lying]]:
    """What is sacrificed on the Runestone or the Altar: a token that stands for glory, or coins."""
    if sacrifice is None:
        return
    coins = sacrifice.offer.startswith("coins")
    for at in range(sacrifice.cost if coins else 1):
        key = f"altar {seat} {at} {'coin' if coins else 'sacrifice'}"
        aside = 6.5 if sacrifice.cost == 2 and coins else 0.0
        off = (-aside, -4.0) if at else (aside, 4.0)
        yield key, _at(key, "coin" if coins else "sacrifice", f"{seat}.altar", off)


def project(seat: Seat, what: Project, site: int, turns: int = 0) -> dict[str, Lying]:
    """A project on its site: the card back up, `turns` quarters turned, its payment on top."""
    key, zone = f"project {seat} {what.site}", f"{seat}.site-{site}"
    turn = (-90.0 * turns + (180.0 if seat.name in FAR_SEATS else 0.0)) % 360
    out = {key: replace(_at(key, f"{what.kind}-back", zone), turn=turn)}
    for at, token in enumerate(what.pay):
        name = f"pay {seat} {what.site} {at} {token}"
        corner = ((-13.0, 13.0), (13.0, 13.0), (0.0, -12.0))[at % 3]
        out[name] = _at(name, str(token), zone, (corner[0], corner[1] * _way(seat)))
    return out


def _way(seat: Seat) -> int:
    """1 or -1: which way is down for this seat."""
    return -1 if seat.name in FAR_SEATS else 1


def _battle(state: State) -> dict[str, Lying]:
    raid = state.raids[0]
    out = {"town": _at("town", raid.town, "town", (0, -50))}
    front = front_fighter(raid)
    if front is not None:
        unit = _at("front", front.name, "attackers", (0, -50))
        out["front"] = replace(unit, turn=180.0 if front.wounded else 0.0)
    marks = tableau(state)
    if marks is not None and front is not None:
        numbers = {"enemy": marks.enemy_hp, "attack": marks.base, "front": marks.front_hp}
        for track, number in numbers.items():
            if f"{track}-{number}" in ZONES:
                out[f"mark {track}"] = _at(f"mark {track}", "marker", f"{track}-{number}", (0, 3))
    out.update(dice("attackers", raid.attack or ()))
    out.update(dice("town", raid.defence or ()))
    return out


def fleet(attack: Attack) -> dict[str, Lying]:
    """A fleet that attacks: the town, and before it longboats and units side by side. Damaged
    longboats are turned round."""
    boats = ["longboat"] * attack.boats.count
    out = {"town": _at("town", attack.town, "town", (0, -50))}
    for at, face in enumerate((*boats, *attack.units)):
        key = f"sails {at} {face}"
        one = _at(key, face, "attackers", (-29.0 + 58.0 * (at % 2), -57.0 + 57.0 * (at // 2)))
        damaged = attack.boats.sound <= at < attack.boats.count
        out[key] = replace(one, turn=180.0 if damaged else 0.0)
    return out


def marked(season: Season) -> dict[str, Lying]:
    """The marker on this season."""
    return {"season": _at("season", "season", f"season-{season}")}


def dice(tray: str, pips: Sequence[int], name: str = "") -> dict[str, Lying]:
    """Dice in a tray, below the cards that lie there. `name` is the seat, where each seat throws
    one die."""
    wide, _ = size(ZONES[tray])
    across = int((wide - 10) // 30)
    out = {}
    for at, value in enumerate(pips):
        key = f"die {tray} {name} {at} {value}"
        place = ord(name[0]) - ord("A") if name else at
        column, line = place % across, place // across
        off = ((column - (across - 1) / 2) * 30.0, 4.0 + line * 28.0)
        out[key] = replace(_at(key, str(value), tray, off), kind="die")
    return out


def thrown_by(action: Action, state: State) -> Mapping[str, Lying]:
    """What the action lays down that the state does not show by itself: dice, a card that is read,
    a fleet."""
    match action:
        case Roll(seat, pips, _) if state.phase is Phase.ROLL:
            return dice("attackers", pips, f"{seat}")
        case Roll(_, pips, _):
            return dice("attackers", pips)
        case TownRoll(pips):
            return dice("town", pips)
        case Lay(town, _):
            return Mat.reading(town)
        case Attack():
            return fleet(action)
        case Agree():
            return marked(state.season.next)
        case _:
            return {}


def _at(key: str, face: str, zone: str, off: tuple[float, float] = (0.0, 0.0)) -> Lying:
    x, y = centre(ZONES[zone])
    return Lying(key, face, x + off[0], y + off[1])
