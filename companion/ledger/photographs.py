"""Photographs of an owner's cards, kept beside the sheet: a JPEG file for each card."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, unquote

from companion.foundation.errors import BadInput
from companion.foundation.files import replace_file
from companion.foundation.messages import N_

MOST_PHOTOGRAPHS = 250
"""Of one game: more cards no box has, and each is looked at when a game begins."""
_ENDING = ".jpg"


class CardPhotographs:
    """Of one game. Where they are, backups find them with the decks."""

    def __init__(self, game: str, folder: Path) -> None:
        self.folder = folder / "decks" / f"{game}.cards"

    def files(self) -> dict[str, Path]:
        """The photograph of each card that has one."""
        found = sorted(self.folder.glob(f"*{_ENDING}"))
        return {unquote(file.name.removesuffix(_ENDING)): file for file in found}

    def read(self, card: str) -> bytes:
        """Empty if there is none."""
        file = self.files().get(card)
        try:
            return b"" if file is None else file.read_bytes()
        except OSError:
            return b""

    def keep(self, card: str, jpeg: bytes) -> None:
        """In place of the one there was; raises `BadInput` and leaves that as it was."""
        have = self.files()
        if card not in have and len(have) >= MOST_PHOTOGRAPHS:
            raise BadInput(
                "photographs-full",
                N_("%(count)s photographs are kept, and there is room for no more."),
                count=len(have),
            )
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            replace_file(self.folder / (quote(card, safe="") + _ENDING), jpeg)
        except OSError as broken:
            raise BadInput(
                "photograph-cannot-be-kept",
                N_("The photograph cannot be kept (%(why)s)."),
                why=broken.strerror,
            ) from None

    def forget(self, card: str) -> None:
        file = self.files().get(card)
        if file is not None:
            file.unlink(missing_ok=True)
