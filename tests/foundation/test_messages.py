"""Whatever a user is told about an error has a code, a sentence to translate, and its facts."""

from __future__ import annotations

import ast
import pickle
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.foundation import errors
from companion.foundation.errors import BadInput, BadNotation, BadSettings, CompanionError
from companion.foundation.messages import message, phrase
from companion.views.speech import Speech

ROOT = Path(__file__).parents[2] / "companion"
PLAIN = {
    name
    for name, kind in vars(errors).items()
    if isinstance(kind, type)
    and issubclass(kind, CompanionError)
    and kind.__init__ is CompanionError.__init__
}
BLANK = re.compile(r"%\((\w+)\)s")


@dataclass(frozen=True)
class Said:
    """A message as the code spells it."""

    where: str
    code: str
    sentence: str
    marked: bool
    facts: frozenset[str]


def said() -> Iterator[Said]:
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and _says(node):
                where = f"{path.relative_to(ROOT)}:{node.lineno}"
                code, sentence = node.args[:2]
                if not isinstance(code, ast.Constant):  # handed on
                    continue
                marked = isinstance(sentence, ast.Call)
                text = sentence.args[0] if isinstance(sentence, ast.Call) else sentence
                if not isinstance(text, ast.Constant):  # a sentence that is a constant elsewhere
                    continue
                facts = frozenset(each.arg or "**" for each in node.keywords)
                yield Said(where, str(code.value), str(text.value), marked, facts)


def _says(call: ast.Call) -> bool:
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    return len(call.args) == 2 and name in {*PLAIN, "message", "bad"}


SAID = tuple(said())


def test_there_are_many_of_them() -> None:
    assert len(SAID) > 150


@pytest.mark.parametrize("each", SAID, ids=lambda each: each.where)
def test_a_message_has_a_code_a_marked_sentence_and_the_facts_of_its_blanks(each: Said) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", each.code)
    assert set(BLANK.findall(each.sentence)) == each.facts
    nothing_to_translate = not re.search("[a-z]", BLANK.sub("", each.sentence))
    assert each.marked or nothing_to_translate


def test_a_code_stands_for_one_sentence() -> None:
    sentences = defaultdict(set)
    for each in SAID:
        sentences[each.code].add(each.sentence)
    assert {code: found for code, found in sentences.items() if len(found) > 1} == {}


# What they do


def test_as_text_it_is_in_english_and_a_reader_gets_the_own_language() -> None:
    bad = BadInput("no-such-deck", "%(path)s: no such deck", path="mine.deck")
    assert str(bad) == "mine.deck: no such deck"
    assert Speech("en").told(bad.message) == str(bad)
    assert Speech("de").told(bad.message) != str(bad)


def test_a_fact_that_is_a_message_is_translated_as_well() -> None:
    bad = BadNotation(message("nothing-written-here", "nothing is written here"), 3)
    german = Speech("de").told(bad.message)
    assert str(bad) == "column 3: nothing is written here"
    assert "nothing" not in german
    assert "3" in german
    listed = BadSettings("x.toml", [phrase("nothing is written here"), phrase("one card")])
    assert "nothing" not in Speech("de").told(listed.message)


def test_it_comes_back_from_another_process_as_it_was() -> None:
    bad = BadNotation(message("test", "%(word)s is odd", word="x"), 7)
    again = pickle.loads(pickle.dumps(bad))
    assert (type(again), str(again), again.message, again.column) == (
        BadNotation,
        str(bad),
        bad.message,
        7,
    )
