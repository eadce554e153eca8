"""The living page `/design`: every part in every state, registered in tests only."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Flask, render_template, request
from flask_babel import force_locale

from companion.views.chart import chart
from companion.views.speech import LANGUAGES

PEOPLE = (
    "Anna",
    "Ben",
    "Cleo",
    "Dag",
    "Edda",
    "Finn",
    "Gro",
    "Hauk",
    "Ida",
    "Jorn",
    "Kari",
    "Leif",
    "Maximiliane",
)
CHARTS = (
    chart(PEOPLE[:4], ((0, 4, 4, 9), (0, 0, 3, 3), (0, 7, 12, 18), (0, 2, 8, 14)), 15),
    chart(("Maximiliane",), ((0, 1, 1, 2),), None),
)
"""With and without a limit, for several people and for one."""


def add_design_page(app: Flask) -> None:
    """To an app that has its parts."""
    blueprint = Blueprint(
        "design", __name__, template_folder=str(Path(__file__).parent / "templates")
    )

    @blueprint.get("/design")
    def show() -> str:
        language = request.args.get("language", "en")
        with force_locale(language):
            return render_template(
                "design.html",
                language=language,
                all_languages=LANGUAGES,
                theme=request.args.get("theme", "dark"),
                people=PEOPLE,
                charts=CHARTS,
            )

    app.register_blueprint(blueprint)
