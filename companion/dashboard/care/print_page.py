"""`/print`: every sheet the companion can print, as PDF, true to scale."""

from __future__ import annotations

import hashlib
import re
from importlib.metadata import version
from pathlib import Path

from flask import Blueprint, Response, render_template, request, send_file, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.dashboard.parts import Parts
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.service.chosen_settings import SettingsStore
from companion.service.network import network_address
from companion.service.print_shop import PrintJob, PrintShop

PAPERS = ("a4", "letter")
HERE = ("localhost", "127.0.0.1", "[::1]")


class PrintPage:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._shops: dict[Path, PrintShop] = {}

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("print", __name__, url_prefix="/print")
        blueprint.add_url_rule("", view_func=self.show, methods=["GET"])
        blueprint.add_url_rule("/<kind>", "sheet", self.sheet, methods=["GET"])
        blueprint.add_url_rule("/<kind>/<name>", "sheet", self.sheet, methods=["GET"])
        blueprint.add_url_rule("/waiting", "waiting", self.waiting, methods=["GET"])
        return blueprint

    @property
    def _shop(self) -> PrintShop:
        store: SettingsStore | None = self._parts.store
        if store is None:
            raise BadInput("no-print-shop", N_("Nothing can be printed here."))
        return self._shops.setdefault(store.folder, PrintShop(store.folder))

    def show(self) -> str:
        known = _known()
        return render_template(
            "care/print.html",
            decks=[each.split()[1] for each in known if each.startswith("cards ")],
            mats=[each.split()[1] for each in known if each.startswith("mat ")],
            paper=_paper(),
            address=_address(),
        )

    def sheet(self, kind: str, name: str = "") -> AnyResponse | str:
        """The PDF, or a page that waits for it."""
        job, shop = self._job(kind, name), self._shop
        file = shop.ready(job)
        if file is not None:
            called = "-".join(each for each in (kind, name, _paper()) if each)
            return send_file(file, mimetype="application/pdf", download_name=f"{called}.pdf")
        shop.order(job)
        again = url_for("print.sheet", kind=kind, name=name or None, paper=_paper())
        asks = url_for("print.waiting", kind=kind, name=name or None, paper=_paper())
        page = render_template("care/drawing.html", again=again, asks=asks, deck=kind == "cards")
        return Response(page, 202, headers={"Refresh": f"20; url={again}"})

    def waiting(self) -> Response:
        job = self._job(request.args.get("kind", ""), request.args.get("name", ""))
        still = self._shop.drawing(job)
        return Response(status=204, headers={} if still else {"X-Done": "yes"})

    def _job(self, kind: str, name: str) -> PrintJob:
        kind = kind.removesuffix(".pdf")
        sheet, known = (
            " ".join(each for each in (kind, name.removesuffix(".pdf")) if each),
            _known(),
        )
        if sheet not in known:
            raise BadInput(
                "no-such-sheet", N_("There is no sheet %(sheet)s."), sheet=repr(sheet[:60])
            )
        address = (_address(),) if sheet == "wall" else ()
        words = (*sheet.split(), *address, "--paper", _paper())
        told = "-".join((*sheet.split(), _paper(), f"v{known[sheet]}", version("table-companion")))
        secret = hashlib.sha256("".join(address).encode()).hexdigest()[:8] if address else ""
        return PrintJob(words, re.sub(r"[^\w.-]", "_", f"{told}{secret}", flags=re.ASCII))


def _known() -> dict[str, int]:
    """The version of every sheet; looked up late, for it brings the picture libraries with it."""
    from companion.printing.versions import sheet_versions

    return {sheet: each.version for sheet, each in sheet_versions().items()}


def _paper() -> str:
    paper = request.args.get("paper", "a4").lower()
    return paper if paper in PAPERS else "a4"


def _address() -> str:
    """Where phones find the page: as this browser does, unless it sits at the box itself."""
    host, colon, port = request.host.partition(":")
    if host in HERE:
        host = network_address() or host
    return (
        f"http://{host}{colon}{port}" if request.scheme == "http" else request.host_url.rstrip("/")
    )
