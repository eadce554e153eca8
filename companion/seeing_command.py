"""`companion look`, `enrol`, `score` and `calibrate`: the eyes on the command line."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import cv2

from companion import zones
from companion.devices.camera import Camera
from companion.devices.cameras import camera_maker
from companion.errors import BadInput
from companion.owners import give
from companion.settings import read_settings
from companion.table import Sighting
from companion.vision import calibrating, cuts, decks
from companion.vision.calibrating import Plane
from companion.vision.cuts import Image
from companion.vision.decks import Deck, Picture
from companion.vision.enrolling import (
    Sample,
    from_folder,
    from_manifest,
    laid_out,
    made,
    opened,
    pictured,
    read_manifest,
)
from companion.vision.looking import look
from companion.vision.overlay import contact_sheet, drawn_over
from companion.vision.pictures import read_picture
from companion.vision.scoring import Score

_WORST = 20
_ALL = "<all>"
"""Of --live without a list: the cards of the game."""
_PATIENCE = 10.0
"""Seconds a camera has for its first picture."""
_AT_ONCE = 9
"""Cards laid before the camera at a time."""
_COARSE = 0.9
"""Pixels to a millimetre below which cards are hard to read."""


def deck_option(function: Any) -> Any:
    return click.option(
        "--deck",
        "deck_name",
        default="playing-cards",
        show_default=True,
        help="odin, valhalla, valhal, playing-cards, one you enrolled, or a .deck file.",
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
    """Says which cards and dice photographs show: any camera, any size."""
    deck = opened(deck_name, _decks(file))
    seen_all = []
    for name, image in _progress(images, lambda n: read_picture(Path(n))):
        seen = look(image, deck)
        seen_all.append({"file": name, "sightings": [as_row(s) for s in seen]})
        if overlay is not None:
            _write(overlay / (Path(name).stem + ".seen.png"), drawn_over(image, seen))
        if not as_json:
            click.echo(f"{name}: {_told(seen)}")
    if as_json:
        click.echo(json.dumps(seen_all))


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


def _progress(items: Iterable[str], read: Any) -> Iterator[tuple[str, Image]]:
    """Each item with what it holds; a line on the terminal while it takes long."""
    names = list(items)
    begun = time.monotonic()
    for number, name in enumerate(names, 1):
        yield name, read(name)
        if sys.stderr.isatty() and time.monotonic() - begun > 2:
            click.echo(f"\r{number} of {len(names)} ", nl=number == len(names), err=True)


def _write(path: Path, image: Image) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    _, data = cv2.imencode(path.suffix, image)
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise BadInput(f"{path}: cannot be written ({error.strerror})") from None


@click.command("enrol")
@click.argument("name")
@click.argument("source", type=click.Path(path_type=Path), required=False)
@click.option("--only", help="Enrol just this card again.")
@click.option("--add", is_flag=True, help="Add looks to the deck instead of making it anew.")
@click.option(
    "--live",
    is_flag=False,
    flag_value=_ALL,
    type=click.Path(path_type=Path),
    help="Lay them before the camera in the order told; of a deck that is no game's, in that of a"
    " list of names, one a line.",
)
@click.pass_obj
def enrol_command(  # noqa: PLR0913, PLR0917
    file: Path | None,
    name: str,
    source: Path | None,
    only: str | None,
    add: bool,
    live: Path | None,
) -> None:
    """Makes the deck NAME from a folder of pictures (named after the cards) or a manifest.

    A single picture with --only enrols one card again. With --live the camera looks. A deck called
    odin, valhalla, valhal or playing-cards is used for that game from then on; its cards are called
    as games write them.
    """
    if not re.fullmatch(r"[\w-]{1,60}", name):
        raise BadInput(f"{name}: a deck's name is letters, digits and -")
    if (source is None) == (live is None):
        raise BadInput("say where the pictures are, or --live")
    folder = _decks(file)
    begun = time.monotonic()
    asked = None if live is None else _names(name, live)
    samples = list(_samples(source, only) if source is not None else _live(file, asked or []))
    if name in decks.BUILT_IN:
        _check_words(name, samples)
    deck = _joined(folder, name, [pictured(sample) for sample in samples], only, add)
    path = folder / f"{name}.deck"
    _keep(path, read_settings(file).data_folder, deck.save)
    spent = time.monotonic() - begun
    click.echo(f"{path}: {len(deck.labels)} cards from {len(samples)} pictures in {spent:.1f} s")
    if name in decks.BUILT_IN:
        _tell_missing(name, deck)
    for a, b, like in deck.hard_pairs() if not deck.base else ():
        click.echo(
            f"  {a} and {b} look alike ({like:.0%}): add a picture of each in the light you play in"
        )


def _check_words(name: str, samples: Sequence[Sample]) -> None:
    """Whether the game knows the cards by their names; other names would never be read."""
    words = decks.words(name)
    strange = [sample.label for sample in samples if sample.label not in words]
    if strange and name in decks.BY_SHEET:
        click.echo(f"  these must be names on your sheet of {name}: {', '.join(strange)}")
    elif strange:
        raise BadInput(f"{strange[0]}: no card of {name} is called so; they are {', '.join(words)}")


def _tell_missing(name: str, deck: Deck) -> None:
    missing = [word for word in decks.words(name) if word not in deck.labels]
    if missing:
        click.echo(f"  not shown, so not known: {', '.join(missing)}; --add shows more")


def _keep(path: Path, data: Path, save: Callable[[Path], None]) -> None:
    """Writes a file of the data folder, for whom that belongs to."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save(path)
        if path.is_relative_to(data):
            for each in (path, *path.relative_to(data).parents[:-1]):
                give(data / each, data)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written ({error.strerror})") from None


def _samples(source: Path, only: str | None) -> Iterator[Sample]:
    if only is not None and source.is_file():
        yield Sample(only, read_picture(source), None, str(source))
        return
    every = from_folder(source) if source.is_dir() else from_manifest(source)
    yield from (s for s in every if only is None or s.label == only)


def _live(file: Path | None, names: Sequence[str]) -> Iterator[Sample]:
    """Asks for a few cards at a time, and again for those it did not see."""
    settings = read_settings(file)
    if settings.camera == "none":
        raise BadInput('no camera: set `camera = "usb"` or `camera = "pi"` in companion.toml')
    with camera_maker(settings.camera, settings.camera_pixels)() as camera:
        at = 0
        while at < len(names):
            asked = names[at : at + _AT_ONCE]
            click.echo(f"Lay down two fingers apart, left to right, row by row: {', '.join(asked)}")
            click.pause("Hands away, then press a key ...")
            image = _picture(camera)
            got = laid_out(image, asked, _plane_in(image))
            if isinstance(got, str):
                click.echo(f"  {got}: lay them apart, all of each in view, and once more.")
                continue
            yield from got
            at += len(asked)


def _picture(camera: Camera) -> Image:
    """The newest; a camera that was just opened has none yet."""
    until = time.monotonic() + _PATIENCE
    while (frame := camera.newest()) is None:
        if time.monotonic() > until:
            raise BadInput(f"no picture comes from {camera.name}; unplug it and try again")
        time.sleep(0.05)
    return frame.pixels


def _plane_in(image: Image) -> Plane | None:
    """The table, if the corner markers are in view: then the cards are measured too."""
    try:
        size = (image.shape[1], image.shape[0])
        return calibrating.solve(calibrating.markers_in(image), size)
    except BadInput:
        return None


def _names(deck: str, live: Path) -> list[str]:
    """The cards to be laid before the camera."""
    if live == Path(_ALL):
        if deck not in decks.BUILT_IN:
            raise BadInput(f"{deck} is no game's deck: say --live and a list of its cards' names")
        return list(decks.words(deck))
    try:
        text = live.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise BadInput(f"{live}: cannot be read as a list of names") from None
    names = [line.strip() for line in text.splitlines() if line.strip()]
    if not names or len(set(names)) != len(names):
        raise BadInput(f"{live}: one name a line, each once")
    return names


def _joined(folder: Path, name: str, fresh: Sequence[Picture], only: str | None, add: bool) -> Deck:
    """The deck made anew, or with these pictures besides those it has, or instead of one's."""
    if only is None and not add:
        return made(name, fresh)
    old = decks.named(name, folder)
    base = old.base if old.eyes else name  # a built-in deck is added to as it is
    kept = [each for each in old.pictures if each.label != only]
    return made(name, [*kept, *fresh], base)


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
    deck = opened(deck_name, _decks(file))
    entries = {e["file"]: e for e in read_manifest(folder / "manifest.jsonl")}
    if scene is not None:
        word, wanted = scene.removeprefix("-"), not scene.startswith("-")
        entries = {f: e for f, e in entries.items() if (word in e.get("scene", "")) == wanted}
    score = Score()
    worst: list[tuple[str, Image]] = []
    begun = time.monotonic()
    for name, image in _progress(entries, lambda n: read_picture(folder / n)):
        seen = look(image, deck)
        if not score.add(entries[name], seen) and len(worst) < _WORST:
            said = " ".join(str(s.label) for s in seen if s.p >= 0.5)
            truth = " ".join(str(o["label"]) for o in entries[name]["objects"])
            worst.append((f"{truth} / {said}", drawn_over(image, seen)))
    figures = score.figures() | {"seconds": round(time.monotonic() - begun, 1)}
    if as_json:
        confused = [[a, b, n] for (a, b), n in score.confusions.most_common()]
        sure = score.reliability()
        click.echo(json.dumps({**figures, "confusions": confused, "reliability": sure}))
    else:
        click.echo("  ".join(f"{name} {value}" for name, value in figures.items()))
        for (truth, said), many in score.confusions.most_common(15):
            click.echo(f"  {truth} taken for {said}: {many}")
    if sheet is not None and worst:
        _write(sheet, contact_sheet(worst))


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
    image = read_picture(picture)
    size = (image.shape[1], image.shape[0])
    bends = calibrating.lens_from([read_picture(p) for p in lens]) if lens else None
    if corners is not None:
        plane = calibrating.from_corners(_corners(corners), size, bends)
    else:
        plane = calibrating.solve(calibrating.markers_in(image), size, bends)
    to = to or read_settings(file).data_folder / "table.json"
    _keep(to, read_settings(file).data_folder, plane.save)
    words = "" if bends is None else f", lens within {bends.error:.2f} px"
    click.echo(f"{to}: {plane.px_per_mm:.2f} pixels to a millimetre{words}")
    if plane.px_per_mm < _COARSE:
        click.echo("  the camera is far away or its pictures are small: cards will be hard to read")
    if overlay is not None:
        mat = plane.pixels(cuts.corners(*zones.MAT).astype(float))
        cv2.polylines(image, [mat.round().astype(int)], True, (80, 220, 60), 2, cv2.LINE_AA)
        _write(overlay, image)


def _corners(text: str) -> list[tuple[float, float]]:
    try:
        pairs = [part.split(",") for part in text.split()]
        return [(float(x), float(y)) for x, y in pairs]
    except ValueError:
        raise BadInput(f"{text}: corners are four pairs such as 120,80") from None
