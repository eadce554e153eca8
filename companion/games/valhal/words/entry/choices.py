"""Entry by hand: what could come next, as buttons in at most two taps. What the rules would refuse
is not offered; it can still be typed, and is then refused with its reason. Where there are too
many ways (loading boats, many dice) `forms` asks for the parts instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from companion.core.notation import Seat
from companion.games.valhal.rules.following import actions
from companion.games.valhal.rules.notation.actions import (
    Action,
    Attack,
    Boats,
    Build,
    Choose,
    Commissioning,
    Curse,
    Decline,
    Draw,
    Event,
    Feed,
    First,
    FrontLine,
    Give,
    Heidrun,
    Join,
    Laid,
    Lay,
    Offering,
    PayFor,
    Reading,
    Remove,
    Retreat,
    Roll,
    Sailing,
    Stay,
    Strike,
    Take,
    TownRoll,
    Unfeed,
    Withdraw,
)
from companion.games.valhal.rules.objections import objections
from companion.games.valhal.rules.state import Held, Phase, State
from companion.games.valhal.rules.vocabulary import Kind, Pay, Stack
from companion.games.valhal.words.entry.fields import Choice
from companion.games.valhal.words.naming import boats as boat_words
from companion.games.valhal.words.naming import piece
from companion.games.valhal.words.settlement import (
    OFFER_WORDS,
    SHORT_SPACE,
    card_words,
    effects_words,
)
from companion.views.speech import N_, Speech

MOST = 160  # buttons; a Jarl's commission has about forty
FEW = 24  # ways to load the boats that still make good buttons


@dataclass(frozen=True, slots=True)
class Line:
    words: str
    sign: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """What one Jarl, or the table, can say now; folded where several have much to say."""

    seat: Seat | None
    name: str
    lines: tuple[Line, ...]
    folded: bool


@dataclass(frozen=True, slots=True)
class _Button:
    seat: Seat | None
    words: str
    line: str = ""
    sign: str = ""
    line_sign: str = ""


def choices(speech: Speech, state: State) -> tuple[Asked, ...]:
    """By seat, in lines."""
    seats: dict[Seat | None, dict[tuple[str, str], list[Choice]]] = {}
    for action in offered(state):
        button = _button(speech, state, action)
        choice = Choice(str(action), button.words, button.sign)
        lines = seats.setdefault(button.seat, {})
        lines.setdefault((button.line, button.line_sign), []).append(choice)
    folded = state.phase is Phase.COMMISSION
    return tuple(_asked(speech, seat, lines, folded=folded) for seat, lines in seats.items())


def offered(state: State) -> list[Action]:
    """The actions that become buttons; agreeing has a place of its own."""
    match state.phase:
        case Phase.BATTLE:
            away = (Retreat(seat) for seat in state.raids[0].seats)
            return _legal(state, (Strike(), *away))
        case Phase.ROLL if len(state.waiting) > 1:
            return []
        case Phase.LAYING:
            return _legal(state, [Laid()])
        case Phase.COMMISSION:
            return [a for a in actions(state) if isinstance(a, Building)]
        case Phase.CHOOSE:
            return _legal(state, _staying(state))
        case Phase.INVITE:
            found = list(islice(actions(state), FEW + 1))
            return found if len(found) <= FEW else _legal(state, _staying(state))
        case _:
            found = list(islice(actions(state), MOST + 1))
            return found if len(found) <= MOST else []


Building = Build | PayFor | Withdraw | Feed | Unfeed | Offering


def crowded(state: State) -> bool:
    """Are there more ways to load boats than make good buttons?"""
    return len(list(islice(actions(state), FEW + 1))) > FEW


def _legal(state: State, found: Iterable[Action]) -> list[Action]:
    return [action for action in found if not any(objections(state, action))]


def _staying(state: State) -> Iterator[Action]:
    if state.phase is Phase.CHOOSE:
        yield Stay(state.queue[0])
    else:
        yield from (Decline(seat) for seat in state.waiting)


def _asked(
    speech: Speech,
    seat: Seat | None,
    lines: dict[tuple[str, str], list[Choice]],
    *,
    folded: bool,
) -> Asked:
    made = tuple(Line(words, sign, tuple(each)) for (words, sign), each in lines.items())
    return Asked(seat, "" if seat is None else speech.word(seat), made, folded)


# What a button says


Single = First | Take | Lay | Laid | Event
OneRoll = Roll | FrontLine | TownRoll | Strike | Retreat


def _button(speech: Speech, state: State, action: Action) -> _Button:
    match action:
        case First() | Take() | Lay() | Laid() | Event():
            return _opening(speech, state, action)
        case Attack() | Join() | Decline() | Stay():
            return _sailing(speech, state, action)
        case Roll() | FrontLine() | TownRoll() | Strike() | Retreat():
            return _fighting(speech, action)
        case Draw() | Choose() | Curse() | Give() | Heidrun() | Remove():
            return _reading(speech, state, action)
        case Build() | PayFor() | Withdraw() | Feed() | Unfeed() | Offering():
            return _commissioning(speech, action)
        case _:
            raise ValueError(f"{action} is no button")


def _opening(speech: Speech, state: State, action: Single) -> _Button:
    match action:
        case First(seat):
            return _Button(None, speech.word(seat))
        case Take(seat, unit):
            return _Button(seat, piece(speech, unit), sign="shield")
        case Lay(town, _):
            return _town(speech, state, town)
        case Laid():
            return _Button(None, speech.say(N_("That was the last one")))
        case Event(card, _):
            return _Button(None, card_words(speech, state, Held(Stack.EVENT, card)))


def _town(speech: Speech, state: State, town: str) -> _Button:
    level = state.sheet.town(town).level
    line = "" if level is None else speech.word(level)
    return _Button(None, town, line, line_sign="wall")


def town_words(speech: Speech, state: State, town: str) -> str:
    level = state.sheet.town(town).level
    return town if level is None else f"{town} · {speech.word(level)}"


def load_words(speech: Speech, units: tuple[str, ...], boats: Boats) -> str:
    names = tuple(piece(speech, unit) for unit in units)
    return speech.say(N_("%(units)s on %(boats)s"), units=names, boats=boat_words(speech, boats))


def _sailing(speech: Speech, state: State, action: Sailing) -> _Button:
    match action:
        case Attack(seat, town, units, boats, invites):
            words = load_words(speech, units, boats)
            if invites:
                company = N_("%(load)s, inviting %(seats)s")
                words = speech.say(company, load=words, seats=invites)
            line = speech.say(N_("Attack %(town)s"), town=town_words(speech, state, town))
            return _Button(seat, words, line, "boat", "wall")
        case Join(seat, units, boats):
            return _Button(seat, load_words(speech, units, boats), speech.say(N_("Join")), "boat")
        case Decline(seat):
            return _Button(seat, speech.say(N_("Does not join")))
        case Stay(seat):
            return _Button(seat, speech.say(N_("Does not attack now")))


def _fighting(speech: Speech, action: OneRoll) -> _Button:
    match action:
        case Roll(seat, dice, _):
            line = speech.say(N_("%(seat)s rolls"), seat=seat)
            return _Button(seat, _dice(dice), line, line_sign="die")
        case TownRoll(dice):
            line = speech.say(N_("The town rolls"))
            return _Button(None, _dice(dice), line, line_sign="die")
        case FrontLine(seat, unit, owner):
            words = piece(speech, unit)
            if owner is not None:
                words = speech.say(N_("%(unit)s of %(seat)s"), unit=words, seat=owner)
            return _Button(seat, words, speech.say(N_("In front")), "shield")
        case Strike():
            return _Button(None, speech.say(N_("The dice count")))
        case Retreat(seat):
            return _Button(seat, speech.say(N_("Retreat")))


def _dice(dice: tuple[int, ...]) -> str:
    return " + ".join(str(each) for each in dice)


def _reading(speech: Speech, state: State, action: Reading) -> _Button:
    match action:
        case Draw(seat, card, named, _):
            stack = named or state.dues[0].stack
            return _Button(
                seat, card_words(speech, state, Held(stack, card)), speech.word(stack), "card"
            )
        case Choose(seat, lot):
            return _Button(seat, _lot(speech, state, lot))
        case Curse(seat, target):
            return _Button(seat, speech.word(target), speech.say(N_("The Wrath card hits")))
        case Give(seat, thing, at):
            return _Button(seat, piece(speech, thing), at or speech.say(N_("At home")))
        case Heidrun(town):
            return _town(speech, state, town)
        case Remove(seat, towns):
            return _Button(seat, speech.word(towns), speech.say(N_("Leave the game")))


def _lot(speech: Speech, state: State, lot: int) -> str:
    due = state.dues[0]
    card = state.sheet.card(due.stack, due.card)
    effects = () if card is None else card.choices[lot - 1]
    return f"{lot}: {effects_words(speech, effects)}"


def _commissioning(speech: Speech, action: Commissioning) -> _Button:
    match action:
        case Build(seat, kind, pay, given):
            words = payment(speech, pay)
            if given:
                unit = piece(speech, given)
                words = speech.say(N_("%(unit)s for %(pay)s"), unit=unit, pay=words)
            line = speech.say(N_("New: %(kind)s"), kind=kind)
            return _Button(seat, words, line, line_sign=kind_sign(kind))
        case PayFor(seat, site, pay):
            return _Button(seat, payment(speech, pay), *_running(speech, site))
        case Withdraw(seat, "sacrifice"):
            back = speech.say(N_("take back"))
            return _Button(seat, back, speech.say(N_("Sacrifice")), line_sign="sacrifice")
        case Withdraw(seat, site):
            line, sign, line_sign = _running(speech, site)
            return _Button(seat, speech.say(N_("take back")), line, sign, line_sign)
        case Offering(seat, offer):
            line = speech.say(N_("Sacrifice"))
            return _Button(seat, speech.say(OFFER_WORDS[offer]), line, line_sign="sacrifice")
        case _:
            return _feeding(speech, action)


def _feeding(speech: Speech, action: Commissioning) -> _Button:
    line = speech.say(N_("Food display"))
    match action:
        case Feed(seat, space, larder):
            words = N_("food on %(space)s") if larder else N_("coin on %(space)s")
            sign = "food" if larder else "coin"
        case Unfeed(seat, space):
            words, sign = N_("coin off %(space)s"), "coin"
        case _:
            raise ValueError(f"{action} is no button")
    return _Button(
        seat, speech.say(words, space=speech.say(SHORT_SPACE[space])), line, sign, "food"
    )


def _running(speech: Speech, site: str) -> tuple[str, str, str]:
    words = speech.say(N_("Pay for: %(site)s"), site=piece(speech, site))
    return words, "", kind_sign(Kind(site.partition("-")[0]))


def payment(speech: Speech, pay: tuple[Pay, ...]) -> str:
    return " + ".join(speech.word(each) for each in pay)


def kind_sign(kind: Kind) -> str:
    signs = {Kind.WARRIORS: "shield", Kind.VETERANS: "shield", Kind.LONGBOAT: "boat"}
    return signs.get(kind, "house")
