"""A sheet for the wall with a QR code: whoever scans it joins the table."""

from __future__ import annotations

import re

import numpy as np
import segno

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.printing.paper import Paper, Sheets
from companion.printing.versions import current
from companion.sim.faces import emblems
from companion.sim.faces.emblems import Tones, fitted

_LONGEST = 200
"""Letters of an address; a longer one makes a code no phone reads from afar."""
_JOIN = (
    "Scan to join the table",
    "Scannen und mitspielen",
    "Scannez pour rejoindre la table",
    "Escanea y únete a la mesa",
    "Inquadra e unisciti al tavolo",
    "Scan en speel mee",
)


def wall(address: str, paper: Paper) -> Sheets:
    if not re.fullmatch(r"https?://[!-~]+", address) or len(address) > _LONGEST:
        raise BadInput(
            "no-address-page-write",
            N_(
                "%(address)s is no address of a page; write it as the companion shows it, such "
                "as http://192.168.1.20:8080"
            ),
            address=repr(address),
        )
    sheets = Sheets(paper, "Join the table", current("wall").version)
    sheets.page()
    middle = paper.width / 2
    tones = Tones((255, 255, 255), (150, 168, 190), (28, 48, 84))
    sheets.shapes(fitted(emblems.longship(tones), middle, 47, 70, 56))
    code = segno.make(address, micro=False, error="m")
    grid = np.array([list(row) for row in code.matrix], dtype=bool)
    cell = 110.0 / len(grid)
    sheets.cells(grid, middle - 55, 88, cell)
    sheets.text(address, middle, 211, _points_for(address), "C", bold=True)
    for place, words in enumerate(_JOIN):
        sheets.text(words, middle, 222 + place * 7.2, 14, "C")
    return sheets


def _points_for(address: str) -> float:
    """The type size at which the address fits into one line."""
    return max(7.0, min(24.0, 760.0 / len(address)))
