"""What the mat of Valhal shows: the shared places, and the settlement of the seat it lies before.

Everything is public, so the mat follows from the books; only where exactly things lie is chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from companion.pieces import Seat
from companion.rules.valhal.battle import front_fighter, tableau
from companion.rules.valhal.state import Stage, State
from companion.rules.valhal.words import SPACES, Fill, Kind, Pay
from companion.sim.playing.steps import Lying
from companion.zones import ZONES, centre, size

WATCHED = Seat.A
"""Whose settlement is on the mat."""
_ZONES = ZONES["valhal"]
_DIE = 16.0


@dataclass(slots=True, eq=False)
class Mat:
    """Things by what they are for; a thing that is as it was stays where it lay."""

    rng: np.random.Generator
    lying: dict[str, Lying] = field(default_factory=dict)
    _ideal: dict[str, Lying] = field(default_factory=dict)

    def show(self, wanted: Mapping[str, Lying]) -> bool:
        """The mat as wanted; says whether anything had to be moved."""
        gone = [key for key in self.lying if key not in wanted]
        for key in gone:
            del self.lying[key]
        return self.add(wanted) or bool(gone)

    def add(self, wanted: Mapping[str, Lying]) -> bool:
        new = [key for key, one in wanted.items() if key not in self.lying or self._other(key, one)]
        for key in new:
            self._ideal[key] = wanted[key]
            self.lying.pop(key, None)  # what is laid anew lies on top
            self.lying[key] = self._by_hand(wanted[key])
        return bool(new)

    def flip(self, done: Sequence[Kind]) -> bool:
        """Finished projects show their faces for a moment."""
        flipped = [kind for kind in done if f"project {kind}" in self.lying]
        for kind in flipped:
            one = self.lying[f"project {kind}"]
            self.lying[f"project {kind}"] = replace(one, face=str(kind), turn=0.0)
            for key in [key for key in self.lying if key.startswith(f"pay {kind}")]:
                del self.lying[key]
        return bool(flipped)

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


def shown_on(state: State) -> dict[str, Lying]:
    """Everything that lies on the mat while the books say this."""
    out = {"season": _at("season", "season", f"season-{state.season}")}
    out.update(_food(state))
    for each in state.players[WATCHED].projects:
        if each.slot == 1:
            stages = state.sheet.back(each.kind).stages or each.left or 0
            turns = stages - (stages if each.left is None else each.left)
            out.update(project(each.kind, -90.0 * turns % 360, each.pay))
    for seat, pips in state.rolls:
        out.update(dice("attackers", (pips,), f"{seat}"))
    if state.stage is Stage.BATTLE and state.raids:
        out.update(_battle(state))
    return out


def _food(state: State) -> Iterator[tuple[str, Lying]]:
    faces = {Fill.TOKEN: "food", Fill.COIN: "coin"}
    for space, fill in zip(SPACES, state.players[WATCHED].food, strict=True):
        if fill in faces:
            key = f"food {space} {faces[fill]}"
            yield key, _at(key, faces[fill], f"food-{space}")


def project(kind: Kind, turn: float, pay: Sequence[Pay]) -> dict[str, Lying]:
    """A card back up on its site, the tokens that pay for it on top."""
    key = f"project {kind}"
    out = {key: replace(_at(key, f"{kind}-back", f"site-{kind}"), turn=turn)}
    for at, token in enumerate(pay):
        name = f"pay {kind} {at} {token}"
        corner = ((-13.0, 13.0), (13.0, 13.0), (0.0, -12.0))[at % 3]
        out[name] = _at(name, str(token), f"site-{kind}", corner)
    return out


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
            if f"{track}-{number}" in _ZONES:
                out[f"mark {track}"] = _at(f"mark {track}", "raven", f"{track}-{number}", (0, 4))
    out.update(dice("attackers", raid.attack or ()))
    out.update(dice("town", raid.defence or ()))
    return out


def dice(tray: str, pips: Sequence[int], name: str = "") -> dict[str, Lying]:
    """Thrown into a tray, below the cards that lie there; by name for choice rolls."""
    wide, _ = size(_ZONES[tray])
    across = int((wide - 10) // 30)
    out = {}
    for at, value in enumerate(pips):
        key = f"die {tray} {name} {at} {value}"
        place = ord(name[0]) - ord("A") if name else at
        column, line = place % across, place // across
        off = ((column - (across - 1) / 2) * 30.0, 10.0 + line * 30.0)
        out[key] = replace(_at(key, str(value), tray, off), kind="die")
    return out


def _at(key: str, face: str, zone: str, off: tuple[float, float] = (0.0, 0.0)) -> Lying:
    x, y = centre(_ZONES[zone])
    return Lying(key, face, x + off[0], y + off[1])
