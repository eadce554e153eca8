"""Forms as the pages offer them. Filled in by chance they go deeper than nonsense does, because
most of their fields make sense."""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import dataclass, field
from html import unescape
from random import Random

MOST_FORMS = 300
"""Remembered at once; the oldest is forgotten."""
_FORM = re.compile(r"<form\b([^>]*)>(.*?)</form>", re.DOTALL)
_CONTROL = re.compile(r"<(?:input|button|select|textarea|option)\b[^>]*>")
_SAID = re.compile(r"([a-z-]+)=\"([^\"]*)\"")


@dataclass(frozen=True, slots=True)
class OfferedForm:
    path: str
    fields: tuple[tuple[str, tuple[str, ...]], ...]
    """Each with the values it offers."""


def forms_in(page: str) -> list[OfferedForm]:
    """Those that are posted."""
    found = []
    for head, body in _FORM.findall(page):
        said = dict(_SAID.findall(head))
        if said.get("method") == "post" and said.get("action"):
            found.append(OfferedForm(unescape(said["action"]), _fields(body)))
    return found


def _fields(body: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    fields: dict[str, list[str]] = {}
    name = ""
    for control in _CONTROL.findall(body):
        how = dict(_SAID.findall(control))
        if not control.startswith("<option"):  # those belong to the list before them
            name = unescape(how.get("name", ""))
        if name:
            fields.setdefault(name, []).append(unescape(how.get("value", "")))
    return tuple((each, tuple(values)) for each, values in fields.items())


@dataclass
class FormPool:
    """The forms seen so far, one for each path and set of fields."""

    rng: Random
    known: OrderedDict[tuple[str, ...], OfferedForm] = field(default_factory=OrderedDict)

    def see(self, page: str) -> None:
        for form in forms_in(page):
            key = (form.path, *(name for name, _ in form.fields))
            self.known.pop(key, None)
            self.known[key] = form
        while len(self.known) > MOST_FORMS:
            self.known.popitem(last=False)

    def filled(self, nonsense: tuple[str, ...]) -> tuple[str, dict[str, list[str]]] | None:
        """A path and fields, most of them as offered; None while no form is known."""
        if not self.known:
            return None
        form = self.rng.choice(tuple(self.known.values()))
        given = {}
        for name, offered in form.fields:
            chance = self.rng.random()
            if chance < 0.08:
                continue
            one = [self.rng.choice(nonsense if chance < 0.2 else offered)]
            given[name] = list(offered) if chance > 0.7 else one
        return form.path, given
