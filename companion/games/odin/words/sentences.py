"""Every sentence the companion says about Odin."""

from __future__ import annotations

from companion.core.notation import Word
from companion.foundation.errors import BadNotation
from companion.games.odin.rules.actions import (
    Action,
    Carry,
    Count,
    Deal,
    Has,
    Pass,
    Play,
    Shows,
    Take,
)
from companion.games.odin.rules.cards import Card, Colour, value
from companion.games.odin.rules.following import needs_answer
from companion.games.odin.rules.objections import Code
from companion.games.odin.rules.state import Phase, State
from companion.views.speech import N_, Speech
from companion.views.waiting import Waiting

COLOUR_WORDS = {
    Colour.BLUE: N_("blue %(number)s"),
    Colour.RED: N_("red %(number)s"),
    Colour.PINK: N_("pink %(number)s"),
    Colour.GREEN: N_("green %(number)s"),
    Colour.BLACK: N_("black %(number)s"),
    Colour.ORANGE: N_("orange %(number)s"),
    Colour.HEARTS: N_("hearts %(number)s"),
    Colour.DIAMONDS: N_("diamonds %(number)s"),
    Colour.SPADES: N_("spades %(number)s"),
    Colour.CLUBS: N_("clubs %(number)s"),
}

ACE_WORDS = {
    Colour.HEARTS: N_("ace of hearts"),
    Colour.DIAMONDS: N_("ace of diamonds"),
    Colour.SPADES: N_("ace of spades"),
    Colour.CLUBS: N_("ace of clubs"),
}

SENTENCES: dict[str, str] = {
    Code.GAME_OVER: N_("The game is over."),
    Code.NOT_SEATED: N_("Nobody sits at %(seat)s."),
    Code.NO_HAND: N_("No hand has been dealt yet."),
    Code.HAND_RUNNING: N_("The hand is still being played."),
    Code.HAND_OVER: N_("%(seat)s is out: the hand is over and waits to be counted."),
    Code.NOT_YOUR_TURN: N_("It is %(to_move)s's turn, not %(seat)s's."),
    Code.PASSED_ALREADY: N_(
        "%(seat)s has passed and is out of this round; it is %(to_move)s's turn."
    ),
    Code.TAKE_FIRST: N_("%(seat)s has yet to take one of %(cards)s."),
    Code.WRONG_STARTER: N_("%(starter)s leads this hand, not %(seat)s."),
    Code.LEAD_ONE_CARD: N_("A lead is one card, or the whole hand of %(size)s; this is %(count)s."),
    Code.WHOLE_HAND_NOT_YET: N_("The first lead of a hand is one card here, not %(count)s."),
    Code.WHOLE_HAND_FORCED: N_("The whole hand is one set and must be led: %(cards)s."),
    Code.NO_PASS_ON_LEAD: N_("%(seat)s leads and cannot pass."),
    Code.NOT_A_SET: N_("%(cards)s are neither of one number nor of one colour."),
    Code.NOT_A_SUIT: N_("%(cards)s: neither one number nor one suit."),
    Code.TOO_FEW: N_("Lay %(middle)s or %(most)s cards, not %(count)s."),
    Code.TOO_MANY: N_("%(count)s cards are too many: at most %(most)s may be laid now."),
    Code.TOO_LOW: N_("%(value)s does not beat %(middle)s."),
    Code.NOTHING_TO_TAKE: N_("There is nothing for %(seat)s to take."),
    Code.TAKE_OWN: N_("%(card)s was just laid and cannot be taken back."),
    Code.NOT_BEATEN: N_("%(card)s is not in the beaten set; that was %(cards)s."),
    Code.TAKE_ONE: N_("%(seat)s takes one card of the beaten set, not %(count)s."),
    Code.NOT_IN_DECK: N_("%(card)s is not in the deck of this game."),
    Code.SAME_CARD_TWICE: N_("Every card exists once; here one is named twice: %(cards)s."),
    Code.ON_THE_TABLE: N_("%(card)s already lies in the middle."),
    Code.WAS_DISCARDED: N_("%(card)s was discarded earlier in this hand."),
    Code.HELD_BY_OTHER: N_("%(card)s was seen going into the hand of %(other)s."),
    Code.HAND_KNOWN: N_("That does not fit with what %(seat)s was seen taking up: %(cards)s."),
    Code.HAND_TOO_SMALL: N_("%(seat)s holds %(size)s and cannot lay %(count)s."),
    Code.GOAT_HELD: N_("%(seat)s must hold the goat: it was dealt and can be nowhere else."),
    Code.SIZE_DIFFERS: N_("The books say %(seat)s holds %(books)s, not %(size)s."),
    Code.HAND_IMPOSSIBLE: N_("%(seat)s cannot hold %(size)s: the deck has not that many."),
    Code.SEATS_DIFFER: N_("%(seats)s play; numbers given: %(got)s."),
    Code.GOAT_ELSEWHERE: N_(
        "%(seat)s cannot hold the goat: it was seen elsewhere, or the hand is empty."
    ),
    Code.GOAT_MISSING: N_("Somebody holds the goat: %(seats)s."),
    Code.CARRY_TOO_LATE: N_("Points can be carried in only before the first deal."),
    Code.CARRY_TOO_HIGH: N_("Somebody has reached the limit of %(limit)s already."),
    "hand-is-no-set": N_("Taken on trust: %(seat)s's whole hand was not one set."),
    "seats-for-36": N_("The 36 cards are for two to four; %(got)s want to play."),
    "colours-mixed": N_("Choose four colours, or the four suits, not some of each."),
    "deck-too-small": N_("The deck has %(got)s cards; dealing takes %(need)s."),
}

RULES: dict[str, str] = {
    "ODIN-COMP-1": N_("The deck has the numbers 1 to 9 once in each of six colours."),
    "ODIN-COMP-2": N_("The smaller deck has the numbers 1 to 9 in four colours or suits."),
    "ODIN-COMP-3": N_("The Grumpy Goat is a 0 that goes with any colour."),
    "ODIN-COMP-4": N_("Two to six play with 54 cards, two to four with 36."),
    "ODIN-SETUP-1": N_("All cards in use are shuffled."),
    "ODIN-SETUP-2": N_("Everybody is dealt nine cards that only they may see."),
    "ODIN-SETUP-3": N_("The first leader is drawn, or is whoever laughs loudest."),
    "ODIN-SETUP-4": N_("Turns go clockwise."),
    "ODIN-SETUP-5": N_("Cards not dealt stay out of the hand, unseen."),
    "ODIN-LEAD-1": N_("A round starts with exactly one card."),
    "ODIN-LEAD-2": N_("Whoever starts a round cannot pass."),
    "ODIN-LEAD-3": N_("After a lead nothing is taken."),
    "ODIN-HEND-1": N_("A leader whose whole hand is one set may lay all of it; the hand ends."),
    "ODIN-HEND-2": N_("An empty hand ends the hand at once; nothing is taken."),
    "ODIN-PLAY-1": N_("A set must be worth strictly more than the middle."),
    "ODIN-PLAY-2": N_("A set has as many cards as the middle, or exactly one more."),
    "ODIN-PLAY-3": N_("Several cards must all be of one number or all of one colour."),
    "ODIN-PLAY-4": N_("A set is worth its digits from high to low, read as a number."),
    "ODIN-PLAY-5": N_("So one card more always beats the middle."),
    "ODIN-TAKE-1": N_("Who beats a set takes exactly one card of it; the rest is discarded."),
    "ODIN-PASS-1": N_("Anybody may pass, even if they could play."),
    "ODIN-PASS-2": N_("A pass is for this turn only, unless the table agreed otherwise."),
    "ODIN-REND-1": N_("When all others have passed, the middle is discarded and its owner leads."),
    "ODIN-SCORE-1": N_("Every card left in hand costs a point."),
    "ODIN-SCORE-2": N_("The goat left in hand costs five points."),
    "ODIN-NEXT-1": N_("All cards are gathered, shuffled and dealt again."),
    "ODIN-NEXT-2": N_("The next hand is led from the left of the last leader, or by who went out."),
    "ODIN-END-1": N_("When somebody reaches the limit after a hand, the game ends."),
    "ODIN-END-2": N_("The fewest points win; equals share."),
    "ODIN-END-3": N_("The limit is 15; 20 for long games, 10 for short, or a single hand."),
    "ODIN-INV-1": N_("Hands never grow: who lays a card or more takes back one at most."),
    "ODIN-INV-2": N_("Every round costs its leader a card, so every hand ends."),
    "ODIN-INV-3": N_("Within a round values strictly rise."),
    "ODIN-INV-4": N_("Every card exists once and is where it was last seen."),
}

EXAMPLES: dict[str, str] = {
    "ODIN-COMP-3": N_("Red 6 and the goat make 60; blue 6 and the goat make 60 as well."),
    "ODIN-SETUP-4": N_(
        "Ann, Ben and Cara sit clockwise. Ann has laid, so Ben lays or passes, and then Cara."
    ),
    "ODIN-LEAD-1": N_("Ben holds five cards and leads two red ones: one of them alone is right."),
    "ODIN-LEAD-2": N_("All others have passed, so Ben leads and lays a card, if only a 1."),
    "ODIN-HEND-1": N_("Ben leads and holds red 2, red 5 and red 8: all three may be laid at once."),
    "ODIN-PLAY-1": N_(
        "The middle is worth 65. Blue 6 and blue 2 make 62: too low. Green 7 and green 1 make 71:"
        " they beat it."
    ),
    "ODIN-PLAY-2": N_("Two cards lie in the middle: lay two or three. One or four are refused."),
    "ODIN-PLAY-3": N_(
        "Red 5 and red 6 go together, and so do red 5 and blue 5. Red 5 and blue 6 do not."
    ),
    "ODIN-PLAY-4": N_("Pink 3 and pink 8 make 83, in whatever order they are laid."),
    "ODIN-TAKE-1": N_(
        "Ben beats red 6 and red 5, takes the red 6 and discards the red 5: never both, never none."
    ),
    "ODIN-PASS-2": N_(
        "Ann passes and Ben lays. If a pass is for one turn, Ann may lay when it comes round again;"
        " if it is for the round, Ann waits for the next one."
    ),
    "ODIN-SCORE-1": N_("Ben is left with four numbers: four points, however high they are."),
    "ODIN-INV-1": N_("Ben held four cards, laid two and took one: three are left to lay."),
    "ODIN-INV-4": N_("Cara was seen taking the red 5, so Ben cannot lay it before Cara has."),
}

READINGS: dict[str, tuple[str, ...]] = {
    "ODIN-COMP-2": ("deck",),
    "ODIN-COMP-3": ("goat_in_number_set", "goat_forced_into_a_hand"),
    "ODIN-PLAY-3": ("goat_in_number_set",),
    "ODIN-HEND-1": ("whole_hand_lead", "whole_hand_lead_on_first_lead"),
    "ODIN-PASS-2": ("reenter_after_pass",),
    "ODIN-SCORE-2": ("goat_points", "goat_forced_into_a_hand"),
    "ODIN-NEXT-2": ("next_hand_starter",),
    "ODIN-SETUP-3": ("first_starter",),
    "ODIN-END-1": ("limit_test",),
}

EDITION_WORDS: dict[str, str] = {
    "en": "English",
    "de": "Deutsch",
    "fr": "Français",
    "es": "Español",
    "it": "Italiano",
    "nl": "Nederlands",
}

OPTION_WORDS: dict[str, str] = {
    "deck": N_("Deck"),
    "colours": N_("The four colours of the 36 cards"),
    "goat": N_("Grumpy Goat"),
    "goat_in_number_set": N_("The goat may join sets of one number"),
    "goat_points": N_("Points for a goat left in hand"),
    "goat_forced_into_a_hand": N_("The goat is always dealt"),
    "limit": N_("Point limit"),
    "limit_test": N_("The game ends when the limit is"),
    "first_starter": N_("First leader"),
    "next_hand_starter": N_("Leader of the next hand"),
    "whole_hand_lead": N_("Leading a whole hand that is one set"),
    "whole_hand_lead_on_first_lead": N_("A whole hand may be the first lead of a hand"),
    "reenter_after_pass": N_("Who has passed may play again in the same round"),
    "hand_size": N_("Cards dealt to each"),
    "discards_public": N_("The discards may be looked through"),
}

VALUE_WORDS: dict[str, str] = {
    "odin54": N_("54 cards, six colours"),
    "valhalla36": N_("36 cards, four colours or ordinary cards"),
    "two_player_36": N_("36 cards if two play, else 54"),
    ">=": N_("reached"),
    ">": N_("exceeded"),
    "one_hand": N_("a single hand"),
    "random": N_("drawn at random"),
    "loudest_laugh": N_("who laughs loudest"),
    "left_of_previous_starter": N_("left of the last leader"),
    "last_to_act": N_("who went out"),
    "optional": N_("allowed"),
    "forced": N_("required"),
    "blue": N_("blue"),
    "red": N_("red"),
    "pink": N_("pink"),
    "green": N_("green"),
    "black": N_("black"),
    "orange": N_("orange"),
    "hearts": N_("hearts"),
    "diamonds": N_("diamonds"),
    "spades": N_("spades"),
    "clubs": N_("clubs"),
}


def piece(speech: Speech, thing: object) -> str:
    card = _card(thing)
    if card is None:
        return str(thing)
    if card.colour is None:
        return speech.say(N_("the goat"))
    if card.ace:
        return speech.say(ACE_WORDS[card.colour])
    return speech.say(COLOUR_WORDS[card.colour], number=card.number)


def _card(thing: object) -> Card | None:
    if isinstance(thing, Card):
        return thing
    try:
        return Card.parse(Word(str(thing), 1))
    except BadNotation:
        return None


def retell(speech: Speech, action: Action) -> str:
    """An action in a sentence, for the history and the voice."""
    match action:
        case Play(seat, cards) if len(cards) > 1:
            return speech.say(
                N_("%(seat)s lays %(cards)s: %(value)s."),
                seat=seat,
                cards=cards,
                value=value(cards),
            )
        case Play(seat, cards):
            return speech.say(N_("%(seat)s lays %(cards)s."), seat=seat, cards=cards)
        case Take(seat, card, more):
            taken = (card, *more)
            return speech.say(N_("%(seat)s takes %(card)s."), seat=seat, card=taken)
        case Pass(seat):
            return speech.say(N_("%(seat)s passes."), seat=seat)
        case Has(seat, size):
            return speech.say(N_("%(seat)s holds %(size)s."), seat=seat, size=size)
        case Shows(seat, cards):
            return speech.say(N_("%(seat)s shows %(cards)s."), seat=seat, cards=cards)
        case Deal() | Count() | Carry():
            return _retell_table(speech, action)


def _retell_table(speech: Speech, action: Deal | Count | Carry) -> str:
    match action:
        case Deal(starter):
            return speech.say(N_("Dealt; %(seat)s leads."), seat=starter)
        case Count(left, None):
            return speech.say(N_("Cards left: %(left)s."), left=_each(speech, left))
        case Count(left, goat):
            return speech.say(
                N_("Cards left: %(left)s; %(seat)s has the goat."),
                left=_each(speech, left),
                seat=goat,
            )
        case Carry(points):
            return speech.say(N_("Points from before: %(points)s."), points=_each(speech, points))


def _each(speech: Speech, numbers: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(f"{name} {number}" for name, number in zip(speech.names, numbers, strict=False))


def notes(_speech: Speech, _state: State) -> tuple[str, ...]:
    """Nothing follows by itself that the view does not show anyway."""
    return ()


def waiting(speech: Speech, state: State) -> Waiting:
    """What the table waits for."""
    hand, phase = state.hand, state.phase
    if phase is Phase.OVER:
        return Waiting(speech.say(N_("The game is over.")))
    if hand is None and state.next_starter is None:
        who = N_("Who laughs loudest leads: tap the name.")
        draw = N_("Deal, and draw who leads.")
        drawn = state.options.first_starter == "random"
        return Waiting(speech.say(draw if drawn else who), urgent=needs_answer(state))
    if hand is None:
        deal = speech.say(N_("Deal; %(seat)s leads."), seat=state.next_starter)
        return Waiting(deal, urgent=needs_answer(state))
    if phase is Phase.COUNT:
        count = speech.say(N_("%(seat)s is out. Count the cards left."), seat=hand.out)
        return Waiting(count, urgent=needs_answer(state))
    asks = {
        Phase.LEAD: N_("%(seat)s leads."),
        Phase.TAKE: N_("%(seat)s takes one card."),
        Phase.TURN: N_("%(seat)s's turn."),
    }
    asked = speech.say(asks[phase], seat=hand.to_move)
    return Waiting(asked, hand.to_move, urgent=needs_answer(state))
