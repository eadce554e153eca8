"""Effects built from chips: a sign and a stepper for each thing a card can do. The fields of a form
say their words in parts; `rules.sheet.gluing` makes them whole, and leaves out what is zero."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.games.valhal.rules.vocabulary import (
    ADJUSTED,
    HURT,
    REROLLS,
    SEASONS,
    THINGS,
    Effect,
    Symbol,
)
from companion.games.valhal.words.entry.fields import Field, Option, closes, opens, says
from companion.games.valhal.words.naming import effect, piece
from companion.views.speech import N_, Speech

SIGNS: dict[Symbol, str] = {
    Symbol.COINS: "coin",
    Symbol.FOOD: "food",
    Symbol.WOOD: "wood",
    Symbol.IRON: "iron",
    Symbol.GLORY: "glory",
    Symbol.FAVOUR: "raven",
    Symbol.WARRIORS: "shield",
    Symbol.VETERANS: "shield",
    Symbol.LONGBOAT: "boat",
    Symbol.HULL: "boat",
    Symbol.BENEVOLENCE: "card",
    Symbol.WRATH: "card",
}
MOST = 9


def chips(speech: Speech, symbols: Iterable[Symbol]) -> Iterator[Field]:
    """A stepper for each; nothing is said of those that stay at zero."""
    for symbol in symbols:
        words, sign = piece(speech, symbol), SIGNS.get(symbol, "die")
        yield Field("stepper", "0", words, least=-MOST, most=MOST, sign=sign, word=symbol)


def effect_fields(speech: Speech) -> Iterator[Field]:
    """What happens at once, in a battle, in a later season, or cannot be used."""
    yield from chips(speech, SIGNS)
    yield from _markers(speech)
    yield from _battle(speech)
    yield opens(speech.say(N_("In a later season")))
    seasons = tuple(Option(f"later:{each}", piece(speech, each)) for each in SEASONS)
    yield Field("pick", seasons[0].value, speech.say(N_("Season")), seasons)
    yield from chips(speech, SIGNS)
    yield says("now")
    yield closes()


def _markers(speech: Speech) -> Iterator[Field]:
    """VHAL-FOOD-9 and VHAL-CARD-5: in this season or a named one, as many as a card names."""
    yield opens(speech.say(N_("Food and use")))
    seasons = tuple(Option(f"season:{each}", piece(speech, each)) for each in SEASONS)
    now = Option("now", speech.say(N_("this season")))
    yield Field("pick", now.value, speech.say(N_("Season")), (now, *seasons))
    kinds = (Effect(Symbol.BLOCK), Effect(Symbol.FAMINE))
    yield Field("ticks", options=tuple(Option(str(e), effect(speech, e)) for e in kinds))
    things = (Effect(Symbol.UNUSABLE, thing=thing) for thing in THINGS)
    unusable = tuple(Option(str(each), piece(speech, each.thing)) for each in things)
    yield Field("ticks", words=speech.say(N_("cannot be used")), options=unusable)
    yield says("now")
    yield closes()


def _battle(speech: Speech) -> Iterator[Field]:
    """VHAL-BAT-15"""
    yield opens(speech.say(N_("In a battle")))
    yield _rerolls(speech)
    yield _span(speech)
    yield from chips(speech, (*ADJUSTED, *HURT))
    yield says("now")
    yield closes()


def _rerolls(speech: Speech) -> Field:
    rerolls = tuple(Option(str(each), effect(speech, Effect(each))) for each in REROLLS)
    return Field("ticks", options=rerolls)


def _span(speech: Speech) -> Field:
    spans = (
        Option("now", speech.say(N_("this round"))),
        Option("battle", speech.say(N_("the whole battle"))),
    )
    return Field("pick", "now", speech.say(N_("For how long")), spans)


def ability_fields(speech: Speech) -> Iterator[Field]:
    """VHAL-BAT-9 and -15: what a Town card or a unit changes in its battles, and its words."""
    yield from chips(speech, ADJUSTED)
    yield _rerolls(speech)
    yield from chips(speech, HURT)
    yield says("now")


def words_field(speech: Speech) -> Field:
    return Field("free", words=speech.say(N_("title or words, as you like")), word="text")


def card_fields(speech: Speech) -> Iterator[Field]:
    """Everything a card can say: when, what, what else, and its own words."""
    when = (
        Option("", speech.say(N_("at once"))),
        Option("activated", speech.say(N_("when activated: it is kept"))),
    )
    yield Field("pick", "", speech.say(N_("when")), when)
    yield from effect_fields(speech)
    for words in (N_("Or: another part to choose"), N_("Or: a third part to choose")):
        yield opens(speech.say(words))
        yield says("|")
        yield from effect_fields(speech)
        yield closes()
    yield opens(speech.say(N_("Title, hourglass, copies")))
    hourglass = Option("hourglass", speech.say(N_("hourglass")))
    yield Field("ticks", options=(hourglass,))
    copies = speech.say(N_("how many there are (0: not counted)"))
    yield Field("stepper", "0", copies, most=9, word="copies:")
    yield words_field(speech)
    yield closes()
