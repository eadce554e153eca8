"""The table of Valhalla as a page shows it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from companion.core.notation import Seat
from companion.games.valhalla.rules.actions import Action, Armory, Draw, Reveal, Shows
from companion.games.valhalla.rules.cards import ARMORY_ROOM, Card, draugr_in, is_deity
from companion.games.valhalla.rules.following import to_move
from companion.games.valhalla.rules.odds import last_stand, next_battle, next_draw
from companion.games.valhalla.rules.phases.draugr import draugr_cost
from companion.games.valhalla.rules.state import Dared, Phase, Player, State
from companion.games.valhalla.words.choices import Asked, choices
from companion.games.valhalla.words.sentences import notes
from companion.views.glance import Glance, OwnSeat
from companion.views.speech import N_, Speech


@dataclass(frozen=True, slots=True)
class Face:
    """A card on the page; face down it has neither words nor kind."""

    kind: str
    words: str
    down: bool = False
    card: str = ""  # the word for this very one, where it can be chosen


@dataclass(frozen=True, slots=True)
class Place:
    """One seat with its cards."""

    seat: Seat
    name: str
    alive: bool
    first: bool
    waited: bool
    hand: int
    known: tuple[Face, ...]
    main: Face | None
    support: Face | None
    discard: tuple[Face, ...]  # the last lies on top
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BattleView:
    fighters: str
    due: int
    revealed: tuple[Face, ...]
    supports: tuple[str, ...]
    costs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    phase: str
    turn: int
    deck: int
    armory: tuple[Face, ...]
    room: int
    locked: int  # places Draugr take up
    graveyard: tuple[Face, ...]
    buried: int
    places: tuple[Place, ...]
    battle: BattleView | None
    notes: tuple[str, ...]
    asked: tuple[Asked, ...]
    odds: tuple[str, ...]
    starters: tuple[Place, ...]
    dares: tuple[str, ...]
    darable: tuple[Place, ...]
    nobody: bool  # over, and everybody lost


def glance(speech: Speech, state: State) -> tuple[Glance, ...]:
    """How full the armory is, how many cards the deck has left, and who still plays."""
    alive = sum(state.players[seat].alive for seat in state.seats)
    return (
        Glance("armory", speech.say(N_("Cards in the armory")), str(len(state.armory))),
        Glance("deck", speech.say(N_("Cards in the deck")), str(state.deck)),
        Glance("alive", speech.say(N_("Fighters left")), str(alive)),
    )


def own_seat(speech: Speech, state: State, seat: Seat) -> OwnSeat:
    """The cards of this seat that everybody knows, and what a Draugr would cost it."""
    player = state.players[seat]
    if not player.alive:
        return OwnSeat()
    values = (
        Glance("owned", speech.say(N_("Cards you own")), str(player.owned)),
        Glance("draugr", speech.say(N_("The next Draugr costs you")), str(draugr_cost(state))),
    )
    return OwnSeat(tuple(map(str, player.known)), values)


def highlight(action: Action) -> str:
    """A Draugr that everybody saw."""
    match action:
        case Armory(card=Card.DRAUGR):
            return "draugr"
        case Draw(shown=shown) if Card.DRAUGR in shown:
            return "draugr"
        case _:
            return ""


def table(speech: Speech, state: State) -> Table:
    places = tuple(_place(speech, state, seat) for seat in state.seats)
    return Table(
        phase=state.phase,
        turn=state.turn,
        deck=state.deck,
        armory=_faces(speech, state.armory),
        room=ARMORY_ROOM,
        locked=draugr_in(state.armory),
        graveyard=_faces(speech, state.graveyard),
        buried=state.buried,
        places=places,
        battle=_battle(speech, state),
        notes=notes(speech, state),
        asked=choices(speech, state),
        odds=tuple(_odds(speech, state)) if state.options.odds else (),
        starters=places if state.phase is Phase.FIRST else (),
        dares=tuple(_dare(speech, dare) for dare in state.dares if dare.turn == state.turn),
        darable=_darable(state, places),
        nobody=state.over and not state.winners,
    )


def _place(speech: Speech, state: State, seat: Seat) -> Place:
    player = state.players[seat]
    waited = seat in state.waiting or any(debt.seat is seat for debt in state.debts)
    return Place(
        seat=seat,
        name=speech.word(seat),
        alive=player.alive,
        first=state.first is seat and state.turn > 0,
        waited=waited and not state.over,
        hand=player.hand,
        known=_faces(speech, player.known),
        main=_laid(speech, player.main, down=player.down > 0),
        support=_laid(speech, player.support, down=player.down > 1),
        discard=_faces(speech, player.discard),
        flags=tuple(_flags(speech, state, seat, player)),
    )


def _flags(speech: Speech, state: State, seat: Seat, player: Player) -> list[str]:
    owed = [debt for debt in state.debts if debt.seat is seat]
    flags = [
        (not player.alive, N_("out of the game")),
        (seat in state.involved and player.alive, N_("fights")),
        (player.axed, N_("shows what is drawn")),
        (player.hammered, N_("draws three")),
        (bool(player.down), N_("ready")),
        (any(debt.stand and not debt.cards for debt in owed), N_("last stand")),
    ]
    told = [speech.say(words) for true, words in flags if true]
    return told + [
        speech.say(N_("loses %(count)s"), count=debt.cards) for debt in owed if debt.cards
    ]


def _laid(speech: Speech, card: Card | None, *, down: bool) -> Face | None:
    if card is not None:
        return _face(speech, card)
    return Face("back", speech.say(N_("face down")), down=True) if down else None


def _faces(speech: Speech, cards: tuple[Card, ...]) -> tuple[Face, ...]:
    return tuple(_face(speech, card) for card in cards)


def _face(speech: Speech, card: Card) -> Face:
    return Face(_kind(card), speech.word(card))


def _kind(card: Card) -> str:
    return "deity" if is_deity(card) else card.value


def faces_named(speech: Speech, words: tuple[str, ...]) -> tuple[Face, ...]:
    """Cards of a hand by their notation; a number tells those apart that look alike."""
    cards = [(word, Card(re.sub(r"-\d+$", "", word))) for word in words]
    return tuple(Face(_kind(card), speech.word(card), card=word) for word, card in cards)


def all_cards(_state: State) -> tuple[str, ...]:
    return tuple(map(str, Card))


def cards_of(action: Action) -> tuple[str, ...]:
    """The cards it is about, in notation."""
    match action:
        case Reveal() | Shows():
            return tuple(map(str, action.cards))
        case _:
            card = getattr(action, "card", None)
            return () if card is None else (str(card),)


def shape_of(action: Action) -> str:
    """That of the card it is about, if it is about one."""
    card = getattr(action, "card", None)
    return "" if card is None else _kind(card)


def _battle(speech: Speech, state: State) -> BattleView | None:
    battle = state.battle
    if battle is None:
        return None
    supports = (
        (N_("Axe of %(seats)s: two more cards"), battle.axes),
        (N_("Hammer of %(seats)s: a lone Draugr costs two"), battle.hammers),
        (N_("Sword of %(seats)s: takes a card if there is one Draugr"), battle.swords),
    )
    return BattleView(
        fighters=speech.word(state.fighters),
        due=battle.due,
        revealed=_faces(speech, battle.revealed),
        supports=tuple(speech.say(words, seats=seats) for words, seats in supports if seats),
        costs=tuple(_costs(speech, state)),
    )


def _costs(speech: Speech, state: State) -> list[str]:
    """What each Draugr costs whom."""
    battle = state.battle
    if battle is None:
        return []
    if battle.cost is not None:
        all_of_them = N_("Every fighter loses %(cost)s.")
        return [speech.say(all_of_them, cost=battle.cost)] if battle.cost else []
    each = N_("Draugr %(number)s: %(seats)s lose %(cost)s each.")
    told = [
        speech.say(each, number=number, seats=state.fighters, cost=cost)
        for number, cost in enumerate(battle.costs, start=1)
    ]
    dear = draugr_cost(state)
    if dear > 1:
        told.append(speech.say(N_("The next Draugr would cost %(cost)s."), cost=dear))
    return told


def _odds(speech: Speech, state: State) -> list[str]:
    """Exact, from what everybody has seen; shown only where the table wants it."""
    told = []
    seat = to_move(state)
    if state.phase is Phase.STRATEGY and seat is not None and state.deck:
        told.append(
            speech.say(
                N_("A draw hits %(seat)s: %(chance)s."),
                seat=seat,
                chance=_percent(next_draw(state, seat)),
            )
        )
    fighters = len(state.fighters)
    fought = state.battle is not None and state.battle.cost is not None
    if fighters and not fought:
        none = next_battle(state, fighters)[0]
        told.append(
            speech.say(N_("A Draugr in this battle: %(chance)s."), chance=_percent(1 - none))
        )
    told.append(
        speech.say(N_("A last stand is survived: %(chance)s."), chance=_percent(last_stand(state)))
    )
    return told


def _percent(chance: Fraction) -> str:
    return f"{float(chance):.0%}"


def _dare(speech: Speech, dare: Dared) -> str:
    words = (
        N_("%(by)s dared %(seat)s; declined.") if dare.declined else N_("%(by)s dared %(seat)s.")
    )
    return speech.say(words, by=dare.by, seat=dare.seat)


def _darable(state: State, places: tuple[Place, ...]) -> tuple[Place, ...]:
    if state.options.dares == "off" or state.over:
        return ()
    return tuple(places[seat] for seat in state.seats if seat in state.darable)
