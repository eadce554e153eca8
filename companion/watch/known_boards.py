"""The boards an owner has enrolled, as far as they belong to the game that is played."""

from __future__ import annotations

from pathlib import Path

from companion.core.game import Setup
from companion.core.notation import seats
from companion.foundation.errors import BadInput
from companion.foundation.frames import Frame
from companion.vision.boards.board import Board
from companion.vision.boards.following import BoardFollower, Whereabouts
from companion.vision.boards.kept import boards_file, load


class KnownBoards:
    """Remembers where they lay in each camera's picture, however often the eye is made anew."""

    def __init__(self, folder: Path, cameras: int = 1) -> None:
        self._folder = folder
        self._lay: dict[str, list[Whereabouts]] = {}
        self._cameras = cameras
        self._known: tuple[object, tuple[BoardFollower, ...]] | None = None

    def of(self, setup: Setup) -> tuple[Board, ...]:
        """Those of everybody, and those whose owners play; none from a damaged file."""
        try:
            return self.followers(setup)[0].boards
        except BadInput:
            return ()

    def in_view(self, setup: Setup, *frames: Frame | None) -> bool:
        """Whether any picture shows any of them. Raises `BadInput` if their file is damaged."""
        followers = self.followers(setup)
        if not followers[0].boards:
            return False
        for each, frame in zip(followers, frames, strict=True):
            if frame is not None:
                each.begin(frame.pixels)
        return any(each.found or each.nameless for each in followers)

    def followers(self, setup: Setup) -> tuple[BoardFollower, ...]:
        """One for each camera, made once, as long as the boards and the seats are the same."""
        file = boards_file(self._folder, setup.game)
        playing = frozenset(map(str, seats(len(setup.names))))
        changed = file.stat().st_mtime_ns if file.exists() else 0
        key = (setup.game, playing, changed)
        if self._known is None or self._known[0] != key:
            every = load(file).boards if changed else ()
            mine = [each for each in every if not each.owner or each.owner in playing]
            lay = self._lay.setdefault(setup.game, [{} for _ in range(self._cameras)])
            self._known = (key, tuple(BoardFollower(mine, each) for each in lay))
        return self._known[1]
