"""What a page that speaks has to say. It asks whenever the table has changed, keeps what it has
heard, and says what is new (`voice.js`); nobody else pays for it."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify
from flask_babel import gettext

from companion.dashboard.language import reader_language
from companion.dashboard.parts import Parts
from companion.views.voice import MOST_AT_ONCE, TOPIC_WORDS, utterances


class VoicePage:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("voice", __name__)
        blueprint.add_url_rule("/voice", "said", self.said)
        blueprint.app_context_processor(lambda: {"voice_topics": _topics})
        return blueprint

    def said(self) -> Response:
        """Everything that can be said of this moment, in the reader's language."""
        moment = self._parts.referee.moment
        language = reader_language(self._parts.language)
        return jsonify(
            game=0 if moment.session is None else moment.session.number,
            most=MOST_AT_ONCE,
            said=[
                {
                    "topic": each.topic,
                    "place": each.place,
                    "key": each.key,
                    "text": each.text,
                    "corrected": each.corrected or each.text,
                }
                for each in utterances(moment, language)
            ],
        )


def _topics() -> list[tuple[str, str]]:
    """What can be spoken about, each with its name in the page's language."""
    return [(topic.value, gettext(words)) for topic, words in TOPIC_WORDS.items()]
