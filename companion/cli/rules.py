"""What a game is played by: `companion rules` and `companion options`."""

from __future__ import annotations

import click

from companion.cli.answers import json_line, language_option
from companion.core.catalog import game_named
from companion.core.game import Setup
from companion.core.options import Option
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.views import Rule, rule_as_read, speech_for
from companion.views.speech import Speech
from companion.views.words import words_of


@click.command()
@click.argument("game")
@click.argument("rule", required=False)
@click.option("--json", "as_json", is_flag=True, help="One object a rule.")
@language_option
def rules(game: str, rule: str | None, as_json: bool, language: str) -> None:
    """The rules of GAME in short, or the one whose id is RULE, with what it leaves open."""
    game_named(game)
    setup = Setup(game, ())
    speech, known = speech_for(setup, language), words_of(game).rules
    wanted = known if rule is None else [_meant(game, rule)]
    for each in wanted:
        read = rule_as_read(speech, setup, each)
        click.echo(json_line(read) if as_json else _rule_text(speech, read))


def _meant(game: str, rule: str) -> str:
    """The id, in any case; a beginning that fits several is answered with them."""
    known = words_of(game).rules
    alike = {each.upper(): each for each in known}
    if (found := alike.get(rule.upper())) is not None:
        return found
    near = [each for each in known if rule.upper() in each.upper()]
    raise BadInput(
        "no-such-rule",
        N_("%(game)s has no rule %(rule)s; there are %(known)s"),
        game=game,
        rule=repr(rule),
        known=", ".join(near or known),
    )


def _rule_text(speech: Speech, rule: Rule) -> str:
    lines = [f"{rule.id:<18} {rule.text}"]
    if rule.example:
        lines.append(" " * 19 + speech.say(N_("For example:")) + " " + rule.example)
    for each in rule.readings:
        others = ", ".join(each.others)
        played = N_("%(question)s: %(played)s (or: %(others)s)")
        said = speech.say(played, question=each.question, played=each.answer, others=others)
        lines.append(" " * 19 + said)
    return "\n".join(lines)


@click.command()
@click.argument("game")
@click.option("--json", "as_json", is_flag=True, help="One object an option.")
@language_option
def options(game: str, as_json: bool, language: str) -> None:
    """The editions and options of GAME, with what each may be."""
    found, words = game_named(game), words_of(game)
    speech = speech_for(Setup(game, ()), language)
    if not as_json:
        for name in found.EDITIONS:
            edition = speech.say(words.editions[name])
            click.echo(f"edition: {name:<32} {edition}")
    for each in found.OPTIONS:
        question = speech.say(words.options[each.name])
        click.echo(
            _option_json(each, question) if as_json else _option_text(speech, each, question)
        )


def _option_text(speech: Speech, each: Option, question: str) -> str:
    line = f"{each.name}: {each.default}"
    may_be = speech.say(N_("may be %(allowed)s"), allowed=each.kind.allowed)
    return f"{line:<41} {question} [{each.rule}]\n{'':<41} {may_be}"


def _option_json(each: Option, question: str) -> bytes:
    return json_line(
        {
            "option": each.name,
            "default": each.default,
            "allowed": each.kind.allowed,
            "rule": each.rule,
            "question": question,
        }
    )
