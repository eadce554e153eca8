"""Something to tell a person: a code for programs, a sentence to be translated, and its facts."""

from __future__ import annotations

from dataclasses import dataclass


def N_(sentence: str) -> str:  # noqa: N802 - the marker gettext tools look for
    """Marks a sentence for the catalogues without translating it yet."""
    return sentence


@dataclass(frozen=True, slots=True)
class Message:
    """`views` says it in the reader's language; as text it is in English. A fact may be a message
    itself, such as the reason of a failure."""

    code: str
    sentence: str
    """Its blanks, such as `%(name)s`, are the facts."""
    facts: tuple[tuple[str, object], ...] = ()

    def __str__(self) -> str:
        return self.sentence % dict(self.facts)


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
