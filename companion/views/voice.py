"""What a voice says of a moment, and what of that is new to who has listened so far.

Page and box speak the same utterances. `utterances` makes them from the books; `listened` is a
fold that says each once. Whoever comes later hears nothing old, and after a correction only what
was corrected is said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice

from companion.core.game import Standing
from companion.ledger.referee import Moment
from companion.ledger.session import Entry, Session
from companion.tabletop.readings import Desync, Question
from companion.views.camera_opinion import opinion_told
from companion.views.public import explain, retold, speech_for
from companion.views.speech import N_, Speech
from companion.views.words import Done, Spoken, words_of

LAST_ENTRIES = 12
"""Entries that are told again with every moment: a correction reaches no further back."""
MOST_AT_ONCE = 3
"""Plays said one after another; of more that came at once only the last is said."""


class Topic(StrEnum):
    """What can be spoken about. People choose among these."""

    PLAYS = "plays"
    SUMMARIES = "summaries"  # of a hand, a season, a game
    REFUSALS = "refusals"
    QUESTIONS = "questions"
    TURNS = "turns"


TOPIC_WORDS: dict[Topic, str] = {
    Topic.PLAYS: N_("what is played"),
    Topic.SUMMARIES: N_("hands, seasons and victories"),
    Topic.REFUSALS: N_("what is against the rules"),
    Topic.QUESTIONS: N_("questions"),
    Topic.TURNS: N_("whose turn it is"),
}


@dataclass(frozen=True, slots=True)
class Utterance:
    topic: Topic
    key: str
    """What is said, without its language: the same key is not said again."""
    text: str
    """Empty: the entry is known, and nothing is said of it."""
    corrected: str = ""
    """What is said if another entry stood in this place before; empty: the text."""
    place: int = 0
    """The number of the entry it tells of; 0 if it is about none."""


@dataclass(frozen=True, slots=True)
class ListenerMemory:
    """What a listener knows: the keys by topic and place, of one game."""

    game: int = 0
    keys: frozenset[tuple[Topic, int, str]] = field(default_factory=frozenset)

    def of(self, topic: Topic, place: int) -> str | None:
        found = (key for about, at, key in self.keys if (about, at) == (topic, place))
        return next(found, None)

    @property
    def last(self) -> int:
        return max((place for _, place, _ in self.keys), default=0)


def utterances(moment: Moment, language: str) -> tuple[Utterance, ...]:
    """What can be said of this moment, in the order it is said."""
    session = moment.session
    if session is None:
        return ()
    speech = speech_for(session.setup, language)
    entries = reversed(list(islice(session.entries, LAST_ENTRIES)))
    return (
        *(each for entry in entries for each in _of_entry(speech, session, entry)),
        *_taken_back(speech, session),
        *_refused(speech, session),
        *_asked(speech, moment),
        *_turn(speech, session),
    )


def listened(
    heard: ListenerMemory | None, game: int, now: Iterable[Utterance]
) -> tuple[ListenerMemory, tuple[Utterance, ...]]:
    """The listener afterwards, and what is new. Who begins to listen, or listens to another game,
    is told nothing of what was there before."""
    said = tuple(now)
    known = frozenset((each.topic, each.place, each.key) for each in said)
    if heard is None or heard.game != game:
        return ListenerMemory(game, known), ()
    new = tuple(each for each in _new(heard, said) if each.text)
    plays = [each for each in new if each.topic is Topic.PLAYS]
    late = plays[:-1] if len(plays) > MOST_AT_ONCE else []
    return ListenerMemory(game, known), tuple(each for each in new if each not in late)


def _new(heard: ListenerMemory, said: tuple[Utterance, ...]) -> Iterator[Utterance]:
    last = heard.last
    plays = {each.place: each.key for each in said if each.topic is Topic.PLAYS and each.place}
    for each in said:
        if heard.of(each.topic, each.place) == each.key:
            continue
        before = heard.of(Topic.PLAYS, each.place)
        if each.place == 0 or each.place > last:
            yield each
        elif before is not None and before != plays.get(each.place):
            yield replace(each, text=each.corrected or each.text)


def _of_entry(speech: Speech, session: Session, entry: Entry) -> Iterator[Utterance]:
    spoken = _spoken(speech, session, entry)
    value = spoken.value or spoken.sentence
    text = spoken.sentence if entry.event.instead_of is None else value
    yield Utterance(Topic.PLAYS, entry.action, text, value, entry.number)
    standing = session.game.standing(entry.state)
    summary = _won(speech, standing) if standing.over else spoken.summary
    if summary:
        yield Utterance(Topic.SUMMARIES, summary, summary, place=entry.number)


def _spoken(speech: Speech, session: Session, entry: Entry) -> Spoken:
    before = session.start if entry.before is None else entry.before.state
    done = Done(before, session.game.parse(entry.action), entry.state)
    spoken = words_of(speech.game).spoken
    return Spoken(retold(speech, entry.action)) if spoken is None else spoken(speech, done)


def _won(speech: Speech, standing: Standing) -> str:
    if not standing.winners:
        return speech.say(N_("Everybody loses."))
    if len(standing.winners) == 1:
        return speech.say(N_("%(name)s wins!"), name=standing.winners[0])
    return speech.say(N_("%(names)s share the victory!"), names=speech.listed(standing.winners))


def _taken_back(speech: Speech, session: Session) -> Iterator[Utterance]:
    last = 0 if session.latest is None else session.latest.event.seq
    if session.taken_back and session.seq > last:
        yield Utterance(Topic.PLAYS, f"back {session.seq}", speech.say(N_("Taken back.")))


def _refused(speech: Speech, session: Session) -> Iterator[Utterance]:
    refusal = session.refusal
    if refusal is None:
        return
    why = explain(speech, refusal.reasons[0])
    text = speech.say(N_("Not allowed: %(why)s"), why=why) if refusal.action else why
    codes = " ".join(each.code for each in refusal.reasons)
    yield Utterance(Topic.REFUSALS, f"{session.seq} {refusal.action} {codes}", text)


def _asked(speech: Speech, moment: Moment) -> Iterator[Utterance]:
    opinion, session = moment.opinion, moment.session
    if session is None:
        return
    if isinstance(opinion, Question | Desync):
        told = opinion_told(speech, opinion, lambda line: retold(speech, line))
        yield Utterance(Topic.QUESTIONS, f"{session.seq} {told.kind}", told.sentence)
        return
    waiting = words_of(speech.game).waiting(speech, session.state)
    if waiting.urgent:
        yield Utterance(Topic.QUESTIONS, f"{waiting.seat} {waiting.sentence}", waiting.sentence)


def _turn(speech: Speech, session: Session) -> Iterator[Utterance]:
    waiting = words_of(speech.game).waiting(speech, session.state)
    if waiting.seat is not None and not waiting.urgent:
        yield Utterance(Topic.TURNS, str(waiting.seat), waiting.sentence)
