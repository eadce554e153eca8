"""Keeps the catalogues in step with the sentences in the code.

`make translations` collects every sentence, adds new ones to each language's messages.po, drops
those no longer said, and compiles. The companion's own sentences are in `web/translations`, those
of a game in the `translations` of its package.

    tools/translations.py --check                    only look; fails if something is not right
    tools/translations.py --missing fr > fr.json     what has no French yet, to be filled in
    tools/translations.py --take fr fr.json          put the filled-in file into the catalogues
    tools/translations.py --said fr > fr.json        everything said in French, to be read over
"""

from __future__ import annotations

import gettext
import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
LANGUAGES = ("de", "es", "fr", "it", "nl")
KEYWORDS = {"N_": None, "_": None, "NN_": (1, 2), "ngettext": (1, 2)}
METHODS = [("**.py", "python"), ("**/templates/**.html", "jinja2")]
SOME_DAY = datetime(2026, 1, 1, tzinfo=UTC)  # so that the same sentences give the same file
BLANK = re.compile(r"%\((\w+)\)s")

Said: TypeAlias = str | tuple[str, ...]
"""A sentence; or two, for one and for many."""


@dataclass(frozen=True)
class Catalogue:
    """The sentences of some folders, and the folder with their translations."""

    name: str
    folder: Path
    reads: tuple[Path, ...]
    without: tuple[Path, ...] = ()

    @cache  # noqa: B019 - a few catalogues, for one run
    def said(self) -> frozenset[Said]:
        """Every sentence that is marked for translation in these folders. One that is also the
        singular of another is said by that one."""
        found = {
            message
            for folder in self.reads
            for _, _, message, _, _ in extract_from_dir(
                folder,
                METHODS if folder.name != "templates" else [("**.html", "jinja2")],
                keywords=KEYWORDS,
                directory_filter=lambda each: Path(each) not in self.without,
            )
            if message and all(message)
        }
        return frozenset(found - {each[0] for each in found if isinstance(each, tuple)})

    def po(self, language: str) -> Path:
        return self.folder / language / "LC_MESSAGES" / "messages.po"

    def read(self, language: str) -> Catalog:
        if not self.po(language).exists():
            return Catalog(locale=language)
        with self.po(language).open("rb") as file:
            return read_po(file, locale=language)

    def translated(self, language: str) -> dict[Said, Said]:
        """Whatever has a whole translation that nobody doubts."""
        return {
            _said(each.id): _said(each.string)
            for each in self.read(language)
            if each.id and not each.fuzzy and problem_of(_said(each.id), _said(each.string)) == ""
        }

    def write(self, language: str, known: Mapping[Said, Said]) -> None:
        """The catalogue with exactly what is said, as text and compiled."""
        new = Catalog(
            locale=language,
            header_comment=f"# The sentences of {self.name}: {language}.",
            project="table companion",
            version="1",
            msgid_bugs_address="-",
            last_translator="-",
            language_team="-",
            creation_date=SOME_DAY,
            revision_date=SOME_DAY,
            fuzzy=False,
        )
        for said in sorted(self.said(), key=str):
            empty: Said = ("", "") if isinstance(said, tuple) else ""
            new.add(said, known.get(said, empty))
        self.po(language).parent.mkdir(parents=True, exist_ok=True)
        with self.po(language).open("wb") as file:
            write_po(file, new, sort_output=True, width=100)
        with self.po(language).with_suffix(".mo").open("wb") as file:
            write_mo(file, new)

    def problems(self, language: str) -> Iterator[str]:
        """What is said and not translated, doubtful, broken, or not compiled."""
        entries = {_said(each.id): each for each in self.read(language) if each.id}
        yield from (
            f"not translated: {each}" for each in sorted(self.said() - set(entries), key=str)
        )
        yield from (
            f"no longer said: {each}" for each in sorted(set(entries) - self.said(), key=str)
        )
        compiled = self._compiled(language)
        for said, entry in entries.items():
            words = _said(entry.string)
            problem = "fuzzy" if entry.fuzzy else problem_of(said, words)
            if not problem and _compiled_words(compiled, said) != words:
                problem = "not compiled"
            if problem:
                yield f"{problem}: {said}"

    def _compiled(self, language: str) -> gettext.NullTranslations:
        file = self.po(language).with_suffix(".mo")
        if not file.exists():
            return gettext.NullTranslations()
        with file.open("rb") as opened:
            return gettext.GNUTranslations(opened)


def _said(value: object) -> Said:
    return tuple(map(str, value)) if isinstance(value, (tuple, list)) else str(value or "")


def _compiled_words(compiled: gettext.NullTranslations, said: Said) -> Said:
    if isinstance(said, tuple):
        return tuple(compiled.ngettext(said[0], said[1], number) for number in (1, 2))
    return compiled.gettext(said)


def problem_of(said: Said, words: Said) -> str:
    """Why a translation cannot be used; empty if it can."""
    if isinstance(said, str) and isinstance(words, str):
        return _problem(said, words, set())
    if isinstance(said, str) or isinstance(words, str) or len(words) != len(said):
        return "one and many do not match"
    one, many = words
    counted = set(BLANK.findall(said[1]))  # "one card" need not say its number
    return _problem(said[0], one, counted) or _problem(said[1], many, set())


def _problem(sentence: str, words: str, may: set[str]) -> str:
    if not words.strip():
        return "not translated"
    blanks, there = set(BLANK.findall(sentence)), set(BLANK.findall(words))
    if not (blanks - may <= there <= blanks | may):
        return "other blanks"
    if [sentence[at].isspace() for at in (0, -1)] != [words[at].isspace() for at in (0, -1)]:
        return "other spaces at its ends"
    return "" if _stray(sentence) or not _stray(words) else "a stray %"


def _stray(sentence: str) -> bool:
    """Has it a percent sign that would break the filling of its blanks?"""
    return "%" in BLANK.sub("", sentence).replace("%%", "")


def _games() -> Iterator[Catalogue]:
    for package in (*sorted((ROOT / "companion" / "games").iterdir()), *ROOT.glob("examples/*/*")):
        if (package / "__init__.py").exists():
            yield Catalogue(package.name, package / "translations", (package,))


CATALOGUES = (
    Catalogue(
        "the companion",
        ROOT / "web" / "translations",
        (ROOT / "companion", ROOT / "web" / "templates"),
        (ROOT / "companion" / "games",),
    ),
    *_games(),
)


Row = dict[str, Any]


def mended(language: str) -> None:
    """Each catalogue of a language with exactly the sentences that are said, compiled."""
    known = {
        said: words for each in CATALOGUES for said, words in each.translated(language).items()
    }
    for each in CATALOGUES:
        each.write(language, {**known, **each.translated(language)})


def problems() -> Iterator[str]:
    for language in LANGUAGES:
        for each in CATALOGUES:
            yield from (f"{language}: {each.name}: {found}" for found in each.problems(language))


def rows(language: str, *, missing: bool) -> list[Row]:
    """Every sentence once, with the German beside it to show what is meant."""
    found: dict[Said, Row] = {}
    for each in CATALOGUES:
        there, german = each.translated(language), each.translated("de")
        for said in sorted(each.said(), key=str):
            if said in found or (missing and said in there):
                continue
            empty = ["", ""] if isinstance(said, tuple) else ""
            found[said] = {"en": said, "de": german.get(said, empty)} | {
                language: there.get(said, empty)
            }
    return list(found.values())


def taken(language: str, given: list[Row]) -> list[str]:
    """Puts these rows into every catalogue that says them; what is wrong is told and left out."""
    wrong = []
    good: dict[Said, Any] = {}
    for row in given:
        said = _hashable(row["en"])
        words = _hashable(row[language])
        problem = problem_of(said, words)
        if problem:
            wrong.append(f"{language}: {problem}: {said}")
        else:
            good[said] = words
    everything = {said for each in CATALOGUES for said in each.said()}
    wrong += [f"{language}: nobody says: {each}" for each in good if each not in everything]
    for each in CATALOGUES:
        each.write(language, {**each.translated(language), **good})
    return wrong


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _printed(value: list[Row]) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=1))


def main(arguments: list[str]) -> int:
    match arguments:
        case ["--missing" | "--said" as what, language] if language in LANGUAGES:
            _printed(rows(language, missing=what == "--missing"))
            return 0
        case ["--take", language, file] if language in LANGUAGES:
            found = taken(language, json.loads(Path(file).read_text(encoding="utf-8")))
        case ["--check"]:
            found = list(problems())
        case []:
            for language in LANGUAGES:
                mended(language)
            found = list(problems())
        case _:
            print(__doc__)
            return 2
    print("\n".join(found) or "every sentence is translated")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
