"""Backups to carry away and to bring back, and what lies in the data folder."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from flask import Blueprint, Response, render_template, request, send_file, url_for

from companion.dashboard.care.one_at_a_time import OneAtATime
from companion.dashboard.care.restarting import start_again
from companion.dashboard.forms import whole
from companion.dashboard.parts import Parts
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.service.backup import back_up
from companion.service.chosen_settings import SettingsStore
from companion.service.keeping.storage import StoredKind, tidy_evidence, tidy_leftovers
from companion.service.keeping.uploaded import UploadedBackup
from companion.service.restore import Change
from companion.service.settings import FILE

KEPT_WORDS: Mapping[StoredKind, str] = {
    StoredKind.GAMES: N_("Games"),
    StoredKind.DECKS: N_("Decks"),
    StoredKind.DISPUTES: N_("Pictures of disputes"),
    StoredKind.CASES: N_("Pictures kept as cases"),
    StoredKind.BACKUPS: N_("Daily backups"),
    StoredKind.BEFORE_RESTORE: N_("What was there before a restore"),
    StoredKind.SET_ASIDE: N_("Journals laid aside"),
    StoredKind.SIMULATED: N_("Games of the demo"),
    StoredKind.PRINTED: N_("Sheets to print"),
    StoredKind.OTHER: N_("Settings, people, sheets"),
}
MOST_CHANGES_SHOWN = 40


class KeepingPage:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._busy = OneAtATime()

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("keeping", __name__, url_prefix="/settings")
        blueprint.add_url_rule("/backup.zip", "backup", self.backup, methods=["GET"])
        for path, name, view in (
            ("/restore", "upload", self.upload),
            ("/restore/yes", "restore", self.restore),
            ("/tidy", "tidy", self.tidy),
        ):
            blueprint.add_url_rule(path, name, view, methods=["POST"])
        return blueprint

    @property
    def _store(self) -> SettingsStore:
        if self._parts.store is None:
            raise BadInput("nothing-kept-here", N_("Nothing is kept here."))
        return self._parts.store

    @property
    def _uploaded(self) -> UploadedBackup:
        return UploadedBackup(self._store.folder, self._store.file or Path(FILE))

    def backup(self) -> Response:
        """Written to a file first; its name goes at once, and the rest when it was sent."""
        today = datetime.now(UTC).astimezone().strftime("%Y-%m-%d-%H%M")
        with self._busy.turn(), tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "backup.zip"
            back_up(self._store.folder, self._store.file, target)
            size, content = target.stat().st_size, target.open("rb")
        sent = send_file(
            content,
            mimetype="application/zip",
            as_attachment=True,
            download_name=f"companion-{today}.zip",
        )
        sent.content_length = size
        return sent

    def upload(self) -> str:
        """What would happen; nothing happens yet."""
        file = request.files.get("backup")
        if file is None or not file.filename:
            raise BadInput("no-file-chosen", N_("Choose a backup file first."))
        with self._busy.turn():
            found = self._uploaded.take(file.stream)
        return render_template(
            "care/dry_run.html",
            found=found,
            changes=[_words(each, self._store.folder) for each in found.changes],
            most=MOST_CHANGES_SHOWN,
        )

    def restore(self) -> Response:
        if request.form.get("sure") != "yes":
            self._uploaded.drop()
            return self._back("")
        errand = self._uploaded.errand(request.form.get("digest", "")[:64])
        return start_again(self._parts, errand)

    def tidy(self) -> Response:
        folder = self._store.folder
        if request.form.get("what") == "leftovers":
            freed = tidy_leftovers(folder)
        else:
            freed = tidy_evidence(folder, whole("days", ""))
        return self._back(str(freed))

    def _back(self, freed: str) -> Response:
        there = url_for("settings.show", freed=freed or None, _anchor="kept")
        return Response(status=303, headers={"Location": there})


def _words(change: Change, data: Path) -> tuple[str, str]:
    """What happens to a file, and its name as people find it."""
    state = "left" if change.left else "replaced" if change.replaces else "new"
    inside = change.target.is_relative_to(data)
    return state, str(change.target.relative_to(data) if inside else change.target)
