"""Where on the broker what is said."""

from __future__ import annotations

from dataclasses import dataclass

PREFIX = "companion"
HOME_ASSISTANT = "homeassistant"
BIRTH = f"{HOME_ASSISTANT}/status"
"""Home Assistant says `online` here when it has started."""
ONLINE = "online"
OFFLINE = "offline"


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of one box."""

    box: str

    def of(self, name: str) -> str:
        return f"{PREFIX}/{self.box}/{name}"

    @property
    def availability(self) -> str:
        """Retained: `online`, or `offline` by the broker itself when the box has gone."""
        return self.of("availability")

    @property
    def view(self) -> str:
        """Retained: everything a page shows, as JSON."""
        return self.of("view")

    @property
    def sensors(self) -> str:
        """Retained: whose turn, scores and the like, short enough for a dashboard."""
        return self.of("sensors")

    @property
    def verdict(self) -> str:
        """Retained: what was decided last."""
        return self.of("verdict")

    @property
    def event(self) -> str:
        """Each event of the journal."""
        return self.of("event")

    @property
    def trigger(self) -> str:
        """A word for what just happened and is worth a lamp or a sound."""
        return self.of("trigger")

    @property
    def picture(self) -> str:
        """The table from above as a JPEG."""
        return self.of("picture")

    @property
    def press(self) -> str:
        """Commands to the box: a button's name."""
        return self.of("press")

    @property
    def say(self) -> str:
        """Commands to the box: an entry in the game's notation."""
        return self.of("say")

    @property
    def answer(self) -> str:
        """What became of the last command."""
        return self.of("answer")

    @property
    def discovery(self) -> str:
        return f"{HOME_ASSISTANT}/device/companion_{self.box}/config"
