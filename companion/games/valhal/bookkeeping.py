"""How much a busy table has to tell: three Jarls play two years with a copy nobody has described
yet, and enter everything by hand. Everybody raids every summer with all they have, begins
something new while coins last, goes on with what is under way, and one of them sacrifices."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from companion.bench.entries import EntryCount
from companion.core.game import Accepted, Setup
from companion.core.notation import Seat
from companion.games.valhal import rules as valhal
from companion.games.valhal.bots.invented_copy import SHEET
from companion.games.valhal.rules.cards import drawable, unnamed_card
from companion.games.valhal.rules.following import actions, loads
from companion.games.valhal.rules.notation.actions import Build, Offering
from companion.games.valhal.rules.objections import objections
from companion.games.valhal.rules.raid.battle import attack_dice, row_of
from companion.games.valhal.rules.raid.mainland import first_round
from companion.games.valhal.rules.raid.odds import attack_odds
from companion.games.valhal.rules.raid.vikingfahrt import targets
from companion.games.valhal.rules.settlement.planning import plan
from companion.games.valhal.rules.sheet.writing import card_words, told
from companion.games.valhal.rules.state import Offer, Phase, State
from companion.games.valhal.rules.vocabulary import LEVELS, Kind, Level, Pay, Season, Stack

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
    """The most entries a season took, and the most answers about the copy, of several games."""
    seasons: dict[tuple[int, Season], int] = {}
    answers = cards = 0
    for seed in range(GAMES):
        played, asked, drawn = _counted(seed)
        for when, count in played.items():
            seasons[when] = max(count, seasons.get(when, 0))
        answers, cards = max(answers, asked), max(cards, drawn)
    for (year, season), count in sorted(seasons.items(), key=_when):
        yield EntryCount(f"Valhal, three Jarls, year {year}, {season}", count, AIMS[season])
    yield EntryCount("Valhal, questions about the copy in year 1", answers, MOST_ANSWERS)
    yield EntryCount("Valhal, new cards told as they are drawn, year 1", cards)


def _when(season: tuple[tuple[int, Season], int]) -> tuple[int, int]:
    (year, name), _ = season
    return year, list(Season).index(name)


def _counted(seed: int) -> tuple[Counter[tuple[int, Season]], int, int]:
    """Entries by season; questions, and cards told with their drawing, of the first year."""
    seasons: Counter[tuple[int, Season]] = Counter()
    asked = drawn = 0
    for state, line in game(seed):
        if line.startswith("sheet "):
            asked += state.year == 1
        else:
            seasons[state.year, state.season] += 1
            drawn += state.year == 1 and " says " in line
    return seasons, asked, drawn


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
        case Phase.BATTLE:
            return _round(state, chance)
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
    raid = state.raids[0]
    row = row_of(state, raid)
    mine = chance.choices(range(1, 7), k=attack_dice(state, raid))
    theirs = chance.choices(range(1, 7), k=0 if row is None else row.dice)
    return f"{raid.seats[0]} rolls {_numbers(mine)} against {_numbers(theirs)}"


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
    """Going on first, then something new, one sacrifice, and all agree."""
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
