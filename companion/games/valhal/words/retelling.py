"""Every action of Valhal in a sentence, for the history and the voice."""

from __future__ import annotations

from companion.games.valhal.rules.notation.actions import (
    Achieve,
    Action,
    Agree,
    Aside,
    Attack,
    Build,
    ChoiceRolls,
    Choose,
    Commissioning,
    Continue,
    Curse,
    Decline,
    Disagree,
    Draw,
    Entry,
    Event,
    Feed,
    Fighting,
    First,
    FrontLine,
    Give,
    Has,
    Heidrun,
    Join,
    Laid,
    Lay,
    LayOut,
    Offering,
    Opening,
    PayFor,
    Reading,
    Remove,
    Resolve,
    Retreat,
    Roll,
    Sailing,
    Stay,
    Strike,
    Take,
    TownRoll,
    Unfeed,
    Use,
    Withdraw,
)
from companion.games.valhal.rules.state import State
from companion.games.valhal.words.chronicle import season_over
from companion.games.valhal.words.naming import piece, pieces
from companion.views.speech import N_, Speech
from companion.views.words import Done, Spoken


def retell(speech: Speech, action: Action) -> str:
    """An action in a sentence."""
    match action:
        case First() | Take() | Lay() | LayOut() | Laid() | Event():
            return _opening(speech, action)
        case Attack() | Join() | Decline() | Stay():
            return _sailing(speech, action)
        case Roll() | ChoiceRolls() | FrontLine() | TownRoll() | Strike() | Retreat():
            return _fighting(speech, action)
        case Draw() | Choose() | Curse() | Give() | Heidrun() | Remove():
            return _reading(speech, action)
        case Use() | Achieve() | Resolve() | Has() | Entry():
            return _aside(speech, action)
        case _:
            return _commissioning(speech, action)


def spoken(speech: Speech, done: Done[State, Action]) -> Spoken:
    """As in the history, without the owner's sheet; and aloud how everybody stands when a season
    is over."""
    sentence = "" if isinstance(done.action, Entry) else retell(speech, done.action)
    ended = done.after.chronicle[len(done.before.chronicle) :]
    return Spoken(sentence, summary=" ".join(season_over(speech, each) for each in ended))


def _opening(speech: Speech, action: Opening) -> str:
    match action:
        case First(seat):
            return speech.say(N_("%(seat)s gets the starting token."), seat=seat)
        case Take(seat, unit):
            return speech.say(N_("%(seat)s takes %(card)s."), seat=seat, card=piece(speech, unit))
        case Lay(town, None):
            return speech.say(N_("On the Mainland: %(town)s."), town=town)
        case Lay(town, level):
            return speech.say(
                N_("On the Mainland, seen for the first time: %(town)s, %(level)s."),
                town=town,
                level=level,
            )
        case LayOut():
            return _layout(speech, action)
        case Laid():
            return speech.say(N_("The Mainland is laid."))
        case Event(card, _):
            return speech.say(N_("The Event of the season: %(card)s."), card=card)


def _layout(speech: Speech, action: LayOut) -> str:
    seen = N_("%(count)s × %(level)s seen for the first time")
    new = tuple(speech.say(seen, count=count, level=level) for level, count in action.new)
    towns = (*(town for town, _ in action.cards), *new)
    return speech.say(N_("On the Mainland: %(towns)s."), towns=towns)


def _sailing(speech: Speech, action: Sailing) -> str:
    match action:
        case Attack():
            return _attack(speech, action)
        case Join(seat, units, boats):
            return speech.say(
                N_("%(seat)s joins with %(units)s on %(boats)s."),
                seat=seat,
                units=pieces(speech, units),
                boats=piece(speech, boats),
            )
        case Decline(seat):
            return speech.say(N_("%(seat)s does not join."), seat=seat)
        case Stay(seat):
            return speech.say(N_("%(seat)s does not attack now."), seat=seat)


def _attack(speech: Speech, action: Attack) -> str:
    alone = N_("%(seat)s attacks %(town)s with %(units)s on %(boats)s.")
    joint = N_("%(seat)s attacks %(town)s with %(units)s on %(boats)s and invites %(seats)s.")
    return speech.say(
        joint if action.invites else alone,
        seat=action.seat,
        town=action.town,
        units=pieces(speech, action.units),
        boats=piece(speech, action.boats),
        seats=action.invites,
    )


def _fighting(speech: Speech, action: Fighting) -> str:
    match action:
        case Roll(seat, dice, ()):
            return speech.say(N_("%(seat)s rolls %(dice)s."), seat=seat, dice=dice)
        case Roll(seat, dice, against):
            both = N_("%(seat)s rolls %(dice)s, the town %(against)s.")
            return speech.say(both, seat=seat, dice=dice, against=against)
        case ChoiceRolls(dice):
            return speech.say(N_("For the choice: %(dice)s."), dice=dice)
        case FrontLine():
            return _front(speech, action)
        case TownRoll(dice):
            return speech.say(N_("The town rolls %(dice)s."), dice=dice)
        case Strike():
            return speech.say(N_("The dice count."))
        case Retreat(seat):
            return speech.say(N_("%(seat)s retreats."), seat=seat)


def _front(speech: Speech, action: FrontLine) -> str:
    own = N_("%(seat)s sends %(unit)s to the front line.")
    others = N_("%(seat)s sends %(unit)s of %(owner)s to the front line.")
    return speech.say(
        own if action.owner is None else others,
        seat=action.seat,
        unit=piece(speech, action.unit),
        owner=action.owner,
    )


def _reading(speech: Speech, action: Reading) -> str:
    match action:
        case Draw(seat, card, _, _):
            return speech.say(N_("%(seat)s draws %(card)s."), seat=seat, card=card)
        case Choose(seat, lot):
            return speech.say(N_("%(seat)s chooses part %(lot)s of the card."), seat=seat, lot=lot)
        case Curse(seat, target):
            return speech.say(
                N_("%(seat)s lets %(target)s draw a Wrath card."), seat=seat, target=target
            )
        case Give(seat, thing, at):
            home = N_("%(seat)s gives this, at home: %(thing)s.")
            away = N_("%(seat)s gives this, at %(town)s: %(thing)s.")
            return speech.say(away if at else home, seat=seat, town=at, thing=piece(speech, thing))
        case Heidrun(town):
            return speech.say(N_("Heidrun's Teat from now on: %(town)s."), town=town)
        case Remove(seat, towns):
            return speech.say(
                N_("%(seat)s takes %(towns)s out of the game."), seat=seat, towns=towns
            )


def _commissioning(speech: Speech, action: Commissioning) -> str:
    match action:
        case Build() | PayFor() | Withdraw():
            return _project(speech, action)
        case Feed() | Unfeed():
            return _food(speech, action)
        case Offering(seat, offer):
            return speech.say(
                N_("%(seat)s plans a sacrifice: %(offer)s."), seat=seat, offer=piece(speech, offer)
            )
        case Continue() | Agree() | Disagree():
            return _settled(speech, action)


def _settled(speech: Speech, action: Continue | Agree | Disagree) -> str:
    match action:
        case Continue(None):
            return speech.say(N_("Everybody goes on as planned."))
        case Continue(seat):
            return speech.say(N_("%(seat)s goes on as planned."), seat=seat)
        case Agree(None):
            return speech.say(N_("Everybody agrees."))
        case Agree(seat):
            return speech.say(N_("%(seat)s agrees."), seat=seat)
        case Disagree(seat):
            return speech.say(N_("%(seat)s does not agree after all."), seat=seat)


def _project(speech: Speech, action: Build | PayFor | Withdraw) -> str:
    match action:
        case Build(seat, kind, pay, given):
            new = N_("%(seat)s commissions %(kind)s and pays %(pay)s.")
            better = N_("%(seat)s commissions %(kind)s for %(unit)s and pays %(pay)s.")
            return speech.say(
                better if given else new,
                seat=seat,
                kind=piece(speech, kind),
                pay=pieces(speech, pay),
                unit=piece(speech, given),
            )
        case PayFor(seat, site, pay):
            return speech.say(
                N_("%(seat)s pays %(pay)s for a project: %(site)s."),
                seat=seat,
                site=piece(speech, site),
                pay=pieces(speech, pay),
            )
        case Withdraw(seat, site):
            return speech.say(
                N_("%(seat)s takes this back: %(site)s."), seat=seat, site=piece(speech, site)
            )


def _food(speech: Speech, action: Feed | Unfeed) -> str:
    stored = N_("%(seat)s lays stored food on the %(space)s space.")
    coin = N_("%(seat)s lays a coin on the %(space)s space.")
    off = N_("%(seat)s takes the coin off the %(space)s space.")
    sentence = off
    if isinstance(action, Feed):
        sentence = stored if action.larder else coin
    return speech.say(sentence, seat=action.seat, space=piece(speech, action.space))


def _aside(speech: Speech, action: Aside) -> str:
    match action:
        case Use(seat, card):
            return speech.say(N_("%(seat)s uses %(card)s."), seat=seat, card=card)
        case Achieve(seat, token):
            return speech.say(
                N_("%(seat)s takes an Achievement: %(thing)s."),
                seat=seat,
                thing=piece(speech, token),
            )
        case Resolve(seat, effects):
            return speech.say(
                N_("By hand: %(seat)s %(effects)s."), seat=seat, effects=pieces(speech, effects)
            )
        case Has(seat, thing, count):
            return speech.say(
                N_("Put right: %(seat)s has %(thing)s, %(count)s."),
                seat=seat,
                thing=piece(speech, thing),
                count=count,
            )
        case Entry(path, value):
            return speech.say(
                N_("On the sheet of this copy: %(path)s %(value)s."),
                path=path,
                value=" ".join(value),
            )
