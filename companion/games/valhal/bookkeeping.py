"""How much a busy table has to tell: three Jarls play two years with a copy nobody has described
yet, and enter everything by hand. Everybody raids every summer with all they have, begins
something new while coins last, goes on with what is under way, and one of them sacrifices."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from math import ceil
from statistics import median
from typing import Any

from companion.bench.entries import EntryCount
from companion.core.game import Accepted, Setup
from companion.core.notation import Seat
from companion.games.valhal import rules as valhal
from companion.games.valhal.bots.invented_copy import INVENTED_COPY
from companion.games.valhal.rules.cards import drawable, unnamed_card
from companion.games.valhal.rules.following import actions, loads
from companion.games.valhal.rules.notation.actions import Build, Offering, Use
from companion.games.valhal.rules.objections import objections
from companion.games.valhal.rules.raid.battle import attack_dice, base_attack, row_of
from companion.games.valhal.rules.raid.mainland import first_round
from companion.games.valhal.rules.raid.odds import attack_odds
from companion.games.valhal.rules.raid.vikingfahrt import targets
from companion.games.valhal.rules.settlement.planning import plan
from companion.games.valhal.rules.sheet.filling import sheet_from
from companion.games.valhal.rules.sheet.sheet import RULEBOOK, Sheet
from companion.games.valhal.rules.sheet.writing import card_words, told
from companion.games.valhal.rules.state import Offer, Phase, State
from companion.games.valhal.rules.vocabulary import LEVELS, Kind, Level, Pay, Season, Stack

BUSY: dict[str, Any] = {  # of the invented copy, so that everything there is to tell comes up
    "card": {
        "event": {"e1": "coins+1", "e2": "food+1 | wood+1", "e3": "wood+1", "e4": "unusable:altar"},
        "benevolence": {
            "b1": "favour+1",
            "b2": "coins+2 | iron+2",
            "b3": "activated reroll",
            "b4": "activated coins+2",
        },
        "wrath": {"w1": "coins-1 | glory-1", "w2": "glory-1"},
        "lesser": {"l1": "coins+2", "l2": "food+1 wood+1", "l3": "benevolence+1"},
        "larger": {"r1": "favour+1 coins+1", "r2": "longboat+1"},
        "greater": {"g1": "favour+2", "g2": "warriors+1 glory+2"},
    },
    "favour": {"wrath": "1 3", "change": "2 4"},
}
ABLE = {  # by kind of town
    Level.FORTIFIED_VILLAGE: "town-dice+1",
    Level.TOWN: "reroll-own",
    Level.FORTIFIED_TOWN: "hp-1",
}


def _busy_copy() -> Sheet:
    towns = {
        name: {**card, "ability": ABLE.get(card["level"], "none")}
        for name, card in INVENTED_COPY["town"].items()
    }
    return sheet_from({**INVENTED_COPY, **BUSY, "town": towns}, RULEBOOK)


SHEET = _busy_copy()
AIMS = {Season.SUMMER: 25, Season.WINTER: 8, Season.SPRING: 8}
MOST_ANSWERS = 12
YEARS = 2
GAMES = 10
NAMES = ("Anna", "Ben", "Cleo")
WISHES = (Kind.LONGBOAT, Kind.WARRIORS, Kind.WAREHOUSE, Kind.BLACKSMITH, Kind.GRANARY, Kind.ALTAR)


def game(seed: int = 4, years: int = YEARS) -> Iterator[tuple[State, str]]:
    """Each state of the game with the line that is entered in it, for so many years."""
    state, chance = valhal.start(Setup(valhal.NAME, NAMES)), random.Random(seed)  # noqa: S311
    while state.year <= years and not state.over:
        line = entry(state, chance)
        yield state, line
        verdict = valhal.judge(state, valhal.parse(line))
        if not isinstance(verdict, Accepted):
            raise RuntimeError(f"{line}: {verdict}")
        state = verdict.state


def counts() -> Iterator[EntryCount]:
    """What a season usually takes, and the most it took, of several games; and so for the answers
    about the copy. A card told as it is drawn is an entry of the season and such an answer."""
    seasons: dict[tuple[int, Season], list[int]] = {}
    answers: list[int] = []
    for seed in range(GAMES):
        played, answered = _counted(seed)
        for when, count in played.items():
            seasons.setdefault(when, []).append(count)
        answers.append(answered)
    for (year, season), found in sorted(seasons.items(), key=_when):
        yield from _usual(f"Valhal, three Jarls, year {year}, {season}", found, AIMS[season])
    yield from _usual("Valhal, answers about the copy in year 1", answers, MOST_ANSWERS)


def _usual(name: str, found: list[int], aim: int) -> Iterator[EntryCount]:
    yield EntryCount(name, ceil(median(found)), aim)
    yield EntryCount(f"{name}: the most of {GAMES} games", max(found))


def _when(season: tuple[tuple[int, Season], list[int]]) -> tuple[int, int]:
    (year, name), _ = season
    return year, list(Season).index(name)


def _counted(seed: int) -> tuple[Counter[tuple[int, Season]], int]:
    """Entries by season; answers about the copy in the first year."""
    seasons: Counter[tuple[int, Season]] = Counter()
    answers = 0
    for state, line in game(seed):
        question = line.startswith("sheet ")
        if not question:
            seasons[state.year, state.season] += 1
        answers += state.year == 1 and (question or " says " in line)
    return seasons, answers


def entry(state: State, chance: random.Random) -> str:
    """What the table says next."""
    match state.phase:
        case Phase.ASK:
            return f"sheet {state.asks[0]} {_told(state, state.asks[0])}"
        case Phase.LAYING:
            return _layout(state, chance)
        case Phase.ROLL:
            return f"rolls {' '.join(map(str, chance.sample(range(1, 7), len(state.waiting))))}"
        case Phase.CHOOSE:
            return _attack(state)
        case Phase.BATTLE | Phase.STRIKE:
            return _strike(state) if state.phase is Phase.STRIKE else _round(state, chance)
        case Phase.EVENT | Phase.DRAW:
            return _card(state, chance)
        case Phase.COMMISSION:
            return _season(state)
        case _:
            return str(next(iter(actions(state))))


def _told(state: State, path: str) -> str:
    """What is printed on the invented copy; its towns go by their kind."""
    first, _, name = path.partition(".")
    if first != "town":
        return told(SHEET, path)
    level = state.sheet.town(name).level
    alike = next(town.name for town in SHEET.towns if town.level is level)
    return told(SHEET, f"town.{alike}").replace(f" level:{level}", "")


def _layout(state: State, chance: random.Random) -> str:
    """Villages at first; later any of the stack, those seen before by their names."""
    most = SHEET.spaces[len(state.seats) - 2] or 4
    levels = [Level.VILLAGE] if first_round(state) else list(LEVELS)
    stacked = [at for at in levels for _ in range(state.stack[LEVELS.index(at)] or 0)]
    drawn = Counter(chance.sample(stacked, min(most, len(stacked))))
    words = []
    for level, count in drawn.items():
        known = [town.name for town in state.sheet.towns if town.level is level]
        known = [name for name in known if name not in state.removed][:count]
        words += known
        words += [f"new {count - len(known)} {level}"] if count > len(known) else []
    full = state.sheet.spaces[len(state.seats) - 2] is not None
    return " ".join(["lay", *words, *([] if full else ["laid"])])


def _attack(state: State) -> str:
    """With all they have, where they win most often."""
    seat = state.queue[0]
    sent, boats = max(loads(state, seat), key=lambda load: (len(load[0]), -load[1].count))

    def chances(town: str) -> float:
        found = attack_odds(state, town, sent)
        return 0.5 if found is None else float(found.win)

    town = max(targets(state, seat), key=chances)
    return f"{seat} attacks {town} with {' '.join(sent)} on {boats}"


def _round(state: State, chance: random.Random) -> str:
    """Both sides at once, and whether they count; after a reroll only who rolls again."""
    raid = state.raids[0]
    row = row_of(state, raid)
    if raid.attack is not None and row is not None:
        return f"town rolls {_numbers(chance.choices(range(1, 7), k=row.dice))}"
    mine = chance.choices(range(1, 7), k=attack_dice(state, raid))
    theirs = chance.choices(range(1, 7), k=0 if row is None else row.dice)
    line = f"{raid.seats[0]} rolls {_numbers(mine)} against {_numbers(theirs)}"
    after = valhal.judge(state, valhal.parse(line))
    if not isinstance(after, Accepted) or after.state.phase is not Phase.STRIKE:
        return line
    return f"{line} strike" if _strike(after.state) == "strike" else line


def _strike(state: State) -> str:
    """Whoever loses a round and has a card or an ability against it uses it, once."""
    raid = state.raids[0]
    row = row_of(state, raid)
    lost = sum(raid.attack or ()) + base_attack(state, raid) < sum(raid.defence or ()) + (
        0 if row is None else row.base
    )
    if lost and (use := _use(state, raid.seats)) is not None:
        return use
    return "strike"


def _use(state: State, seats: tuple[Seat, ...]) -> str | None:
    """A card when activated that can do something now."""
    every = (Use(seat, held.name) for seat in seats for held in state.players[seat].kept)
    return next((str(use) for use in every if not any(objections(state, use))), None)


def _numbers(dice: list[int]) -> str:
    return " ".join(map(str, dice))


def _card(state: State, chance: random.Random) -> str:
    due = drawable(state)[0] if state.phase is Phase.DRAW else None
    stack = Stack.EVENT if due is None else due.stack
    card = chance.choice([each for each in SHEET.cards if each.stack is stack])
    known = {card_words(each): each.name for each in state.sheet.cards if each.stack is stack}
    verb = "event" if due is None else f"{due.seats[0]} draws"
    if (name := known.get(card_words(card))) is not None:
        return f"{verb} {name}"
    new = f"{stack} " if due is not None else ""
    return f"{verb} {new}{unnamed_card(state, stack)} says {card_words(card)}"


def _season(state: State) -> str:
    """Cards that help are used, then going on, something new, one sacrifice, and all agree."""
    if (use := _use(state, state.seats)) is not None:
        return use
    planned = [seat for seat in state.seats if plan(state, seat) is not None]
    if planned:
        return "continue" if len(planned) > 1 else f"{planned[0]} continues"
    for seat in state.order:
        if (build := _new(state, seat)) is not None:
            return str(build)
    giver = state.first
    offering = Offering(giver, Offer.COINS)
    if state.players[giver].coins > 1 and not any(objections(state, offering)):
        return str(offering)
    return "agree"


def _new(state: State, seat: Seat) -> Build | None:
    """One more project, if food and coins are there for it."""
    player = state.players[seat]
    if len(player.projects) > 1 or any(project.fresh for project in player.projects):
        return None
    for kind in WISHES:
        if kind in player.buildings or player.project(kind) is not None:
            continue
        build = Build(seat, kind, (Pay.COIN,))
        verdict = valhal.judge(state, build)
        if isinstance(verdict, Accepted) and not any(
            objections(verdict.state, valhal.parse(f"{seat} agrees"))
        ):
            return build
    return None
