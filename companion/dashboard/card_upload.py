"""A card's photograph as a form brings it along."""

from __future__ import annotations

import threading
from contextlib import closing

from flask import request

from companion.dashboard.access.needs import PHOTOGRAPH_BYTES
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_, message

NO_PHOTOGRAPH = message("take-photograph-first", N_("Take or choose a photograph first."))
FIELD = "photograph"
MOST_NAME = 60
"""Letters of a file's name that are said."""


class CardUpload:
    def __init__(self) -> None:
        self._one_at_a_time = threading.Lock()  # a large picture takes much memory

    @property
    def given(self) -> bool:
        """Has anybody taken one? A form's field that was left alone comes without a name."""
        file = request.files.get(FIELD)
        return file is not None and bool(file.filename)

    def card(self) -> bytes:
        """The card in it, straight and alone, as JPEG; raises `BadInput`."""
        # Whoever plays by hand and photographs nothing needs no eyes.
        from companion.vision.enrolment.card_photographs import card_in

        given = request.files.get(FIELD)
        if given is None:
            raise BadInput.saying(NO_PHOTOGRAPH)
        with closing(given):
            data = given.read(PHOTOGRAPH_BYTES + 1)
        if not data:
            raise BadInput.saying(NO_PHOTOGRAPH)
        if len(data) > PHOTOGRAPH_BYTES:
            raise BadInput(
                "photograph-too-large",
                N_("A photograph may have %(most)s MB at most; make it smaller."),
                most=PHOTOGRAPH_BYTES // 1_000_000,
            )
        with self._one_at_a_time:
            return card_in(data, (given.filename or FIELD)[-MOST_NAME:])
