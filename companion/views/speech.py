"""Languages: gettext catalogues, and how a fact is put into words."""

from __future__ import annotations

import gettext
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from companion.core.catalog import packs
from companion.core.notation import Seat
from companion.foundation.messages import N_, NN_, Counted, Message, MessageList, number_in
from companion.foundation.resources import package_folder, shipped

LANGUAGES = ("en", "de", "fr", "es", "it", "nl")
__all__ = ["LANGUAGES", "NN_", "N_", "Speech", "catalogue", "game_translations"]


def game_translations() -> tuple[Path, ...]:
    """Folders with the catalogues that games bring along."""
    folders = (package_folder(pack.package, "translations") for pack in packs().values())
    return tuple(folder for folder in folders if folder is not None)


@lru_cache
def catalogue(language: str) -> gettext.NullTranslations:
    """The sentences of a language: the companion's own, then those of the games."""
    if language == "en":
        return gettext.NullTranslations()
    found = gettext.translation("messages", shipped("web") / "translations", [language])
    for folder in game_translations():
        if gettext.find("messages", folder, [language]) is not None:
            found.add_fallback(gettext.translation("messages", folder, [language]))
    return found


@dataclass(frozen=True)
class Speech:
    """One language, spoken to one table: it knows the seats' names and the game's words."""

    language: str
    game: str = ""
    names: tuple[str, ...] = ()
    piece: Callable[[Speech, object], str] = field(default=lambda _, piece: str(piece))

    def say(self, message: str, **facts: object) -> str:
        """A sentence in this language, its blanks filled with these facts."""
        words = catalogue(self.language)
        if isinstance(message, Counted):
            sentence = words.ngettext(message.one, message, number_in(message, facts))
        else:
            sentence = words.gettext(message)
        return sentence % {name: self.word(value) for name, value in facts.items()}

    def told(self, message: Message) -> str:
        """A message in this language, its facts too."""
        return self.say(message.sentence, **dict(message.facts))

    def listed(self, things: Iterable[object]) -> str:
        """Things in words, the way one says them: red, blue and green."""
        *first, last = [self.word(each) for each in things] or [self.say(N_("nothing"))]
        if not first:
            return last
        return self.say(N_("%(first)s and %(last)s"), first=", ".join(first), last=last)

    def word(self, value: object) -> str:
        """A fact in words: a seat by its player's name, a piece as the game calls it."""
        match value:
            case Message():
                return self.told(value)
            case MessageList():
                return "; ".join(map(self.told, value.messages))
            case Seat():
                return self.names[value] if value < len(self.names) else str(value)
            case str() if type(value) is not str:  # a word of the game's own
                return self.piece(self, value)
            case str() | int():
                return str(value)
            case tuple():
                return self.say(N_("nothing")) if not value else ", ".join(map(self.word, value))
            case None:
                return self.say(N_("nobody"))
            case _:
                return self.piece(self, value)
