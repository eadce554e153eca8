"""The settled table with its zones, and the priors all games share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from types import MappingProxyType
from typing import Any

from companion.core.game import Game, Refused
from companion.tabletop.observations import TableChange, Thing
from companion.tabletop.readings import Reading
from companion.tabletop.zones import Outline, zone_at
from companion.tracking.matching import is_back

# What people do, before the picture is asked. Measured nowhere yet: set so that one clear look
# outweighs them and an unclear one does not.
ILLEGAL = 0.02
"""Plays against the rules, of all plays."""
UNSAID = 0.02
"""Passes nobody told the companion of."""
UNREADABLE = 0.5
"""What weight a card that is none of the known ones keeps: somebody should look at it."""
LEAST = 1e-9


@dataclass(frozen=True, slots=True)
class Scene:
    things: tuple[Thing, ...]
    zones: Mapping[str, Outline]
    names: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    """Which card a thing is, by the entries that were made of it."""
    changes: tuple[TableChange, ...] = ()
    """What changed since the books did, oldest first."""
    entered_at: float = float("-inf")
    """When people made the last entry themselves: what lay there then is what they meant."""

    def zone(self, thing: Thing) -> str | None:
        return zone_at(self.zones, thing.middle)

    def cards_in(self, *prefixes: str) -> tuple[Thing, ...]:
        """Face-up cards in zones whose names begin so."""
        return tuple(
            thing
            for thing in self.things
            if thing.kind == "card" and not is_back(thing.label) and self._in(thing, prefixes)
        )

    def dice(self) -> tuple[Thing, ...]:
        return tuple(thing for thing in self.things if thing.kind == "die")

    def unnamed(self, things: Iterable[Thing]) -> tuple[Thing, ...]:
        return tuple(thing for thing in things if thing.number not in self.names)

    def _in(self, thing: Thing, prefixes: tuple[str, ...]) -> bool:
        zone = self.zone(thing)
        return zone is not None and zone.startswith(prefixes)


@dataclass(frozen=True, slots=True)
class Weighed:
    """A reading before all of them are weighed against each other."""

    lines: tuple[str, ...]
    weight: float
    pixels: float = 1.0
    legal: bool = True
    blamed: bool = False
    """Against a rule of play; else only against what the books believe of the cards."""
    names: tuple[tuple[int, str], ...] = ()
    open_end: bool = False


def ranked(found: Iterable[Weighed], unknown: float = 0.0, most: int = 6) -> tuple[Reading, ...]:
    """Readings by probability; `unknown` is the weight of what could not be read at all."""
    best: dict[tuple[str, ...], Weighed] = {}
    total = unknown
    for each in found:
        total += each.weight
        if each.lines not in best or each.weight > best[each.lines].weight:
            best[each.lines] = each
    if total <= LEAST * LEAST:
        return ()
    order = sorted(best.values(), key=lambda each: -each.weight)[:most]
    return tuple(
        Reading(
            each.lines,
            each.weight / total,
            pixels=each.pixels,
            legal=each.legal,
            blamed=each.blamed,
            names=each.names,
            open_end=each.open_end,
        )
        for each in order
    )


# Lines that may have happened, held against the rules


@dataclass(frozen=True, slots=True)
class Guess:
    """Lines that would explain the table, before the rules are asked."""

    lines: tuple[str, ...]
    weight: float
    pixels: float = 1.0
    names: tuple[tuple[int, str], ...] = ()


def judged(game: Game[Any, Any], state: Any, guess: Guess, census: frozenset[str]) -> Weighed:
    """A guess with what the rules say of it; `census` are the rules that only count cards."""
    legal, blamed, weight = True, False, guess.weight
    for line in guess.lines:
        action = game.parse(line)
        verdict = game.judge(state, action)
        if isinstance(verdict, Refused):
            legal, weight = False, weight * ILLEGAL
            blamed = blamed or all(each.rule not in census for each in verdict.reasons)
            verdict = game.let_stand(state, action)
        if isinstance(verdict, Refused):
            break
        state = verdict.state
    return Weighed(guess.lines, weight, guess.pixels, legal, blamed, guess.names)


def joint(
    odds: Sequence[Sequence[tuple[str, float]]], most: int = 64
) -> list[tuple[tuple[str, ...], float]]:
    """What several cards may be together, likeliest first."""
    found: list[tuple[tuple[str, ...], float]] = [((), 1.0)]
    for each in odds:
        found = [((*words, word), p * q) for words, p in found for word, q in each]
        found = sorted(found, key=lambda row: -row[1])[:most]
    return found


def unread(odds: Sequence[Sequence[tuple[str, float]]]) -> float:
    """The weight of cards that are none of the known ones."""
    return max(0.0, 1.0 - prod(sum(p for _, p in each) for each in odds)) * UNREADABLE


def matched(
    due: Iterable[str], things: Iterable[Thing], odds: Callable[[Thing], Mapping[str, float]]
) -> tuple[dict[int, str], tuple[str, ...]]:
    """Which of the things are the cards due here, and the cards that are not among them."""
    free = list(things)
    found: dict[int, str] = {}
    missing = []
    for word in due:
        best = max(free, key=lambda thing: odds(thing).get(word, 0.0), default=None)
        if best is None or odds(best).get(word, 0.0) < 0.3:
            missing.append(word)
            continue
        free.remove(best)
        found[best.number] = word
    return found, tuple(missing)
