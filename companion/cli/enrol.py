"""`companion enrol`: a deck of somebody's own cards, from pictures or before the camera."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from companion.cli.pictures import drawable, write_picture
from companion.devices.camera.camera import Camera
from companion.devices.camera.choice import chosen_camera
from companion.foundation.errors import BadInput, CameraError
from companion.foundation.frames import Frame
from companion.foundation.messages import N_
from companion.foundation.terminal import counted
from companion.onboarding.deck_shelf import DeckShelf, check_name, strange_words
from companion.onboarding.deck_workshop import deck_of
from companion.onboarding.desk import DECKS
from companion.onboarding.enrolment import AT_ONCE
from companion.onboarding.table_files import plane_in
from companion.service.chosen_settings import settings_now
from companion.service.settings import Settings
from companion.vision import decks
from companion.vision.calibration import Plane
from companion.vision.crops import Image
from companion.vision.decks import Deck, Picture
from companion.vision.enrolment.deck_making import (
    PICTURES,
    Enrolled,
    Listed,
    LookAlike,
    Sample,
    listed_in,
    picture_of,
    pictured,
    shown,
)
from companion.vision.enrolment.deck_training import Forecast
from companion.vision.enrolment.laid_out import laid_out
from companion.vision.overlay import contact_sheet

_ALL = "<all>"
"""Of --live without a list: the cards of the game."""
_PATIENCE = 10.0
"""Seconds a camera has for its first picture."""
_MOST_PAIRS = 12
"""Pairs of cards told, the worst ones; more nobody reads."""


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
@click.option(
    "--sheet",
    type=click.Path(path_type=Path),
    help="A picture of the pairs that are hard to tell apart, side by side.",
)
@click.pass_obj
def enrol_command(  # noqa: PLR0913, PLR0917
    file: Path | None,
    name: str,
    source: Path | None,
    only: str | None,
    add: bool,
    live: Path | None,
    sheet: Path | None,
) -> None:
    """Makes the deck NAME from a folder of pictures (named after the cards) or a manifest.

    A single picture with --only enrols one card again. With --live the camera looks. A deck called
    like a game, or playing-cards, is used for that game from then on; its cards are called as games
    write them.
    """
    check_name(name)
    drawable(sheet)
    settings = settings_now(file)
    shelf = DeckShelf(settings.data_folder / DECKS)
    before = decks.named(name, shelf.folder) if only is not None or add else None
    if source is not None and live is None:
        listed = _listed(source, only)
        _check_words(name, [each.label for each in listed])
        begun = time.monotonic()
        pictures = [pictured(sample) for sample in shown(counted(listed))]
        got = deck_of(name, pictures, before, _instead_of(only), counted)
    elif live is not None and source is None:
        names = _names(name, live) if only is None else [only]
        _check_words(name, names)
        pictures = [pictured(sample) for sample in _laid(settings, names)]
        begun = time.monotonic()
        got = _made_live(settings, name, pictures, before, only)
    else:
        raise BadInput("say-where-pictures-or", N_("say where the pictures are, or --live"))
    deck = got.deck
    path = shelf.put(deck)
    spent = time.monotonic() - begun
    click.echo(f"{path}: {len(deck.labels)} cards from {len(pictures)} pictures in {spent:.1f} s")
    _tell(name, got)
    _draw_pairs(sheet, got)


def _instead_of(only: str | None) -> tuple[str, ...]:
    return () if only is None else (only,)


def _draw_pairs(sheet: Path | None, got: Enrolled) -> None:
    tiles = pairs_side_by_side(got)
    if sheet is not None and tiles:
        write_picture(sheet, contact_sheet(tiles, across=2))
        click.echo(f"  {sheet}: these pairs side by side")


def pairs_side_by_side(got: Enrolled) -> list[tuple[str, Image]]:
    """The cards that are hard to tell apart, one after the other, with their pictures."""
    pairs = () if got.forecast is None else got.forecast.pairs[:_MOST_PAIRS]
    return [(card, picture_of(got.deck, card)) for a, b, _ in pairs for card in (a, b)]


def _listed(source: Path, only: str | None) -> list[Listed]:
    if only is not None and source.suffix.lower() in PICTURES:
        return [Listed(only, source)]
    found = [each for each in listed_in(source) if only is None or each.label == only]
    if not found:
        raise BadInput(
            "no-picture", N_("%(source)s: no picture of %(only)s in it"), source=source, only=only
        )
    return found


def _check_words(name: str, labels: Sequence[str]) -> None:
    """Names that the game does not know would never be read; some only the owner's sheet knows."""
    strange = strange_words(name, labels)
    if strange:
        click.echo(f"  these must be names on your sheet of {name}: {', '.join(strange)}")


def _tell(name: str, got: Enrolled) -> None:
    """What the owner had better know of it."""
    deck = got.deck
    if name in decks.built_in():
        missing = [word for word in decks.words(name) if word not in deck.labels]
        if missing:
            click.echo(f"  not shown, so not known: {', '.join(missing)}; --add shows more")
            click.echo("  until then such a card may be taken for one that was shown")
    if got.forecast is not None:
        _foretell(deck, got.forecast)


def _foretell(deck: Deck, forecast: Forecast) -> None:
    """How well it will do, and which cards want another picture."""
    click.echo(
        f"  of 100 looks about {100 * forecast.right:.0f} will be named right and"
        f" {100 * forecast.wrong:.1f} wrong, by views of your pictures it had not learnt from"
    )
    twins = deck.upside_down()
    for a, b in twins:
        click.echo(
            f"  {a} and {b} may be one another upside down, and then nobody can tell them apart:"
            " mark one of them"
        )
    pairs = [(a, b, share) for a, b, share in forecast.pairs if (a, b) not in twins]
    for a, b, share in pairs[:_MOST_PAIRS]:
        click.echo(
            f"  {a} and {b} look alike (confused in {share:.0%} of views): add a picture of each in"
            " the light you play in"
        )
    if len(pairs) > _MOST_PAIRS:
        click.echo(f"  and {len(pairs) - _MOST_PAIRS} more pairs like these")


# -- before the camera ----------------------------------------------------------------------


def _names(deck: str, live: Path) -> list[str]:
    """The cards to be laid."""
    if live == Path(_ALL):
        if deck not in decks.built_in():
            raise BadInput(
                "no-game-s-deck",
                N_("%(deck)s is no game's deck: say --live and a list of its cards' names"),
                deck=deck,
            )
        return list(decks.words(deck))
    try:
        text = live.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise BadInput(
            "cannot-read-list-names", N_("%(live)s: cannot be read as a list of names"), live=live
        ) from None
    names = [line.strip() for line in text.splitlines() if line.strip()]
    if not names or len(set(names)) != len(names):
        raise BadInput("one-name-line-each", N_("%(live)s: one name a line, each once"), live=live)
    return names


def _made_live(
    settings: Settings,
    name: str,
    pictures: list[Picture],
    before: Deck | None,
    only: str | None,
) -> Enrolled:
    """As `deck_of`; cards that look the same were mixed up, and are asked for once more."""
    while True:
        try:
            return deck_of(name, pictures, before, _instead_of(only), counted)
        except LookAlike as alike:
            click.echo(f"  {alike}")
            kept = [each for each in pictures if each.label not in alike.pair]
            again = [label for label in alike.pair if any(p.label == label for p in pictures)]
            pictures[:] = [*kept, *map(pictured, _laid(settings, again))]


def _laid(settings: Settings, names: Sequence[str]) -> Iterator[Sample]:
    """Asks for a few cards at a time, and again for those it did not see."""
    if settings.camera == "none":
        raise BadInput(
            "no-camera-set-camera",
            N_('no camera: set `camera = "usb"` or `camera = "pi"` in companion.toml'),
        )
    opened = chosen_camera(settings)
    at = 0
    while at < len(names):
        asked = names[at : at + AT_ONCE]
        try:
            with opened() as camera:
                click.echo(
                    f"Lay down two fingers apart, left to right, row by row: {', '.join(asked)}"
                )
                _wait_for_key("Hands away, then press a key ...")
                image = _picture(camera)
        except CameraError as lost:
            if not at:
                raise
            click.echo(f"  {lost}")
            _wait_for_key("Plug it in again, then press a key ...")
            continue
        got = laid_out(image, asked, _plane_in(settings.data_folder, image))
        if isinstance(got, str):
            click.echo(f"  {got}: lay them apart, all of each in view, and once more.")
            continue
        yield from got
        at += len(asked)


def _wait_for_key(words: str) -> None:
    click.echo(words)
    try:
        key = click.getchar()
    except OSError:
        raise BadInput(
            "no-keyboard-press-key",
            N_("there is no keyboard to press a key on; run it in a terminal"),
        ) from None
    if not key:
        raise click.Abort


def _picture(camera: Camera) -> Image:
    """The newest; a camera that was just opened has none yet."""
    until = time.monotonic() + _PATIENCE
    while (frame := camera.newest()) is None:
        if time.monotonic() > until:
            raise BadInput(
                "no-picture-comes-from",
                N_("no picture comes from %(name)s; unplug it and try again"),
                name=camera.name,
            )
        time.sleep(0.05)
    return frame.pixels


def _plane_in(folder: Path, image: Image) -> Plane | None:
    """The table, if it is known where it is: then the cards are measured too."""
    try:
        return plane_in(folder, Frame(image, 0.0, 0))
    except BadInput:
        return None
