"""How a table reads the rules. Where the rule book leaves something open, an option says which
reading is played; here that is put into words, with the other readings."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.catalog import game_named
from companion.core.game import Setup
from companion.core.options import Option, Several, Switch
from companion.views.speech import N_, Speech
from companion.views.words import words_of


@dataclass(frozen=True, slots=True)
class RuleReading:
    """One open question of the rule book: how this table plays it, and how else it could be."""

    question: str
    answer: str
    others: tuple[str, ...]
    changed: bool  # whether the table plays it otherwise than the companion would


def readings_of(speech: Speech, setup: Setup, rule: str) -> tuple[RuleReading, ...]:
    options = {option.name: option for option in game_named(setup.game).OPTIONS}
    names = words_of(setup.game).readings.get(rule, ())
    return tuple(_reading(speech, setup, options[name]) for name in names)


def texts_of(setup: Setup) -> dict[str, str]:
    """The value of every option of a set-up, as text: its default, unless the edition has another
    or the table changed it."""
    game = game_named(setup.game)
    defaults = {option.name: option.default for option in game.OPTIONS}
    return {**defaults, **game.EDITIONS.get(setup.edition, {}), **dict(setup.changes)}


def value_words(speech: Speech, option: Option, text: str) -> str:
    """A value of an option as people say it."""
    if isinstance(option.kind, Switch):
        return speech.say(N_("yes")) if text == "true" else speech.say(N_("no"))
    words = words_of(speech.game).values
    if isinstance(option.kind, Several):
        return ", ".join(speech.say(words.get(each, each)) for each in text.split())
    return speech.say(words[text]) if text in words else text


def _reading(speech: Speech, setup: Setup, option: Option) -> RuleReading:
    text = texts_of(setup)[option.name]
    return RuleReading(
        question=speech.say(words_of(setup.game).options[option.name]),
        answer=value_words(speech, option, text),
        others=tuple(
            value_words(speech, option, other) for other in option.kind.words if other != text
        ),
        changed=text != option.default,
    )
