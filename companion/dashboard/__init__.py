"""The page: server-rendered, pushed live, usable without a script and without the internet."""

from __future__ import annotations

from companion.dashboard.factory import create_app
from companion.dashboard.parts import Parts

__all__ = ["Parts", "create_app"]
