"""The whole way with a film as network stream: from an empty folder to a watched play of a deck
that was learnt on the way."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path

from companion.devices.camera.choice import camera_maker
from companion.foundation.notices import Notices
from companion.ledger.events import Proposal, Source
from companion.ledger.journal import Journal
from companion.ledger.referee import Referee
from companion.onboarding.desk import Desk
from companion.onboarding.enrolment import Making
from companion.service.settings import Settings
from companion.service.watchdog import Watchdog
from companion.sim.players import Playing, play
from companion.sim.steps import By
from companion.sim.virtual_table import FPS, ViewSettings, VirtualTable
from companion.vision.calibration import Way
from companion.watch.opening import Surroundings, open_table
from tests.devices.mjpeg import network_camera
from tests.onboarding.test_enrolment import keep_what_lies, wait_until_made
from tests.vision.test_without_markers import off_mm

GAME = "odin"
SIZE = (1280, 720)
FILM_SECONDS = 60.0
PATIENCE_SECONDS = 20.0
PLAYING = Playing(GAME, seats=2, seed=3)


def first_cards(many: int) -> tuple[str, ...]:
    """The cards that come onto the table first, so that those are learnt."""
    seen: dict[str, None] = {}
    for step in play(PLAYING).steps:
        faces = (each.face for each in step.table)
        seen.update(dict.fromkeys(each for each in faces if not each.endswith("back")))
        if len(seen) >= many:
            break
    return tuple(seen)[:many]


def camera_entries(referee: Referee) -> list[str]:
    session = referee.moment.session
    entries = () if session is None else session.entries
    return [each.action for each in entries if each.event.source is Source.CAMERA]


def test_from_an_empty_folder_to_a_watched_play(tmp_path: Path) -> None:
    lead = "B r1"  # the first play of that game; the film stands still until it was read
    table = VirtualTable(
        play(PLAYING),
        ViewSettings(SIZE, seed=1),
        lambda step, _: lead not in step.lines or time.monotonic() > until,
    )
    words = first_cards(9)
    with ExitStack() as stack:
        sender = stack.enter_context(network_camera(table.laid_out(words).image))
        camera = stack.enter_context(camera_maker(f"stream:{sender.address}", SIZE)())
        desk = Desk(tmp_path, camera.newest)
        stack.callback(desk.close)
        until = time.monotonic() + PATIENCE_SECONDS
        while camera.newest() is None and time.monotonic() < until:
            time.sleep(0.01)

        assert off_mm(desk.place.keep(Way.MARKERS), table.view.matrix) < 1.5

        desk.enrolment.begin("mine", words)
        keep_what_lies(desk, "mine")
        assert desk.enrolment.draft("mine").missing == ()
        desk.enrolment.make("mine")
        wait_until_made(desk)
        assert desk.enrolment.making.state is Making.DONE, desk.enrolment.making.problem
        desk.shelf.choose(GAME, "mine", own=True)

        sender.show(table.idle().image)
        journal = stack.enter_context(Journal(tmp_path / "journal.db"))
        referee = Referee(journal)
        referee.open(table.setup, Source.PAGE)
        around = Surroundings(referee, Notices(lambda: None), Watchdog())
        open_table(Settings(data=str(tmp_path)), (camera,), around, stack)
        until = time.monotonic() + FILM_SECONDS
        for shot in table.shots():
            sender.show(shot.image)
            time.sleep(1 / FPS)
            if shot.done is not None and shot.done.by is By.PAGE:  # who deals, no camera can see
                for line in shot.done.lines:
                    session = referee.moment.session
                    assert session is not None
                    referee.propose(Proposal(line, session.seq, Source.PAGE))
            if camera_entries(referee) or time.monotonic() > until:
                break
        assert camera_entries(referee) == [lead]
