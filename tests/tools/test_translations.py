"""The keeper of the catalogues: it fails on what is missing, doubtful or broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.translations import Catalogue, Said, problem_of

CODE = """
N_("Hello %(name)s.")
NN_("%(count)s card", "%(count)s cards")
"""
GERMAN: dict[Said, Said] = {
    "Hello %(name)s.": "Hallo %(name)s.",
    ("%(count)s card", "%(count)s cards"): ("%(count)s Karte", "%(count)s Karten"),
}


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    code = tmp_path / "code"
    code.mkdir()
    (code / "words.py").write_text(CODE)
    return Catalogue("a game", tmp_path / "translations", (code,))


def test_a_complete_catalogue_has_no_problem(catalogue: Catalogue) -> None:
    catalogue.write("de", GERMAN)
    assert list(catalogue.problems("de")) == []
    assert catalogue.translated("de") == GERMAN


def test_what_is_missing_is_a_problem(catalogue: Catalogue) -> None:
    assert len(list(catalogue.problems("de"))) == 2
    catalogue.write("de", {"Hello %(name)s.": "Hallo %(name)s."})
    assert list(catalogue.problems("de")) == [
        "not translated: ('%(count)s card', '%(count)s cards')"
    ]


def test_a_fuzzy_entry_is_a_problem_and_not_taken_over(catalogue: Catalogue) -> None:
    catalogue.write("de", GERMAN)
    po = catalogue.po("de")
    po.write_text(po.read_text().replace('msgid "Hello', '#, fuzzy, python-format\nmsgid "Hello'))
    assert list(catalogue.problems("de")) == ["fuzzy: Hello %(name)s."]
    assert "Hello %(name)s." not in catalogue.translated("de")


def test_what_was_changed_and_not_compiled_is_a_problem(catalogue: Catalogue) -> None:
    catalogue.write("de", GERMAN)
    po = catalogue.po("de")
    po.write_text(po.read_text().replace("Hallo", "Guten Tag"))
    assert list(catalogue.problems("de")) == ["not compiled: Hello %(name)s."]


def test_what_is_no_longer_said_is_a_problem_until_it_is_dropped(catalogue: Catalogue) -> None:
    catalogue.write("de", GERMAN)
    (catalogue.reads[0] / "words.py").write_text('N_("Hello %(name)s.")')
    later = Catalogue("a game", catalogue.folder, (catalogue.reads[0], catalogue.folder))
    assert [each.split(":")[0] for each in later.problems("de")] == ["no longer said"]
    later.write("de", GERMAN)
    assert list(later.problems("de")) == []


@pytest.mark.parametrize(
    ("said", "words", "problem"),
    [
        ("Hello %(name)s.", "Hallo.", "other blanks"),
        ("Hello %(name)s.", "Hallo %(nme)s.", "other blanks"),
        ("Hello.", "  ", "not translated"),
        ("Hello.", "Hallo. ", "other spaces at its ends"),
        ("All of it.", "100 % davon.", "a stray %"),
        (("%(count)s card", "%(count)s cards"), "Karten", "one and many do not match"),
        (("%(count)s card", "%(count)s cards"), ("", "%(count)s Karten"), "not translated"),
        (("%(count)s card", "%(count)s cards"), ("eine Karte", "Karten"), "other blanks"),
        (("%(count)s card", "%(count)s cards"), ("eine Karte", "%(count)s Karten"), ""),
        (("a card", "%(count)s cards"), ("%(count)s Karte", "%(count)s Karten"), ""),
    ],
)
def test_a_broken_translation_is_told(said: Said, words: Said, problem: str) -> None:
    assert problem_of(said, words) == problem
