"""Photographs of an owner's cards: taken with a phone, kept beside the sheet, known to the eyes."""

from __future__ import annotations

from flask import Blueprint, Response, request, url_for

from companion.dashboard.card_upload import CardUpload
from companion.dashboard.forms import word
from companion.dashboard.parts import Parts
from companion.dashboard.sheet_page import SheetPage
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_


class SheetPhotographs:
    def __init__(self, parts: Parts, page: SheetPage, upload: CardUpload) -> None:
        self._parts = parts
        self._page = page
        self._upload = upload

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("photographs", __name__)
        for path, view, method in (
            ("/sheet/<game>/photographs/<path:card>", self.show, "GET"),
            ("/sheet/<game>/photographs", self.keep, "POST"),
            ("/sheet/<game>/photographs/forget", self.forget, "POST"),
        ):
            blueprint.add_url_rule(path, view_func=view, methods=[method])
        return blueprint

    def show(self, game: str, card: str) -> Response:
        jpeg = self._page.sheet(game).photographs.read(card)
        if not jpeg:
            return Response(status=404)
        answer = Response(jpeg, headers={"Cache-Control": "no-cache"}, mimetype="image/jpeg")
        answer.add_etag()
        answer.make_conditional(request)
        return answer

    def keep(self, game: str) -> Response | tuple[str, int]:
        """The card in a photograph, in place of the one kept before."""
        sheet = self._page.sheet(game)
        try:
            card = word("card", 300)
            if card not in sheet.cards:
                raise BadInput(
                    "sheet-has-no-card",
                    N_("The sheet has no card %(card)s: enter it first."),
                    card=card,
                )
            sheet.photographs.keep(card, self._upload.card())
        except BadInput as bad:
            return self._page.show(game, bad.message), 400
        return self._back(game, card)

    def forget(self, game: str) -> Response:
        self._page.sheet(game).photographs.forget(word("card", 300))
        return self._back(game)

    def _back(self, game: str, card: str = "") -> Response:
        if self._parts.table is not None:
            self._parts.table.look_anew()
        where = url_for("sheet.show", game=game, photographed=card or None) + "#photographs"
        return Response(status=303, headers={"Location": where})
