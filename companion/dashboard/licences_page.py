"""What the companion is made of, and under which licences."""

from __future__ import annotations

from flask import Blueprint, render_template

from companion.foundation.libraries import libraries
from companion.foundation.resources import shipped


def licences_page() -> Blueprint:
    blueprint = Blueprint("licences", __name__)

    @blueprint.get("/licences")
    def show() -> str:
        web = shipped("web") / "static"
        texts = sorted(
            path.relative_to(web).as_posix()
            for pattern in ("*LICENSE*", "*LICENCE*", "*OFL*")
            for path in web.rglob(pattern)
        )
        return render_template("licences.html", libraries=libraries(), texts=texts)

    return blueprint
