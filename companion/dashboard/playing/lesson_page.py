"""A first game against bots, with the rules shown as they matter. Everybody has a lesson of their
own; none is kept."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.core.catalog import game_named, packs
from companion.dashboard.language import reader_language
from companion.dashboard.parts import Parts
from companion.dashboard.watched.visitors import choosing, held
from companion.foundation.errors import BadInput
from companion.foundation.messages import Message
from companion.ledger.referee import Moment
from companion.views import Rule, explain, rule_as_read, speech_for, tell, view_of
from companion.views.lessons import Hint, Newcomer
from companion.views.words import words_of

if TYPE_CHECKING:  # it brings numpy with it
    from companion.sim.lesson import Lesson

COOKIE = "lesson"
MOST_LESSONS = 24
"""At a time; who was away longest begins anew."""
MOST_HINTS = 2
"""At a time: nobody reads more before a move. The others come with the next."""


@dataclass(frozen=True, slots=True)
class HintView:
    sentence: str
    rules: tuple[Rule, ...]


class LessonPage:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._lock = threading.Lock()
        self._lessons: OrderedDict[str, Lesson] = OrderedDict()

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("lesson", __name__)
        for path, view, method in (
            ("/learn/<game>", self.begin, "GET"),
            ("/learn/<game>/again", self.again, "POST"),
            ("/learn/<game>", self.say, "POST"),
        ):
            blueprint.add_url_rule(path, view_func=view, methods=[method])
        return blueprint

    @property
    def _language(self) -> str:
        return reader_language(self._parts.language)

    def begin(self, game: str) -> AnyResponse:
        """Where they were, or a new lesson."""
        token, lesson = self._found(game)
        return self._shown(token, lesson)

    def again(self, game: str) -> AnyResponse:
        with self._lock:
            self._lessons.pop(request.cookies.get(COOKIE, ""), None)
        return redirect(url_for("lesson.begin", game=game_named(game).NAME), 303)

    def say(self, game: str) -> AnyResponse:
        token, lesson = self._found(game)
        given = request.form
        leave = given.get("leave", "")
        words = [leave] if leave else [*given.getlist("card"), *given.getlist("line")]
        try:
            with self._lock:
                lesson.say(*words)
        except BadInput as bad:
            return self._shown(token, lesson, bad.message)
        return redirect(url_for("lesson.begin", game=lesson.game), 303)

    def _found(self, game: str) -> tuple[str, Lesson]:
        from companion.sim.lesson import Lesson

        token = request.cookies.get(COOKIE, "")
        with self._lock:
            lesson = self._lessons.get(token)
            if lesson is None or lesson.game != game:
                token = secrets.token_urlsafe(12)
                lesson = Lesson(game_named(game).NAME, secrets.randbelow(10_000), self._language)
                self._lessons[token] = lesson
            self._lessons.move_to_end(token)
            while len(self._lessons) > MOST_LESSONS:
                self._lessons.popitem(last=False)
        return token, lesson

    def _shown(self, token: str, lesson: Lesson, problem: Message | None = None) -> AnyResponse:
        session = lesson.session
        speech = speech_for(session.setup, self._language)
        asked = lesson.asked
        page = render_template(
            "lesson.html",
            game=lesson.game,
            view=view_of(Moment(0, session), self._language),
            me=speech.names[0],
            hints=self._hints(lesson),
            told=tuple(tell(speech, fact) for fact in lesson.told),
            objections=tuple(explain(speech, each) for each in lesson.objections),
            problem="" if problem is None else speech.told(problem),
            asked=None if asked is None else choosing(speech, asked),
            hand=held(speech, lesson.hand),
            glances=words_of(lesson.game).glance(speech, session.state),
        )
        reply = Response(page, 200 if problem is None else 400)
        reply.set_cookie(COOKIE, token, samesite="Lax", httponly=True)
        return reply

    def _hints(self, lesson: Lesson) -> tuple[HintView, ...]:
        """Those that are new to them; what they did wrong comes with its rule."""
        from companion.sim.lesson import NEWCOMER

        session = lesson.session
        speech = speech_for(session.setup, self._language)
        newcomer: Newcomer[object] = Newcomer(session.state, NEWCOMER, lesson.hand)
        wrong = [Hint("wrong", explain(speech, each), (each.rule,)) for each in lesson.objections]
        every = lesson.plan.hints(speech, newcomer)
        most = 0 if wrong else MOST_HINTS
        fresh = [each for each in every if each.code not in lesson.seen][:most]
        lesson.seen.update(each.code for each in fresh)
        return tuple(
            HintView(
                each.sentence,
                tuple(rule_as_read(speech, session.setup, rule) for rule in each.rules),
            )
            for each in (*wrong, *fresh)
        )


def taught_games() -> tuple[str, ...]:
    """The games that have a lesson."""
    return tuple(name for name, pack in packs().items() if pack.lesson and pack.bots)
