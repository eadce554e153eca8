"""Starting everything anew, and the page that waits for it."""

from __future__ import annotations

from flask import Response, render_template, request, url_for

from companion.dashboard.parts import Parts
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.service.keeping.recovery import Errand


def start_again(parts: Parts, errand: Errand, port: int = 0) -> Response:
    """Everything anew, after an errand; the page finds it again by itself, on another port too."""
    if parts.start_again is None:
        raise BadInput(
            "cannot-start-again", N_("This companion cannot start itself anew: start it by hand.")
        )
    parts.start_again(errand)
    back = url_for("settings.show")
    if port and request.scheme == "http":
        back = f"http://{request.host.partition(':')[0]}:{port}{back}"
    page = render_template("care/restarting.html", back=back, moved=bool(port))
    return Response(page, headers={"Refresh": f"15; url={back}"})
