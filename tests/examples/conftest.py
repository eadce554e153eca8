"""The example's package, installed for real into a folder of its own."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core import catalog
from companion.trials import outcome_file
from companion.views import speech
from tests.dashboard.phone import phone

__all__ = ["phone"]

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "maumau"


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder it is in; nothing is fetched."""
    folder = tmp_path_factory.mktemp("site")
    options = "--quiet --no-deps --no-build-isolation --no-index --disable-pip-version-check"
    command = [sys.executable, "-m", "pip", "install", *options.split()]
    subprocess.run([*command, "--target", folder, EXAMPLE], check=True, timeout=120)
    return folder


@pytest.fixture(scope="module", autouse=True)
def _found(installed: Path) -> Iterator[None]:
    """The catalogue finds it as long as these tests run, and no other test ever sees it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(installed))
        paths = (str(ROOT), str(installed), os.environ.get("PYTHONPATH", ""))
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
        _forget()
        yield
    for name in [each for each in sys.modules if each.partition(".")[0] == "maumau"]:
        del sys.modules[name]
    _forget()


def _forget() -> None:
    """What was remembered of the games found so far."""
    importlib.invalidate_caches()
    catalog._found.cache_clear()
    speech.catalogue.cache_clear()
    outcome_file._code.cache_clear()
