"""`/setup/table`: where the table is, three ways, each drawn live on the picture."""

from __future__ import annotations

import math

import msgspec
from flask import Blueprint, Response, request
from werkzeug.wrappers import Response as AnyResponse

from companion.dashboard.onboarding.common import (
    SetupDoor,
    by_script,
    simulated_cards,
    to,
)
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.onboarding.steps import SetupStep

WAYS = ("markers", "corners", "cards")


class TablePage:
    def __init__(self, door: SetupDoor) -> None:
        self._door = door

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("setup_table", __name__, url_prefix="/setup/table")
        blueprint.add_url_rule("", "show", self.show, methods=["GET"])
        blueprint.add_url_rule("", "keep", self.keep, methods=["POST"])
        blueprint.add_url_rule("/seen.json", "seen", self.seen, methods=["GET"])
        blueprint.add_url_rule("/lens", "lens", self.lens, methods=["GET"])
        blueprint.add_url_rule("/lens", "keep_lens", self.keep_lens, methods=["POST"])
        blueprint.add_url_rule("/lens/seen.json", "lens_seen", self.lens_seen, methods=["GET"])
        blueprint.add_url_rule("/lens/begin", "begin_lens", self.begin_lens, methods=["POST"])
        return blueprint

    def show(self, problem: str = "") -> str:
        from companion.onboarding.table_place import AREAS_MM, CARD_SIZES_MM, outline_of

        kept = self._door.desk.place.kept
        way = request.values.get("way", "")
        return self._door.page(
            "setup/table.html",
            SetupStep.TABLE,
            way=way if way in WAYS else (str(kept.found_by) if kept else "markers"),
            kept="" if kept is None else str(kept.found_by),
            outline=() if kept is None else outline_of(kept),
            areas=AREAS_MM,
            sizes=CARD_SIZES_MM,
            card=self._usual_card(),
            lens=self._door.desk.place.lens_known,
            problem=problem,
        )

    def _usual_card(self) -> dict[str, object]:
        """The size of the cards that are played with: its button, or its two sides."""
        from companion.onboarding.table_place import CARD_SIZES_MM, standard_size

        session = self._door.parts.referee.moment.session
        game = "" if session is None else session.setup.game
        size = self._door.desk.shelf.card_size(game)
        key = "" if size is None else standard_size(size)
        if size is None or key:
            return {"key": key or next(iter(CARD_SIZES_MM)), "short": "", "long": ""}
        return {"key": "own", "short": f"{size[0]:g}", "long": f"{size[1]:g}"}

    def seen(self) -> Response:
        """What the picture shows now, by one of the ways."""
        return self._door.polled(self._seen)

    def _seen(self) -> object:
        from companion.vision.calibration import Way

        way = _way()
        if way == "cards":
            self._door.cards_are_shown(self._simulated())
        found = self._door.desk.place.look(Way(way), _card_size())
        said = "" if found.problem is None else self._door.tell(found.problem)
        return {
            "outline": found.outline,
            "pieces": found.pieces,
            "error": None if found.error_mm is None else round(found.error_mm, 1),
            "scale": round(found.px_per_mm, 2),
            "said": said,
        }

    def _simulated(self) -> tuple[str, ...]:
        """Cards that are laid on a simulated table, to find it by."""
        table = self._door.parts.simulated
        return () if table is None else simulated_cards(table.text)[:9]

    def keep(self) -> AnyResponse | tuple[str, int]:
        """Watched with from now on."""
        from companion.vision.calibration import Way

        way = _way()
        try:
            if way == "corners":
                self._door.desk.place.keep(Way.CORNERS, _corners(), _area())
            else:
                size = _card_size() if way == "cards" else None
                self._door.desk.place.keep(Way(way), mm=size)
        except BadInput as bad:
            if by_script():
                raise
            return self.show(self._door.tell(bad.message)), 400
        return to("setup_table.show")

    # -- the lens -------------------------------------------------------------------------------

    def lens(self, problem: str = "") -> str:
        """Optional: how the lens bends the picture, from live pictures of the calibration sheet."""
        from companion.onboarding.lens_desk import WANTED

        return self._door.page(
            "setup/lens.html",
            SetupStep.TABLE,
            wanted=WANTED,
            lens=self._door.desk.place.lens_known,
            problem=problem,
        )

    def begin_lens(self) -> AnyResponse:
        self._door.desk.lens.begin()
        return to("setup_table.lens")

    def lens_seen(self) -> Response:
        return self._door.polled(self._lens_seen)

    def _lens_seen(self) -> object:
        if self._door.parts.table is not None:
            self._door.parts.table.rest()  # the sheet is no move
        now = self._door.desk.lens.look()
        return {"taken": now.taken, "spots": now.spots, "fresh": now.fresh, "enough": now.enough}

    def keep_lens(self) -> AnyResponse | tuple[str, int]:
        try:
            self._door.desk.lens.keep()
        except BadInput as bad:
            return self.lens(self._door.tell(bad.message)), 400
        return to("setup_table.show")


def _way() -> str:
    way = request.values.get("way", "")
    if way not in WAYS:
        raise BadInput("no-such-way", N_("There is no such way to find the table."))
    return way


def _card_size() -> tuple[float, float]:
    from companion.onboarding.table_place import CARD_SIZES_MM, checked_size

    chosen = request.values.get("card", "63x88")
    if chosen in CARD_SIZES_MM:
        return CARD_SIZES_MM[chosen]
    one, other = sorted((_number("short"), _number("long")))
    return checked_size(one, other)


def _area() -> tuple[float, float]:
    from companion.onboarding.table_place import AREAS_MM, checked_size

    chosen = request.values.get("area", "mat")
    if chosen in AREAS_MM:
        return AREAS_MM[chosen]
    return checked_size(10 * _number("wide"), 10 * _number("high"))


def _number(field: str) -> float:
    try:
        value = float(request.values.get(field, "")[:20].replace(",", "."))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise BadInput("size-in-numbers", N_("Say the size in numbers."))
    return value


def _corners() -> list[tuple[float, float]]:
    try:
        given = request.values.get("corners", "")[:400]
        spots = msgspec.json.decode(given, type=list[tuple[float, float]])
    except msgspec.MsgspecError:
        spots = []
    if len(spots) != 4 or not all(-1 <= v <= 2 for spot in spots for v in spot):
        raise BadInput("four-table-corners", N_("Four corners are needed; drag each to its place."))
    return spots
