"""A box whose settings, backups and health the page looks after: real parts, no network."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from flask.testing import FlaskClient

from companion.dashboard import Parts, create_app
from companion.devices.parts_trial import PartsTrial
from companion.devices.pins import read_pins
from companion.foundation.resources import shipped
from companion.ledger.journal import Journal
from companion.ledger.referee import Press, Referee
from companion.service.chosen_settings import SettingsStore
from companion.service.findings import Examination
from companion.service.keeping.recovery import Errand
from companion.views import Lamp


@dataclass
class Box:
    """What lies in `data` is this box's; errands wait in a list until somebody does them."""

    data: Path
    journal: Journal
    examination: Examination | None = None
    errands: list[Errand] = field(default_factory=list)
    pressed: list[Press] = field(default_factory=list)
    lit: list[Lamp] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.store = SettingsStore(None, {"data": str(self.data)})
        pins = read_pins(shipped("hardware/pins.toml"))
        self.trial = PartsTrial(pins, self.pressed.append, self.lit.append, real=True)
        self.parts = Parts(
            Referee(self.journal),
            self.journal,
            store=self.store,
            start_again=self.errands.append,
            examination=self.examination,
            trial=self.trial,
        )

    def client(self) -> FlaskClient:
        app = create_app(self.parts)
        app.testing = True
        return app.test_client()

    @property
    def files(self) -> dict[str, bytes]:
        """Everything that lies in the data folder, but for the journal that is open."""
        return {
            str(each.relative_to(self.data)): each.read_bytes()
            for each in sorted(self.data.rglob("*"))
            if each.is_file() and not each.name.startswith("journal.db")
        }
