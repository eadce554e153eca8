"""Something to tell a person: a code for programs, a sentence to be translated, and its facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


def N_(sentence: str) -> str:  # noqa: N802 - the marker gettext tools look for
    """Marks a sentence for the catalogues without translating it yet."""
    return sentence


class Counted(str):
    """A sentence for many, such as `%(count)s cards`, that has another form for one: `one card`.
    Which is said depends on the fact named `by`, and on the language: French has none of many for
    zero."""

    one: str
    by: str


def NN_(one: str, many: str, by: str = "count") -> Counted:  # noqa: N802 - as N_
    """Marks a sentence with a number for the catalogues."""
    counted = Counted(many)
    counted.one, counted.by = one, by
    return counted


def number_in(counted: Counted, facts: Mapping[str, object]) -> int:
    """How many the sentence is about: a number, or the length of a list."""
    value = facts[counted.by]
    return len(value) if isinstance(value, tuple) else int(str(value))


@dataclass(frozen=True, slots=True)
class Message:
    """`views` says it in the reader's language; as text it is in English. A fact may be a message
    itself, such as the reason of a failure."""

    code: str
    sentence: str
    """Its blanks, such as `%(name)s`, are the facts."""
    facts: tuple[tuple[str, object], ...] = ()

    def __str__(self) -> str:
        facts, sentence = dict(self.facts), self.sentence
        if isinstance(sentence, Counted) and number_in(sentence, facts) == 1:
            return sentence.one % facts
        return sentence % facts


def message(code: str, sentence: str, /, **facts: object) -> Message:
    return Message(code, sentence, tuple(facts.items()))


@dataclass(frozen=True, slots=True)
class MessageList:
    """Several messages in one, as a fact."""

    messages: tuple[Message, ...]

    def __str__(self) -> str:
        return "; ".join(map(str, self.messages))


def phrase(words: str) -> Message:
    """A part of a sentence that is translated by itself, marked with `N_` where it is written."""
    return Message("phrase", words.replace("%", "%%"))
