"""`companion look`, `score` and `calibrate`: the eyes on the command line."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import cv2

from companion.cli.pictures import drawable, write_picture
from companion.devices.camera.film import FILMS, pictures_of
from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.foundation.ownership import keep
from companion.foundation.terminal import counted
from companion.onboarding.picture_quality import FAR
from companion.onboarding.table_files import FILE, keep_place
from companion.onboarding.table_place import plane_by
from companion.service.settings import read_settings
from companion.tabletop.mat import MAT
from companion.tabletop.observations import Sighting
from companion.vision import crops as cuts
from companion.vision.calibrating.lens_sheet import lens_from
from companion.vision.calibration import Way
from companion.vision.crops import Image
from companion.vision.decks import Deck
from companion.vision.enrolment.deck_making import opened
from companion.vision.look import look
from companion.vision.manifests import ManifestEntry, read_manifest
from companion.vision.observing.stills import still_moments
from companion.vision.overlay import contact_sheet, drawn_over
from companion.vision.pictures import read_picture
from companion.vision.scoring import Score

_WORST = 20


def deck_option(function: Any) -> Any:
    return click.option(
        "--deck",
        "deck_name",
        default="playing-cards",
        show_default=True,
        help="the deck of a game, playing-cards, one you enrolled, or a .deck file.",
    )(function)


@click.command("look")
@click.argument("images", nargs=-1, required=True)
@deck_option
@click.option("--json", "as_json", is_flag=True, help="Everything seen, for programs.")
@click.option("--overlay", type=click.Path(path_type=Path), help="A folder for marked pictures.")
@click.pass_obj
def look_command(
    file: Path | None,
    images: tuple[str, ...],
    deck_name: str,
    as_json: bool,
    overlay: Path | None,
) -> None:
    """Says which cards and dice photographs show: any camera, any size. Of a film it says what lay
    there whenever the table was still."""
    deck = opened(deck_name, _decks(file))
    rows = []
    for name in counted(images):
        for second, image, seen in _looked_at(Path(name), deck):
            at = "" if second is None else f" {_clock(second)}"
            if overlay is not None:
                marked = f"{Path(name).stem}{at.replace(':', '.')}.seen.png"
                write_picture(overlay / marked, drawn_over(image, seen))
            rows.append(_row(name, second, seen))
            _say("" if as_json else f"{name}{at}: {_told(seen)}")
    _say(json.dumps(rows) if as_json else "")


def _say(words: str) -> None:
    if words:
        click.echo(words)


def _row(name: str, second: float | None, seen: list[Sighting]) -> dict[str, Any]:
    at = {} if second is None else {"second": round(second, 2)}
    return {"file": name, **at, "sightings": [as_row(s) for s in seen]}


def _looked_at(file: Path, deck: Deck) -> Iterator[tuple[float | None, Image, list[Sighting]]]:
    """A photograph at once; a film at each still moment, with its second."""
    if file.suffix.lower() not in FILMS:
        image = read_picture(file)
        yield None, image, look(image, deck)
        return
    with pictures_of(file) as pictures:
        yield from still_moments(pictures, deck)


def _clock(second: float) -> str:
    return f"{int(second // 60)}:{second % 60:04.1f}"


def _decks(file: Path | None) -> Path:
    return read_settings(file).data_folder / "decks"


def as_row(one: Sighting) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "label": one.label,
        "p": round(one.p, 4),
        "quad": [list(corner) for corner in one.quad],
        "turn": one.turn,
        "others": [[label, round(p, 4)] for label, p in one.others],
    }


def _told(seen: list[Sighting]) -> str:
    if not seen:
        return "nothing seen"
    words = [
        f"{s.kind} {s.label if s.label is not None else '?'} ({s.p:.0%})"
        for s in sorted(seen, key=lambda s: (round(s.middle[1] / 50), s.middle[0]))
    ]
    return ", ".join(words)


@click.command("score")
@click.argument("folder", type=click.Path(path_type=Path))
@deck_option
@click.option("--json", "as_json", is_flag=True)
@click.option("--sheet", type=click.Path(path_type=Path), help="A picture of the worst cases.")
@click.option("--scene", help="Only pictures whose `scene` holds this word; with - before it, not.")
@click.pass_obj
def score_command(  # noqa: PLR0913, PLR0917
    file: Path | None,
    folder: Path,
    deck_name: str,
    as_json: bool,
    sheet: Path | None,
    scene: str | None,
) -> None:
    """Looks at every picture of a set (images and manifest.jsonl) and compares with its labels."""
    drawable(sheet)
    deck = opened(deck_name, _decks(file))
    entries = read_manifest(folder / "manifest.jsonl")
    entries = entries if scene is None else _of_scene(entries, scene)
    score = Score()
    worst: list[tuple[str, Image]] = []
    begun = time.monotonic()
    for entry in counted(entries):
        image = read_picture(folder / entry.file)
        seen = look(image, deck)
        if not score.add(entry, seen) and len(worst) < _WORST:
            said = " ".join(str(s.label) for s in seen if s.p >= 0.5)
            truth = " ".join(str(o.label) for o in entry.objects)
            worst.append((f"{truth} / {said}", drawn_over(image, seen)))
    figures = score.figures() | {"seconds": round(time.monotonic() - begun, 1)}
    _say_figures(score, figures, as_json=as_json)
    if sheet is not None and worst:
        write_picture(sheet, contact_sheet(worst))


def _of_scene(entries: list[ManifestEntry], scene: str) -> list[ManifestEntry]:
    word, wanted = scene.removeprefix("-"), not scene.startswith("-")
    return [each for each in entries if (word in each.scene) == wanted]


def _say_figures(score: Score, figures: dict[str, float], *, as_json: bool) -> None:
    if as_json:
        confused = [[a, b, n] for (a, b), n in score.confusions.most_common()]
        sure = score.reliability()
        click.echo(json.dumps({**figures, "confusions": confused, "reliability": sure}))
        return
    click.echo("  ".join(f"{name} {value}" for name, value in figures.items()))
    for (truth, said), many in score.confusions.most_common(15):
        click.echo(f"  {truth} taken for {said}: {many}")


@click.command("calibrate")
@click.argument("picture", type=click.Path(path_type=Path))
@click.option(
    "--lens",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Pictures of the calibration sheet.",
)
@click.option(
    "--corners", help="The mat's corners by hand: x,y x,y x,y x,y, clockwise from far left."
)
@click.option("--to", type=click.Path(path_type=Path), help="Another file than the box's own.")
@click.option("--overlay", type=click.Path(path_type=Path), help="A picture to check the zones by.")
@click.pass_obj
def calibrate_command(  # noqa: PLR0913, PLR0917
    file: Path | None,
    picture: Path,
    lens: tuple[Path, ...],
    corners: str | None,
    to: Path | None,
    overlay: Path | None,
) -> None:
    """Learns where the mat lies from a picture of it: four markers, or corners by hand."""
    drawable(overlay)
    image = read_picture(picture)
    size = (image.shape[1], image.shape[0])
    bends = lens_from(read_picture(p) for p in counted(lens)) if lens else None
    if bends is not None and bends.size != size:
        raise BadInput(
            "has-x-pixels-pictures",
            N_(
                "%(picture)s has %(size)s x %(size2)s pixels, the pictures of the calibration "
                "sheet %(size3)s x %(size4)s: take all with one camera at one size"
            ),
            picture=picture,
            size=size[0],
            size2=size[1],
            size3=bends.size[0],
            size4=bends.size[1],
        )
    way = Way.MARKERS if corners is None else Way.CORNERS
    shown = () if corners is None else [(x / size[0], y / size[1]) for x, y in _corners(corners)]
    plane, _ = plane_by(way, image, shown, lens=bends)
    if overlay is not None:
        mat = plane.pixels(cuts.corners(*MAT).astype(float))
        cv2.polylines(image, [mat.round().astype(int)], True, (80, 220, 60), 2, cv2.LINE_AA)
        write_picture(overlay, image)
    data = read_settings(file).data_folder
    if to is None:
        keep_place(plane, data)
    else:
        keep(to, data, plane.save)
    to = to or data / FILE
    words = "" if bends is None else f", lens within {bends.error:.2f} px"
    click.echo(f"{to}: {plane.px_per_mm:.2f} pixels to a millimetre{words}")
    if plane.px_per_mm < FAR:
        click.echo("  the camera is far away or its pictures are small: cards will be hard to read")


def _corners(text: str) -> list[tuple[float, float]]:
    try:
        pairs = [part.split(",") for part in text.split()]
        return [(float(x), float(y)) for x, y in pairs]
    except ValueError:
        raise BadInput(
            "corners-four-pairs-such",
            N_("%(text)s: corners are four pairs such as 120,80"),
            text=text,
        ) from None
