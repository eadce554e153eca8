"""The fields a form is made of. Those that say something, in order, are the words of one action."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Option:
    value: str
    words: str


@dataclass(frozen=True, slots=True)
class Field:
    """`hidden` says its value; `stepper`, `pick` (one of a few), `select` (one of many), `ticks`,
    `text` and `free` (text that may stay empty) ask; `opens` and `closes` fold away what stands
    between them."""

    kind: str
    value: str = ""
    words: str = ""
    options: tuple[Option, ...] = ()
    least: int = 0
    most: int = 99
    sign: str = ""
    word: str = ""  # said before the value; then zero and nothing are not said at all


@dataclass(frozen=True, slots=True)
class Choice:
    """One button: the action it says, its words, and its sign."""

    action: str
    words: str
    sign: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    words: str
    fields: tuple[Field, ...]
    button: str
    hint: str = ""
    choices: tuple[Choice, ...] = ()  # answers that need no more than a tap
    dice: bool = False
    folded: bool = False
    also: Option | None = None  # another button, and what it says at the end
    photograph: bool = False  # a picture of the card may come along


def says(words: str) -> Field:
    return Field("hidden", words)


def opens(words: str) -> Field:
    return Field("opens", words=words)


def closes() -> Field:
    return Field("closes")
