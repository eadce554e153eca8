"""Keeps the catalogues in step with the sentences in the code.

`make translations` collects every sentence, adds new ones to each language's messages.po, drops
those no longer said, and compiles. `--check` only looks, and fails if something is missing.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
CATALOGUES = ROOT / "web" / "translations"
WHERE = (
    (ROOT / "companion", [("**.py", "python")]),
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


def written(catalogue: Catalog) -> tuple[bytes, bytes]:
    """The catalogue as .po and as .mo."""
    po, mo = BytesIO(), BytesIO()
    write_po(po, catalogue, sort_output=True, width=100)
    write_mo(mo, catalogue)
    return po.getvalue(), mo.getvalue()


def problems(language: str, folder: Path, *, mend: bool) -> list[str]:
    po_file, mo_file = folder / "messages.po", folder / "messages.mo"
    with po_file.open("rb") as file:
        old = read_po(file, locale=language)
    new = renewed(language, old)
    po, mo = written(new)
    found = [
        f"{language}: not translated: {each.id}" for each in new if each.id and not each.string
    ]
    for file_path, data in ((po_file, po), (mo_file, mo)):
        if not file_path.exists() or file_path.read_bytes() != data:
            if mend:
                file_path.write_bytes(data)
            else:
                found.append(f"{language}: {file_path.name} is out of date; run make translations")
    return found


def main(arguments: list[str]) -> int:
    mend = "--check" not in arguments
    found = [
        each
        for folder in sorted(CATALOGUES.glob("*/LC_MESSAGES"))
        for each in problems(folder.parent.name, folder, mend=mend)
    ]
    print("\n".join(found) or "every sentence is translated")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
