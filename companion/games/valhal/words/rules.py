"""The rules of Valhal in short, the readings of what the rulebook leaves open, and the words for
every option."""

from __future__ import annotations

from companion.views.speech import N_

_SETTING_UP: dict[str, str] = {
    "VHAL-SET-1": N_("Everybody starts with 3 coins, 3 food, 2 iron and a Sacrifice token."),
    "VHAL-SET-2": N_("A food token lies on the summer space from the start."),
    "VHAL-SET-3": N_("Everybody starts with Nordic Warriors, or a Special Unit, and a Longboat."),
    "VHAL-SET-4": N_("Whatever nobody owns is the common supply."),
    "VHAL-SET-5": N_("How many Town cards are used depends on the players; Villages come first."),
    "VHAL-SET-6": N_("The first season is a summer."),
    "VHAL-SET-7": N_("The other cards are sorted by their backs and shuffled."),
    "VHAL-SET-8": N_("Raven Head and glory marker start on their first spaces."),
    "VHAL-SET-9": N_(
        "Achievements marked II are always in play, III from three players, IV at four."
    ),
    "VHAL-SET-10": N_("Somebody is chosen to start and gets the token."),
}

_SEASONS: dict[str, str] = {
    "VHAL-SEA-1": N_("A year is summer, winter and spring, with one turn each."),
    "VHAL-SEA-2": N_("A Vikingfahrt is made in summer only."),
    "VHAL-SEA-3": N_("Every season but the very first opens with an Event that hits everybody."),
    "VHAL-SEA-4": N_("Event, in summer Vikingfahrt, commission, construction, end of turn."),
    "VHAL-SEA-5": N_("At the end of a turn token and season move on, and everybody gets a gift."),
    "VHAL-SEA-6": N_("What is promised for a later season waits on the season display."),
    "VHAL-FOOD-1": N_("Who builds or recruits with coins needs food, once for the whole season."),
    "VHAL-FOOD-2": N_("A food token or a coin on the season's space is food enough."),
    "VHAL-FOOD-3": N_("In winter both winter spaces have to be filled."),
    "VHAL-FOOD-4": N_("Until construction coins go on and off freely; food tokens stay."),
    "VHAL-FOOD-5": N_(
        "New food goes onto the next free space, clockwise; with none free it is lost."
    ),
    "VHAL-FOOD-6": N_("In construction the season's food comes off, used or not."),
    "VHAL-FOOD-7": N_("Nobody has to provide food."),
    "VHAL-FOOD-8": N_("A Granary fills the lower winter space for good and wards off a famine."),
    "VHAL-FOOD-9": N_("Where a marker forbids food, none can be provided that season."),
}

_BUILDING: dict[str, str] = {
    "VHAL-COM-1": N_("A new project lies back up, highest number on top, with its first payment."),
    "VHAL-COM-2": N_("The highest number says how many seasons and coins it takes."),
    "VHAL-COM-3": N_("All commission at the same time; several projects, but one of each kind."),
    "VHAL-COM-4": N_("A running project goes on only in seasons in which it is paid for."),
    "VHAL-CON-1": N_("For each payment a project is turned to the next lower number."),
    "VHAL-CON-2": N_("Paid for at 1 it is finished and can be used at once."),
    "VHAL-CON-3": N_("Once all agree nothing can be changed any more."),
    "VHAL-CON-4": N_("Construction begins with the starting player and goes clockwise."),
    "VHAL-BT-1": N_("A matching token can take the place of the coin and needs no food."),
    "VHAL-BT-2": N_("Coin and token together turn a project twice in a season."),
    "VHAL-BT-3": N_("Iron is for Warriors and upgrades, wood for buildings and Longboats."),
    "VHAL-BT-4": N_("Coins on other projects need their food all the same."),
    "VHAL-BLD-WARE": N_("Warehouse: start at the saw; two Warriors and two Longboats at a time."),
    "VHAL-BLD-SMITH": N_("Blacksmith: Warriors start at the anvil and can become Veterans."),
    "VHAL-BLD-GRAN": N_("Granary: one winter space is provided for, for good."),
    "VHAL-BLD-ALTAR": N_("Altar: three other sacrifices; none while it is being built."),
    "VHAL-SAC-1": N_("A Jarl plans one sacrifice at most and makes it in construction."),
    "VHAL-SAC-2": N_("Runestone: a coin for a Benevolence card."),
    "VHAL-SAC-3": N_("Runestone: 2 glory for a Benevolence card."),
    "VHAL-SAC-4": N_("Altar: 2 coins for a Benevolence card."),
    "VHAL-SAC-5": N_("Altar: 2 coins, and somebody you name draws a Wrath card."),
    "VHAL-SAC-6": N_("Altar: 7 glory for a step of favour, but never the last one."),
    "VHAL-SAC-7": N_("Who has an Altar cannot give 2 glory for Benevolence any more."),
    "VHAL-SAC-8": N_("Glory for a step that cannot be made any more is given back."),
}

_FAVOUR: dict[str, str] = {
    "VHAL-FAV-1": N_("Favour moves the Raven Head; the first on the last space wins at once."),
    "VHAL-FAV-2": N_("Favour comes from the better Loot, Achievements, sacrifices and cards."),
    "VHAL-FAV-3": N_("Who comes to a Wrath symbol draws a Wrath card at once."),
    "VHAL-FAV-4": N_("Six steps win, five in the fast game."),
    "VHAL-FAV-5": N_("A move of several steps comes to every space on its way."),
    "VHAL-CHG-1": N_("Once all have reached the first change, some Villages leave the game."),
    "VHAL-CHG-2": N_("At the second change Fortified Villages go, and every Village that is left."),
    "VHAL-GLO-1": N_("Glory comes from loot and cards and is spent on sacrifices."),
    "VHAL-ACH-1": N_("The first to earn an Achievement keeps it and moves one step of favour."),
    "VHAL-ACH-2": N_("One Achievement is for three Longboats."),
    "VHAL-ACH-3": N_("One Achievement is for beating two Town cards in one Vikingfahrt."),
    "VHAL-ACH-4": N_("One Achievement is for three kept Benevolence cards; who has more takes it."),
    "VHAL-ACH-5": N_("What the other Achievements ask for stands on Yggdrasil."),
    "VHAL-FIN-1": N_("One step before the last and with 7 glory a Jarl starts the Final Stage."),
    "VHAL-FIN-2": N_("Until the next Vikingfahrt is over anybody can still win by favour."),
    "VHAL-FIN-3": N_("Otherwise whoever started the Final Stage wins then."),
}

_SAILING: dict[str, str] = {
    "VHAL-VF-1": N_("Everybody rolls a die; the highest chooses first, then clockwise."),
    "VHAL-VF-2": N_("Choose a Town card and load units on Longboats, or stay at home."),
    "VHAL-VF-3": N_("It goes round until nobody wants to attack or nothing is left to attack."),
    "VHAL-VF-4": N_("A Longboat carries one or two units, a damaged one just one."),
    "VHAL-VF-5": N_("Battles are fought in the order of choosing, each looted at once."),
    "VHAL-JOIN-1": N_("Others may be invited; who joins loads at once and has chosen with that."),
    "VHAL-JOIN-2": N_("In a joint attack all strength adds up behind one front-line unit."),
    "VHAL-JOIN-3": N_("Each gets the full glory; who gets which Loot is agreed before."),
    "VHAL-BAT-1": N_("The tableau shows the row's hit points, base attack and the front line."),
    "VHAL-BAT-2": N_(
        "Both roll and add their base attack; the Jarl to the left rolls for the town."
    ),
    "VHAL-BAT-3": N_("The higher result wins the round; the loser loses the difference."),
    "VHAL-BAT-4": N_("Only the front-line unit is hit; what is left over hits the next one."),
    "VHAL-BAT-5": N_("A unit is first wounded and turned, then defeated and discarded."),
    "VHAL-BAT-6": N_("Wounds and losses lower the base attack."),
    "VHAL-BAT-7": N_("Rows fall one by one; surplus damage is lost between them."),
    "VHAL-BAT-8": N_("A row with the special symbol falls by itself after one round."),
    "VHAL-BAT-9": N_("Special abilities of towns work as printed."),
    "VHAL-BAT-10": N_("Retreat is possible only before a new round."),
    "VHAL-BAT-11": N_("Who loses a unit in battle gets something for it."),
    "VHAL-BAT-12": N_("A Longboat that nobody can bring home is left behind."),
    "VHAL-BAT-13": N_("Without any unit and Longboat you get one of each for nothing."),
    "VHAL-BAT-14": N_("A Longboat has two hit points; after the first it is turned."),
    "VHAL-BAT-15": N_("Cards and abilities change a round or a battle, on either side."),
    "VHAL-LOOT-1": N_("Victory brings glory first, then the Loot cards one by one."),
    "VHAL-LOOT-2": N_("The symbols at the foot of a Loot card say what is taken."),
    "VHAL-CONC-1": N_(
        "After all battles everything goes home whole and the Mainland is laid anew."
    ),
}

_CARDS: dict[str, str] = {
    "VHAL-CARD-1": N_("Cards are read out and done; all but Events hit only who drew them."),
    "VHAL-CARD-2": N_("What is printed on a card goes before the rulebook."),
    "VHAL-CARD-3": N_("Cards to be activated are kept and used once, at any time."),
    "VHAL-CARD-4": N_("Where a card has parts with a line between them, one is chosen."),
    "VHAL-CARD-5": N_("What has an Unusable marker is out of use for that season."),
    "VHAL-CARD-6": N_("A card reaches all that a Jarl has, at a Town too; the Jarl chooses which."),
    "VHAL-CARD-7": N_("A part that cannot be done is not chosen while another can be done."),
    "VHAL-CARD-8": N_("A kept card that would change nothing is asked about before it is spent."),
    "VHAL-VAR-FAST": N_("Fast game: no hourglass cards, the back of the display, fewer steps."),
    "VHAL-VAR-HEID": N_("Heidrun's Teat: one Town card everybody may attack once each summer."),
    "VHAL-VAR-SPEC": N_("Special Units replace the first Warriors and count as such."),
    "VHAL-VAR-MIX": N_("The variants go together in any way."),
}

RULES: dict[str, str] = _SETTING_UP | _SEASONS | _BUILDING | _FAVOUR | _SAILING | _CARDS

EXAMPLES: dict[str, str] = {
    "VHAL-FOOD-1": N_(
        "Ann lays coins on a Granary and a Longboat this season: one provision is for both."
    ),
    "VHAL-FOOD-2": N_("It is spring: a coin on the spring space will do as food."),
    "VHAL-FOOD-3": N_(
        "It is winter, and one food token lies there: a second one or a coin is missing."
    ),
    "VHAL-COM-4": N_(
        "Ann's Warehouse shows 2 and nothing is paid this season: it still shows 2 in the next."
    ),
    "VHAL-CON-3": N_("All have agreed when Ben sees a free coin: it waits for the next season."),
    "VHAL-BT-3": N_("Wood moves Ann's Longboat on; Warriors take iron instead."),
    "VHAL-VF-4": N_("Two whole Longboats take two to four units, never one or five."),
}

READINGS: dict[str, tuple[str, ...]] = {
    "VHAL-SET-1": ("start_food_on_longhouse_usable",),
    "VHAL-SET-4": ("supply_limited",),
    "VHAL-SEA-5": ("end_of_turn_gift",),
    "VHAL-FOOD-1": ("sacrifice_needs_food",),
    "VHAL-COM-2": ("both_workshops",),
    "VHAL-BT-2": ("tokens_per_project",),
    "VHAL-BLD-WARE": ("both_workshops",),
    "VHAL-BLD-SMITH": ("both_workshops",),
    "VHAL-SAC-1": ("sacrifice_needs_food",),
    "VHAL-SAC-2": ("runestone_coin_cost",),
    "VHAL-FAV-3": ("wrath_retrigger",),
    "VHAL-FAV-4": ("favour_steps",),
    "VHAL-FAV-5": ("wrath_on_the_way",),
    "VHAL-CHG-1": ("mainland_removal", "next_vikingfahrt"),
    "VHAL-CHG-2": ("mainland_removal", "next_vikingfahrt"),
    "VHAL-ACH-4": ("blessed_takeover",),
    "VHAL-FIN-1": ("final_stage_cost",),
    "VHAL-FIN-2": ("next_vikingfahrt",),
    "VHAL-VF-3": ("pass_in_choice_final",),
    "VHAL-JOIN-2": ("joint_front_line_by",),
    "VHAL-BAT-4": ("overflow_to_wounded_side", "joint_front_line_by"),
    "VHAL-BAT-5": ("overflow_to_wounded_side",),
    "VHAL-BAT-11": ("defeated_unit_gift",),
}

EDITION_WORDS: dict[str, str] = {
    "en": N_("the base game"),
    "fast": N_("the fast game"),
    "heidrun": N_("the game with Heidrun's Teat"),
    "special": N_("the game with Special Units"),
}

OPTION_WORDS: dict[str, str] = {
    "variant_fast": N_("Fast game"),
    "variant_heidrun": N_("Heidrun's Teat"),
    "special_units": N_("Special Units"),
    "end_of_turn_gift": N_("At the end of a turn everybody gets"),
    "defeated_unit_gift": N_("For a defeated unit its owner gets"),
    "favour_steps": N_("Steps of favour that win"),
    "start_food_on_longhouse_usable": N_("The food on the longhouse may be laid out"),
    "sacrifice_needs_food": N_("A sacrifice needs food"),
    "tokens_per_project": N_("Most tokens on a project, besides a coin"),
    "both_workshops": N_("With Warehouse and Blacksmith, Warriors start at"),
    "runestone_coin_cost": N_("Coins for Benevolence at the Runestone"),
    "pass_in_choice_final": N_("Who does not attack when asked is not asked again"),
    "overflow_to_wounded_side": N_("Surplus damage goes on to a unit's wounded side"),
    "joint_front_line_by": N_("The front-line unit of a joint attack is chosen by"),
    "wrath_retrigger": N_("A Wrath symbol strikes a Jarl"),
    "wrath_on_the_way": N_("A move of several steps stops on Wrath symbols on its way"),
    "mainland_removal": N_("Town cards that leave the game are"),
    "next_vikingfahrt": N_("The “next” Vikingfahrt is"),
    "final_stage_cost": N_("Starting the Final Stage costs"),
    "blessed_takeover": N_("To take over the Achievement for kept cards, a Jarl needs"),
    "supply_limited": N_("When the supply runs out"),
    "odds": N_("Show how likely victory is"),
}

VALUE_WORDS: dict[str, str] = {
    "coins": N_("a coin"),
    "food": N_("a food token"),
    "iron": N_("an iron token"),
    "wood": N_("a wood token"),
    "glory": N_("1 glory"),
    "asked": N_("as your copy says"),
    "true": N_("yes"),
    "false": N_("no"),
    "printed": N_("as many as are printed"),
    "lowest": N_("the lowest number marked"),
    "saw": N_("the number with the saw"),
    "anvil": N_("the number with the anvil"),
    "inviter": N_("the Jarl who invited"),
    "vote": N_("any of them, after a vote"),
    "every_arrival": N_("every time"),
    "once": N_("once only"),
    "yes": N_("yes, each before the next step"),
    "afterwards": N_("no, they strike after the whole move"),
    "no": N_("no, only the last space counts"),
    "random": N_("drawn from the stack"),
    "chosen": N_("chosen by the starting player"),
    "next_to_begin": N_("the next one to begin"),
    "current": N_("the one under way, if there is one"),
    "0": N_("nothing"),
    "7": N_("7 glory"),
    "three": N_("three cards at least, and more than its owner"),
    "more": N_("more cards than its owner"),
    "warn": N_("it is only said"),
    "strict": N_("nobody gets any more"),
}
