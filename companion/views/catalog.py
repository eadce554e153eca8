"""How each game is told and shown. Adding a game is a line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

from companion.games.odin import words as odin
from companion.games.odin.rules import Action as OdinAction
from companion.games.odin.rules import State as OdinState
from companion.games.odin.words.table import faces_named as odin_hand
from companion.games.valhal import words as valhal
from companion.games.valhal.rules import Action as ValhalAction
from companion.games.valhal.rules import State as ValhalState
from companion.games.valhal.words.questions import question
from companion.games.valhalla import words as valhalla
from companion.games.valhalla.rules import Action as ValhallaAction
from companion.games.valhalla.rules import State as ValhallaState
from companion.games.valhalla.words.table import faces_named as valhalla_hand
from companion.games.valhalla.words.table import shape_of
from companion.views.speech import Speech
from companion.views.waiting import Waiting

S = TypeVar("S", contravariant=True)
A = TypeVar("A", contravariant=True)


class Telling(Protocol[S, A]):
    """What a game brings so that people can follow it."""

    @property
    def SENTENCES(self) -> dict[str, str]: ...  # noqa: N802 - a module constant
    @property
    def RULES(self) -> dict[str, str]: ...  # noqa: N802
    @property
    def READINGS(self) -> dict[str, tuple[str, ...]]:  # noqa: N802
        """By rule id, the options that settle how an open rule is read."""
        ...

    @property
    def EDITION_WORDS(self) -> dict[str, str]: ...  # noqa: N802
    @property
    def OPTION_WORDS(self) -> dict[str, str]: ...  # noqa: N802
    @property
    def VALUE_WORDS(self) -> dict[str, str]: ...  # noqa: N802

    def piece(self, speech: Speech, thing: object, /) -> str:
        """A card, die or token in words; also by its word alone, as the notation has it."""
        ...

    def retell(self, speech: Speech, action: A, /) -> str:
        """An action in a sentence."""
        ...

    def waiting(self, speech: Speech, state: S, /) -> Waiting: ...

    def notes(self, speech: Speech, state: S, /) -> tuple[str, ...]:
        """What the last entry brought about by itself."""
        ...

    def table(self, speech: Speech, state: S, /) -> Any:
        """What `web/templates/<game>/table.html` shows."""
        ...


class HandCard(Protocol):
    """A card of a hand on the page: `web/templates/<game>/_card.html` may draw more of it."""

    @property
    def card(self) -> str:
        """The word for this very one."""
        ...

    @property
    def words(self) -> str: ...


_ODIN: Telling[OdinState, OdinAction] = odin
_VALHALLA: Telling[ValhallaState, ValhallaAction] = valhalla
_VALHAL: Telling[ValhalState, ValhalAction] = valhal

TELLINGS: Mapping[str, Telling[Any, Any]] = MappingProxyType(
    {"odin": _ODIN, "valhalla": _VALHALLA, "valhal": _VALHAL}
)

# How the cards of a hand are drawn, in games where they are more than their words
HANDS: Mapping[str, Callable[[Speech, tuple[str, ...]], tuple[HandCard, ...]]] = MappingProxyType(
    {"odin": odin_hand, "valhalla": valhalla_hand}
)

# The shape of `_shapes.svg` beside an action, in games that have one for it
SHAPES: Mapping[str, Callable[[Any], str]] = MappingProxyType({"valhalla": shape_of})

# How an entry of an owner's sheet is asked for, in games that have one
QUESTIONS: Mapping[str, Callable[[Speech, str], str]] = MappingProxyType({"valhal": question})
