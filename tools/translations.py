"""Keeps the catalogues in step with the sentences in the code.

`make translations` collects every sentence, adds new ones to each language's messages.po, drops
those no longer said, and compiles. `--check` only looks, and fails if something is missing.
"""

from __future__ import annotations

import gettext
import sys
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
CATALOGUES = ROOT / "web" / "translations"
WHERE = (
    (ROOT / "companion", [("**.py", "python")]),
    (ROOT / "companion" / "games", [("**/templates/**.html", "jinja2")]),
    (ROOT / "web" / "templates", [("**.html", "jinja2")]),
)
KEYWORDS = {"N_": None, "_": None}
SOME_DAY = datetime(2026, 1, 1, tzinfo=UTC)  # so that the same sentences give the same file


def sentences() -> set[str]:
    """Every sentence the companion can say."""
    return {
        message
        for folder, methods in WHERE
        for _, _, message, _, _ in extract_from_dir(folder, methods, keywords=KEYWORDS)
        if isinstance(message, str)
    }


def renewed(language: str, old: Catalog) -> Catalog:
    new = Catalog(
        locale=language,
        header_comment=f"# The companion's sentences: {language}.",
        project="table companion",
        version="1",
        msgid_bugs_address="-",
        last_translator="-",
        language_team="-",
        creation_date=SOME_DAY,
        revision_date=SOME_DAY,
        fuzzy=False,
    )
    for sentence in sorted(sentences()):
        known = old.get(sentence)
        new.add(sentence, known.string if known is not None else "")
    return new


def problems(language: str, folder: Path) -> list[str]:
    """What is said but not translated, or translated but not compiled."""
    with (folder / "messages.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    with (folder / "messages.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    said = sentences()
    translated = {str(each.id): each.string for each in catalogue if each.id and each.string}
    stale = [each for each in translated if compiled.gettext(each) != translated[each]]
    return [
        *(f"{language}: not translated: {each}" for each in sorted(said - set(translated))),
        *(f"{language}: no longer said: {each}" for each in sorted(set(translated) - said)),
        *(f"{language}: not compiled: {each}" for each in sorted(stale)),
    ]


def mend(language: str, folder: Path) -> None:
    with (folder / "messages.po").open("rb") as file:
        catalogue = renewed(language, read_po(file, locale=language))
    with (folder / "messages.po").open("wb") as file:
        write_po(file, catalogue, sort_output=True, width=100)
    with (folder / "messages.mo").open("wb") as file:
        write_mo(file, catalogue)


def main(arguments: list[str]) -> int:
    folders = sorted(CATALOGUES.glob("*/LC_MESSAGES"))
    if "--check" not in arguments:
        for folder in folders:
            mend(folder.parent.name, folder)
    found = [each for folder in folders for each in problems(folder.parent.name, folder)]
    print("\n".join(found) or "every sentence is translated")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
