"""How a battle goes, found backwards over everything that can still happen; a round without damage
changes nothing and is left out. Small battles are counted in fractions; the largest would take
seconds so, and are counted in fixed parts.

Only the front-line unit is ever hurt, so a position is that unit and its hit points, the number
of each kind behind it, and the row with its hit points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, reduce
from math import prod
from operator import mul

from companion.games.valhal.rules.sheet.sheet import Row


@dataclass(frozen=True, slots=True)
class Odds:
    win: Fraction
    losses: Fraction  # units, on average
    front: str  # the best unit to stand in front, or the one that does


@dataclass(frozen=True, slots=True)
class Unit:
    """A kind of unit: both sides of its card, with every number known."""

    name: str
    hp: tuple[int, int]
    base: tuple[int, int]
    dice: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Battle:
    """`units` are the kinds, `behind` how many of each are left besides the front-line unit."""

    units: tuple[Unit, ...]
    behind: tuple[int, ...]
    rows: tuple[Row, ...]
    hp: int  # of the first row
    faces: tuple[int, ...]
    overflow: bool = True
    attack: int = 0  # VHAL-BAT-15: what lasts for the battle
    dice: int = 0
    damage: int = 0
    town_damage: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """The front-line unit: which kind, which side, hit points left."""

    kind: int
    wounded: int
    hp: int


EXACT_POSITIONS = 600  # up to here fractions are quick enough
PLACES = 1 << 192  # beyond, whole numbers of that many parts: right to more than fifty digits

Number = int | Fraction
Behind = tuple[int, ...]
Table = list[list[Number]]


def odds(battle: Battle, line: Line) -> Odds:
    """With this unit in front."""
    solver = _Solver(battle)
    block = solver.block(line.kind, line.wounded, battle.behind, 0)
    win, losses = (block.table[layer][line.hp][battle.hp] for layer in (0, 1))
    return solver.told(win, losses, line.kind)


@dataclass(frozen=True, slots=True)
class Dice:
    """What lies on the table already; None: still to be rolled."""

    mine: tuple[int, ...] | None = None
    theirs: tuple[int, ...] | None = None


def round_odds(now: Battle, later: Battle, line: Line | None, dice: Dice) -> Odds:
    """VHAL-BAT-15: with a first round unlike those after it. Without a line the best unit goes to
    the front for it."""
    solver = _Solver(later, _reach(now))
    if line is not None:
        win, losses = solver.after(now, line, dice)
        return solver.told(win, losses, line.kind)
    found = []
    for kind, rest in solver.fronts(later.behind):
        candidate = Line(kind, 0, later.units[kind].hp[0])
        win, losses = solver.after(replace(now, behind=rest), candidate, dice)
        found.append((win, -losses, kind))
    win, spared, kind = max(found, key=lambda each: each[:2])
    return solver.told(win, -spared, kind)


def _reach(battle: Battle) -> int:
    """More damage than any round can do to the attackers."""
    most = max(row.base + row.dice * max(battle.faces) for row in battle.rows)
    return most + max(0, battle.town_damage) + 1


@lru_cache(maxsize=2048)
def best_front(battle: Battle) -> Odds:
    """With the unit in front that wins most often; of equals the one that costs least."""
    solver = _Solver(battle)
    found = []
    for kind, rest in solver.fronts(battle.behind):
        block = solver.block(kind, 0, rest, 0)
        win, losses = (table[-1][battle.hp] for table in block.table)
        found.append((win, -losses, kind))
    win, spared, kind = max(found, key=lambda each: each[:2])
    return solver.told(win, -spared, kind)


@dataclass(frozen=True, slots=True)
class _Block:
    """One front-line unit on one side, with the same units behind it, before the same row: all
    its hit points and all those of the row. Layer 0 is the chance to win, layer 1 the losses.
    `beyond` is what damage past this side leads to, by the row's hit points and the surplus."""

    table: tuple[Table, Table]  # [hit points][hit points of the row]
    beyond: tuple[Table, Table]  # [hit points of the row][surplus]


class _Solver:
    """Remembers every block of one battle."""

    def __init__(self, battle: Battle, reach: int = 0) -> None:
        self._battle = battle
        self._blocks: dict[tuple[int, int, Behind, int], _Block] = {}
        self._defeats: dict[tuple[Behind, int], tuple[Table, Table]] = {}
        self._exact = _positions(battle) <= EXACT_POSITIONS
        self._one: Number = Fraction(1) if self._exact else PLACES
        self._nothing: Number = 0 * self._one
        self._most = max(reach, _reach(battle))

    def told(self, win: Number, losses: Number, kind: int) -> Odds:
        name = self._battle.units[kind].name
        return Odds(Fraction(win) / self._one, Fraction(losses) / self._one, name)

    def after(self, now: Battle, line: Line, dice: Dice) -> tuple[Number, Number]:
        """The chance and the losses when the next round is fought as `now` says."""
        whole, win, losses = 0, self._nothing, self._nothing
        for margin, ways in _margins(now, line, dice).items():
            position = self._beyond_round(now, line, margin)
            whole += ways
            win, losses = win + ways * position[0], losses + ways * position[1]
        return self._part(win, whole), self._part(losses, whole)

    def _beyond_round(self, now: Battle, line: Line, margin: int) -> tuple[Number, Number]:
        """What a round won or lost by so much leads to."""
        dealt = max(0, margin + now.damage) if margin > 0 else 0
        taken = max(0, now.town_damage - margin) if margin < 0 else 0
        down = dealt >= now.hp or now.rows[0].falls
        block = self.block(line.kind, line.wounded, now.behind, int(down))
        hp = -1 if down else now.hp - dealt
        if taken < line.hp:
            win, losses = (table[line.hp - taken][hp] for table in block.table)
        else:
            win, losses = (table[hp][taken - line.hp] for table in block.beyond)
        return win, losses

    def fronts(self, behind: Behind) -> Iterator[tuple[int, Behind]]:
        """Every kind that could step forward, and who is left behind it then."""
        for kind, count in enumerate(behind):
            if count:
                yield kind, (*behind[:kind], count - 1, *behind[kind + 1 :])

    def block(self, kind: int, wounded: int, behind: Behind, row: int) -> _Block:
        key = (kind, wounded, behind, row)
        if key not in self._blocks:
            beyond = self._beyond(kind, wounded, behind, row)
            full = self._battle.units[kind].hp[wounded]
            if row == len(self._battle.rows):
                won: Table = [[self._one] for _ in range(full + 1)]
                unhurt: Table = [[self._nothing] for _ in range(full + 1)]
                self._blocks[key] = _Block((won, unhurt), beyond)
            else:
                self._blocks[key] = self._filled(key, beyond)
        return self._blocks[key]

    def _beyond(self, kind: int, wounded: int, behind: Behind, row: int) -> tuple[Table, Table]:
        """VHAL-BAT-5: the wounded side, then the next unit. A-15: surplus goes on or stops."""
        if wounded:
            return self._defeat(behind, row)
        turned = self.block(kind, 1, behind, row)
        if self._battle.overflow:
            return self._entering(turned)
        stopped = [[[full] * self._most for full in table[-1]] for table in turned.table]
        return stopped[0], stopped[1]

    def _entering(self, block: _Block) -> tuple[Table, Table]:
        """A unit that stands there with all its hit points and has damage to take first."""
        layers = []
        for table, beyond in zip(block.table, block.beyond, strict=True):
            layers.append(
                [
                    ([line[hp] for line in reversed(table[1:])] + beyond[hp])[: self._most]
                    for hp in range(len(beyond))
                ]
            )
        return layers[0], layers[1]

    def _defeat(self, behind: Behind, row: int) -> tuple[Table, Table]:
        """One unit less; the best of the others steps forward and takes the surplus."""
        key = (behind, row)
        if key not in self._defeats:
            self._defeats[key] = self._stepped(behind, row)
        return self._defeats[key]

    def _stepped(self, behind: Behind, row: int) -> tuple[Table, Table]:
        hps, width = self._hp(row) + 1, self._most
        if not any(behind) or row == len(self._battle.rows):
            win = self._one if any(behind) else self._nothing
            return [[win] * width for _ in range(hps)], [[self._one] * width for _ in range(hps)]
        entries = [
            self._entering(self.block(kind, 0, rest, row)) for kind, rest in self.fronts(behind)
        ]
        wins, losses = reduce(_better_front, entries)
        return wins, [[each + self._one for each in line] for line in losses]

    def _hp(self, row: int) -> int:
        rows = self._battle.rows
        return rows[row].hp if row < len(rows) else 0

    def _filled(self, key: tuple[int, int, Behind, int], beyond: tuple[Table, Table]) -> _Block:
        kind, wounded, behind, row = key
        ahead = self.block(kind, wounded, behind, row + 1)
        rounds = self._rounds(kind, wounded, behind, row)
        full, hps = self._battle.units[kind].hp[wounded], self._hp(row) + 1
        if self._battle.rows[row].falls:
            tables = [self._falling(rounds, ahead, layer, (full, hps)) for layer in (0, 1)]
        else:
            tables = [
                self._standing(rounds, ahead.table[layer], beyond[layer], (full, hps))
                for layer in (0, 1)
            ]
        return _Block((tables[0], tables[1]), beyond)

    def _standing(
        self, rounds: _Rounds, ahead: Table, beyond: Table, size: tuple[int, int]
    ) -> Table:
        """A row that stands until its hit points are gone."""
        full, hps = size
        table: Table = [[self._nothing] * hps for _ in range(full + 1)]
        won, lost = rounds.won, rounds.lost
        whole = sum(won) + sum(lost)
        for hp in range(1, hps) if whole else ():
            better, through = won[:hp], sum(won[hp:])
            past = beyond[hp]
            for mine in range(1, full + 1):
                total = through * ahead[mine][-1]
                total += _sum(better[1:], table[mine][hp - 1 : 0 : -1])
                total += _sum(lost[1:mine], [table[mine - d][hp] for d in range(1, mine)])
                total += _sum(lost[mine:], past)
                table[mine][hp] = self._part(total, whole)
        return table

    def _falling(self, rounds: _Rounds, ahead: _Block, layer: int, size: tuple[int, int]) -> Table:
        """VHAL-BAT-8: one round, and the row is gone."""
        full, hps = size
        table: Table = [[self._nothing] * hps for _ in range(full + 1)]
        won, lost = rounds.won, rounds.lost
        unhurt = sum(won) + rounds.equal
        whole = unhurt + sum(lost)
        lines = [line[-1] for line in ahead.table[layer]]
        for mine in range(1, full + 1):
            total = unhurt * lines[mine]
            total += _sum(lost[1:mine], lines[mine - 1 : 0 : -1])
            total += _sum(lost[mine:], ahead.beyond[layer][-1])
            table[mine] = [self._part(total, whole)] * hps
        return table

    def _part(self, total: Number, whole: int) -> Number:
        return total / whole if isinstance(total, Fraction) else total // whole

    def _rounds(self, kind: int, wounded: int, behind: Behind, row: int) -> _Rounds:
        card = self._battle.rows[row]
        base, dice = _strength(self._battle, kind, wounded, behind)
        plain = _rounds(dice, card.dice, base - card.base, self._battle.faces)
        return _harder(plain, self._battle.damage, self._battle.town_damage)


def _strength(battle: Battle, kind: int, wounded: int, behind: Behind) -> tuple[int, int]:
    """Base attack and dice of everybody who fights."""
    units = battle.units
    base = units[kind].base[wounded] + battle.attack
    dice = units[kind].dice[wounded] + battle.dice
    for unit, count in zip(units, behind, strict=True):
        base += count * unit.base[0]
        dice += count * unit.dice[0]
    return max(0, base), max(0, dice)


def _margins(now: Battle, line: Line, dice: Dice) -> Counter[int]:
    """In how many ways a round ends by so much, with the dice that lie already."""
    row = now.rows[0]
    base, count = _strength(now, line.kind, line.wounded, now.behind)
    mine = _sums(count, now.faces) if dice.mine is None else ((sum(dice.mine), 1),)
    theirs = _sums(row.dice, now.faces) if dice.theirs is None else ((sum(dice.theirs), 1),)
    found: Counter[int] = Counter()
    for one, ways in mine:
        for other, more in theirs:
            found[one + base - other - row.base] += ways * more
    return found


def _positions(battle: Battle) -> int:
    lines = sum(sum(unit.hp) for unit in battle.units)
    return prod(count + 1 for count in battle.behind) * lines * sum(row.hp for row in battle.rows)


def _better_front(one: tuple[Table, Table], other: tuple[Table, Table]) -> tuple[Table, Table]:
    """Entry by entry the better of two: chances to win, and units lost."""
    wins, losses = [], []
    for mine, theirs in zip(zip(*one, strict=True), zip(*other, strict=True), strict=True):
        pairs = zip(zip(*mine, strict=True), zip(*theirs, strict=True), strict=True)
        best = [a if _better(a, b) else b for a, b in pairs]
        wins.append([won for won, _ in best])
        losses.append([lost for _, lost in best])
    return wins, losses


def _better(one: tuple[Number, Number], other: tuple[Number, Number]) -> bool:
    return one[1] <= other[1] if one[0] == other[0] else one[0] > other[0]


def _sum(weights: Sequence[int], values: Sequence[Number]) -> Number:
    total: Number = sum(map(mul, weights, values))
    return total


@dataclass(frozen=True, slots=True)
class _Rounds:
    """VHAL-BAT-3: in how many ways a round is won or lost by so much."""

    won: tuple[int, ...]  # by 0 (none), 1, 2 ...
    lost: tuple[int, ...]
    equal: int


def _harder(rounds: _Rounds, damage: int, town_damage: int) -> _Rounds:
    """VHAL-BAT-15: the winner of a round does so much more damage, or less."""
    if not damage and not town_damage:
        return rounds
    won, lost = _shifted(rounds.won, damage), _shifted(rounds.lost, town_damage)
    equal = rounds.equal + won[0] + lost[0]
    return _Rounds((0, *won[1:]), (0, *lost[1:]), equal)


def _shifted(ways: tuple[int, ...], more: int) -> tuple[int, ...]:
    found = [0] * (max(0, len(ways) - 1 + more) + 1)
    for by, count in enumerate(ways):
        if by:
            found[max(0, by + more)] += count
    return tuple(found)


@lru_cache(maxsize=1024)
def _rounds(dice: int, against: int, base: int, faces: tuple[int, ...]) -> _Rounds:
    margins: Counter[int] = Counter()
    for mine, ways in _sums(dice, faces):
        for theirs, count in _sums(against, faces):
            margins[mine + base - theirs] += ways * count
    won = [margins[by] for by in range(max(0, *margins) + 1)]
    lost = [margins[-by] for by in range(max(0, -min(margins)) + 1)]
    equal, won[0], lost[0] = margins[0], 0, 0
    return _Rounds(tuple(won), tuple(lost), equal)


@lru_cache(maxsize=256)
def _sums(dice: int, faces: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Of each sum of so many dice, in how many ways it comes up."""
    found: Counter[int] = Counter({0: 1}) if dice == 0 else Counter()
    for total, ways in _sums(dice - 1, faces) if dice else ():
        for face in faces:
            found[total + face] += ways
    return tuple(sorted(found.items()))
