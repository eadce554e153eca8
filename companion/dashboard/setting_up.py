"""The set-up form: names, edition, options; and what somebody filled in."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from werkzeug.datastructures import ImmutableMultiDict

from companion.core.catalog import game_named, packs
from companion.core.game import Setup
from companion.core.options import Kind, OneOf, Option, Several, Switch, Whole
from companion.foundation.errors import BadInput, BadSetup
from companion.people.roster import Roster
from companion.views.readings import texts_of, value_words
from companion.views.speech import Speech
from companion.views.words import words_of

MOST_LINEUPS = 4
"""Offered with one tap."""
MOST_PEOPLE = 24
"""The others can be typed."""
MOST_NUMBERS = 60
"""A number with more values than this is typed, not chosen."""


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
    usual: str
    """What the edition says, in words."""
    least: int = 0
    most: int = 0


@dataclass(frozen=True, slots=True)
class KnownPeople:
    """Who can be sat down with one tap."""

    lineups: tuple[tuple[str, ...], ...] = ()
    """Who has sat together lately."""
    people: tuple[str, ...] = ()
    """Everybody, those who played last first."""


@dataclass(frozen=True, slots=True)
class Form:
    game: str
    games: tuple[str, ...]
    names: tuple[str, ...]
    seats: range
    known: KnownPeople
    editions: tuple[OptionChoice, ...]
    fields: tuple[Field, ...]
    changed: bool


def fresh(game: str, last: Setup | None, language: str, edition: str = "") -> Setup:
    """What the form starts from: the people of last time, the rules too if it is the same game and
    no other edition is asked for."""
    if last is not None and last.game == game and edition in ("", last.edition):
        return last
    editions = game_named(game).EDITIONS
    if edition not in editions:
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


def form_for(setup: Setup, language: str, roster: Roster) -> Form:
    """The form as it should look now."""
    game, words = game_named(setup.game), words_of(setup.game)
    speech = Speech(language, game.NAME)
    given = setup.names[: game.SEATS[-1]]
    names = [*given, *("" for _ in range(game.SEATS[-1] - len(given)))]
    edition, changes, texts = setup.edition, dict(setup.changes), texts_of(setup)
    return Form(
        game=game.NAME,
        games=tuple(packs()),
        names=tuple(names),
        seats=game.SEATS,
        known=_known(roster, game.SEATS),
        editions=tuple(
            OptionChoice(each, speech.say(words.editions[each]), each == edition)
            for each in game.EDITIONS
        ),
        fields=tuple(_field(speech, each, texts[each.name], setup) for each in game.OPTIONS),
        changed=bool(changes),
    )


def _known(roster: Roster, seats: range) -> KnownPeople:
    lineups = roster.lineups()
    fitting = [names for names in lineups if len(names) in seats]
    everybody = [name for names in lineups for name in names]
    with suppress(BadInput):  # a damaged file is said on the page of people
        everybody += [person.name for person in roster.register.people]
    once = tuple(dict.fromkeys(everybody))
    return KnownPeople(tuple(fitting[:MOST_LINEUPS]), once[:MOST_PEOPLE])


def _field(speech: Speech, option: Option, value: str, setup: Setup) -> Field:
    control, least, most = _control(option.kind)
    chosen = value.split() if control == "several" else [value]
    usual = game_named(setup.game).EDITIONS.get(setup.edition, {}).get(option.name, option.default)
    values = option.kind.words
    if isinstance(option.kind, Whole) and most - least < MOST_NUMBERS:
        control, values = "one", (*values, *map(str, range(least, most + 1)))
    return Field(
        name=option.name,
        words=speech.say(words_of(speech.game).options[option.name]),
        rule=option.rule,
        control=control,
        value=value,
        choices=tuple(
            OptionChoice(each, value_words(speech, option, each), each in chosen) for each in values
        ),
        changed=option.name in dict(setup.changes),
        usual=value_words(speech, option, usual),
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
    while names and not names[-1]:  # places left empty at the end
        names.pop()
    if count.isascii() and count.isdigit() and len(count) < 3:
        names = names[: int(count)]
    edition = form.get("edition", "en")
    if name not in packs():
        return Setup(name, tuple(names), edition)
    game = game_named(name)
    preset = game.EDITIONS.get(edition, {})
    changes = []
    for option in game.OPTIONS:
        given = [each.strip() for each in form.getlist(f"option.{option.name}") if each.strip()]
        usual = preset.get(option.name, option.default)
        if given and " ".join(given) != usual:
            changes.append((option.name, " ".join(given)))
    return Setup(name, tuple(names), edition, tuple(changes))
