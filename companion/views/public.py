"""The public view of a moment, and the sentences that every game needs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

from companion.core.catalog import game_named
from companion.core.game import Reason, Setup, Standing
from companion.ledger.events import Did, Fact, LetStood, Opened, Retracted
from companion.ledger.referee import Moment
from companion.ledger.session import Session, points_curve
from companion.views.camera_opinion import OpinionView, opinion_told
from companion.views.chart import Chart, chart
from companion.views.readings import RuleReading, readings_of
from companion.views.speech import N_, NN_, Speech
from companion.views.waiting import Waiting
from companion.views.words import HandCard, words_of

HISTORY_SHOWN = 60
"""Entries that the history shows."""

SENTENCES: dict[str, str] = {
    "name-empty": N_("Player %(place)s has no name yet."),
    "name-long": N_("The name of player %(place)s has %(got)s letters; %(most)s are the most."),
    "name-odd": N_("The name of player %(place)s may have letters, digits, spaces and - ' . only."),
    "name-twice": N_("Two players are called %(name)s; add a letter to tell them apart."),
    "seat-count": N_("%(got)s want to play; this game is for %(least)s to %(most)s."),
    "edition-unknown": N_("There is no edition %(got)s; there are: %(known)s."),
    "option-unknown": N_("There is no option %(option)s; there are: %(known)s."),
    "option-value": N_("The option %(option)s cannot be “%(got)s”; it may be %(allowed)s."),
    "stale": N_("The table has moved on since; look again."),
    "nothing-to-undo": N_("There is nothing to undo."),
    "undo-too-far": NN_(
        "So many entries cannot be undone: %(asked)s; there is %(have)s.",
        "So many entries cannot be undone: %(asked)s; there are %(have)s.",
        by="have",
    ),
    "nothing-to-redo": N_("There is nothing to bring back."),
    "redo-too-far": NN_(
        "So many entries cannot be brought back: %(asked)s; there is %(have)s.",
        "So many entries cannot be brought back: %(asked)s; there are %(have)s.",
        by="have",
    ),
    "nothing-to-confirm": N_("There is nothing to confirm."),
    "nobody-to-pass": N_("Nobody can pass now."),
    "no-game": N_("No game has been set up."),
}
RULES: dict[str, str] = {
    "SETUP": N_("Before the game."),
    "TABLE": N_("At the table."),
}


@dataclass(frozen=True, slots=True)
class Rule:
    id: str
    text: str
    readings: tuple[RuleReading, ...] = ()
    example: str = ""
    """A worked example; empty if there is none."""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """An entry as the history shows it."""

    seq: int
    at: str
    sentence: str
    overruled: bool = False
    undo: int = 1
    """How many entries must be taken back to undo it."""
    sheet: bool = False
    """Whether it only tells what is printed on the owner's copy."""
    by: str = ""
    """The device it was entered on, if it has a name."""


@dataclass(frozen=True, slots=True)
class RefusalView:
    """A refused action that the table has not settled yet: what was said, why it is refused, and
    by which rules."""

    action: str
    said: str
    sentences: tuple[str, ...]
    rules: tuple[Rule, ...]
    can_stand: bool
    cards: tuple[HandCard, ...] = ()
    """The cards it is about."""


@dataclass(frozen=True, slots=True)
class PublicView:
    game: str
    number: int
    seq: int
    version: int
    names: tuple[str, ...]
    waiting: Waiting
    standing: Standing
    winners: tuple[str, ...]
    history: tuple[HistoryEntry, ...]  # newest first
    assumes: tuple[str, ...]
    refusing: RefusalView | None
    expected: str | None  # in notation: the action that *confirm* would enter
    trouble: str
    table: Any
    opinion: OpinionView | None = None  # what the camera makes of the table
    redo: str = ""  # the undone entry that would come back next, as a sentence
    curve: Chart | None = None  # points over the whole game, once it is over


def speech_for(setup: Setup, language: str) -> Speech:
    return Speech(language, setup.game, setup.names, words_of(setup.game).piece)


def view_of(moment: Moment, language: str) -> PublicView | None:
    """None while no game has been set up."""
    session = moment.session
    if session is None:
        return None
    speech = speech_for(session.setup, language)
    words = words_of(session.setup.game)
    standing = session.game.standing(session.state)
    expected = session.game.expected(session.state)
    return PublicView(
        game=session.setup.game,
        number=session.number,
        seq=session.seq,
        version=moment.version,
        names=session.setup.names,
        waiting=words.waiting(speech, session.state),
        standing=standing,
        winners=tuple(speech.word(seat) for seat in standing.winners),
        history=_history(speech, session),
        assumes=tuple(explain(speech, each) for each in session.assumes),
        refusing=_refusing(speech, session),
        expected=None if expected is None else session.game.format(expected),
        trouble="" if moment.trouble is None else speech.told(moment.trouble),
        table=words.table(speech, session.state),
        opinion=None
        if moment.opinion is None
        else opinion_told(speech, moment.opinion, lambda line: retold(speech, line)),
        redo=tell(speech, session.redo[0].event.fact) if session.redo else "",
        curve=_curve(session) if standing.over else None,
    )


def _curve(session: Session) -> Chart | None:
    points = points_curve(session)
    if len(points) < 2:
        return None
    return chart(session.setup.names, tuple(zip(*points, strict=True)), None)


def explain(speech: Speech, each: Reason) -> str:
    """A reason as a sentence."""
    facts = dict(each.facts)
    if each.code in SENTENCES:
        sentence = speech.say(SENTENCES[each.code], **facts)
    else:  # the game may have its own words for the plain names in its rules
        told = {n: speech.piece(speech, v) if type(v) is str else v for n, v in facts.items()}
        sentence = speech.say(words_of(speech.game).sentences[each.code], **told)
    return sentence[:1].upper() + sentence[1:]


def rules_of(speech: Speech, setup: Setup, reasons: tuple[Reason, ...]) -> tuple[Rule, ...]:
    """The rules on which these reasons rest, each once, as this table reads them."""
    ids = dict.fromkeys(each.rule for each in reasons)
    return tuple(rule_as_read(speech, setup, rule) for rule in ids)


def rule_as_read(speech: Speech, setup: Setup, rule: str) -> Rule:
    """A rule by its id, with how this table reads what it leaves open and an example."""
    words = words_of(setup.game)
    text = RULES.get(rule) or words.rules[rule]
    example = words.examples.get(rule)
    return Rule(
        rule,
        speech.say(text),
        readings_of(speech, setup, rule),
        "" if example is None else speech.say(example),
    )


def rule_text(speech: Speech, rule: str) -> str:
    """A rule by its id, in short."""
    return speech.say(RULES.get(rule) or words_of(speech.game).rules[rule])


def tell(speech: Speech, fact: Fact) -> str:
    """A fact of the journal as a sentence."""
    match fact:
        case Opened(setup):
            return speech.say(N_("A new game: %(names)s."), names=setup.names)
        case Retracted(entries):
            back = NN_(
                "The last entry was taken back.", "The last %(count)s entries were taken back."
            )
            return speech.say(back, count=entries)
        case Did(action):
            return retold(speech, action)
        case LetStood(action):
            return speech.say(N_("%(said)s The table let it stand."), said=retold(speech, action))


def follows(speech: Speech, session: Session) -> tuple[str, ...]:
    """Sentences about what followed from the last entry by itself."""
    return words_of(speech.game).notes(speech, session.state)


def retold(speech: Speech, action: str) -> str:
    """An action in notation as a sentence."""
    sentence = words_of(speech.game).retell(speech, game_named(speech.game).parse(action))
    return sentence[:1].upper() + sentence[1:]


def _history(speech: Speech, session: Session) -> tuple[HistoryEntry, ...]:
    return tuple(
        HistoryEntry(
            entry.event.seq,
            entry.event.at,
            tell(speech, entry.event.fact),
            overruled=isinstance(entry.event.fact, LetStood),
            undo=back,
            sheet=entry.action.startswith("sheet "),
            by=entry.event.by,
        )
        for back, entry in enumerate(islice(session.entries, HISTORY_SHOWN), start=1)
    )


def _refusing(speech: Speech, session: Session) -> RefusalView | None:
    refusal = session.refusal
    if refusal is None:
        return None
    return RefusalView(
        action=refusal.action,
        said=retold(speech, refusal.action) if refusal.action else "",
        sentences=tuple(explain(speech, each) for each in refusal.reasons),
        rules=rules_of(speech, session.setup, refusal.reasons),
        can_stand=refusal.can_stand,
        cards=_cards(speech, refusal.action) if refusal.action else (),
    )


def _cards(speech: Speech, action: str) -> tuple[HandCard, ...]:
    words = words_of(speech.game)
    return words.hand(speech, words.cards(game_named(speech.game).parse(action)))
