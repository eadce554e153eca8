"""The first game of Odin: what a newcomer is told, at the moment it matters."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from companion.core.game import Accepted
from companion.core.notation import Word
from companion.games.odin import rules
from companion.games.odin.rules.actions import Play
from companion.games.odin.rules.cards import Card, value
from companion.games.odin.rules.state import Hand, Phase, State
from companion.views.lessons import Hint, LessonPlan, Newcomer
from companion.views.speech import N_, Speech


def hints(speech: Speech, newcomer: Newcomer[State]) -> Iterator[Hint]:
    state, hand = newcomer.state, newcomer.state.hand
    if state.over:
        over = N_("That was a whole game. Next time play it with real cards and real people.")
        yield Hint("over", speech.say(over), ("ODIN-END-2",))
        return
    if hand is None:
        return
    goal = N_("Get rid of all your cards first. Every card left in hand costs a point.")
    yield Hint("goal", speech.say(goal), ("ODIN-HEND-2", "ODIN-SCORE-1"))
    if state.phase is Phase.TAKE:
        take = N_("You beat them: take one card of the beaten set, the rest is discarded.")
        yield Hint("take", speech.say(take), ("ODIN-TAKE-1",))
    elif hand.middle:
        yield from _following(speech, newcomer, hand)
    else:
        yield from _leading(speech, hand)


def _leading(speech: Speech, hand: Hand) -> Iterator[Hint]:
    lead = N_("You lead: lay one card. Low cards alone are hard to get rid of later.")
    yield Hint("lead", speech.say(lead), ("ODIN-LEAD-1", "ODIN-LEAD-2"))
    if hand.round > 1:
        again = N_("All others passed, so the middle is cleared and you lead again.")
        yield Hint("again", speech.say(again), ("ODIN-REND-1",))


def _following(speech: Speech, newcomer: Newcomer[State], hand: Hand) -> Iterator[Hint]:
    middle = value(hand.middle)
    beat = N_("Beat %(middle)s: lay a card or set worth more, or pass.")
    yield Hint("beat", speech.say(beat, middle=middle), ("ODIN-PLAY-1",))
    sets = tuple(_beating(newcomer, hand))
    longer = [cards for cards in sets if len(cards) > 1]
    if not sets:
        nothing = N_("Nothing in your hand beats %(middle)s. Pass: you may play again next turn.")
        yield Hint("pass", speech.say(nothing, middle=middle), ("ODIN-PASS-1", "ODIN-PASS-2"))
    if longer:
        best = min(longer, key=value)
        several = N_(
            "You could lay %(cards)s together: of one number or colour, they are %(worth)s."
        )
        rules_of_sets = ("ODIN-PLAY-3", "ODIN-PLAY-4")
        said = speech.say(several, cards=best, worth=value(best))
        yield Hint("set", said, rules_of_sets)
    if any(len(cards) > len(hand.middle) for cards in sets):
        more = N_("One card more than the middle always beats it; two more are not allowed.")
        yield Hint("more", speech.say(more), ("ODIN-PLAY-2", "ODIN-PLAY-5"))


def _beating(newcomer: Newcomer[State], hand: Hand) -> Iterator[tuple[Card, ...]]:
    """The sets in this hand that the rules allow now."""
    held = tuple(Card.parse(Word(word, 1)) for word in newcomer.hand)
    for count in (len(hand.middle), len(hand.middle) + 1):
        for cards in combinations(held, count):
            play = Play(newcomer.seat, cards)
            if isinstance(rules.judge(newcomer.state, play), Accepted):
                yield cards


LESSON: LessonPlan[State] = LessonPlan(
    hints, seats=3, changes=(("hand_size", "6"), ("limit", "one_hand"))
)
