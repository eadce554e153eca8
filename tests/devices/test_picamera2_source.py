"""The stand-in for picamera2 has no parameter the real one lacks. The real one cannot be imported
off a Pi, so its source is read: on a Pi from its package, elsewhere from where
`tools/picamera2_source.py` has put it."""

from __future__ import annotations

import ast
import importlib.util
import inspect
from pathlib import Path

import pytest

from companion.devices.camera import pi as camera_pi
from tests.devices.stand_ins import FakePicamera2

FETCHED = Path(__file__).parents[2] / "artefacts" / "picamera2"
CALLS = (
    "__init__",
    "autofocus_cycle",
    "capture_array",
    "capture_metadata",
    "close",
    "configure",
    "create_video_configuration",
    "global_camera_info",
    "set_controls",
    "start",
)


def _module() -> Path | None:
    spec = importlib.util.find_spec("picamera2")
    folders = [Path(each) for each in (spec.submodule_search_locations if spec else None) or ()]
    found = [folder / "picamera2.py" for folder in (*folders, FETCHED / "picamera2")]
    return next((each for each in found if each.is_file()), None)


@pytest.fixture(scope="module")
def real() -> ast.ClassDef:
    module = _module()
    if module is None:
        pytest.skip("picamera2's source is not here; tools/picamera2_source.py fetches it")
    tree = ast.parse(module.read_text())
    return next(
        each for each in tree.body if isinstance(each, ast.ClassDef) and each.name == "Picamera2"
    )


def _method(real: ast.ClassDef, name: str) -> ast.FunctionDef:
    """The last of its name: those before are overloads for type checkers."""
    return [each for each in real.body if isinstance(each, ast.FunctionDef) and each.name == name][
        -1
    ]


@pytest.mark.parametrize("name", CALLS)
def test_every_parameter_of_the_stand_in_is_real(real: ast.ClassDef, name: str) -> None:
    found = _method(real, name).args
    ours = inspect.signature(getattr(FakePicamera2, name)).parameters.values()
    theirs = [each.arg for each in (*found.posonlyargs, *found.args)]
    by_place = [each.name for each in ours if each.kind is not inspect.Parameter.KEYWORD_ONLY]
    by_name = {each.name for each in ours if each.kind is inspect.Parameter.KEYWORD_ONLY}
    assert theirs[: len(by_place)] == by_place
    assert by_name <= {*theirs, *(each.arg for each in found.kwonlyargs)}
    needed = theirs[: len(theirs) - len(found.defaults)]
    assert set(needed) <= {*by_place, *by_name}


def test_camera_controls_is_a_property(real: ast.ClassDef) -> None:
    (decorator,) = _method(real, "camera_controls").decorator_list
    assert isinstance(decorator, ast.Name)
    assert decorator.id == "property"


def test_waiting_takes_seconds_and_then_gives_up(real: ast.ClassDef) -> None:
    """A camera without pictures must not be waited for without end."""
    said = ast.get_docstring(_method(real, "dispatch_functions")) or ""
    assert "a number - wait for this number of seconds" in said


def test_no_call_of_the_adapter_is_left_unchecked() -> None:
    tree = ast.parse(Path(camera_pi.__file__).read_text())
    called = {
        each.attr
        for each in ast.walk(tree)
        if isinstance(each, ast.Attribute)
        and (
            (isinstance(each.value, ast.Attribute) and each.value.attr == "_camera")
            or (isinstance(each.value, ast.Name) and each.value.id == "Picamera2")
        )
    }
    assert called == {*CALLS, "camera_controls"} - {"__init__"}
