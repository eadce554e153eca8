"""What each route needs. This is the one place that says so.

A route that changes something and is not named here needs the owner; one that only shows something
may be seen by whoever may watch. A test walks all routes, so that none is forgotten."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from companion.ledger.sheets import MOST_BYTES as SHEET_BYTES
from companion.service.access.roles import Role
from companion.service.keeping.uploaded import MOST_BYTES as BACKUP_BYTES

READING = frozenset({"GET", "HEAD", "OPTIONS"})
MOST_REQUEST_BYTES = 64_000
"""Forms are a few lines."""
FORM_AROUND_A_FILE_BYTES = 10_000
PHOTOGRAPH_BYTES = 10_000_000
"""As large as phones make them."""
BOARDS_BYTES = 20_000_000
"""A file with every board of a copy."""
SEVERAL_PHOTOGRAPHS_BYTES = 30_000_000
"""The script sends them one by one; without it a few go together."""
DECK_BYTES = 40_000_000

_PLAY = """
commands.act commands.photographed commands.draw commands.undo commands.redo commands.dismiss
commands.adopt commands.reject commands.press
pages.open_game pages.again pages.resume
watched.dispute watched.case watched.correct watched.learn
print.show print.sheet print.waiting
simulated.show simulated.again simulated.sit simulated.say simulated.ask
people.rename people.emblem
lesson.say lesson.again
watched.keep_deck boards.name put_right.put_right
scan.show scan.round scan.take_in scan.reading scan.picture scan.take scan.leave scan.whose
"""
_OWN = """
sheet.enter sheet.replace sheet.merge photographs.keep photographs.forget
boards.replace boards.take boards.enrol boards.move boards.add boards.drop boards.forget
watched.move watched.reset
simulated.camera
people.merge people.forget
recovery.again recovery.anew recovery.restore recovery.readable
settings.show settings.keep settings.forget settings.restart settings.power
club.show club.join club.leave
keeping.backup keeping.upload keeping.restore keeping.tidy
health.show health.findings health.again health.support
buttons.begin buttons.end buttons.light buttons.press
access.decide access.give_role access.revoke access.new_codes access.add_program access.give_up
access.devices
"""
_SET_UP = """
setup.show setup.mark setup.leave setup.picture setup.quality setup.camera
setup.choose_camera setup.turn setup.glance setup.zones
setup_you.show setup_you.keep setup_you.own
setup_table.show setup_table.keep setup_table.seen
setup_table.lens setup_table.lens_seen setup_table.keep_lens setup_table.begin_lens
setup_try.show setup_try.seen setup_try.lay setup_try.press
setup_deck.show setup_deck.begin setup_deck.use setup_deck.take_in setup_deck.learn setup_deck.laid
setup_deck.keep setup_deck.photographs setup_deck.card setup_deck.picture setup_deck.make
setup_deck.making setup_deck.made setup_deck.rename setup_deck.delete setup_deck.drop
setup_deck.export
"""
_WATCH = "seat.choose commands.language"
_ANYBODY = """
static pages.game_file
install.manifest install.worker install.away install.certificate
access.join access.joining access.invited access.own access.owning access.set_up
licences.show
"""

NEEDS: Mapping[str, Role] = MappingProxyType(
    {
        **dict.fromkeys(_PLAY.split(), Role.PLAY),
        **dict.fromkeys(_OWN.split(), Role.OWN),
        **dict.fromkeys(_SET_UP.split(), Role.OWN),
        **dict.fromkeys(_WATCH.split(), Role.WATCH),
        **dict.fromkeys(_ANYBODY.split(), Role.NOBODY),
    }
)
"""By the name of the endpoint."""

MOST_FILE_BYTES: Mapping[str, int] = MappingProxyType(
    {
        "sheet.replace": SHEET_BYTES,
        "sheet.merge": SHEET_BYTES,
        "photographs.keep": PHOTOGRAPH_BYTES,
        "commands.photographed": PHOTOGRAPH_BYTES,
        "boards.take": PHOTOGRAPH_BYTES,
        "boards.replace": BOARDS_BYTES,
        "scan.take_in": SEVERAL_PHOTOGRAPHS_BYTES,
        "setup_deck.photographs": SEVERAL_PHOTOGRAPHS_BYTES,
        "setup_deck.take_in": DECK_BYTES,
        "keeping.upload": BACKUP_BYTES,
    }
)
"""Routes that take a file, and how large it may be."""


def need(endpoint: str | None, method: str) -> Role:
    usual = Role.WATCH if method in READING else Role.OWN
    return NEEDS.get(endpoint or "", usual)


def most_bytes(endpoint: str | None) -> int:
    """Of a whole request."""
    file = MOST_FILE_BYTES.get(endpoint or "")
    return MOST_REQUEST_BYTES if file is None else file + FORM_AROUND_A_FILE_BYTES
