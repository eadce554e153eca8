"""Which camera watches where no settings say so, and the file that remembers the choice."""

from __future__ import annotations

import logging
from dataclasses import replace

from companion.foundation.errors import BadSettings, CompanionError
from companion.foundation.files import replace_file
from companion.ledger.journal import Journal
from companion.service.settings import Settings, settings_from

log = logging.getLogger(__name__)

FILE = "camera"
"""In the data folder: the camera chosen on the page."""
NONE = "none"
SIMULATED = "simulated"
"""A table of the first game that has bots."""
SIMULATED_SIZE = "1280x720"
"""Of a simulated camera's pictures: drawing them takes longer than looking at them."""


def camera_at_start(settings: Settings) -> str:
    """The one last chosen on the page. Whoever has kept games goes on by hand; whoever starts for
    the first time sees a simulated table."""
    try:
        folder = settings.data_folder
        file = folder / FILE
        if folder.exists() and not folder.is_dir():
            return NONE  # said when the journal is opened
        if file.exists():
            return settings_from({"camera": file.read_text().strip()}, str(file)).camera
        if not settings.journal_file.exists():
            return SIMULATED
        with Journal(settings.journal_file) as journal:
            return NONE if journal.count_games() else SIMULATED
    except (OSError, ValueError, BadSettings) as damaged:
        log.warning("the camera chosen on the page is not known any more: %s", damaged)
    except CompanionError:
        pass  # said when the journal is opened for good
    return NONE


def remember_camera(settings: Settings, camera: str) -> None:
    try:
        settings.data_folder.mkdir(parents=True, exist_ok=True)
        replace_file(settings.data_folder / FILE, f"{camera}\n".encode())
    except OSError as full:  # it is chosen all the same, until the next start
        log.warning("the choice of a camera could not be kept: %s", full)


def with_camera(settings: Settings, camera: str) -> Settings:
    """The settings with another camera, and the size of pictures that suits it."""
    settings = replace(settings, camera=camera, camera_size=Settings().camera_size)
    return replace(settings, camera_size=SIMULATED_SIZE) if settings.simulated else settings
