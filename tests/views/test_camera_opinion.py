"""Table and books side by side, in the words of the game and of the reader."""

from __future__ import annotations

import pytest

from companion.games.valhal.words.naming import piece
from companion.tabletop.readings import Desync
from companion.views.camera_opinion import OpinionView, opinion_told
from companion.views.speech import Speech


def told(language: str, books: str, table: str) -> OpinionView:
    speech = Speech(language, "valhal", ("Astrid", "Bjorn"), piece)
    return opinion_told(speech, Desync((books,), (table,), (), ()), lambda line: line)


@pytest.mark.parametrize(
    ("language", "said", "expected"),
    [
        ("en", "B glory 12", "Bjorn glory 12"),
        ("de", "B glory 12", "Bjorn Ruhm 12"),
        ("en", "summer", "summer"),
        ("de", "summer", "Sommer"),
        ("de", "enemy 4", "Trefferpunkte des Gegners 4"),
        ("de", "warriors wounded", "Nordische Krieger verwundet"),
        ("en", "Birka", "Birka"),
    ],
)
def test_what_differs_is_told_in_words(language: str, said: str, expected: str) -> None:
    telling = told(language, said, said)
    assert telling.books == telling.table == expected


def test_where_nothing_lies_nothing_is_said() -> None:
    speech = Speech("en", "valhal", ("Astrid",), piece)
    assert opinion_told(speech, Desync((), ("r3",), (), ()), str).books == "nothing"
