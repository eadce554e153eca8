"""What helps a Jarl to think of everything: going on as planned with its cost, reminders, and the
list of what to set up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.core.notation import Seat
from companion.games.valhal.rules.notation.actions import Continue, Offering
from companion.games.valhal.rules.objections import objections
from companion.games.valhal.rules.raid.mainland import first_round
from companion.games.valhal.rules.settlement.achievements import SEEN, in_play, owner_of
from companion.games.valhal.rules.settlement.planning import Plan, plan, under_way
from companion.games.valhal.rules.sheet.checking import BY_PLAYERS
from companion.games.valhal.rules.sheet.sheet import ACHIEVEMENTS
from companion.games.valhal.rules.state import Offer, Phase, State
from companion.games.valhal.rules.vocabulary import LEVELS
from companion.games.valhal.words.naming import amount, piece
from companion.games.valhal.words.settlement import OFFER_WORDS, token_words
from companion.views.speech import N_, Speech


@dataclass(frozen=True, slots=True)
class GoOn:
    """One tap, with what it costs; without an action it cannot be paid."""

    seat: Seat | None
    name: str
    action: str
    cost: str


def going_on(speech: Speech, state: State) -> tuple[GoOn, ...]:
    """Jarl by Jarl, and first of all everybody together where there are several."""
    if state.phase is not Phase.COMMISSION:
        return ()
    plans = {seat: plan(state, seat) for seat in state.order if under_way(state, seat)}
    found = [_one(speech, seat, each) for seat, each in plans.items() if _open(state, seat)]
    able = [each for each in found if each.action]
    if len(able) < 2:
        return tuple(found)
    cost = " · ".join(f"{each.name}: {each.cost}" for each in able)
    return (GoOn(None, speech.say(N_("Everybody")), str(Continue()), cost), *found)


def _open(state: State, seat: Seat) -> bool:
    return not state.players[seat].agreed


def _one(speech: Speech, seat: Seat, found: Plan | None) -> GoOn:
    if found is None:
        return GoOn(seat, speech.word(seat), "", speech.say(N_("cannot pay for it as it is")))
    cost = ", ".join(amount(speech, thing, count) for thing, count in found.cost)
    return GoOn(seat, speech.word(seat), str(Continue(seat)), cost)


# Reminders


def reminders(speech: Speech, state: State, seat: Seat) -> tuple[str, ...]:
    """What a Jarl could still do this season and might not think of."""
    if state.phase is not Phase.COMMISSION or state.players[seat].agreed:
        return ()
    return tuple(_reminders(speech, state, seat))


def _reminders(speech: Speech, state: State, seat: Seat) -> Iterator[str]:
    offers = [each for each in Offer if not any(objections(state, Offering(seat, each)))]
    if offers:
        said = tuple(speech.say(OFFER_WORDS[each]) for each in offers)
        yield speech.say(N_("A sacrifice could be made: %(offers)s."), offers=said)
    for token in ACHIEVEMENTS:
        free = token not in SEEN and owner_of(state, token) is None
        if free and in_play(state, token) is not False and state.sheet.token(token).text:
            words = token_words(speech, state, token)
            yield speech.say(N_("Earned yet? Achievement %(token)s"), token=words)


# Setting up


def checklist(speech: Speech, state: State) -> tuple[str, ...]:
    """VHAL-SET-1 to -10, for this many players and these variants, until the first Mainland
    lies."""
    early = (Phase.FIRST, Phase.SPECIALS, Phase.LAYING)
    if state.phase not in early or not first_round(state) or state.mainland:
        return ()
    return tuple(_checklist(speech, state))


def _checklist(speech: Speech, state: State) -> Iterator[str]:
    options, seats = state.options, len(state.seats)
    yield speech.say(
        N_(
            "Each Jarl: a settlement; on its longhouse 3 coins, 3 food tokens, 2 iron,"
            " a sacrifice token."
        )
    )
    yield speech.say(N_("Each Jarl: 1 food token on the summer space."))
    if options.special_units:
        yield speech.say(N_("Each Jarl: a Special Unit or Warriors, and a Longboat."))
    else:
        yield speech.say(N_("Each Jarl: 1 Nordic Warriors and 1 Longboat."))
    side = N_(
        "The back of the Favour display above each settlement (fast game),"
        " markers on their first spaces."
    )
    front = N_("The Favour display above each settlement, markers on their first spaces.")
    yield speech.say(side if options.variant_fast else front)
    yield from _towns(speech, state, seats)
    if options.variant_fast:
        yield from _hourglass(speech, state)
    yield speech.say(N_("Cards sorted by their backs, each stack shuffled."))
    yield from _tokens(speech, seats)
    yield speech.say(N_("The season marker on summer; everything else is supply."))
    if options.variant_heidrun:
        yield speech.say(
            N_("Heidrun's Teat: after the first Vikingfahrt one Town card is set aside.")
        )


def _towns(speech: Speech, state: State, seats: int) -> Iterator[str]:
    if seats not in BY_PLAYERS:
        yield speech.say(N_("All Town cards are in the game."))
        return
    counts = zip(LEVELS, BY_PLAYERS[seats], strict=True)
    listed = tuple(f"{count} × {piece(speech, level)}" for level, count in counts)
    yield speech.say(
        N_("Town cards in the game: %(towns)s. The others go back into the box."), towns=listed
    )
    boxed = zip(LEVELS, BY_PLAYERS[seats], state.sheet.box, strict=True)
    out = [(level, box - keep) for level, keep, box in boxed if box is not None and box > keep]
    if out:
        surplus = tuple(f"{count} × {piece(speech, level)}" for level, count in out)
        yield speech.say(N_("That takes out of your copy: %(towns)s."), towns=surplus)


def _hourglass(speech: Speech, state: State) -> Iterator[str]:
    names = tuple(card.name for card in state.sheet.cards if card.hourglass)
    yield speech.say(N_("Take out all cards with the hourglass."))
    if names:
        yield speech.say(N_("Known to have it: %(cards)s."), cards=names)


def _tokens(speech: Speech, seats: int) -> Iterator[str]:
    groups = {2: "II", 3: "II, III"}
    if seats in groups:
        words = N_("On Yggdrasil the Achievement tokens marked %(groups)s; the others go back.")
        yield speech.say(words, groups=groups[seats])
    else:
        yield speech.say(N_("On Yggdrasil all Achievement tokens."))
