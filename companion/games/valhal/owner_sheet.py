"""The owner's sheet of Valhal, as the companion keeps it: what is printed on one copy."""

from __future__ import annotations

from companion.games.valhal.rules.sheet.checking import contradictions, missing
from companion.games.valhal.rules.sheet.filling import entries, filled, sheet_from
from companion.games.valhal.rules.sheet.sheet import RULEBOOK, Sheet
from companion.ledger.sheets import SheetRules

SHEET: SheetRules[Sheet] = SheetRules(
    printed=RULEBOOK,
    entries=entries,
    filled=filled,
    read=sheet_from,
    missing=missing,
    contradictions=contradictions,
)
