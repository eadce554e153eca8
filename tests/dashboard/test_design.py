"""The design system: its tokens, and the living page that shows every part."""

from __future__ import annotations

import re

import pytest

from companion.foundation.resources import shipped
from companion.ledger.journal import Journal
from companion.views.emblems import COLOURS, SHAPES, Emblems, emblem_number
from companion.views.speech import LANGUAGES
from tests.dashboard.design import add_design_page
from tests.dashboard.phone import Phone

TOKENS = (shipped("web") / "static/css/tokens.css").read_text()
DARK = r':root, \[data-theme="dark"\] \{(.*?)\n\}'
LIGHT = r'\n\[data-theme="light"\] \{(.*?)\n\}'
BY_ITSELF = r":root:not\(\[data-theme\]\) \{(.*?)\n  \}"
AS_TEXT = 4.5
"""The least contrast of text (WCAG AA)."""
AS_SHAPE = 3.0
"""The least contrast of a shape, or of a large number."""
TEXTS = (
    *(
        (ink, ground)
        for ink in ("ink", "quiet", "gold")
        for ground in ("ground", "ground-2", "raised", "raised-2")
    ),
    *(
        (tone, ground)
        for tone in ("good", "bad", "warn", "info")
        for ground in ("ground", "raised", f"{tone}-ground")
    ),
    ("ink", "bad-ground"),
    ("ink", "warn-ground"),
    ("quiet", "bad-ground"),
    ("on-gold", "gold"),
    *(("on-p", f"p{number}") for number in range(COLOURS)),
)
SHAPES_ON = tuple(
    (f"p{number}", ground) for number in range(COLOURS) for ground in ("ground", "raised")
)
SPRITES = ("icons", "drawings")
GAMES = tuple(
    each for each in (shipped("web").parent / "companion/games").iterdir() if each.is_dir()
)
PRINTED = ("blue", "red", "green", "black", "hammer", "sword", "axe", "wolf", "draugr", "deity")


def _tokens(block: str) -> dict[str, str]:
    found = re.search(block, TOKENS, re.DOTALL)
    assert found is not None
    return dict(re.findall(r"--([\w-]+): ([^;]+);", found[1]))


def _light(colour: str) -> float:
    """The relative luminance of `#rrggbb`."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    darker, lighter = sorted((_light(one), _light(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])
def test_every_pair_of_colours_can_be_read(theme: str) -> None:
    tokens = _tokens(theme)
    least = [(pair, AS_TEXT) for pair in TEXTS] + [(pair, AS_SHAPE) for pair in SHAPES_ON]
    faint = [
        (ink, ground, round(_contrast(tokens[ink], tokens[ground]), 2))
        for (ink, ground), enough in least
        if _contrast(tokens[ink], tokens[ground]) < enough
    ]
    assert faint == []


def test_what_is_printed_on_cards_can_be_seen() -> None:
    tokens = _tokens(r":root \{(.*?)\n\}")
    assert _contrast(tokens["print"], tokens["paper-edge"]) >= AS_TEXT
    assert _contrast(tokens["on-main"], tokens["main-2"]) >= AS_TEXT
    assert [each for each in PRINTED if _contrast(tokens[each], tokens["paper"]) < AS_SHAPE] == []


def test_the_light_theme_is_the_same_chosen_or_by_itself() -> None:
    assert _tokens(LIGHT) == _tokens(BY_ITSELF)
    assert _tokens(LIGHT).keys() == _tokens(DARK).keys()


def test_every_token_that_is_used_exists() -> None:
    sheets = "".join(each.read_text() for each in (shipped("web") / "static/css").glob("*.css"))
    used = set(re.findall(r"var\(--([\w-]+)", sheets))
    assert used - set(re.findall(r"--([\w-]+):", sheets)) == set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_living_page_shows_every_part(phone: Phone, language: str, theme: str) -> None:
    add_design_page(phone.client.application)
    page = phone.get(f"/design?language={language}&theme={theme}").text
    macros = re.findall(r"\{% macro (\w+)", (shipped("web") / "templates/_ui.html").read_text())
    living = (shipped("web").parent / "tests/dashboard/design/templates/design.html").read_text()
    assert [each for each in macros if f"ui.{each}(" not in living and each != "icon"] == []
    assert f'data-theme="{theme}"' in page
    used = set(re.findall(r'href="#((?:icon|emblem|drawing|shape)-[\w-]+)"', page))
    drawn = set(re.findall(r'<symbol id="([\w-]+)"', page))
    assert used - drawn == set()


def _templates() -> str:
    """Every template of the page and of the games, as one text."""
    folders = (shipped("web") / "templates", *(game_folder / "templates" for game_folder in GAMES))
    return "".join(each.read_text() for folder in folders for each in folder.rglob("*.html"))


def test_every_drawing_exists_and_every_icon_is_drawn_somewhere() -> None:
    """Icons and drawings are inside every page: what nobody draws is only weight."""
    page = _templates()
    sprites = {name: (shipped("web") / f"templates/_{name}.svg").read_text() for name in SPRITES}
    drawings = set(re.findall(r'id="drawing-([\w-]+)"', sprites["drawings"]))
    named = set(re.findall(r'ui\.empty\([^\n]*?\), "(\w+)"', page))
    assert named <= drawings
    assert named | set(re.findall(r"#drawing-(\w+)", page)) == drawings
    code = page + "".join(
        each.read_text() for each in (shipped("web").parent / "companion").rglob("*.py")
    )
    icons = set(re.findall(r'id="icon-([\w-]+)"', sprites["icons"]))
    assert {icon for icon in icons if not re.search(rf"[\"']{icon}[\"']", code)} == set()


@pytest.mark.parametrize("page", ["_history", "boards", "devices", "recovery", "games", "people"])
def test_where_a_list_may_be_empty_is_a_drawing(page: str) -> None:
    assert "ui.empty(" in (shipped("web") / f"templates/{page}.html").read_text()


def test_people_keep_their_emblem_through_all_games(phone: Phone, journal: Journal) -> None:
    phone.new_game("Anna", "Ben", "Cleo")
    phone.new_game("Ben", "Dag")
    first = Emblems(journal)
    assert [first(name) for name in ("Anna", "Ben", "Cleo", "Dag")] == [
        emblem_number(n) for n in range(4)
    ]
    assert first("anna ") == first("Anna")
    phone.new_game("Edda", "anna")
    assert first("Edda") == emblem_number(4)
    assert Emblems(journal)("Edda") == first("Edda"), "after a restart too"


def test_nobody_looks_like_another_for_a_long_time() -> None:
    everybody = [emblem_number(number) for number in range(COLOURS * len(SHAPES))]
    assert len(set(everybody)) == len(everybody)
    assert len({each.colour for each in everybody[:COLOURS]}) == COLOURS
    assert len({each.shape for each in everybody[:COLOURS]}) == COLOURS
