"""How commands answer: objects for programs, a line for people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
import msgspec

from companion.foundation.messages import N_
from companion.ledger.session import Session
from companion.views.speech import LANGUAGES, Speech

_SPOKEN = "companion.language"


def language_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """The language of everything a command says, its errors too."""
    return click.option(
        "--language",
        type=click.Choice(LANGUAGES),
        callback=_chosen,
        is_eager=True,
        help="The language of the answer.",
    )(command)


def _chosen(ctx: click.Context, _: click.Parameter, language: str | None) -> str:
    """Asked for after the command, before it (`main`), or not at all."""
    if language is not None:
        ctx.meta[_SPOKEN] = language
    return spoken(ctx)


def speak(ctx: click.Context, language: str) -> None:
    """The language of every command that follows; raises `click.BadParameter`."""
    if language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise click.BadParameter(f"{language!r} is not one of {known}.", ctx)
    ctx.meta[_SPOKEN] = language


def spoken(ctx: click.Context) -> str:
    """The language that was asked for, wherever it was."""
    return str(ctx.meta.get(_SPOKEN, "en"))


def json_line(value: object) -> bytes:
    """Always UTF-8, whatever the terminal has."""
    return msgspec.json.encode(value)


def standing_text(session: Session, speech: Speech) -> str:
    standing = session.game.standing(session.state)
    names = session.setup.names
    scores = ", ".join(f"{n} {p}" for n, p in zip(names, standing.points, strict=True))
    if not standing.over:
        return speech.say(N_("standing: %(scores)s"), scores=scores)
    both = f" {speech.say(N_('and'))} "
    winners = both.join(names[seat] for seat in standing.winners) or speech.word(None)
    return speech.say(N_("final: %(scores)s; won by %(winners)s"), scores=scores, winners=winners)
