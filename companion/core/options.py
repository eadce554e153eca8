"""Options: every switch of a game's specification, declared once as a typed dataclass field.

    @dataclass(frozen=True, slots=True)
    class Options:
        goat: bool = option(False, Switch(), "GAME-COMP-3")

At the edges (set-up page, record files, journal) a value is text; inside it has its type.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar, cast


@dataclass(frozen=True, slots=True)
class Switch:
    """Yes or no."""

    words: ClassVar[tuple[str, ...]] = ("true", "false")
    allowed: ClassVar[str] = "true, false"

    def read(self, text: str) -> bool:
        if text not in self.words:
            raise ValueError(text)
        return text == "true"

    def write(self, value: object) -> str:
        return "true" if value else "false"


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few words."""

    words: tuple[str, ...]

    @property
    def allowed(self) -> str:
        return ", ".join(self.words)

    def read(self, text: str) -> str:
        if text not in self.words:
            raise ValueError(text)
        return text

    def write(self, value: object) -> str:
        return str(value)


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number between two bounds, or one of a few words."""

    least: int
    most: int
    words: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        return ", ".join((f"{self.least}–{self.most}", *self.words))

    def read(self, text: str) -> int | str:
        if text in self.words:
            return text
        if not re.fullmatch(r"[0-9]{1,6}", text) or not self.least <= int(text) <= self.most:
            raise ValueError(text)
        return int(text)

    def write(self, value: object) -> str:
        return str(value)


@dataclass(frozen=True, slots=True)
class Several:
    """A number of different words, kept in the order of `words`."""

    words: tuple[str, ...]
    count: int

    @property
    def allowed(self) -> str:
        return f"{self.count} × {', '.join(self.words)}"

    def read(self, text: str) -> tuple[str, ...]:
        chosen = text.split()
        if len(set(chosen)) != self.count or not set(chosen) <= set(self.words):
            raise ValueError(text)
        return tuple(word for word in self.words if word in chosen)

    def write(self, value: object) -> str:
        return " ".join(cast("Iterable[str]", value))


Kind: TypeAlias = Switch | OneOf | Whole | Several


@dataclass(frozen=True, slots=True)
class Option:
    """One switch: its name, what it may be, the rule or open question it rests on."""

    name: str
    default: str
    kind: Kind
    rule: str


class Declared(Protocol):
    """Any dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


T = TypeVar("T", bound=Declared)


def option(default: Any, kind: Kind, rule: str) -> Any:
    return field(default=default, metadata={"kind": kind, "rule": rule})


def described(declared: type[T]) -> tuple[Option, ...]:
    return tuple(
        Option(each.name, kind.write(each.default), kind, each.metadata["rule"])
        for each in fields(declared)
        for kind in (each.metadata["kind"],)
    )


def chosen(declared: type[T], texts: Mapping[str, str]) -> tuple[T | None, tuple[str, ...]]:
    """The typed options, or None and the names of the options whose values are no good."""
    kinds = {each.name: each.kind for each in described(declared)}
    values: dict[str, Any] = {}
    bad = []
    for name, text in texts.items():
        try:
            values[name] = kinds[name].read(text)
        except ValueError:
            bad.append(name)
    return (None if bad else declared(**values)), tuple(bad)
