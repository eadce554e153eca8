"""What can be said at a table of Valhal, and the one line it is written in.

first A                               A gets the starting token
A takes berserkir                     a Special Unit, or the first Warriors: A takes warriors
lay v1                                a Town card on the Mainland; lay v1 village: a new one;
                                      lay v1 v2 new 3 village laid: several, three of them
                                      new, and those were all
laid                                  that was the last one
event e12                             the season's Event card; event e13 says coins-1: a new one
A rolls 5                             the choice roll; rolls 5 2 3: of everybody who has to
A attacks v1 with warriors veterans on 1 inviting B     two units on one longboat; on 1+1: one
B joins with warriors on 1            sound, one damaged
B declines                            and: A stays, who does not attack now
A fronts veterans                     the front-line unit; A fronts warriors of B in a joint attack
A rolls 3 5                           the attackers' dice; town rolls 2 6: the town's; or both:
                                      A rolls 3 5 against 2 6; with `strike` they count
strike                                the dice count; asked only while a card could change them
A retreats                            before a battle round
A draws b7                            a Loot, Benevolence or Wrath card; says coins+2: a new one
A draws larger r2                     of several stacks not the first one
A chooses 2                           the second lot of a card
A gives warriors at v1                what a card takes, where there are several; at home: no place
A curses B                            B draws the Wrath card of A's sacrifice
heidrun v3                            this card is laid beside the Mainland for good
A removes v1 v2                       where the starting player chooses the cards of a change
A builds longboat with coin wood      a new project; A builds veterans from warriors with iron
A pays longboat-2 with coin           for a running one
A continues                           pays for all that is under way; continue: everybody does
A withdraws longboat                  the payment, or a project commissioned just now; or: sacrifice
A feeds winter-1                      a coin on the food display; A feeds summer food: stored food
A unfeeds winter-1                    the coin comes off
A sacrifices coins for benevolence    or: glory for benevolence, coins for wrath, glory for favour
A agrees                              agree: everybody does; A disagrees: not yet after all
A uses b7                             a card "when activated"
A achieves fourth                     an Achievement whose condition the books cannot see
A resolves coins+2 food-1             what a card says in words, done by hand
A has coins 5                         sets the books right; `corrections` has all there is
sheet town.v1.rows 2/8/2 1/8/2        an entry of the owner's sheet
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from companion.core.notation import Seat
from companion.games.valhal.rules.state import Offer
from companion.games.valhal.rules.vocabulary import Effect, Kind, Level, Pay, Space, Stack


@dataclass(frozen=True, slots=True)
class First:
    seat: Seat

    def __str__(self) -> str:
        return f"first {self.seat}"


@dataclass(frozen=True, slots=True)
class Take:
    seat: Seat
    unit: str

    def __str__(self) -> str:
        return f"{self.seat} takes {self.unit}"


@dataclass(frozen=True, slots=True)
class Lay:
    """`level` names a card that was not seen before."""

    town: str
    level: Level | None = None

    def __str__(self) -> str:
        return f"lay {self.town}" + ("" if self.level is None else f" {self.level}")


@dataclass(frozen=True, slots=True)
class LayOut:
    """Town cards one after the other; of `new` ones so many of a kind, which get their names by
    themselves; `last`: those were all."""

    cards: tuple[tuple[str, Level | None], ...]
    new: tuple[tuple[Level, int], ...] = ()
    last: bool = False

    def __str__(self) -> str:
        named = [town if level is None else f"{town} {level}" for town, level in self.cards]
        named += [f"new {count} {level}" for level, count in self.new]
        return " ".join(("lay", *named, *(("laid",) if self.last else ())))


@dataclass(frozen=True, slots=True)
class ChoiceRolls:
    """Everybody's die for the choice, in the order in which they are waited for."""

    dice: tuple[int, ...]

    def __str__(self) -> str:
        return f"rolls {' '.join(map(str, self.dice))}"


@dataclass(frozen=True, slots=True)
class Laid:
    def __str__(self) -> str:
        return "laid"


@dataclass(frozen=True, slots=True)
class Event:
    """`says` is what the sheet does not know of the card yet, in the words of the sheet."""

    card: str
    says: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"event {self.card}{_said(self.says)}"


@dataclass(frozen=True, slots=True)
class Roll:
    """One die for the choice, all dice of the attackers in a battle; there with the town's too, and
    whether they count at once: then nobody changes them any more."""

    seat: Seat
    dice: tuple[int, ...]
    against: tuple[int, ...] = ()
    counts: bool = False

    def __str__(self) -> str:
        town = f" against {_numbers(self.against)}" if self.against else ""
        strike = " strike" if self.counts else ""
        return f"{self.seat} rolls {_numbers(self.dice)}{town}{strike}"


@dataclass(frozen=True, slots=True)
class Boats:
    sound: int
    damaged: int = 0

    @property
    def count(self) -> int:
        return self.sound + self.damaged

    @property
    def room(self) -> int:
        """VHAL-VF-4: two units, one on a damaged longboat."""
        return 2 * self.sound + self.damaged

    def __str__(self) -> str:
        return f"{self.sound}+{self.damaged}" if self.damaged else str(self.sound)


@dataclass(frozen=True, slots=True)
class Attack:
    seat: Seat
    town: str
    units: tuple[str, ...]
    boats: Boats
    invites: tuple[Seat, ...] = ()

    def __str__(self) -> str:
        inviting = "".join(f" {seat}" for seat in self.invites)
        aboard = f"with {' '.join(self.units)} on {self.boats}"
        return f"{self.seat} attacks {self.town} {aboard}" + (inviting and f" inviting{inviting}")


@dataclass(frozen=True, slots=True)
class Join:
    seat: Seat
    units: tuple[str, ...]
    boats: Boats

    def __str__(self) -> str:
        return f"{self.seat} joins with {' '.join(self.units)} on {self.boats}"


@dataclass(frozen=True, slots=True)
class Decline:
    seat: Seat

    def __str__(self) -> str:
        return f"{self.seat} declines"


@dataclass(frozen=True, slots=True)
class Stay:
    seat: Seat

    def __str__(self) -> str:
        return f"{self.seat} stays"


@dataclass(frozen=True, slots=True)
class FrontLine:
    """`owner` is another Jarl in a joint attack."""

    seat: Seat
    unit: str
    owner: Seat | None = None

    def __str__(self) -> str:
        whose = "" if self.owner is None else f" of {self.owner}"
        return f"{self.seat} fronts {self.unit}{whose}"


@dataclass(frozen=True, slots=True)
class TownRoll:
    dice: tuple[int, ...]

    def __str__(self) -> str:
        return f"town rolls {_numbers(self.dice)}"


@dataclass(frozen=True, slots=True)
class Strike:
    def __str__(self) -> str:
        return "strike"


@dataclass(frozen=True, slots=True)
class Retreat:
    seat: Seat

    def __str__(self) -> str:
        return f"{self.seat} retreats"


@dataclass(frozen=True, slots=True)
class Draw:
    """`stack` is named where several are due and another one than the first is meant."""

    seat: Seat
    card: str
    stack: Stack | None = None
    says: tuple[str, ...] = ()

    def __str__(self) -> str:
        stack = "" if self.stack is None else f"{self.stack} "
        return f"{self.seat} draws {stack}{self.card}{_said(self.says)}"


@dataclass(frozen=True, slots=True)
class Choose:
    seat: Seat
    lot: int

    def __str__(self) -> str:
        return f"{self.seat} chooses {self.lot}"


@dataclass(frozen=True, slots=True)
class Curse:
    seat: Seat
    target: Seat

    def __str__(self) -> str:
        return f"{self.seat} curses {self.target}"


@dataclass(frozen=True, slots=True)
class Give:
    """`at` is a Town card, or nothing for what is at home."""

    seat: Seat
    thing: str
    at: str = ""

    def __str__(self) -> str:
        return f"{self.seat} gives {self.thing}" + (f" at {self.at}" if self.at else "")


@dataclass(frozen=True, slots=True)
class Heidrun:
    town: str

    def __str__(self) -> str:
        return f"heidrun {self.town}"


@dataclass(frozen=True, slots=True)
class Remove:
    seat: Seat
    towns: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.seat} removes {' '.join(self.towns)}"


@dataclass(frozen=True, slots=True)
class Build:
    seat: Seat
    kind: Kind
    pay: tuple[Pay, ...]
    given: str = ""  # the unit that becomes Veterans

    def __str__(self) -> str:
        given = f" from {self.given}" if self.given else ""
        return f"{self.seat} builds {self.kind}{given} with {' '.join(self.pay)}"


@dataclass(frozen=True, slots=True)
class PayFor:
    seat: Seat
    site: str
    pay: tuple[Pay, ...]

    def __str__(self) -> str:
        return f"{self.seat} pays {self.site} with {' '.join(self.pay)}"


@dataclass(frozen=True, slots=True)
class Continue:
    """Go on as planned: whatever is under way is paid for, and the food it needs laid out. Without
    a seat: every Jarl who can."""

    seat: Seat | None = None

    def __str__(self) -> str:
        return "continue" if self.seat is None else f"{self.seat} continues"


@dataclass(frozen=True, slots=True)
class Withdraw:
    seat: Seat
    site: str

    def __str__(self) -> str:
        return f"{self.seat} withdraws {self.site}"


@dataclass(frozen=True, slots=True)
class Feed:
    seat: Seat
    space: Space
    larder: bool = False

    def __str__(self) -> str:
        return f"{self.seat} feeds {self.space}{' food' if self.larder else ''}"


@dataclass(frozen=True, slots=True)
class Unfeed:
    seat: Seat
    space: Space

    def __str__(self) -> str:
        return f"{self.seat} unfeeds {self.space}"


@dataclass(frozen=True, slots=True)
class Offering:
    seat: Seat
    offer: Offer

    def __str__(self) -> str:
        return f"{self.seat} sacrifices {self.offer}"


@dataclass(frozen=True, slots=True)
class Agree:
    """One Jarl agrees; or, without a seat, all do."""

    seat: Seat | None = None

    def __str__(self) -> str:
        return "agree" if self.seat is None else f"{self.seat} agrees"


@dataclass(frozen=True, slots=True)
class Disagree:
    seat: Seat

    def __str__(self) -> str:
        return f"{self.seat} disagrees"


@dataclass(frozen=True, slots=True)
class Use:
    seat: Seat
    card: str

    def __str__(self) -> str:
        return f"{self.seat} uses {self.card}"


@dataclass(frozen=True, slots=True)
class Achieve:
    seat: Seat
    token: str

    def __str__(self) -> str:
        return f"{self.seat} achieves {self.token}"


@dataclass(frozen=True, slots=True)
class Resolve:
    seat: Seat
    effects: tuple[Effect, ...]

    def __str__(self) -> str:
        return f"{self.seat} resolves {' '.join(str(each) for each in self.effects)}"


@dataclass(frozen=True, slots=True)
class Has:
    seat: Seat
    thing: str
    count: int

    def __str__(self) -> str:
        return f"{self.seat} has {self.thing} {self.count}"


@dataclass(frozen=True, slots=True)
class Entry:
    """Of the owner's sheet."""

    path: str
    value: tuple[str, ...]

    def __str__(self) -> str:
        return f"sheet {self.path} {' '.join(self.value)}"


OWNED = ("coins", "iron", "wood", "glory", "favour", "warriors", "veterans", "longboats", "damaged")

Opening: TypeAlias = First | Take | Lay | LayOut | Laid | Event
Sailing: TypeAlias = Attack | Join | Decline | Stay
Fighting: TypeAlias = Roll | ChoiceRolls | FrontLine | TownRoll | Strike | Retreat
Reading: TypeAlias = Draw | Choose | Curse | Give | Heidrun | Remove
Planning: TypeAlias = Build | PayFor | Continue | Withdraw | Feed | Unfeed | Offering
Commissioning: TypeAlias = Planning | Agree | Disagree
Aside: TypeAlias = Use | Achieve | Resolve | Has | Entry  # at any time
Action: TypeAlias = Opening | Sailing | Fighting | Reading | Commissioning | Aside


def format(action: Action) -> str:  # noqa: A001 - the pair of parse
    return str(action)


def _said(says: tuple[str, ...]) -> str:
    return f" says {' '.join(says)}" if says else ""


def _numbers(dice: tuple[int, ...]) -> str:
    return " ".join(str(each) for each in dice)
