"""Every sentence the companion says about Valhal: objections and warnings, what happens by itself,
what the table waits for. Things have their words in `naming`, actions in `retelling`."""

from __future__ import annotations

from companion.core.notation import Seat
from companion.games.valhal.rules.codes import Code
from companion.games.valhal.rules.following import needs_answer, waited_for
from companion.games.valhal.rules.raid.battle import tableau, town_roller
from companion.games.valhal.rules.raid.mainland import first_round, room
from companion.games.valhal.rules.state import Happening, Note, Phase, State
from companion.games.valhal.rules.vocabulary import Fill, Space
from companion.games.valhal.words.chronicle import season_over
from companion.games.valhal.words.naming import WORDS, amount, piece
from companion.games.valhal.words.questions import question
from companion.views.speech import N_, Speech
from companion.views.waiting import Waiting

SENTENCES: dict[str, str] = {
    Code.GAME_OVER: N_("The game is over."),
    Code.NOT_SEATED: N_("Nobody sits at %(seat)s."),
    Code.NOT_NOW: N_("Not now: %(phase)s."),
    Code.ASKED_FIRST: N_("First look at your copy. %(path)s"),
    Code.SETTLE_FIRST: N_("First comes something for %(seat)s: %(phase)s."),
    Code.NOT_YOUR_TURN: N_("It is %(to_move)s's turn, not %(seat)s's."),
    Code.NOT_YOURS_TO_DO: N_("There is nothing here for %(seat)s to do."),
    Code.SHEET_CONTRADICTS: N_(
        "%(path)s The rulebook says %(told)s, not %(got)s. Is your copy another one?"
    ),
    Code.COUNT_DIFFERS: N_("The books have another number for %(seat)s: %(thing)s, %(have)s."),
    Code.SPECIAL_TAKEN: N_("Somebody has that Special Unit already: %(unit)s."),
    Code.LEVEL_UNKNOWN: N_("That is not known yet. %(path)s"),
    Code.LEVEL_WRONG: N_("%(town)s is of the wrong kind: %(level)s. It has to be: %(need)s."),
    Code.LEVEL_USED_UP: N_(
        "%(town)s cannot be laid as well: cards of the kind %(level)s in the game: %(most)s."
    ),
    Code.TOWN_ON_TABLE: N_("%(town)s lies on the table already."),
    Code.TOWN_OUT: N_("%(town)s has left the game."),
    Code.MAINLAND_FULL: N_("The Mainland is full; spaces: %(most)s."),
    Code.MAINLAND_SHORT: N_("Town cards are missing: %(got)s of %(need)s lie on the Mainland."),
    Code.REMOVE_COUNT: N_("Town cards that leave the game: %(need)s, not %(got)s."),
    Code.AGREED: N_("%(seat)s has agreed; take that back first."),
    Code.SPACE_TAKEN: N_("The %(space)s space of %(seat)s is taken."),
    Code.FOOD_BLOCKED: N_("%(seat)s can provide no food in %(season)s: a marker forbids it."),
    Code.NO_FOOD_STORED: N_("%(seat)s has no stored food to lay out."),
    Code.TOKEN_STAYS: N_("%(seat)s's food token on the %(space)s space stays where it is."),
    Code.NOTHING_THERE: N_("There is nothing of %(seat)s's to take back there."),
    Code.NOT_PROVIDED: N_(
        "%(seat)s pays with coins and has no food for %(season)s; empty: %(spaces)s."
    ),
    Code.CANNOT_PAY: N_("%(seat)s cannot pay that: %(thing)s needed %(need)s, there %(have)s."),
    Code.WRONG_TOKEN: N_("%(seat)s's project %(site)s takes %(need)s, not %(got)s."),
    Code.TOO_MUCH_PAID: N_("That is more than one season takes for %(seat)s's project %(site)s."),
    Code.BUILT_ALREADY: N_("%(seat)s has built that already: %(kind)s."),
    Code.SITE_TAKEN: N_("%(seat)s has no free place for another one: %(kind)s."),
    Code.NO_PROJECT: N_("%(seat)s has no such project, or no payment lies on it: %(site)s."),
    Code.NO_BLACKSMITH: N_("%(seat)s has no Blacksmith that works; upgrades need one."),
    Code.NO_UNIT_TO_UPGRADE: N_("%(seat)s has no such unit at home to upgrade: %(unit)s."),
    Code.UNIT_UNNAMED: N_("%(seat)s has to name the unit that becomes Veterans."),
    Code.UNIT_NEEDLESS: N_("Only Veterans are made from a unit; %(seat)s needs none for that."),
    Code.UNUSABLE: N_("%(seat)s cannot use that this season: %(thing)s."),
    Code.SUPPLY_EMPTY: N_("The supply has none left for %(seat)s: %(thing)s."),
    Code.AGREED_NOT: N_("%(seat)s has not agreed yet."),
    Code.NOTHING_UNDER_WAY: N_("No project is under way that could go on."),
    Code.CANNOT_GO_ON: N_("What is under way cannot be paid as it is: %(seats)s."),
    Code.SACRIFICE_PLANNED: N_("%(seat)s has planned a sacrifice for this season already."),
    Code.ALTAR_UNDER_WAY: N_("%(seat)s is building the Altar; until then nothing is sacrificed."),
    Code.ALTAR_MISSING: N_("%(seat)s has no Altar for such a sacrifice."),
    Code.RUNESTONE_CLOSED: N_("%(seat)s has an Altar; glory no longer buys Benevolence."),
    Code.LAST_SPACE: N_("No sacrifice brings %(seat)s onto the last space of favour."),
    Code.NOT_KEPT: N_("%(card)s does not lie beside %(seat)s's settlement."),
    Code.NOT_CARRIED_OUT: N_(
        "%(seat)s cannot do part %(lot)s of %(card)s: %(thing)s needed %(need)s, there %(have)s."
        " Another part can be done."
    ),
    Code.CHANGES_NOTHING: N_("%(card)s changes nothing now. Shall %(seat)s spend it all the same?"),
    Code.STACK_NOT_DUE: N_("No card of that stack is to be drawn now: %(stack)s."),
    Code.NOT_TO_GIVE: N_("The card cannot take that from %(seat)s there: %(thing)s."),
    Code.HOURGLASS: N_("%(card)s has the hourglass and is not in the fast game."),
    Code.CARD_AGAIN: N_(
        "By your sheet there are %(copies)s of %(card)s, and all have been drawn already."
        " Is this another card?"
    ),
    Code.NO_SUCH_LOT: N_("%(card)s has no part %(got)s; the last one is %(most)s."),
    Code.TOKEN_OUT: N_("That Achievement is not in play with so few: %(token)s."),
    Code.TOKEN_OWNED: N_("%(owner)s has that Achievement already: %(token)s."),
    Code.CONDITION_SEEN: N_(
        "By the books %(seat)s has not earned that Achievement yet: %(token)s."
    ),
    Code.ONE_DIE: N_("Everybody rolls one die for the choice, not %(got)s."),
    Code.NOT_A_FACE: N_("No die of your copy shows %(got)s."),
    Code.NOT_ON_MAINLAND: N_("%(town)s does not lie on the Mainland."),
    Code.HEIDRUN_TWICE: N_("%(seat)s has been at Heidrun's Teat this summer: %(town)s."),
    Code.HEIDRUN_ALONE: N_("Everybody attacks Heidrun's Teat alone; %(seat)s can invite nobody."),
    Code.UNIT_NOT_HOME: N_("%(seat)s has not so many at home: %(unit)s, %(have)s."),
    Code.BOATS_NOT_HOME: N_("%(seat)s has not these Longboats at home; there: %(have)s."),
    Code.BOAT_EMPTY: N_(
        "Every Longboat of %(seat)s needs a unit aboard: Longboats %(boats)s, units %(units)s."
    ),
    Code.BOATS_FULL: N_("%(seat)s's Longboats have room for %(room)s, not for %(units)s."),
    Code.CANNOT_INVITE: N_("%(seat)s cannot be invited."),
    Code.NO_SUCH_FIGHTER: N_("%(seat)s has no such unit in this battle: %(unit)s."),
    Code.DICE_COUNT: N_("Dice to roll: %(need)s, not %(got)s."),
    Code.DICE_LIE: N_("The round has begun; on the table: %(dice)s."),
    Code.OVERPAID: N_("%(seat)s lays more on this than it still takes: %(site)s."),
    Code.RESTS: N_("%(seat)s has not paid for this, so it rests: %(site)s."),
    Code.FOOD_GOES: N_(
        "%(seat)s builds nothing, and yet the food on the %(space)s space will be gone."
    ),
    Code.DISPLAY_FULL: N_("%(seat)s has no space for more food; the next token would be lost."),
    Code.SUPPLY_SHORT: N_("The supply has not that many: %(thing)s, %(left)s."),
    Code.NUMBER_ASKED: N_("To be asked: %(path)s"),
    Code.GLORY_FULL: N_("%(seat)s's glory is on its last space; more would be lost."),
}

NOTES: dict[Happening, str] = {
    Happening.TURNED: N_("%(seat)s turns a project: %(thing)s, now %(count)s."),
    Happening.FINISHED: N_("%(seat)s has finished: %(thing)s."),
    Happening.CLEARED: N_("%(seat)s takes %(fill)s off the %(space)s space."),
    Happening.GAINED: N_("%(seat)s gets %(amount)s."),
    Happening.LOST: N_("%(seat)s loses %(amount)s."),
    Happening.FOOD_LOST: N_("%(seat)s has no space for the food: it is lost."),
    Happening.COIN_BACK: N_("%(seat)s takes the coin back from the %(thing)s space."),
    Happening.FAVOUR: N_("%(seat)s's Raven Head moves to space %(count)s."),
    Happening.ACHIEVED: N_("%(seat)s takes an Achievement: %(thing)s."),
    Happening.RETURNED: N_("%(seat)s puts an Achievement back on Yggdrasil: %(thing)s."),
    Happening.WOUNDED: N_("%(seat)s turns a wounded unit: %(thing)s."),
    Happening.DEFEATED: N_("%(seat)s loses a defeated unit: %(thing)s."),
    Happening.ROW_DOWN: N_("Row %(count)s of %(thing)s has fallen."),
    Happening.MARKED: N_(
        "Battle tableau: enemy %(enemy)s, base attack %(base)s, front line %(front)s."
    ),
    Happening.VICTORY: N_("%(seat)s has beaten %(thing)s."),
    Happening.BEATEN_OFF: N_("%(thing)s has beaten %(seat)s off."),
    Happening.STRANDED: N_("%(seat)s has to leave %(amount)s behind."),
    Happening.RESCUED: N_("%(seat)s had nothing left to sail with; this is free."),
    Happening.TAKEN_OUT: N_("Take Town cards out of the game: %(thing)s, %(count)s."),
    Happening.FINAL_STAGE: N_("%(seat)s starts the Final Stage."),
    Happening.SEASON: N_("Year %(count)s, %(thing)s: the starting token goes to %(seat)s."),
    Happening.SHORT: N_("The supply is short: %(seat)s should get %(amount)s."),
    Happening.CONCLUDED: N_("The Vikingfahrt is over: shuffle all Town cards and all Loot back."),
    Happening.HOLED: N_("%(seat)s turns a damaged Longboat."),
    Happening.GIVEN_BACK: N_(
        "%(seat)s cannot make that step of favour any more and gets %(amount)s back."
    ),
    Happening.IDLE: N_("This changes nothing here: %(thing)s."),
    Happening.IN_VAIN: N_("%(seat)s can do no part of %(thing)s: nothing happens."),
    Happening.PUT_RIGHT: N_("Gifts of the whole game are put right for %(seat)s: %(count)s."),
    Happening.OWES: N_(
        "%(seat)s has already spent %(amount)s of the wrong gifts: agree on what is given back."
    ),
    Happening.LAID_DOWN: N_("%(seat)s lays down %(amount)s for what is under way."),
    Happening.SPARED: N_("%(seat)s has none of these, so the card takes nothing: %(thing)s."),
    Happening.WARDED: N_("%(seat)s's Granary keeps the famine off: %(thing)s."),
}


def notes(speech: Speech, state: State) -> tuple[str, ...]:
    told = tuple(note(speech, each) for each in state.notes)
    turned = any(each.what is Happening.SEASON for each in state.notes) and state.chronicle
    return (*told, season_over(speech, state.chronicle[-1])) if turned else told


def note(speech: Speech, each: Note) -> str:
    """What happened by itself, for the table to do."""
    fill, _, space = each.thing.partition(" ")
    facts: dict[str, object] = {"seat": each.seat, "count": each.count}
    if each.what is Happening.CLEARED:
        words = {"fill": Fill(fill), "space": Space(space)}
        facts |= {name: piece(speech, word) for name, word in words.items()}
    if each.what is Happening.MARKED:
        facts |= dict(zip(("enemy", "base", "front"), each.thing.split(), strict=True))
    facts["thing"] = piece(speech, each.thing)
    facts["amount"] = amount(speech, each.thing, each.count)
    return speech.say(_note_sentence(each), **facts)


def _note_sentence(each: Note) -> str:
    match each.what:
        case Happening.LOST if each.thing not in WORDS:  # a card that has been used
            return N_("%(seat)s puts this card under its stack: %(thing)s.")
        case Happening.FINAL_STAGE if each.thing:
            return N_("%(seat)s starts the Final Stage and places this: %(thing)s.")
        case Happening.TAKEN_OUT if not each.count:
            return N_("Take all Town cards of this kind out of the game: %(thing)s.")
        case _:
            return NOTES[each.what]


WAITING: dict[Phase, str] = {
    Phase.FIRST: N_("Set up the settlements. Who gets the starting token?"),
    Phase.SPECIALS: N_("Choose a Special Unit each: %(seats)s."),
    Phase.LAYING: N_("Lay Town cards on the Mainland, from the marked space on."),
    Phase.EVENT: N_("A new season, %(season)s: %(seats)s reads an Event card."),
    Phase.ROLL: N_("Vikingfahrt! One die each: %(seats)s."),
    Phase.CHOOSE: N_("%(seats)s chooses a Town card and loads, or stays at home."),
    Phase.INVITE: N_("A joint attack: join or decline? %(seats)s."),
    Phase.FRONT: N_("%(seats)s chooses the front-line unit."),
    Phase.BATTLE: N_("Battle: roll the dice."),
    Phase.STRIKE: N_("The dice lie: use a card now, or let them count."),
    Phase.HEIDRUN: N_("%(seats)s chooses the card for Heidrun's Teat."),
    Phase.REMOVAL: N_("%(seats)s chooses the Town cards that leave the game."),
    Phase.COMMISSION: N_("Build, recruit, sacrifice, lay out food; then agree: %(seats)s."),
    Phase.CONSTRUCTION: N_("Construction is under way."),
    Phase.ASK: N_("Look at your copy. %(questions)s"),
    Phase.DRAW: N_("%(seats)s draws a card: %(stack)s."),
    Phase.OPTION: N_("%(seats)s chooses one part of %(card)s."),
    Phase.CURSE: N_("%(seats)s names who draws a Wrath card."),
    Phase.GIVE: N_("%(seats)s chooses what the card takes: %(thing)s."),
    Phase.OVER: N_("The game is over."),
}


def waiting(speech: Speech, state: State) -> Waiting:
    """What the table waits for."""
    phase = state.phase
    if phase is Phase.BATTLE:
        return _dice(speech, state)
    seats = waited_for(state)
    if phase is Phase.LAYING:
        sentence = _laying(speech, state)
    elif phase is Phase.ASK:
        asked = " ".join(question(speech, path) for path in state.asks)
        sentence = speech.say(WAITING[phase], questions=asked)
    else:
        due = state.dues[0] if state.dues else None
        sentence = speech.say(
            _joint(phase, seats),
            seats=seats,
            season=piece(speech, state.season),
            stack="" if due is None else piece(speech, due.stack),
            card="" if due is None else due.card,
            thing="" if due is None else piece(speech, due.thing),
        )
    return Waiting(sentence, seats[0] if len(seats) == 1 else None, urgent=needs_answer(state))


def _joint(phase: Phase, seats: tuple[Seat, ...]) -> str:
    """VHAL-JOIN-3: who draws which Loot card they have agreed on."""
    if phase is Phase.DRAW and len(seats) > 1:
        return N_("As agreed, one of them draws a card, %(stack)s: %(seats)s.")
    return WAITING[phase]


def _laying(speech: Speech, state: State) -> str:
    most = room(state)
    if most is None:
        sentence = N_("Lay Villages on the Mainland, from the marked space on.")
        return speech.say(sentence if first_round(state) else WAITING[Phase.LAYING])
    villages = N_("Lay Villages on the Mainland: %(got)s of %(most)s lie there.")
    any_card = N_("Lay Town cards on the Mainland: %(got)s of %(most)s lie there.")
    sentence = villages if first_round(state) else any_card
    return speech.say(sentence, got=len(state.mainland), most=most)


def _dice(speech: Speech, state: State) -> Waiting:
    """Who still has to roll how many dice."""
    raid, marks = state.raid, tableau(state)
    if raid is None or marks is None:
        return Waiting(speech.say(WAITING[Phase.BATTLE]))
    seat, roller = raid.seats[0], town_roller(state)
    if raid.attack is None and raid.defence is None:
        sentence = N_(
            "Battle for %(town)s: dice for %(seat)s %(dice)s, for the town %(town_dice)s,"
            " rolled by %(roller)s."
        )
    elif raid.attack is None:
        sentence = N_("Battle for %(town)s: dice for %(seat)s %(dice)s.")
    else:
        sentence = N_("Battle for %(town)s: dice for the town %(town_dice)s, rolled by %(roller)s.")
        seat = seat if roller is None else roller
    said = speech.say(
        sentence,
        town=raid.town,
        seat=raid.seats[0],
        dice=marks.dice,
        town_dice=marks.town_dice,
        roller=speech.say(N_("anybody who likes")) if roller is None else roller,
    )
    return Waiting(said, seat)
