"""The set-up form: names, edition, options; and what somebody filled in."""

from __future__ import annotations

from dataclasses import dataclass

from werkzeug.datastructures import ImmutableMultiDict

from companion.rules.catalog import GAMES
from companion.rules.core import Setup
from companion.rules.options import Kind, OneOf, Option, Several, Switch, Whole
from companion.views.catalog import TELLINGS
from companion.views.speech import N_, Speech

EDITION_NAMES = {
    "en": "English",
    "de": "Deutsch",
    "fr": "Français",
    "es": "Español",
    "it": "Italiano",
    "nl": "Nederlands",
}
FIRST_COUNT = 3  # seats offered to somebody who has never played here


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Field:
    """One option on the form; `control` says how it is chosen."""

    name: str
    words: str
    rule: str
    control: str
    value: str
    choices: tuple[Choice, ...]
    changed: bool
    least: int = 0
    most: int = 0


@dataclass(frozen=True, slots=True)
class Form:
    game: str
    names: tuple[str, ...]
    counts: range
    count: int
    editions: tuple[Choice, ...]
    fields: tuple[Field, ...]
    changed: bool


def form_for(setup: Setup | None, language: str) -> Form:
    """The form as it should look now: the people of last time, or fresh."""
    game = GAMES[setup.game if setup is not None and setup.game in GAMES else next(iter(GAMES))]
    speech = Speech(language, game.NAME)
    given = setup.names if setup is not None else ()
    names = [
        given[place - 1] if place <= len(given) else speech.say(N_("Player %(n)s"), n=place)
        for place in range(1, game.SEATS[-1] + 1)
    ]
    edition = setup.edition if setup is not None else language
    changes = dict(setup.changes) if setup is not None else {}
    texts = {**game.EDITIONS.get(edition, {}), **changes}
    return Form(
        game=game.NAME,
        names=tuple(names),
        counts=game.SEATS,
        count=len(given) or FIRST_COUNT,
        editions=tuple(
            Choice(each, EDITION_NAMES[each], each == edition) for each in game.EDITIONS
        ),
        fields=tuple(_field(speech, each, texts, each.name in changes) for each in game.OPTIONS),
        changed=bool(changes),
    )


def _field(speech: Speech, option: Option, texts: dict[str, str], changed: bool) -> Field:
    telling = TELLINGS[speech.game]
    value = texts.get(option.name, option.default)
    control, least, most = _control(option.kind)
    chosen = value.split() if control == "several" else [value]
    return Field(
        name=option.name,
        words=speech.say(telling.OPTION_WORDS[option.name]),
        rule=option.rule,
        control=control,
        value=value,
        choices=tuple(
            Choice(each, speech.say(telling.VALUE_WORDS.get(each, each)), each in chosen)
            for each in option.kind.words
        ),
        changed=changed,
        least=least,
        most=most,
    )


def _control(kind: Kind) -> tuple[str, int, int]:
    match kind:
        case Switch():
            return "switch", 0, 0
        case OneOf():
            return "one", 0, 0
        case Several(_, count):
            return "several", count, count
        case Whole(least, most):
            return "whole", least, most


def filled_in(form: ImmutableMultiDict[str, str]) -> Setup:
    """The set-up somebody asked for; only options that differ from the edition are changes."""
    name = form.get("game", next(iter(GAMES)))
    count = form.get("count", "")
    names = [each.strip() for each in form.getlist("name")]
    if count.isascii() and count.isdigit() and len(count) < 3:
        names = names[: int(count)]
    edition = form.get("edition", "en")
    game = GAMES.get(name)
    if game is None:
        return Setup(name, tuple(names), edition)
    preset = game.EDITIONS.get(edition, {})
    changes = []
    for option in game.OPTIONS:
        given = [each for each in form.getlist(f"option.{option.name}") if each]
        usual = preset.get(option.name, option.default)
        if given and " ".join(given) != usual:
            changes.append((option.name, " ".join(given)))
    return Setup(name, tuple(names), edition, tuple(changes))
