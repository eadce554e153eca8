"""Sentences for notices about the machine."""

from __future__ import annotations

from companion.foundation.notices import Notice
from companion.views.speech import N_, Speech

SENTENCES = {
    "safe-mode": N_(
        "Safe mode: the companion has crashed %(crashes)s times in a row. It runs without camera,"
        " buttons and lamps now; everything can be entered here. Restart it to try again with all"
        " its parts."
    ),
    "safe-mode-why": N_(
        "Safe mode: the companion has failed %(crashes)s times in a row, the last time because:"
        " %(why)s. It runs without camera, buttons and lamps now; everything can be entered here."
        " Restart it to try again with all its parts."
    ),
    "camera-missing": N_(
        "The camera is not there (%(camera)s). Check its cable; it is tried again by itself."
        " Meanwhile enter plays here."
    ),
    "camera-lost": N_(
        "The camera has gone away (%(camera)s). Check its cable; it is tried again by itself."
        " Meanwhile enter plays here."
    ),
    "camera-frozen": N_(
        "The camera shows the same picture all the time (%(camera)s). It is started again by"
        " itself; if that does not help, unplug it. Meanwhile enter plays here."
    ),
    "camera-black": N_(
        "The camera sees only darkness (%(camera)s). Switch a light on, and look whether something"
        " covers the lens. Meanwhile enter plays here."
    ),
    "camera-wrong-size": N_(
        "The camera sends pictures of the wrong size (%(camera)s). Set camera_size to one it has."
        " Meanwhile enter plays here."
    ),
    "table-unseen": N_(
        "The camera cannot find the table: %(why)s. It is tried again by itself."
        " Meanwhile enter plays here."
    ),
    "table-moved": N_(
        "The camera or the mat has been moved, and the corner markers are not all in view."
        " Uncover them. Meanwhile enter plays here."
    ),
    "table-misread": N_(
        "The camera was put right more than once lately, so it asks now and objects to nothing."
        " Lamps of strong colour, glare and dim light make it misread: more and whiter light helps."
    ),
    "game-by-hand": N_("The camera cannot read this game. Enter plays here."),
    "game-broken": N_(
        "The game %(game)s is installed but cannot be started (%(why)s). The others can be played."
    ),
    "camera-over": N_("The film is over (%(camera)s). Enter plays here."),
}


def told(language: str, notice: Notice) -> str:
    """A notice as a sentence."""
    return Speech(language).say(SENTENCES[notice.code], **dict(notice.facts))
