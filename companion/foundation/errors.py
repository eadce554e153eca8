"""Everything that can go wrong with the machine or with what it is given to read.

A play that breaks a rule is not here: that is a value, `Refused`. Every error carries a message: a
code, a sentence that says what to do, and its facts. As text it is in English; the page says it in
the reader's language.

CompanionError
├── BadInput                 what was read cannot be used; the state is as it was
│   ├── BadNotation          not an action, a card or a seat; knows its column
│   ├── BadRecord            a record file; knows line and column
│   ├── BadSetup             names, edition or options; carries every problem at once
│   ├── BadSettings          companion.toml or pins.toml; names every problem at once
│   ├── BackupDamaged        a backup that cannot be trusted; nothing was touched
│   ├── BackupTooNew         a backup by a later version; nothing was touched
│   └── NoSuchGame           no game of that name or number
├── JournalError             the log of games
│   ├── JournalUnreadable    not a journal, or damaged
│   ├── JournalTooNew        written by a later version
│   ├── JournalFull          an append failed; nothing was changed
│   ├── JournalConflict      another program has written to the same game meanwhile
│   └── LogCorrupt           an event no longer replays; knows which and why
├── CameraError              the game goes on by hand
│   ├── CameraMissing        the camera cannot be opened
│   ├── CameraLost           it was there and sends nothing any more
│   └── FilmOver             the end of a film or of a folder of pictures
├── HubAway                  the hub cannot be reached; it is tried again
│   └── HubRefused           it does not want what this box sends
├── HubStoreAway             the hub's database cannot be reached
├── FolderInUse              somebody plays in it, or restores into it
├── PortTaken                another program has the port
└── PinsMissing              real GPIO was asked for and is not there
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from companion.foundation.messages import N_, Message, MessageList, message

if TYPE_CHECKING:
    from companion.core.game import Reason


class CompanionError(Exception):
    """A message for the person in front of the machine."""

    def __init__(self, code: str, sentence: str, /, **facts: object) -> None:
        self.message = message(code, sentence, **facts)
        super().__init__(str(self.message))

    @classmethod
    def saying(cls, message: Message) -> Self:
        """The error whose message this is; only for classes that are made from nothing else."""
        return cls(message.code, message.sentence, **dict(message.facts))

    def __reduce__(self) -> tuple[Any, ...]:
        """It comes back from another process as it was, whatever its class is made from."""
        return _again, (type(self), self.args, self.__dict__)


def _again(kind: type[CompanionError], args: tuple[Any, ...], rest: dict[str, Any]) -> Any:
    error = kind.__new__(kind, *args)
    error.__dict__.update(rest)
    return error


class BadInput(CompanionError):
    """What was read cannot be used; nothing has changed."""


class BadNotation(BadInput):
    """A text that is not in the notation; `column` counts from 1."""

    def __init__(self, problem: Message, column: int = 1) -> None:
        super().__init__(
            "bad-notation", N_("column %(column)s: %(problem)s"), column=column, problem=problem
        )
        self.problem = problem
        self.column = column


class BadRecord(BadInput):
    """A record file that cannot be read; `line` and `column` count from 1."""

    def __init__(self, problem: Message, line: int, column: int = 1) -> None:
        super().__init__(
            "bad-record",
            N_("line %(line)s, column %(column)s: %(problem)s"),
            line=line,
            column=column,
            problem=problem,
        )
        self.problem = problem
        self.line = line
        self.column = column


class BadSetup(BadInput):
    """A game that cannot be set up; all problems together, as codes."""

    def __init__(self, problems: tuple[Reason, ...]) -> None:
        listed = "; ".join(str(problem) for problem in problems)
        super().__init__("bad-setup", "%(problems)s", problems=listed)
        self.problems = problems


class BadSettings(BadInput):
    """Settings that cannot be used; all problems in one message."""

    def __init__(self, where: str, problems: list[Message]) -> None:
        super().__init__(
            "bad-settings",
            "%(where)s: %(problems)s",
            where=where,
            problems=MessageList(tuple(problems)),
        )
        self.problems = tuple(problems)


class BackupDamaged(BadInput):
    """A backup that cannot be trusted; nothing was touched."""

    def __init__(self, file: object, problem: Message) -> None:
        super().__init__(
            "backup-damaged",
            N_("%(file)s cannot be used as a backup: %(problem)s; nothing was touched"),
            file=file,
            problem=problem,
        )


class BackupTooNew(BadInput):
    """A backup by a later version; nothing was touched."""


class NoSuchGame(BadInput):
    """Neither the catalogue nor the journal has it."""


class JournalError(CompanionError):
    """Something about the log of games."""


class JournalUnreadable(JournalError):
    """The file is not a journal or is damaged; it was not touched."""


class JournalTooNew(JournalError):
    """The file was written by a later version; it was not touched."""


class JournalFull(JournalError):
    """An append failed; the game is as it was before it."""


class JournalConflict(JournalError):
    """Another program has written to the same game; nothing was changed by this one."""


class HubAway(CompanionError):
    """The hub cannot be reached; nothing is lost, it is tried again."""

    @classmethod
    def at(cls, address: str, why: object) -> HubAway:
        return cls(
            "hub-away",
            N_("the hub %(address)s cannot be reached: %(why)s"),
            address=address,
            why=why,
        )


class HubRefused(HubAway):
    """The hub answers, but does not want what this box sends; `status` is its answer's."""

    status: int = 0

    @classmethod
    def at(cls, address: str, why: object, said: str = "") -> HubRefused:
        refused = cls(
            "hub-refused",
            N_("the hub %(address)s refuses this box (%(why)s): %(said)s"),
            address=address,
            why=why,
            said=" ".join(said.split())[:200],
        )
        refused.status = why if isinstance(why, int) else 0
        return refused


class HubStoreAway(CompanionError):
    """The hub's database cannot be reached or written; what was not confirmed was not kept."""

    @classmethod
    def at(cls, name: str, why: object) -> HubStoreAway:
        return cls(
            "hub-store-away",
            N_("the hub's database (%(name)s) cannot be used: %(why)s"),
            name=name,
            why=" ".join(str(why).split()),
        )


class LogCorrupt(JournalError):
    """Event `seq` of a game no longer replays; everything before it still does."""

    def __init__(self, game: int, seq: int, entry: str, why: Message) -> None:
        super().__init__(
            "log-corrupt",
            N_("game %(game)s: event %(seq)s (%(entry)s) no longer replays: %(why)s"),
            game=game,
            seq=seq,
            entry=entry,
            why=why,
        )
        self.game = game
        self.seq = seq
        self.entry = entry
        self.why = why


class CameraError(CompanionError):
    """Something about the camera; the game goes on by hand."""


class CameraMissing(CameraError):
    """The camera cannot be opened."""


class CameraLost(CameraError):
    """The camera was there, and sends nothing any more."""


class FilmOver(CameraError):
    """A film or a folder of pictures has come to its end."""


class FolderInUse(CompanionError):
    """Somebody plays in the data folder, or restores into it."""


class PortTaken(CompanionError):
    """Another program listens there."""


class PinsMissing(CompanionError):
    """Real GPIO pins were asked for on a machine without them."""
