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
    "journal-away": N_(
        "The journal cannot be used: %(why)s. Games are kept in another place meanwhile; the ways"
        " on are on the page Recovery."
    ),
    "journal-unsound": N_(
        "Something in the journal has changed by itself: %(why)s. The ways on are on the page"
        " Recovery."
    ),
    "journal-full": N_(
        "Nothing can be written any more: %(why)s. The last entry was not kept; the ways on are on"
        " the page Recovery."
    ),
    "journal-brought-back": N_("What was played meanwhile is in the journal now."),
    "ahead-aside": N_(
        "A file that belongs to another journal lay beside this one; it was laid aside (%(file)s)."
    ),
    "settings-broken": N_(
        "The settings cannot be used as they are: %(why)s. What can be used of them is used; mend"
        " the file and start again."
    ),
    "choice-left-out": N_(
        "What was chosen under Settings could not be done: %(why)s. The companion runs without it;"
        " choose something else there."
    ),
    "sheet-broken": N_(
        "The owner's sheet cannot be used: %(why)s. The game begins without it; the page of the"
        " sheet takes another one."
    ),
    "sheet-not-kept": N_(
        "What you told of your copy counts in this game, but the owner's sheet cannot keep it:"
        " %(why)s. The page of the sheet takes another one."
    ),
    "errand-failed": N_("That could not be done: %(why)s."),
    "backup-failed": N_("The backup of today could not be made: %(why)s."),
    "backup-unsound": N_(
        "The backup of today has the damage of the journal in it. It is kept beside the last sound"
        " ones, and takes the place of none of them."
    ),
    "part-broken": N_(
        "A part of the box could not be started: %(why)s. Meanwhile enter plays here."
    ),
    "part-stopped": N_(
        "A part of the box has stopped by a fault (%(part)s). It is started again by itself."
    ),
    "part-started-again": N_(
        "A part of the box had stopped by a fault (%(part)s) and was started again."
    ),
    "parts-left-out": N_(
        "Safe mode: a part of the box has stopped %(count)s times (%(part)s). It runs without"
        " camera, buttons and lamps now; everything can be entered here. Restart it to try again"
        " with all its parts."
    ),
    "camera-missing": N_(
        "The camera is not there (%(camera)s). Check its cable; it is tried again by itself."
        " Meanwhile enter plays here."
    ),
    "camera-beside": N_(
        "One of the cameras is away (%(camera)s); the others go on. Check its cable; it is tried"
        " again by itself."
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
    "boards-unseen": N_(
        "The camera sees none of your boards, nor the mat. Look whether something covers them, or"
        " whether they lie beside the picture. Meanwhile enter plays here."
    ),
    "boards-alike": N_(
        "Some boards look alike, and it is not clear whose they are. Say so once, under"
        " *Your boards*; until then the camera does not read them."
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
    "broker-away": N_(
        "The MQTT broker %(broker)s cannot be reached (%(why)s). It is tried again by itself; the"
        " table needs it for nothing."
    ),
    "mqtt-extra-missing": N_(
        "The settings name an MQTT broker, but the part for it is not installed:"
        " pip install 'table-companion[mqtt]'."
    ),
    "hub-away": N_(
        "The hub %(hub)s cannot be told (%(why)s). It is tried again by itself, and nothing is"
        " lost: everything is in the journal."
    ),
    "hub-rewound": N_(
        "This journal was restored from a backup. The hub %(hub)s had newer events of it; they are"
        " kept aside there, and it goes on with these."
    ),
    "camera-over": N_("The film is over (%(camera)s). Enter plays here."),
}


def told(language: str, notice: Notice) -> str:
    """A notice as a sentence."""
    return Speech(language).say(SENTENCES[notice.code], **dict(notice.facts))
