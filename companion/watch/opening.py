"""A watched table from its settings: the eyes, what they keep, and the loop that looks."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

from companion.deciding.memory import Limits
from companion.foundation.notices import Notices
from companion.ledger.referee import Referee
from companion.service.settings import Settings
from companion.service.watchdog import Watchdog
from companion.service.zone_file import KeptZones
from companion.watch import loop
from companion.watch.corrections import Witness
from companion.watch.evidence import Evidence
from companion.watch.eyes import Eyes, Tell
from companion.watch.learning import Learning
from companion.watch.played_looks import DeckKeeper
from companion.watch.several_cameras import SeveralCameras

SIMULATED_HASTE = 10
"""So many times as often a simulated table is looked at: it may go faster than people."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Whom the table loop works with."""

    referee: Referee
    notices: Notices
    watchdog: Watchdog


def open_table(
    settings: Settings,
    cameras: Sequence[loop.TableCamera],
    around: Surroundings,
    stack: ExitStack,
) -> Witness:
    """The loop runs until the stack is closed; what is given back answers the page."""
    folder = settings.data_folder
    several = SeveralCameras(cameras)
    frames = several.frames if len(several) > 1 else None
    tell: Tell = lambda notice: around.notices.put("table", notice)  # noqa: E731
    eyes = Eyes(folder, tell, frames, len(several))
    parts = loop.LoopParts(
        several if len(several) > 1 else cameras[0],
        eyes,
        around.referee,
        Evidence(folder / "disputes", folder / "cases"),
        around.watchdog.register("table loop"),
        lambda notice: around.notices.put("reading", notice),
        eyes.gather,
    )
    zones = KeptZones(folder)
    limits = replace(Limits(), take_seconds=settings.take_seconds)
    period = loop.PERIOD_SECONDS / (SIMULATED_HASTE if settings.simulated else 1)
    table = stack.enter_context(loop.TableLoop(parts, limits, zones, period))
    keeper = DeckKeeper(eyes.played, folder / "decks", around.referee.wake)
    return Witness(table, parts, zones, Learning(eyes, keeper), eyes.above)
