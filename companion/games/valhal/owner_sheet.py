"""The owner's sheet of Valhal, as the companion keeps it: what is printed on one copy."""

from __future__ import annotations

from companion.games.valhal.rules.sheet.checking import contradictions, missing
from companion.games.valhal.rules.sheet.filling import filled, sheet_from
from companion.games.valhal.rules.sheet.matching import aligned
from companion.games.valhal.rules.sheet.sheet import RULEBOOK, Sheet, card_label
from companion.games.valhal.rules.sheet.writing import entries
from companion.ledger.sheets import SheetRules


def card_of(path: str) -> str:
    """The card a path is about: units and towns by their names, projects by their backs, other
    cards by stack and name, for cards of two stacks may have the same."""
    match path.split("."):
        case ["unit" | "town", name, *_]:
            return name
        case ["card", stack, name]:
            return card_label(stack, name)
        case ["build", kind, *_]:
            return f"{kind}-back"
        case _:
            return ""


SHEET: SheetRules[Sheet] = SheetRules(
    printed=RULEBOOK,
    entries=entries,
    filled=filled,
    read=sheet_from,
    of_state=lambda state: state.sheet,
    missing=missing,
    contradictions=contradictions,
    card_of=card_of,
    aligned=aligned,
    edition=lambda sheet: sheet.edition,
)
