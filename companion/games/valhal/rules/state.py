"""The table as everybody sees it. Nothing in Valhal is hidden but the order of the stacks, so the
books know everything that has happened; what is printed on the cards stands on the sheet."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.core.notation import Seat
from companion.games.valhal.rules.options import Options
from companion.games.valhal.rules.sheet.sheet import RULEBOOK, Display, Row, Sheet
from companion.games.valhal.rules.vocabulary import Effect, Fill, Kind, Pay, Season, Stack


class Stage(StrEnum):
    """Where a season has got to (VHAL-SEA-4)."""

    FIRST = "first"  # who gets the starting token?
    SPECIALS = "specials"  # who takes which Special Unit?
    LAYING = "laying"  # Town cards are laid on the Mainland
    EVENT = "event"
    ROLL = "roll"  # a Vikingfahrt begins
    CHOOSE = "choose"
    INVITE = "invite"
    BATTLE = "battle"
    HEIDRUN = "heidrun"
    REMOVAL = "removal"
    COMMISSION = "commission"
    CONSTRUCTION = "construction"
    OVER = "over"


class Phase(StrEnum):
    """What the table waits for: questions and cards come before the stage goes on."""

    FIRST = "first"
    SPECIALS = "specials"
    LAYING = "laying"
    EVENT = "event"
    ROLL = "roll"
    CHOOSE = "choose"
    INVITE = "invite"
    FRONT = "front"  # a front-line unit has to be chosen
    BATTLE = "battle"  # dice
    STRIKE = "strike"  # the dice lie; a card could still change them
    HEIDRUN = "heidrun"
    REMOVAL = "removal"
    COMMISSION = "commission"
    CONSTRUCTION = "construction"
    ASK = "ask"  # a number of the owner's sheet
    DRAW = "draw"
    OPTION = "option"  # a card leaves a choice
    CURSE = "curse"  # who draws the Wrath card?
    GIVE = "give"  # which unit or longboat does a card take?
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Project:
    """A card back up at its place; `left` is the number on top, None until it is told."""

    kind: Kind
    slot: int = 1
    left: int | None = None
    pay: tuple[Pay, ...] = ()
    fresh: bool = True  # commissioned this season
    given: str = ""  # the unit that is being upgraded

    @property
    def site(self) -> str:
        return self.kind if self.slot == 1 else f"{self.kind}-{self.slot}"


class Offer(StrEnum):
    """VHAL-SAC-2 to -6: what is given, and what for."""

    COINS = "coins for benevolence"
    GLORY = "glory for benevolence"
    WRATH = "coins for wrath"
    FAVOUR = "glory for favour"


@dataclass(frozen=True, slots=True)
class Sacrifice:
    offer: Offer
    cost: int


@dataclass(frozen=True, slots=True)
class Held:
    """A card "when activated", face up beside the settlement."""

    stack: Stack
    name: str


@dataclass(frozen=True, slots=True)
class Unusable:
    thing: str
    season: Season


@dataclass(frozen=True, slots=True)
class Player:
    """VHAL-SET-1: three coins, two iron; the food tokens of the longhouse are stock (A-3)."""

    coins: int = 3
    iron: int = 2
    wood: int = 0
    glory: int = 0
    favour: int = 0
    reached: int = 0  # the furthest space the Raven Head has been on
    food: tuple[Fill, ...] = (Fill.TOKEN, Fill.EMPTY, Fill.EMPTY, Fill.EMPTY)  # VHAL-SET-2
    larder: int = 0  # food tokens on the longhouse that may be laid out
    buildings: tuple[Kind, ...] = ()
    units: tuple[str, ...] = ()  # at home
    boats: int = 1  # at home, damaged ones too
    damaged: int = 0
    projects: tuple[Project, ...] = ()
    sacrifice: Sacrifice | None = None
    blocked: tuple[Season, ...] = ()  # no food may be provided then
    unusable: tuple[Unusable, ...] = ()
    later: tuple[Effect, ...] = ()  # on the season display
    kept: tuple[Held, ...] = ()
    wraths: tuple[int, ...] = ()  # spaces that have struck
    beaten: tuple[str, ...] = ()  # Town cards of this Vikingfahrt
    agreed: bool = False
    gifts: tuple[str, ...] = ()  # got so far, should the sheet turn out to be wrong

    def project(self, site: str) -> Project | None:
        return next((each for each in self.projects if each.site == site), None)

    def unused(self, thing: str, season: Season) -> bool:
        """VHAL-CARD-5: does an Unusable marker lie on it?"""
        return Unusable(thing, season) in self.unusable


@dataclass(frozen=True, slots=True)
class Fighter:
    name: str
    wounded: bool = False
    hurt: int = 0  # hit points gone on this side of the card


@dataclass(frozen=True, slots=True)
class Force:
    """What one Jarl has sent: fighters on boats."""

    seat: Seat
    fighters: tuple[Fighter, ...]
    boats: int
    damaged: int = 0


@dataclass(frozen=True, slots=True)
class Front:
    seat: Seat
    at: int  # of that Jarl's fighters


@dataclass(frozen=True, slots=True)
class Raid:
    """An attack on one Town card; the first force is that of the Jarl who chose it."""

    town: str
    forces: tuple[Force, ...]
    row: int = 0
    hurt: int = 0  # hit points the row has lost
    front: Front | None = None
    surplus: int = 0  # damage that waits for the next front-line unit
    attack: tuple[int, ...] | None = None
    defence: tuple[int, ...] | None = None
    rounds: int = 0
    reroll: bool = False  # a card makes the town roll again
    won: bool = False
    adjusted: tuple[Effect, ...] = ()  # VHAL-BAT-15: what cards have changed

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who still has somebody to fight with."""
        return tuple(force.seat for force in self.forces if force.fighters)

    @property
    def allies(self) -> tuple[Seat, ...]:
        """Everybody who has not retreated."""
        return tuple(force.seat for force in self.forces)


class Owed(StrEnum):
    DRAW = "draw"
    READ = "read"
    OPTION = "option"
    CURSE = "curse"
    ARRIVE = "arrive"  # a Raven Head has come to a space
    STEP = "step"  # a Raven Head goes on; space: how many steps
    HURT = "hurt"  # the front-line unit takes damage; space: how much
    GIFT = "gift"  # what a defeated unit brings, once it is told
    GIVE = "give"  # a card takes a unit or a longboat, and there are several


@dataclass(frozen=True, slots=True)
class Due:
    """Something that has to be settled before anything else goes on."""

    what: Owed
    seats: tuple[Seat, ...]  # any one of them
    stack: Stack = Stack.EVENT
    card: str = ""
    space: int = 0
    thing: str = ""  # that is given


OVER_PRINT = "over-print"  # of a due for hit points: the unit may have more than is printed


class Work(StrEnum):
    TURN = "turn"
    SACRIFICE = "sacrifice"
    CLEAR = "clear"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the construction process."""

    seat: Seat
    what: Work
    thing: str = ""


class Happening(StrEnum):
    """What the last action brought about by itself, for the table to do and the page to tell."""

    TURNED = "turned"  # a project by a quarter; count: the number on top
    FINISHED = "finished"
    CLEARED = "cleared"  # food comes off
    GAINED = "gained"
    LOST = "lost"
    FOOD_LOST = "food-lost"  # the display is full
    COIN_BACK = "coin-back"  # a food token took its space
    FAVOUR = "favour"
    ACHIEVED = "achieved"
    RETURNED = "returned"  # an Achievement goes back to Yggdrasil
    WOUNDED = "wounded"
    DEFEATED = "defeated"
    ROW_DOWN = "row-down"
    MARKED = "marked"  # the battle tableau; thing: its three numbers
    VICTORY = "victory"
    BEATEN_OFF = "beaten-off"
    STRANDED = "stranded"
    RESCUED = "rescued"  # a longboat and Warriors for nothing
    TAKEN_OUT = "taken-out"  # Town cards leave the game
    FINAL_STAGE = "final-stage"
    SEASON = "season"
    SHORT = "short"  # the supply has not that many
    CONCLUDED = "concluded"
    WARDED = "warded"  # the Granary kept a famine off
    HOLED = "holed"  # a longboat is turned: it has lost a hit point
    GIVEN_BACK = "given-back"  # a sacrifice that cannot be made any more
    IDLE = "idle"  # an effect that changes nothing here
    IN_VAIN = "in-vain"  # no part of a card can be carried out
    PUT_RIGHT = "put-right"  # gifts of the whole game, once it is told what they are
    OWES = "owes"  # a wrong gift that is spent already
    LAID_DOWN = "laid-down"  # for projects and food, by going on as planned
    SPARED = "spared"  # a card takes what a Jarl has not


@dataclass(frozen=True, slots=True)
class Note:
    what: Happening
    seat: Seat | None = None
    thing: str = ""
    count: int = 0


@dataclass(frozen=True, slots=True)
class Change:
    """VHAL-CHG-1 and -2: which, and after which Vikingfahrt."""

    which: int
    after: int


@dataclass(frozen=True, slots=True)
class Final:
    seat: Seat
    after: int


@dataclass(frozen=True, slots=True)
class Owner:
    """Who has an Achievement token."""

    token: str
    seat: Seat


@dataclass(frozen=True, slots=True)
class Score:
    """What one Jarl had when a season ended."""

    glory: int
    favour: int
    coins: int
    units: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A season that is over, with every Jarl's score."""

    year: int
    season: Season
    scores: tuple[Score, ...]


@dataclass(frozen=True, slots=True)
class State:
    seats: tuple[Seat, ...]
    options: Options
    players: tuple[Player, ...]
    stack: tuple[int | None, ...]  # Town cards in the game by level, None where not told
    sheet: Sheet = RULEBOOK
    first: Seat = Seat.A  # who has the starting token
    year: int = 1
    season: Season = Season.SUMMER  # VHAL-SET-6
    stage: Stage = Stage.FIRST
    waiting: tuple[Seat, ...] = ()  # who has yet to do what the stage asks
    mainland: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()  # Town cards known to have left the game
    heidrun: str = ""
    voyages: int = 0  # Vikingfahrten begun
    rolls: tuple[tuple[Seat, int], ...] = ()
    queue: tuple[Seat, ...] = ()  # who chooses, in order
    stays: int = 0  # how many in a row did not attack
    raids: tuple[Raid, ...] = ()  # still to be fought, in choosing order
    drawn: tuple[Held, ...] = ()  # Loot since it was shuffled last
    dues: tuple[Due, ...] = ()
    steps: tuple[Step, ...] = ()
    asks: tuple[str, ...] = ()  # paths of the sheet that are asked for
    owners: tuple[Owner, ...] = ()
    changes: tuple[Change, ...] = ()  # ahead
    changed: tuple[int, ...] = ()  # symbols that have fired
    final: Final | None = None
    winner: Seat | None = None
    notes: tuple[Note, ...] = ()
    chronicle: tuple[Mark, ...] = ()  # of every season that is over
    version: int = 5  # of the rules the game was opened under; an old log is judged as it was

    @property
    def over(self) -> bool:
        return self.stage is Stage.OVER

    @property
    def order(self) -> tuple[Seat, ...]:
        """Clockwise from the starting player (VHAL-CON-4)."""
        return (*self.seats[self.first :], *self.seats[: self.first])

    @property
    def raid(self) -> Raid | None:
        """The attack that is being loaded for or fought."""
        if self.stage is Stage.INVITE:
            return self.raids[-1]
        return self.raids[0] if self.stage is Stage.BATTLE and self.raids else None

    @property
    def phase(self) -> Phase:
        if self.over:
            return Phase.OVER
        if self.asks:
            return Phase.ASK
        if self.dues:
            return _WAITS[self.dues[0].what]
        raid = self.raid
        if raid is None or self.stage is Stage.INVITE or raid.won:
            return Phase(self.stage)
        if raid.front is None:
            return Phase.FRONT
        return Phase.BATTLE if None in (raid.attack, raid.defence) else Phase.STRIKE

    @property
    def display(self) -> Display:
        """VHAL-VAR-FAST: the back of the Favour display."""
        return self.sheet.fast if self.options.variant_fast else self.sheet.front


_WAITS = {
    Owed.DRAW: Phase.DRAW,
    Owed.READ: Phase.DRAW,
    Owed.ARRIVE: Phase.DRAW,
    Owed.STEP: Phase.DRAW,
    Owed.OPTION: Phase.OPTION,
    Owed.CURSE: Phase.CURSE,
    Owed.GIFT: Phase.DRAW,
    Owed.HURT: Phase.DRAW,
    Owed.GIVE: Phase.GIVE,
}


def rows_of(state: State, raid: Raid) -> tuple[Row, ...]:
    return state.sheet.town(raid.town).rows or ()


def force_of(raid: Raid, seat: Seat) -> Force | None:
    return next((force for force in raid.forces if force.seat is seat), None)


def boats_of(state: State, seat: Seat) -> int:
    """All the longboats of a Jarl, at home and away."""
    away = (force.boats for raid in state.raids for force in raid.forces if force.seat is seat)
    return state.players[seat].boats + sum(away)


def scored(state: State) -> tuple[Score, ...]:
    """Where everybody stands now."""
    return tuple(
        Score(player.glory, player.favour, player.coins, len(units_of(state, seat)))
        for seat, player in zip(state.seats, state.players, strict=True)
    )


def units_of(state: State, seat: Seat) -> tuple[str, ...]:
    """All the units of a Jarl, at home and away."""
    away = (
        fighter.name
        for raid in state.raids
        for force in raid.forces
        if force.seat is seat
        for fighter in force.fighters
    )
    return (*state.players[seat].units, *away)
