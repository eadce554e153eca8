"""The rules of a game by chapter, with what this table plays otherwise."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.catalog import game_named
from companion.core.game import Setup
from companion.views.public import Rule, rule_as_read
from companion.views.readings import texts_of, value_words
from companion.views.speech import N_, Speech
from companion.views.words import words_of

FURTHER = N_("Further rules")


@dataclass(frozen=True, slots=True)
class RuleChapter:
    title: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class HouseRule:
    """An option this table has set otherwise than its edition."""

    question: str
    answer: str
    edition: str
    """What the edition says."""
    rule: str
    """The id of the rule it belongs to; empty if that has no text here."""


def rule_chapters(speech: Speech, setup: Setup) -> tuple[RuleChapter, ...]:
    """Every rule as this table reads it. A chapter stands where its first rule does."""
    words = words_of(setup.game)
    found: dict[str, list[Rule]] = {}
    further: list[Rule] = []
    for rule in words.rules:
        title = words.chapters.get(rule.split("-")[1] if "-" in rule else "")
        where = further if title is None else found.setdefault(title, [])
        where.append(rule_as_read(speech, setup, rule))
    chapters = [RuleChapter(speech.say(title), tuple(rules)) for title, rules in found.items()]
    if further:
        chapters.append(RuleChapter(speech.say(FURTHER), tuple(further)))
    return tuple(chapters)


def house_rules(speech: Speech, setup: Setup) -> tuple[HouseRule, ...]:
    options = {option.name: option for option in game_named(setup.game).OPTIONS}
    words = words_of(setup.game)
    edition = texts_of(Setup(setup.game, setup.names, setup.edition))
    return tuple(
        HouseRule(
            speech.say(words.options[name]),
            value_words(speech, options[name], text),
            value_words(speech, options[name], edition[name]),
            _rule_of(setup.game, name, options[name].rule),
        )
        for name, text in setup.changes
        if name in options and name in words.options
    )


def _rule_of(game: str, option: str, rule: str) -> str:
    words = words_of(game)
    named = [each for each in rule.split() if each in words.rules]
    if named:
        return named[0]
    return next((each for each, names in words.readings.items() if option in names), "")
