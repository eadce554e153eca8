"""The box's own voice: espeak-ng, where it is installed. Each sentence is a process of its own,
in a thread of its own: nothing waits for it, and the next sentence waits until it has been said."""

from __future__ import annotations

import logging
import shutil
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from companion.ledger.referee import Referee
from companion.service.settings import Settings
from companion.views.voice import ListenerMemory, Topic, listened, utterances

log = logging.getLogger(__name__)

PROGRAM = "espeak-ng"
WORDS_A_MINUTE = 160  # slower than espeak-ng's own 175: a table is louder than a desk
MOST_WAITING = 6
"""Sentences that wait to be said. Of more the oldest are dropped: nobody wants to hear of them."""
LONGEST_SECONDS = 30  # a sentence takes a few; a sound card that hangs must not silence the rest
VOICES = {"en": "en-gb", "de": "de", "fr": "fr-fr", "es": "es", "it": "it", "nl": "nl"}


def command(program: str, language: str, file: Path | None = None) -> list[str]:
    """Reads a text from its input and says it, or writes it to a sound file."""
    sound = [] if file is None else ["-w", str(file)]
    voice = VOICES[language]
    return [program, "-v", voice, "-s", str(WORDS_A_MINUTE), *sound, "--stdin"]


class Speaker:
    """Says one text after another, each to its end."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._texts: deque[str] = deque(maxlen=MOST_WAITING)
        self._changed = threading.Condition()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="speaker", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._changed:
            self._stopping = True
            self._texts.clear()
            self._changed.notify()
        self._thread.join()

    def say(self, texts: Iterable[str]) -> None:
        """At once, or when what is being said has ended; returns without waiting."""
        with self._changed:
            self._texts.extend(texts)
            self._changed.notify()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._texts or self._stopping)
                if self._stopping:
                    return
                text = self._texts.popleft()
            self._say(text)


class Espeak:
    """Says a text with the program, and returns when it has been said."""

    def __init__(self, program: str, language: str) -> None:
        self._command = command(program, language)

    def __call__(self, text: str) -> None:
        try:
            subprocess.run(  # noqa: S603 - the program found on the path; the text is its input
                self._command,
                input=text.encode(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=LONGEST_SECONDS,
                check=True,
            )
        except (OSError, subprocess.SubprocessError) as silent:
            log.warning("not said: %s", silent)


class Storyteller:
    """Hands the speaker whatever is new in the books, from a thread of its own."""

    def __init__(
        self, referee: Referee, speaker: Speaker, language: str, topics: frozenset[Topic]
    ) -> None:
        self._referee = referee
        self._speaker = speaker
        self._language = language
        self._topics = topics
        self.listening = threading.Event()
        """Set once it knows the books: whatever comes now is news."""
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="storyteller", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stopping = True
        self._referee.wake()
        self._thread.join()

    def _run(self) -> None:
        heard: ListenerMemory | None = None
        version = -1
        while not self._stopping:
            moment = self._referee.wait(version, 60)
            version = moment.version
            game = 0 if moment.session is None else moment.session.number
            heard, new = listened(heard, game, utterances(moment, self._language))
            self._speaker.say(each.text for each in new if each.topic in self._topics)
            self.listening.set()


def open_voice(settings: Settings, referee: Referee, stack: ExitStack) -> str:
    """What speaks, in words."""
    topics = frozenset(map(Topic, settings.voice_topics))
    if not topics:
        return "none"
    program = shutil.which(PROGRAM)
    if program is None:
        return f"none: {PROGRAM} is not installed"
    speaker = stack.enter_context(Speaker(Espeak(program, settings.language)))
    stack.enter_context(Storyteller(referee, speaker, settings.language, topics))
    return f"{PROGRAM}, in {settings.language}: {', '.join(sorted(topics))}"
