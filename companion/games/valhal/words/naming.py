"""The things of Valhal in words: what is built, owned, drawn and laid, how much of it, and what a
card does. Cards and towns keep the names the table gave them."""

from __future__ import annotations

from companion.games.valhal.rules.notation.actions import Boats
from companion.games.valhal.rules.sheet.sheet import ACHIEVEMENTS, SPECIALS, Asked
from companion.games.valhal.rules.state import Offer, Phase
from companion.games.valhal.rules.vocabulary import (
    AMOUNTS,
    COUNTED,
    Effect,
    Fill,
    Kind,
    Level,
    Pay,
    Season,
    Space,
    Stack,
    Symbol,
)
from companion.games.valhal.words.questions import question
from companion.views.speech import N_, NN_, Speech

CARD_WORDS: dict[str, str] = {
    Kind.WARRIORS: N_("Nordic Warriors"),
    Kind.LONGBOAT: N_("Longboat"),
    Kind.WAREHOUSE: N_("Warehouse"),
    Kind.GRANARY: N_("Granary"),
    Kind.BLACKSMITH: N_("Blacksmith"),
    Kind.ALTAR: N_("Sacrificial Altar"),
    Kind.VETERANS: N_("Nordic Veterans"),
    **dict(
        zip(
            SPECIALS,
            ("Berserkir", N_("Special Unit 2"), N_("Special Unit 3"), N_("Special Unit 4")),
            strict=True,
        )
    ),
    Stack.EVENT: N_("Event"),
    Stack.BENEVOLENCE: N_("Benevolence"),
    Stack.WRATH: N_("Wrath"),
    Stack.LESSER: N_("Lesser Loot"),
    Stack.LARGER: N_("Larger Loot"),
    Stack.GREATER: N_("Greater Loot"),
    Level.VILLAGE: N_("Village"),
    Level.FORTIFIED_VILLAGE: N_("Fortified Village"),
    Level.TOWN: N_("Town"),
    Level.FORTIFIED_TOWN: N_("Fortified Town"),
}

TOKEN_WORDS: dict[str, str] = dict(
    zip(
        ACHIEVEMENTS,
        (
            N_("Longboats"),
            N_("Two raids in one summer"),
            N_("Blessed"),
            N_("Fourth"),
            N_("Fifth"),
            N_("Sixth"),
            N_("Seventh"),
        ),
        strict=True,
    )
)

WORDS: dict[str, str] = {
    **CARD_WORDS,
    **TOKEN_WORDS,
    "warriors-2": N_("second Nordic Warriors"),
    "longboat-2": N_("second Longboat"),
    "runestone": N_("Runestone"),
    "special": N_("Special Unit"),
    "sacrifice": N_("sacrifice"),
    "damaged": N_("damaged Longboats at home"),
    "larder": N_("food tokens on the longhouse"),
    "vikingfahrt": N_("Vikingfahrt"),
    "sacrifices": N_("sacrifices"),
    "commission": N_("commissioning anything new"),
    "commission-warriors": N_("commissioning Nordic Warriors"),
    "commission-longboat": N_("commissioning a Longboat"),
    "commission-warehouse": N_("commissioning a Warehouse"),
    "commission-granary": N_("commissioning a Granary"),
    "commission-blacksmith": N_("commissioning a Blacksmith"),
    "commission-altar": N_("commissioning a Sacrificial Altar"),
    "commission-veterans": N_("commissioning Nordic Veterans"),
    "upgrade": N_("Nordic Warriors that become Nordic Veterans"),
    "enemy": N_("the enemy's hit points"),
    "attack": N_("attack"),
    Symbol.DICE: N_("number of dice"),
    Symbol.DAMAGE: N_("damage"),
    Symbol.TOWN_ATTACK: N_("the town's attack"),
    Symbol.TOWN_DICE: N_("the town's number of dice"),
    Symbol.TOWN_DAMAGE: N_("the town's damage"),
    Symbol.HP: N_("the front line's hit points"),
    Symbol.TOWN_HP: N_("the enemy's hit points"),
    "front": N_("the front line's hit points"),
    "wounded": N_("wounded"),
    "healthy": N_("unhurt"),
    Season.SUMMER: N_("summer"),
    Season.WINTER: N_("winter"),
    Season.SPRING: N_("spring"),
    Space.WINTER_1: N_("winter 1"),
    Space.WINTER_2: N_("winter 2"),
    Symbol.COINS: N_("coins"),
    Symbol.FOOD: N_("food"),
    Symbol.GLORY: N_("glory"),
    Symbol.FAVOUR: N_("favour"),
    Symbol.HULL: N_("hit points of Longboats"),
    Pay.COIN: N_("a coin"),
    Pay.WOOD: N_("wood"),
    Pay.IRON: N_("iron"),
    Offer.COINS: N_("coins for Benevolence"),
    Offer.GLORY: N_("glory for Benevolence"),
    Offer.WRATH: N_("coins for Wrath"),
    Offer.FAVOUR: N_("glory for favour"),
}

FILL_WORDS: dict[Fill, str] = {
    Fill.EMPTY: N_("empty"),
    Fill.TOKEN: N_("a food token"),
    Fill.COIN: N_("a coin"),
    Fill.GRANARY: N_("the food of the Granary"),
}

PHASE_WORDS: dict[Phase, str] = {
    Phase.FIRST: N_("somebody is to go first"),
    Phase.SPECIALS: N_("Special Units are being taken"),
    Phase.LAYING: N_("Town cards are being laid"),
    Phase.EVENT: N_("an Event card is to be read"),
    Phase.ROLL: N_("everybody rolls for the choice"),
    Phase.CHOOSE: N_("Town cards are being chosen"),
    Phase.INVITE: N_("those invited are to answer"),
    Phase.FRONT: N_("a front-line unit is to be chosen"),
    Phase.BATTLE: N_("a battle is being fought"),
    Phase.STRIKE: N_("the dice lie and are to count"),
    Phase.HEIDRUN: N_("the card for Heidrun's Teat is to be chosen"),
    Phase.REMOVAL: N_("Town cards are to leave the game"),
    Phase.COMMISSION: N_("projects are being commissioned"),
    Phase.CONSTRUCTION: N_("construction is under way"),
    Phase.ASK: N_("something printed on your copy is to be told"),
    Phase.DRAW: N_("a card is to be drawn"),
    Phase.OPTION: N_("a card leaves a choice"),
    Phase.CURSE: N_("somebody is to be named for a Wrath card"),
    Phase.GIVE: N_("a card takes something, and it is to be chosen"),
    Phase.OVER: N_("the game is over"),
}

# One of a thing, and several
AMOUNT_WORDS: dict[str, str] = {
    Symbol.COINS: NN_("a coin", "%(count)s coins"),
    Symbol.FOOD: NN_("a food token", "%(count)s food tokens"),
    Symbol.GLORY: NN_("%(count)s glory", "%(count)s glory"),
    Symbol.IRON: NN_("an iron token", "%(count)s iron tokens"),
    Symbol.WOOD: NN_("a wood token", "%(count)s wood tokens"),
    Symbol.FAVOUR: NN_("a step of favour", "%(count)s steps of favour"),
    Symbol.WARRIORS: NN_("a Warriors unit", "%(count)s Warriors units"),
    Symbol.VETERANS: NN_("a Veterans unit", "%(count)s Veterans units"),
    Symbol.LONGBOAT: NN_("a Longboat", "%(count)s Longboats"),
    Symbol.HULL: NN_("a hit point of a Longboat", "%(count)s hit points of Longboats"),
    Symbol.BENEVOLENCE: NN_("a Benevolence card", "%(count)s Benevolence cards"),
    Symbol.WRATH: NN_("a Wrath card", "%(count)s Wrath cards"),
}


LYING_WORDS: dict[str, str] = {
    "food": N_("food token on %(thing)s"),
    "coin": N_("coin on %(thing)s"),
    "stage": N_("number on top of %(thing)s"),
    "block": N_("no food in %(thing)s"),
    "unusable": N_("%(thing)s unusable in %(season)s"),
    **dict.fromkeys(Stack, N_("kept card %(thing)s")),
}


def piece(speech: Speech, thing: object) -> str:
    """Anything a sentence can be about; a name the table gave stays as it is."""
    match thing:
        case Phase():
            return speech.say(PHASE_WORDS[thing])
        case Fill():
            return speech.say(FILL_WORDS[thing])
        case Effect():
            return effect(speech, thing)
        case Boats():
            return boats(speech, thing)
        case Asked():
            return question(speech, thing)
        case str() if thing.partition(".")[0] in LYING_WORDS and "." in thing:
            return _lying(speech, thing)
        case str() if thing in WORDS:
            return speech.say(WORDS[thing])
        case _:
            return str(thing)


def _lying(speech: Speech, thing: str) -> str:
    """What lies on a space or a card, as the books call it: food.winter-1, stage.longboat."""
    first, *rest = thing.split(".")
    told = [piece(speech, each) for each in (*rest, "")]
    return speech.say(LYING_WORDS[first], thing=told[0], season=told[1])


def pieces(speech: Speech, things: tuple[object, ...]) -> str:
    return speech.word(tuple(piece(speech, each) for each in things))


def amount(speech: Speech, thing: str, count: int) -> str:
    """So many of a thing: a coin, 3 coins."""
    if thing not in AMOUNT_WORDS:
        return piece(speech, thing)
    return speech.say(AMOUNT_WORDS[thing], count=count)


def boats(speech: Speech, fleet: Boats) -> str:
    words = amount(speech, Kind.LONGBOAT, fleet.count)
    if not fleet.damaged:
        return words
    return speech.say(N_("%(boats)s (damaged: %(damaged)s)"), boats=words, damaged=fleet.damaged)


def effect(speech: Speech, each: Effect) -> str:
    """What an effect does to a Jarl, as the rest of a sentence about them."""
    if each.symbol in AMOUNTS:
        gets, loses = _GAINS if each.season is None else _LATER
        sentence = gets if each.amount > 0 else loses
        words = amount(speech, each.symbol, abs(each.amount))
        return speech.say(sentence, amount=words, season=_season(speech, each))
    if each.symbol in COUNTED:
        sentence = _BATTLE[1] if each.lasting else _BATTLE[0]
        return speech.say(sentence, thing=piece(speech, each.symbol), amount=f"{each.amount:+d}")
    now, then = _PLAIN[each.symbol]
    sentence = now if each.season is None else then
    thing = piece(speech, each.thing)
    return speech.say(sentence, thing=thing, season=_season(speech, each))


def _season(speech: Speech, each: Effect) -> str:
    return "" if each.season is None else piece(speech, each.season)


_GAINS = (N_("gets %(amount)s"), N_("loses %(amount)s"))
_LATER = (N_("gets %(amount)s in %(season)s"), N_("loses %(amount)s in %(season)s"))
_BATTLE = (
    N_("changes this round: %(thing)s %(amount)s"),
    N_("changes this battle: %(thing)s %(amount)s"),
)
_PLAIN: dict[Symbol, tuple[str, str]] = {  # now, and in a season that is named
    Symbol.BLOCK: (N_("can provide no food"), N_("can provide no food in %(season)s")),
    Symbol.FAMINE: (
        N_("can provide no food without a Granary"),
        N_("can provide no food in %(season)s without a Granary"),
    ),
    Symbol.UNUSABLE: (
        N_("cannot use this: %(thing)s"),
        N_("cannot use this in %(season)s: %(thing)s"),
    ),
    Symbol.REROLL: (N_("makes the town roll again"), N_("makes the town roll again")),
    Symbol.REROLL_OWN: (N_("rolls again"), N_("rolls again")),
}
