"""The set-up form: names, edition, options; and what somebody filled in."""

from __future__ import annotations

from dataclasses import dataclass

from werkzeug.datastructures import ImmutableMultiDict

from companion.core.catalog import game_named, packs
from companion.core.game import Setup
from companion.core.options import Kind, OneOf, Option, Several, Switch, Whole
from companion.foundation.errors import BadSetup
from companion.views.readings import texts_of, value_words
from companion.views.speech import N_, Speech
from companion.views.words import words_of

FIRST_COUNT = 3  # seats offered to somebody who has never played here


@dataclass(frozen=True, slots=True)
class OptionChoice:
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
    choices: tuple[OptionChoice, ...]
    changed: bool
    least: int = 0
    most: int = 0


@dataclass(frozen=True, slots=True)
class Form:
    game: str
    games: tuple[str, ...]
    names: tuple[str, ...]
    counts: range
    count: int
    editions: tuple[OptionChoice, ...]
    fields: tuple[Field, ...]
    changed: bool


def fresh(game: str, last: Setup | None, language: str) -> Setup:
    """What the form starts from: the people of last time, the rules too if it is the same game."""
    if last is not None and last.game == game:
        return last
    editions = game_named(game).EDITIONS
    edition = language if language in editions else next(iter(editions))
    names = last.names if last is not None else ()
    return Setup(game, names[: _most_seats(game, edition, names)], edition)


def _most_seats(game: str, edition: str, names: tuple[str, ...]) -> int:
    """How many of these people this edition has room for."""
    for count in range(len(names), 0, -1):
        try:
            game_named(game).start(Setup(game, names[:count], edition))
        except BadSetup:
            continue
        return count
    return 0


def form_for(setup: Setup, language: str) -> Form:
    """The form as it should look now."""
    game, words = game_named(setup.game), words_of(setup.game)
    speech = Speech(language, game.NAME)
    given = setup.names[: game.SEATS[-1]]
    names = [
        given[place - 1] if place <= len(given) else speech.say(N_("Player %(n)s"), n=place)
        for place in range(1, game.SEATS[-1] + 1)
    ]
    edition, changes, texts = setup.edition, dict(setup.changes), texts_of(setup)
    return Form(
        game=game.NAME,
        games=tuple(packs()),
        names=tuple(names),
        counts=game.SEATS,
        count=len(given) or FIRST_COUNT,
        editions=tuple(
            OptionChoice(each, speech.say(words.editions[each]), each == edition)
            for each in game.EDITIONS
        ),
        fields=tuple(_field(speech, each, texts, each.name in changes) for each in game.OPTIONS),
        changed=bool(changes),
    )


def _field(speech: Speech, option: Option, texts: dict[str, str], changed: bool) -> Field:
    value = texts[option.name]
    control, least, most = _control(option.kind)
    chosen = value.split() if control == "several" else [value]
    return Field(
        name=option.name,
        words=speech.say(words_of(speech.game).options[option.name]),
        rule=option.rule,
        control=control,
        value=value,
        choices=tuple(
            OptionChoice(each, value_words(speech, option, each), each in chosen)
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
    name = form.get("game", next(iter(packs())))
    count = form.get("count", "")
    names = [each.strip() for each in form.getlist("name")]
    if count.isascii() and count.isdigit() and len(count) < 3:
        names = names[: int(count)]
    edition = form.get("edition", "en")
    if name not in packs():
        return Setup(name, tuple(names), edition)
    game = game_named(name)
    preset = game.EDITIONS.get(edition, {})
    changes = []
    for option in game.OPTIONS:
        given = [each for each in form.getlist(f"option.{option.name}") if each]
        usual = preset.get(option.name, option.default)
        if given and " ".join(given) != usual:
            changes.append((option.name, " ".join(given)))
    return Setup(name, tuple(names), edition, tuple(changes))
