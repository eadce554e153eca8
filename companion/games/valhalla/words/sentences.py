"""Every sentence the companion says about Valhalla."""

from __future__ import annotations

from companion.games.valhalla.rules.actions import (
    Acting,
    Action,
    Armory,
    Aside,
    Dare,
    Declare,
    Decline,
    Draw,
    Ending,
    Fetch,
    Fighting,
    First,
    Has,
    Laying,
    Lose,
    Pass,
    Place,
    Ready,
    Return,
    Reveal,
    Shows,
    Stand,
    Take,
    Turn,
)
from companion.games.valhalla.rules.cards import Card
from companion.games.valhalla.rules.codes import Code
from companion.games.valhalla.rules.following import needs_answer
from companion.games.valhalla.rules.state import Happening, Note, Phase, State
from companion.views.speech import N_, NN_, Speech
from companion.views.waiting import Waiting
from companion.views.words import Done, Spoken

CARD_WORDS: dict[Card, str] = {
    Card.HAMMER: N_("Hammer"),
    Card.SWORD: N_("Sword"),
    Card.AXE: N_("Axe"),
    Card.WOLF: N_("Wolf"),
    Card.DRAUGR: N_("Draugr"),
    Card.DEITY: N_("Deity"),
    Card.ODIN: "Odin",
    Card.THOR: "Thor",
    Card.FREYJA: "Freyja",
    Card.FRIGG: "Frigg",
    Card.BALDR: "Baldr",
    Card.TYR: "Tyr",
    Card.HEIMDALL: "Heimdall",
    Card.NJORD: "Njord",
    Card.FREYR: "Freyr",
    Card.BRAGI: "Bragi",
    Card.IDUN: "Idun",
    Card.SKADI: "Skadi",
    Card.LOKI_FLY: N_("Loki the fly"),
    Card.LOKI_MARE: N_("Loki the mare"),
    Card.LOKI_SALMON: N_("Loki the salmon"),
    Card.LOKI_SEAL: N_("Loki the seal"),
}

PHASE_WORDS: dict[Phase, str] = {
    Phase.FIRST: N_("somebody is to go first"),
    Phase.SELECT: N_("cards are being laid face down"),
    Phase.REVEAL: N_("cards are being turned up"),
    Phase.STRATEGY: N_("it is the Strategy Phase"),
    Phase.SUPPORT: N_("Deities as Support turn their cards"),
    Phase.BATTLE: N_("the battle is being revealed"),
    Phase.LOSS: N_("cards are to be lost"),
    Phase.STAND: N_("a last stand is to be made"),
    Phase.SPOILS: N_("cards are taken out of the armory"),
    Phase.WOLF: N_("Wolves fetch their cards"),
    Phase.TRIM: N_("the armory is being trimmed"),
    Phase.OVER: N_("the game is over"),
}

SENTENCES: dict[str, str] = {
    Code.GAME_OVER: N_("The game is over."),
    Code.NOT_SEATED: N_("Nobody sits at %(seat)s."),
    Code.SEAT_OUT: N_("%(seat)s is out of the game."),
    Code.NOT_NOW: N_("Not now: %(phase)s."),
    Code.SETTLE_FIRST: N_("First the Draugr are settled: %(seats)s."),
    Code.NOT_YOUR_TURN: N_("It is %(to_move)s's turn, not %(seat)s's."),
    Code.NOT_YOURS_TO_DO: N_("There is nothing here for %(seat)s to do."),
    Code.DONE_ALREADY: N_("%(seat)s has done that already."),
    Code.NOTHING_TO_PASS: N_("%(seat)s has nothing to pass on: %(phase)s."),
    Code.MUST_DO: N_("%(seat)s cannot leave that out: %(phase)s."),
    Code.NOTHING_TO_LAY: N_("%(seat)s has nothing to lay."),
    Code.DRAUGR_LAID: N_("A Draugr cannot be laid by %(seat)s."),
    Code.TOO_MANY_LAID: N_("%(seat)s laid only %(due)s."),
    Code.SUPPORT_MISSING: N_("%(seat)s laid two cards; the Support is missing."),
    Code.CLASHED: N_("%(seat)s has clashed and takes no part in this phase."),
    Code.ACTED_ALREADY: N_("%(seat)s has acted in this phase already."),
    Code.MUST_ACT: N_("%(seat)s has to draw or take."),
    Code.NOT_THE_MAIN: N_("%(card)s is not %(seat)s's Main, or it was used already."),
    Code.WOLF_WAITS: N_("%(seat)s's Wolf has its time in the End Phase."),
    Code.TARGET_MISSING: N_("%(card)s is used on somebody; say on whom."),
    Code.TARGET_NEEDLESS: N_("%(card)s is used on nobody."),
    Code.SHUFFLE_NEEDLESS: N_("Only a Deity shuffles, not %(card)s."),
    Code.TARGET_OUT: N_("%(seat)s is out and no target."),
    Code.TARGET_SELF: N_("%(card)s is used on others, not on oneself."),
    Code.TARGET_CLASHED: N_("%(seat)s has clashed and draws nothing: no target for %(card)s."),
    Code.TARGET_ACTED: N_("%(seat)s has chosen already: too late for %(card)s."),
    Code.DEITY_LATE: N_("%(seat)s has chosen already: too late to look at the deck."),
    Code.MUST_DRAW: N_("%(seat)s is under a Hammer and has to draw."),
    Code.DECK_EMPTY: N_("The deck is empty."),
    Code.TOO_MANY_DRAWN: NN_(
        "%(got)s card is more than the %(due)s drawn.",
        "%(got)s cards are more than the %(due)s drawn.",
        by="got",
    ),
    Code.MUST_SHOW: N_("%(seat)s is under an Axe and shows all %(due)s cards, not %(got)s."),
    Code.SHOWN_WRONG: N_("%(seat)s would not have to show just that: %(cards)s."),
    Code.KEEPS_UNSHOWN: N_("%(cards)s was not among the cards shown."),
    Code.KEEPS_DRAUGR: N_("%(seat)s cannot keep a Draugr."),
    Code.KEEPS_WRONG: N_("%(seat)s keeps %(due)s of the cards shown, not %(got)s."),
    Code.NOT_IN_ARMORY: N_("%(card)s is not in the armory."),
    Code.DRAUGR_STAYS: N_("Draugr stay in the armory."),
    Code.NO_LOSS_DUE: N_("%(seat)s has nothing to lose just now."),
    Code.NOT_IN_DISCARD: N_("%(card)s is not in %(seat)s's discard pile."),
    Code.NOT_ON_TABLE: N_("%(card)s does not lie before %(seat)s."),
    Code.HAND_EMPTY: N_("%(seat)s's hand is empty."),
    Code.TABLE_LAST: N_("%(seat)s loses from hand or discard pile first."),
    Code.HAND_FIRST: N_("%(seat)s's losses go onto the discard pile and cannot come from it."),
    Code.NO_STAND_DUE: N_("%(seat)s need not make a last stand."),
    Code.STAND_COUNT: N_("A last stand shows %(due)s cards, not %(got)s."),
    Code.STAND_KEEPS: N_("Without a Draugr %(seat)s keeps one of the cards shown, else none."),
    Code.TOP_ONLY: N_("Only the top card can be fetched: %(card)s."),
    Code.NOT_IN_GAME: N_("%(card)s is not in this game."),
    Code.NONE_LEFT: N_("All other %(card)s cards are accounted for: %(left)s of %(copies)s left."),
    Code.ONLY_DRAUGR_LEFT: NN_(
        "The deck has only %(left)s card that is no Draugr, not %(got)s.",
        "The deck has only %(left)s cards that are no Draugr, not %(got)s.",
        by="left",
    ),
    Code.HAND_KNOWN: N_("That does not fit with what %(seat)s is known to hold: %(cards)s."),
    Code.DRAUGR_IN_HAND: N_("A Draugr in %(seat)s's hand is not among what can be named here."),
    Code.SIZE_DIFFERS: N_("The books say %(seat)s holds %(books)s, not %(size)s."),
    Code.HAND_IMPOSSIBLE: N_("%(seat)s cannot hold %(size)s: the cards do not add up."),
    Code.DARES_OFF: N_("Dares are off in this game."),
    Code.DARE_SELF: N_("%(seat)s cannot dare themselves."),
    Code.NOTHING_TO_DARE: N_("%(seat)s has not discarded a Deity this turn."),
    Code.NO_DARE: N_("Nobody has dared %(seat)s this turn."),
    "drew-unseen": N_("Taken on trust: what %(seat)s put under the deck."),
}

PLACE_WORDS: dict[Place, str] = {
    Place.HAND: N_("from hand"),
    Place.DISCARD: N_("from the discard pile"),
    Place.TABLE: N_("from the table"),
}

NOTES: dict[Happening, str] = {
    Happening.CLASHED: N_("%(seat)s clashes: %(cards)s to the discard pile."),
    Happening.SUPPORT_BACK: N_("%(seat)s takes the Support back: %(cards)s."),
    Happening.SUPPORT_USED: N_("%(seat)s's Support is used: %(cards)s."),
    Happening.LOST: N_("%(seat)s loses everything: %(cards)s."),
    Happening.OUT: N_("%(seat)s is out."),
    Happening.HOWLED: N_("%(seat)s's Wolf brings back %(cards)s."),
    Happening.TAKEN_BACK: N_("%(seat)s takes back %(cards)s."),
    Happening.PUT_AWAY: N_("%(seat)s discards %(cards)s."),
    Happening.SHUFFLED: N_("Shuffle into the deck: %(cards)s."),
    Happening.RECALLED: N_("Put under the deck: %(cards)s."),
}


def piece(speech: Speech, thing: object) -> str:
    match thing:
        case Phase():
            return speech.say(PHASE_WORDS[thing])
        case str() if thing in CARD_WORDS:
            return speech.say(CARD_WORDS[Card(thing)])
        case _:
            return str(thing)


def notes(speech: Speech, state: State) -> tuple[str, ...]:
    """What the last entry brought about by itself."""
    return tuple(note(speech, each) for each in state.notes)


TOLD_ALOUD = (Happening.CLASHED, Happening.OUT)


def spoken(speech: Speech, done: Done[State, Action]) -> Spoken:
    """As in the history, and aloud who clashed and who is out."""
    aloud = [note(speech, each) for each in done.after.notes if each.what in TOLD_ALOUD]
    return Spoken(retell(speech, done.action), summary=" ".join(aloud))


def note(speech: Speech, each: Note) -> str:
    return speech.say(NOTES[each.what], seat=each.seat, cards=each.cards)


def retell(speech: Speech, action: Action) -> str:
    """An action in a sentence, for the history and the voice."""
    match action:
        case First() | Ready() | Reveal():
            return _laying(speech, action)
        case Declare() | Draw() | Take() | Pass():
            return _acting(speech, action)
        case Turn() | Armory() | Lose() | Stand():
            return _fighting(speech, action)
        case Fetch() | Return():
            return _ending(speech, action)
        case Dare() | Decline() | Has() | Shows():
            return _aside(speech, action)


def _laying(speech: Speech, action: Laying) -> str:
    match action:
        case First(seat):
            return speech.say(N_("%(seat)s goes first."), seat=seat)
        case Ready(None):
            return speech.say(N_("Everybody is ready."))
        case Ready(seat):
            return speech.say(N_("%(seat)s is ready."), seat=seat)
        case Reveal(seat, main, None):
            return speech.say(N_("%(seat)s reveals %(main)s."), seat=seat, main=main)
        case Reveal(seat, main, support):
            return speech.say(
                N_("%(seat)s reveals %(main)s, supported by %(support)s."),
                seat=seat,
                main=main,
                support=support,
            )


def _acting(speech: Speech, action: Acting) -> str:
    match action:
        case Declare(seat, card, None, shuffles):
            looks = N_("%(seat)s uses %(card)s: looks at two cards.")
            mixes = N_("%(seat)s uses %(card)s: looks at two cards and shuffles the deck.")
            return speech.say(mixes if shuffles else looks, seat=seat, card=card)
        case Declare(seat, card, target):
            return speech.say(
                N_("%(seat)s uses %(card)s on %(target)s."), seat=seat, card=card, target=target
            )
        case Draw():
            return _drawing(speech, action)
        case Take(seat, card):
            return speech.say(N_("%(seat)s takes %(card)s."), seat=seat, card=card)
        case Pass(seat):
            return speech.say(N_("%(seat)s does nothing."), seat=seat)


def _drawing(speech: Speech, action: Draw) -> str:
    match action:
        case Draw(seat, (), (), None):
            return speech.say(N_("%(seat)s draws."), seat=seat)
        case Draw(seat, shown, keeps, None) if keeps:
            return speech.say(
                N_("%(seat)s draws %(shown)s and keeps %(keeps)s."),
                seat=seat,
                shown=shown,
                keeps=keeps,
            )
        case Draw(seat, shown, _, None):
            return speech.say(N_("%(seat)s draws and shows %(shown)s."), seat=seat, shown=shown)
        case Draw(seat, shown, _, kept):
            return speech.say(
                N_("%(seat)s draws, shows %(shown)s and keeps %(kept)s unseen."),
                seat=seat,
                shown=shown,
                kept=kept,
            )


def _fighting(speech: Speech, action: Fighting) -> str:
    match action:
        case Turn(seat, card):
            return speech.say(N_("%(seat)s turns %(card)s."), seat=seat, card=card)
        case Armory(card):
            return speech.say(N_("Revealed: %(card)s."), card=card)
        case Lose(seat, card, place):
            return speech.say(
                N_("%(seat)s loses %(card)s %(place)s."),
                seat=seat,
                card=card,
                place=speech.say(PLACE_WORDS[place]),
            )
        case Stand(seat, shown, None):
            return speech.say(N_("%(seat)s makes a last stand: %(shown)s."), seat=seat, shown=shown)
        case Stand(seat, shown, keeps):
            return speech.say(
                N_("%(seat)s makes a last stand: %(shown)s; keeps %(keeps)s."),
                seat=seat,
                shown=shown,
                keeps=keeps,
            )


def _ending(speech: Speech, action: Ending) -> str:
    match action:
        case Fetch(seat, card):
            return speech.say(N_("%(seat)s fetches %(card)s."), seat=seat, card=card)
        case Return(seat, card):
            return speech.say(N_("%(seat)s returns %(card)s to the deck."), seat=seat, card=card)


def _aside(speech: Speech, action: Aside) -> str:
    match action:
        case Dare(seat, target):
            return speech.say(N_("%(seat)s dares %(target)s."), seat=seat, target=target)
        case Decline(seat):
            return speech.say(N_("%(seat)s declines the dare."), seat=seat)
        case Has(seat, size):
            return speech.say(N_("%(seat)s holds %(size)s."), seat=seat, size=size)
        case Shows(seat, cards):
            return speech.say(N_("%(seat)s shows %(cards)s."), seat=seat, cards=cards)


WAITING: dict[Phase, str] = {
    Phase.FIRST: N_("Hand out a Hammer, a Sword, an Axe and a Wolf each. Who goes first?"),
    Phase.SELECT: N_("Lay Main and Support face down: %(seats)s."),
    Phase.REVEAL: N_("Turn up: %(seats)s."),
    Phase.STRATEGY: N_("%(seats)s: draw, take, or nothing."),
    Phase.SUPPORT: NN_(
        "%(seats)s turns the top card for the Deity.",
        "%(seats)s turn the top card for their Deity.",
        by="seats",
    ),
    Phase.BATTLE: N_("Battle: reveal the next card."),
    Phase.LOSS: N_("Draugr! Cards are lost by %(seats)s."),
    Phase.STAND: NN_(
        "%(seats)s makes a last stand: three cards.",
        "%(seats)s make a last stand: three cards each.",
        by="seats",
    ),
    Phase.SPOILS: NN_(
        "%(seats)s takes a card of the armory.",
        "%(seats)s take a card of the armory each.",
        by="seats",
    ),
    Phase.WOLF: NN_(
        "%(seats)s fetches a card of the discard pile.",
        "%(seats)s fetch a card of the discard pile each.",
        by="seats",
    ),
    Phase.TRIM: NN_(
        "%(seats)s returns a card of the armory to the deck.",
        "%(seats)s return a card of the armory to the deck each.",
        by="seats",
    ),
    Phase.OVER: N_("The game is over."),
}
ONE_AT_A_TIME = (Phase.SUPPORT, Phase.STAND, Phase.SPOILS, Phase.WOLF, Phase.TRIM)


def waiting(speech: Speech, state: State) -> Waiting:
    """What the table waits for."""
    phase = state.phase
    if phase is Phase.LOSS:
        seats = tuple(debt.seat for debt in state.debts if debt.cards)
    elif phase is Phase.STAND:
        seats = tuple(debt.seat for debt in state.debts)
    else:
        seats = state.waiting
    one_by_one = state.options.strategy_order != "simultaneous" and phase is Phase.STRATEGY
    if phase in ONE_AT_A_TIME or one_by_one:
        seats = seats[:1]
    sentence = speech.say(WAITING[phase], seats=seats)
    return Waiting(sentence, seats[0] if len(seats) == 1 else None, urgent=needs_answer(state))
