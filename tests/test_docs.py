"""The examples on the pages are run, so that no page can lie.

A block marked `record NAME` is a record file of that name; a block marked `console` is a session:
each line after `$ ` is given to a shell in a folder with those files, and what it answers has to
be what stands there. Both go on down the page. A page with such examples is named in PAGES.
"""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner

from companion.__main__ import main
from companion.core.game import Refused
from companion.core.notation import LONGEST_LINE
from companion.core.options import Option, Whole
from companion.core.seating import LONGEST_NAME
from companion.games.odin import rules as odin
from companion.games.odin.rules.cards import Colour
from companion.ledger import records
from companion.ledger.events import Source
from companion.ledger.records import MOST_BYTES
from companion.service.settings import settings_from
from tools import site_pages

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "docs/records.md", "docs/valhalla.md", "docs/valhal.md")
RECORDS = (ROOT / "docs" / "records.md").read_text()

_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    kind: str
    name: str
    text: str


def blocks(page: str) -> list[Block]:
    return [Block(*found.groups(default="")) for found in _BLOCK.finditer(page)]


def sessions(text: str) -> Iterator[tuple[str, str]]:
    """Each command and the answer that stands under it."""
    first, *rest = re.split(r"^\$ ", text, flags=re.MULTILINE)
    assert not first, "a console block begins with $"
    for each in rest:
        command, _, answer = each.partition("\n")
        yield command, answer


class Shell:
    """Runs what a page says; plain commands of ours in this process, which is quicker."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._code = 0

    def answer(self, command: str) -> str:
        if command == "echo $?":
            return f"{self._code}\n"
        if re.fullmatch(r"companion [^|<>;&$]+", command):
            result = CliRunner().invoke(main, shlex.split(command)[1:], catch_exceptions=False)
            self._code = result.exit_code
            return result.output
        ours = shlex.join([sys.executable, "-m", "companion"])
        done = subprocess.run(
            ["bash", "-c", f'companion() {{ {ours} "$@"; }}\n{command}'],
            cwd=self._folder,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        self._code = done.returncode
        return done.stdout


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_shows_is_what_happens(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    shell = Shell(tmp_path)
    ran = 0
    for block in blocks((ROOT / page).read_text()):
        if block.kind == "record":
            (tmp_path / block.name).write_text(block.text)
        elif block.kind == "console":
            for command, answer in sessions(block.text):
                assert (command, shell.answer(command)) == (command, answer)
                ran += 1
        elif block.kind == "toml":
            settings_from(tomllib.loads(block.text), page)
    assert ran, f"{page} shows nothing"


# docs/records.md leaves nothing out


def _rows(page: str) -> dict[str, str]:
    """The rows of all tables by the code in their first cell."""
    return {found[1]: found[0] for found in re.finditer(r"^\| `([^`]+)` .*$", page, re.MULTILINE)}


@pytest.mark.parametrize("option", odin.OPTIONS, ids=lambda option: option.name)
def test_every_option_is_told(option: Option) -> None:
    cells = _rows(RECORDS)[option.name].split(" | ")
    assert cells[1] == f"`{option.default}`"
    kind = option.kind
    allowed = [str(kind.least), str(kind.most)] if isinstance(kind, Whole) else []
    for word in (*allowed, *kind.words):
        assert re.search(rf"(?<![\w>]){re.escape(word)}(?![\w=])", cells[2]), word


def test_no_option_is_made_up() -> None:
    table = RECORDS.partition("These are all the options:")[2].partition("## Cards")[0]
    assert list(_rows(table)) == [option.name for option in odin.OPTIONS]


def test_every_colour_source_and_edition_is_told() -> None:
    for colour in Colour:
        assert f"| `{colour}` | {colour.word} |" in RECORDS
    for word in (*Source, *odin.EDITIONS):
        assert f"`{word}`" in RECORDS
    for changes in odin.EDITIONS.values():
        for name, value in changes.items():
            assert f"`{name}: {value}`" in RECORDS
    for number in (f"{MOST_BYTES:,}", str(LONGEST_LINE), str(LONGEST_NAME)):
        assert number in RECORDS


def test_every_kind_of_line_is_shown_and_explained() -> None:
    shown = [
        records.read(block.text.encode()) for block in blocks(RECORDS) if block.kind == "record"
    ]
    readable = [record for record in shown if len(record.setup.names) and record.lines]
    said = [line.text for record in readable for line in record.lines]
    kinds = {type(odin.parse(text)) for text in said if text[0] not in "!u" and "bb8" not in text}
    kinds |= {type(odin.parse(text[1:])) for text in said if text[0] == "!"}
    assert kinds == set(get_args(odin.Action))
    assert {"undo", "undo 2"} <= set(said)
    told = {
        type(odin.parse(line))
        for line in _rows(RECORDS)
        if re.match(r"[A-F] |deal|count|car", line)
    }
    assert told == set(get_args(odin.Action))


def test_the_first_example_is_a_whole_game() -> None:
    first = next(block for block in blocks(RECORDS) if block.kind == "record")
    judged = list(records.judged(records.read(first.text.encode())))
    assert not any(isinstance(each.ruling, Refused) for each in judged)
    assert judged[-1].after.over


# Every page leads where it says


ALL_PAGES = tuple(
    sorted(
        str(page.relative_to(ROOT))
        for folder in (".", "docs", "examples/maumau", "hardware", "models")
        for page in (ROOT / folder).glob("*.md")
    )
)
_LINK = re.compile(r"\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)")


def _without_blocks(page: Path) -> str:
    return re.sub(r"^ *```.*?^ *```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)


def _anchors(page: Path) -> set[str]:
    """What a heading is called in a link: small letters, words joined by hyphens."""
    headings = re.findall(r"^#+ (.*)$", _without_blocks(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each).strip().lower().replace(" ", "-") for each in headings}


@pytest.mark.parametrize("page", ALL_PAGES)
def test_every_link_leads_somewhere(page: str) -> None:
    for target, anchor in _LINK.findall(_without_blocks(ROOT / page)):
        there = ((ROOT / page).parent / target).resolve() if target else ROOT / page
        assert there.exists(), target
        if anchor:
            assert anchor in _anchors(there), f"{target}#{anchor}"


# Every page names what is there


_SPAN = re.compile(r"`([^`\n]+)`")
_FILE = re.compile(r"(?<![\w./<>*-])(?!\.)[\w./-]+\.py(?!\w)")
_PATH = re.compile(r"(?<![\w./-])(?:companion|docs|examples|models|tests|tools|web)/[\w./-]*")
_DOTTED = re.compile(r"(?<![\w./@-])companion(?:\.\w+)+")
_CLASS = re.compile(r"(?<![\w./-])(?:[A-Z][a-z]+){2,}(?![\w-])")
_NO_MODULE = re.compile(r"companion\.(?:toml|local|service)")
_HOP = re.compile(r"^\d+\. `([^`]+\.py)`: ((?:`[^`]+`(?:, )?)+) — \S", re.MULTILINE)
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text()
SOURCES = [
    file
    for folder in ("companion", "examples", "models", "tests", "tools")
    for file in (ROOT / folder).rglob("*.py")
]


def _spans(page: Path) -> list[str]:
    """Whatever a page shows as code within its sentences."""
    return _SPAN.findall(_without_blocks(page))


def _is_there(name: str) -> bool:
    """A file or folder by its path from here, from the companion's own folder or, on the page about
    seeing, from that of vision; a file that is named without a path may stand anywhere."""
    if "/" not in name:
        return any(file.name == name for file in SOURCES)
    return any((ROOT / above / name).exists() for above in (".", "companion", "companion/vision"))


def _defined(file: Path) -> set[str]:
    """Every function, class and constant of a module, those in classes as `Class.name`."""
    found = set()
    for node in ast.parse(file.read_text()).body:
        inner = node.body if isinstance(node, ast.ClassDef) else []
        for each, above in ((node, ""), *((one, f"{_named(node)[0]}.") for one in inner)):
            found |= {above + name for name in _named(each)}
    return found


def _named(node: ast.stmt) -> list[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [each.id for each in targets if isinstance(each, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case ast.ImportFrom(names=names):
            return [each.asname or each.name for each in names]
        case _:
            return []


def _leads_to(dotted: str) -> bool:
    """Whether a dotted name is a package, a module, or something that a module has."""
    path = ROOT.joinpath(*dotted.split("."))
    if path.is_dir() or path.with_suffix(".py").is_file():
        return True
    module = path.parent.with_suffix(".py")
    return module.is_file() and path.name in _defined(module)


@pytest.mark.parametrize("page", ALL_PAGES)
def test_every_path_and_module_that_a_page_names_is_there(page: str) -> None:
    for span in _spans(ROOT / page):
        for name in {*_FILE.findall(span), *_PATH.findall(span)}:
            assert _is_there(name), name
        for name in _DOTTED.findall(span):
            assert _NO_MODULE.fullmatch(name) or _leads_to(name), name


@pytest.mark.parametrize("page", ALL_PAGES)
def test_every_class_that_a_page_names_is_there(page: str) -> None:
    known = set(re.findall(r"\w+", "".join(file.read_text() for file in SOURCES)))
    named = {name for span in _spans(ROOT / page) for name in _CLASS.findall(span)}
    assert named <= known


@pytest.mark.parametrize("wrong", ["companion/loop.py", "loops.py", "watch/loops.py", "docs/no.md"])
def test_a_file_that_is_not_there_is_found_out(wrong: str) -> None:
    assert {*_FILE.findall(wrong), *_PATH.findall(wrong)} == {wrong}
    assert not _is_there(wrong)
    assert not _leads_to("companion.loop.TableLoop")
    assert _leads_to("companion.watch.loop.TableLoop")


def test_every_module_of_the_reference_is_there_and_in_its_table() -> None:
    page = (ROOT / "docs" / "game-api.md").read_text()
    shown = re.findall(r"^::: companion\.(\S+)$", page, re.MULTILINE)
    told = [name for name in _SPAN.findall(page) if re.fullmatch(r"[a-z]+\.[a-z]+", name)]
    assert sorted(set(told) - {"companion.games"}) == sorted(shown)
    assert all(_leads_to(f"companion.{name}") for name in shown)


def test_every_hop_of_a_walk_is_a_function_of_its_file() -> None:
    walks = ARCHITECTURE.partition("## Four walks")[2].partition("### How long they are")[0]
    hops = _HOP.findall(walks)
    assert len(hops) == len(re.findall(r"^\d+\. ", walks, re.MULTILINE))
    for file, functions in hops:
        known = _defined(ROOT / "companion" / file)
        assert set(_SPAN.findall(functions)) <= known, file


def test_the_walks_are_as_long_as_is_said() -> None:
    walks = re.split(r"^### ", ARCHITECTURE.partition("## Four walks")[2], flags=re.MULTILINE)
    hops = {walk.partition("\n")[0].lower(): len(_HOP.findall(walk)) for walk in walks[1:5]}
    rows = re.findall(r"^\| (one [a-z ]+) \| (\d+) ", ARCHITECTURE, re.MULTILINE)
    assert hops == {walk: int(said) for walk, said in rows}


def test_the_rooms_stand_in_the_order_of_the_layers() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    layers = project["tool"]["importlinter"]["contracts"][0]["layers"]
    rooms = ARCHITECTURE.partition("## The rooms")[2].partition("\n## ")[0]
    told = re.findall(r"^\| `(\w+)(?:/|\.py)` \| (\d+) \|", rooms, re.MULTILINE)
    heights = zip(layers, range(len(layers), 0, -1), strict=True)
    assert told == [(room, str(height)) for layer, height in heights for room in layer.split(" | ")]


def test_links_are_mended_for_the_site() -> None:
    mended = site_pages.mended
    assert mended("[a](../hardware/README.md#wiring)", "pi.md") == "[a](hardware/README.md#wiring)"
    assert mended("[a](../docs/pi.md)", "hardware/README.md") == "[a](../pi.md)"
    assert mended("[a](docs/pi.md#install)", "SECURITY.md") == "[a](pi.md#install)"
    for same in ("[a](pi.md)", "![a](pictures/table.png)", "[a](#b)", "[a](https://example.org/b)"):
        assert mended(same, "seeing.md") == same


def test_records_are_plain_text_with_a_name_on_the_site() -> None:
    told = site_pages.mended("```record friday.txt\nodin 1\n```", "records.md")
    assert told == '```text title="friday.txt"\nodin 1\n```'


def test_the_glossary_has_one_line_a_word_in_the_order_of_the_alphabet() -> None:
    lines = (ROOT / "docs" / "glossary.md").read_text().partition("\n- ")[2].splitlines()
    found = [re.fullmatch(r"(?:- )?\*\*([a-z' ]+)\*\*: \S.*\.", line) for line in lines]
    words = [each[1] for each in found if each]
    assert len(words) == len(lines)
    assert words == sorted(set(words))
