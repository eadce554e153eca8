"""A hook of `mkdocs`: brings in the pages that stand beside docs/, and mends texts for the site.

In the repository `docs/pi.md` says `../hardware/README.md`, which is right for whoever reads it
there. The site has docs/ as its root, so there the same link is `hardware/README.md`. And a block
marked `record NAME` becomes plain text with that name above it: the site knows no such mark.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
BESIDE = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "hardware", "models/README.md")
"""What is brought in: files, and folders with everything in them."""

_LINK = re.compile(r"(?<=\]\()(?![a-z]+:|[#/<])([^)#\s]+)")
"""The target of a link, without its anchor; not those to other sites or to the same page."""

_RECORD = re.compile(r"^```record (\S+)$", re.MULTILINE)


def on_files(files: Any, config: Any) -> Any:
    from mkdocs.structure.files import File

    for name in BESIDE:
        for path in _all_files(ROOT / name):
            inside = path.relative_to(ROOT).as_posix()
            files.append(File.generated(config, inside, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: object) -> str:
    return mended(markdown, page.file.src_uri)


def mended(markdown: str, page: str) -> str:
    """The text of a page of the site, with links and marks of blocks as they must be there."""
    here = posixpath.dirname(_in_repository(page))

    def link(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(here, found[1]))
        return posixpath.relpath(_in_site(target), posixpath.dirname(page) or ".")

    return _RECORD.sub(r'```text title="\1"', _LINK.sub(link, markdown))


def _all_files(path: Path) -> list[Path]:
    return [path] if path.is_file() else sorted(each for each in path.rglob("*") if each.is_file())


def _in_repository(page: str) -> str:
    """Where a page of the site stands in the repository."""
    return page if page.startswith(BESIDE) else f"docs/{page}"


def _in_site(path: str) -> str:
    """Where a file of the repository stands in the site."""
    return path.removeprefix("docs/") if path.startswith("docs/") else path
