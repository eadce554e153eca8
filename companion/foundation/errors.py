"""Everything that can go wrong with the machine or with what it is given to read.

A play that breaks a rule is not here: that is a value, `Refused`. Every message says what to do.

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
├── FolderInUse              somebody plays in it, or restores into it
├── PortTaken                another program has the port
└── PinsMissing              real GPIO was asked for and is not there
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.core.game import Reason


class CompanionError(Exception):
    """A sentence for the person in front of the machine."""

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

    def __init__(self, problem: str, column: int = 1) -> None:
        super().__init__(f"column {column}: {problem}")
        self.problem = problem
        self.column = column


class BadRecord(BadInput):
    """A record file that cannot be read; `line` and `column` count from 1."""

    def __init__(self, problem: str, line: int, column: int = 1) -> None:
        super().__init__(f"line {line}, column {column}: {problem}")
        self.problem = problem
        self.line = line
        self.column = column


class BadSetup(BadInput):
    """A game that cannot be set up; all problems together, as codes."""

    def __init__(self, problems: tuple[Reason, ...]) -> None:
        super().__init__("; ".join(str(problem) for problem in problems))
        self.problems = problems


class BadSettings(BadInput):
    """Settings that cannot be used; all problems in one message."""

    def __init__(self, where: str, problems: list[str]) -> None:
        super().__init__(f"{where}: {'; '.join(problems)}")
        self.problems = tuple(problems)


class BackupDamaged(BadInput):
    """A backup that cannot be trusted; nothing was touched."""

    def __init__(self, file: object, problem: str) -> None:
        super().__init__(f"{file} cannot be used as a backup: {problem}; nothing was touched")


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


class LogCorrupt(JournalError):
    """Event `seq` of a game no longer replays; everything before it still does."""

    def __init__(self, game: int, seq: int, entry: str, why: str) -> None:
        super().__init__(f"game {game}: event {seq} ({entry}) no longer replays: {why}")
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
