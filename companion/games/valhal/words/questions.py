"""What the companion asks about one copy of Valhal, in words: a path of the owner's sheet as a
question."""

from __future__ import annotations

from companion.views.speech import N_, Speech

QUESTIONS: dict[str, str] = {
    "unit.whole": N_("What is printed on %(name)s, healthy and wounded?"),
    "build.whole": N_("Which numbers are on the back of this card: %(name)s?"),
    "town.whole": N_("What is printed on %(name)s: rows, glory and Loot?"),
    "unit.hp": N_("How many hit points has %(name)s, healthy and wounded?"),
    "unit.base": N_("What is the base attack of %(name)s, healthy and wounded?"),
    "unit.dice": N_("How many dice does %(name)s roll, healthy and wounded?"),
    "unit.text": N_("What else does the card %(name)s say?"),
    "build.stages": N_("What is the highest number on the back of this card: %(name)s?"),
    "build.saw": N_("Which number has the saw on the back of this card (0: none): %(name)s?"),
    "build.anvil": N_("Which number has the anvil on the back of this card (0: none): %(name)s?"),
    "unit.ability": N_("What does the ability of %(name)s change in a battle?"),
    "town.ability": N_("What does the ability of %(name)s change in a battle?"),
    "town.level": N_("What is %(name)s: Village, Fortified Village, Town or Fortified Town?"),
    "town.rows": N_("What are hit points, base attack and dice of each row of %(name)s?"),
    "town.glory": N_("How much glory does %(name)s bring?"),
    "town.loot": N_("Which Loot cards does %(name)s bring?"),
    "town.text": N_("What else does the card %(name)s say?"),
    "town": N_("Which other Town cards are there?"),
    "card.event": N_("What does the Event card %(name)s do?"),
    "card.benevolence": N_("What does the Benevolence card %(name)s do?"),
    "card.wrath": N_("What does the Wrath card %(name)s do?"),
    "card.lesser": N_("What does the Lesser Loot card %(name)s bring?"),
    "card.larger": N_("What does the Larger Loot card %(name)s bring?"),
    "card.greater": N_("What does the Greater Loot card %(name)s bring?"),
    "card": N_("Which other cards are there: %(name)s?"),
    "favour.wrath": N_("Which spaces of the Favour display have the Wrath symbol?"),
    "favour.change": N_("Which two spaces of the Favour display change the Mainland?"),
    "fast.wrath": N_("Which spaces on the back of the Favour display have the Wrath symbol?"),
    "fast.change": N_("Which two spaces on the back of the Favour display change the Mainland?"),
    "glory.max": N_("What is the last space of the glory track?"),
    "achievement.group": N_("From how many players on is this Achievement in play: %(name)s?"),
    "achievement.text": N_("What does this Achievement ask for: %(name)s?"),
    "dice.faces": N_("Which numbers are on a die?"),
    "mainland": N_("How many spaces has the Mainland with %(name)s players?"),
    "box": N_("How many Town cards are in the box?"),
    "box.level": N_("How many Town cards of this kind are in the box: %(name)s?"),
    "gift.turn": N_("What does everybody get at the end of a turn?"),
    "gift.defeat": N_("What does the owner of a defeated unit get?"),
    "longhouse.food": N_("May the food tokens on the longhouse be laid out as food?"),
    "copy.edition": N_("Which edition is your copy?"),
    "final.marker": N_("What is placed when the Final Stage starts?"),
}


WHOLE = ("unit", "build", "town")  # cards that are told in one answer


def question(speech: Speech, path: str) -> str:
    """A path of the sheet as people would ask for it; a path of no known shape as it is."""
    head, *rest = path.split(".")
    if head == "mainland" or (head == "card" and len(rest) == 1):
        key, name = head, rest[-1]
    elif head in WHOLE and len(rest) == 1:
        key, name = f"{head}.whole", rest[0]
    elif head == "box" and rest:
        key, name = "box.level", rest[-1]
    elif head == "card" and rest:
        key, name = f"card.{rest[0]}", rest[-1]
    elif len(rest) == 2:
        key, name = f"{head}.{rest[1]}", rest[0]
    else:
        key, name = path, ""
    if key not in QUESTIONS:
        return path
    return speech.say(QUESTIONS[key], name=speech.piece(speech, name))
