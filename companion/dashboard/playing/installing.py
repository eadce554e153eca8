"""The page as an app on a phone: its manifest, the worker that keeps it useful while the box is
away, and how to reach the box over HTTPS."""

from __future__ import annotations

from pathlib import Path

import msgspec
from flask import Blueprint, Response, render_template, request, send_from_directory, url_for
from flask_babel import gettext as _

from companion.dashboard.language import reader_language
from companion.dashboard.parts import Parts
from companion.foundation.resources import shipped
from companion.service.certificate import AUTHORITY_FILE

GROUND = "#10161b"
SIZES = (192, 512)


class InstallPages:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("install", __name__)
        blueprint.add_url_rule("/manifest.webmanifest", view_func=self.manifest)
        blueprint.add_url_rule("/worker.js", view_func=self.worker)
        blueprint.add_url_rule("/away", view_func=self.away)
        blueprint.add_url_rule("/install", view_func=self.show)
        blueprint.add_url_rule("/certificate.crt", view_func=self.certificate)
        return blueprint

    def manifest(self) -> Response:
        icons = [
            {
                "src": url_for("static", filename=f"icons/icon-{size}.png"),
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": purpose,
            }
            for size in SIZES
            for purpose in ("any", "maskable")
        ]
        told = {
            "name": _("Table companion"),
            "short_name": _("Table"),
            "id": "/",
            "start_url": url_for("pages.home"),
            "scope": "/",
            "display": "standalone",
            "background_color": GROUND,
            "theme_color": GROUND,
            "lang": reader_language(self._parts.language),
            "icons": icons,
            "shortcuts": [
                {"name": _("New game"), "url": url_for("pages.new")},
                {"name": _("People"), "url": url_for("people.everybody")},
            ],
        }
        return Response(msgspec.json.encode(told), mimetype="application/manifest+json")

    def worker(self) -> Response:
        """From the root, so that it may look after every page."""
        reply = send_from_directory(shipped("web") / "static", "worker.js")
        reply.headers["Cache-Control"] = "no-cache"
        return reply

    def away(self) -> str:
        """Kept by the phone, and shown where it has nothing else while the box is away."""
        return render_template("away.html")

    def show(self) -> str:
        secure = self._parts.secure_port
        host = request.host.partition(":")[0]
        return render_template(
            "install.html",
            here_secure=request.is_secure,
            secure=f"https://{host}:{secure}/" if secure else "",
            certificate=secure and self._certificate.exists(),
        )

    @property
    def _certificate(self) -> Path:
        return self._parts.journal.path.parent / AUTHORITY_FILE

    def certificate(self) -> Response:
        """The box's own authority, for a phone to trust; never its key."""
        found = self._certificate
        if not found.exists():
            return Response(status=404)
        headers = {"Content-Disposition": 'attachment; filename="table-companion.crt"'}
        return Response(found.read_bytes(), headers=headers, mimetype="application/x-x509-ca-cert")
