"""Traces how light falls on tables: `python -m models.train.lightmaps`, which `make train` runs first.

Each map is of a table in a room: lamps of any size and colour, a window or a photographed room
(CC0), and things that stand or hang in the way. Of each there is what falls on the table, and what
varnish mirrors of it. The drawings multiply them in: companion/sim/render/traced.py.
"""

from __future__ import annotations

import base64
import re
import subprocess
import tarfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.sim.render.traced import ROOMS

MAPS, SIDE, RAYS = 480, 32, 100
SEED = 5
_ROOMS = ("apartment", "hall", "lab", "lobby", "studio", "warehouse", "workshop", "venice")
_PACKAGE = "@pmndrs/assets"


def rooms(folder: Path) -> list[Path]:
    """Photographed rooms from npm, as files Mitsuba reads."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"{name}.exr" for name in _ROOMS]
    if all(file.exists() for file in files):
        return files
    if not (have := sorted(folder.glob("pmndrs-assets-*.tgz"))):
        subprocess.run(["npm", "pack", "--silent", _PACKAGE], cwd=folder, check=True)  # noqa: S603, S607
        have = sorted(folder.glob("pmndrs-assets-*.tgz"))
    with tarfile.open(have[-1]) as package:
        for file in files:
            member = package.extractfile(f"package/hdri/{file.stem}.exr.js")
            assert member is not None, file  # noqa: S101 - extractfile says so
            code = re.search(rb"base64,([A-Za-z0-9+/=]+)", member.read())
            assert code is not None, file  # noqa: S101
            file.write_bytes(base64.b64decode(code.group(1)))
    return files


def traced(rng: np.random.Generator, mi: Any, files: list[Path]) -> tuple[np.ndarray, np.ndarray]:
    """One table: the light that falls on it (128 is its middle), and what is mirrored (0-255)."""
    scene = _room(rng, mi, files)
    white = _seen(
        {**scene, "table": _table(mi, {"type": "diffuse", "reflectance": _grey(0.8)})}, mi
    )
    varnish = {
        "type": "roughplastic",
        "diffuse_reflectance": _grey(0.0),
        "alpha": float(np.exp(rng.uniform(np.log(0.04), np.log(0.3)))),
    }
    mirrored = _seen({**scene, "table": _table(mi, varnish)}, mi)
    level = np.median(white.mean(2)) + 1e-6
    cast = white.mean((0, 1)) / white.mean() + 1e-6  # a camera balances most of a lamp's colour
    fall = white / level / cast ** rng.uniform(0.75, 1.0)
    veil = mirrored.mean(2) / level
    return (
        np.clip(cv2.GaussianBlur(fall, (0, 0), 1.1) * 128, 0, 255).astype(np.uint8),
        np.clip(cv2.GaussianBlur(veil, (0, 0), 0.7) * 255, 0, 255).astype(np.uint8),
    )


def _grey(value: float) -> dict[str, Any]:
    return {"type": "rgb", "value": [value] * 3}


def _table(mi: Any, bsdf: dict[str, Any]) -> dict[str, Any]:
    return {"type": "rectangle", "to_world": mi.ScalarTransform4f().scale([3, 3, 1]), "bsdf": bsdf}


def _room(rng: np.random.Generator, mi: Any, files: list[Path]) -> dict[str, Any]:
    """A table a unit of 30 cm, its camera, lamps and what is in their way."""
    move = mi.ScalarTransform4f
    eye = [float(rng.normal(0, 0.5)), float(rng.normal(0, 0.5)), float(rng.uniform(2, 3.5))]
    scene: dict[str, Any] = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": 3},
        "sensor": {
            "type": "perspective",
            "fov": float(rng.uniform(25, 45)),
            "near_clip": 0.88
            * float(np.linalg.norm(eye)),  # lamps and heads are not in the picture
            "to_world": move().look_at(origin=eye, target=[0, 0, 0], up=[0, 1, 0]),
            "film": {"type": "hdrfilm", "width": SIDE, "height": SIDE, "rfilter": {"type": "box"}},
            "sampler": {
                "type": "independent",
                "sample_count": RAYS,
                "seed": int(rng.integers(1 << 30)),
            },
        },
    }
    lot = rng.random()
    if lot < 0.55 and files:
        turn = move().rotate([0, 0, 1], float(rng.uniform(0, 360))).rotate([1, 0, 0], 90)
        file = files[int(rng.integers(len(files)))]
        scale = float(np.exp(rng.uniform(-1, 0.5)))
        scene["room"] = {"type": "envmap", "filename": str(file), "scale": scale, "to_world": turn}
    else:
        scene["room"] = {"type": "constant", "radiance": _grey(float(rng.uniform(0.1, 0.5)))}
    for i in range(int(rng.integers(1, 4)) if lot > 0.25 else 0):
        scene[f"lamp{i}"] = _lamp(rng, mi)
    for i in range(int(rng.integers(0, 5))):
        scene[f"thing{i}"] = _thing(rng, mi)
    return scene


def _lamp(rng: np.random.Generator, mi: Any) -> dict[str, Any]:
    warm = rng.uniform(0, 1)
    colour = np.array([1.0, 0.85 - 0.25 * warm, 0.75 - 0.5 * warm])
    a, far, high = rng.uniform(0, 2 * np.pi), rng.uniform(0, 4), rng.uniform(1.5, 6)
    at = np.array([far * np.cos(a), far * np.sin(a), high])
    size = float(np.exp(rng.uniform(np.log(0.08), np.log(1.2))))
    power = float((at @ at) / size**2 * np.exp(rng.uniform(-1.2, 0.8)))
    light = {"type": "area", "radiance": {"type": "rgb", "value": (colour * power).tolist()}}
    if rng.random() < 0.5:
        return {"type": "sphere", "center": at.tolist(), "radius": size, "emitter": light}
    move = mi.ScalarTransform4f().look_at(origin=at.tolist(), target=[0, 0, 0], up=[0.1, 0.2, 1])
    shape = move.scale([size, size * float(rng.uniform(0.2, 1)), 1])
    return {"type": "rectangle", "to_world": shape, "emitter": light}


def _thing(rng: np.random.Generator, mi: Any) -> dict[str, Any]:
    """A head or a hand over the table, an arm of a lamp, a cup or a box on it."""
    colour = {"type": "rgb", "value": rng.uniform(0.1, 0.8, 3).tolist()}
    x, y = (float(v) for v in rng.uniform(-2.2, 2.2, 2))
    make = (_head, _arm, _cup, _box)[int(rng.integers(4))]
    return {**make(rng, mi, x, y), "bsdf": {"type": "diffuse", "reflectance": colour}}


def _head(rng: np.random.Generator, mi: Any, x: float, y: float) -> dict[str, Any]:  # noqa: ARG001
    a = rng.uniform(0, 2 * np.pi)
    at = [float(2 * np.cos(a)), float(2 * np.sin(a)), float(rng.uniform(0.8, 2.2))]
    return {"type": "sphere", "center": at, "radius": float(rng.uniform(0.2, 0.5))}


def _arm(rng: np.random.Generator, mi: Any, x: float, y: float) -> dict[str, Any]:  # noqa: ARG001
    low, high = float(rng.uniform(0.3, 1.5)), float(rng.uniform(0.5, 3))
    wide = float(rng.uniform(0.03, 0.18))
    return {"type": "cylinder", "p0": [x, y, low], "p1": [x * 3 + 1, y * 3, high], "radius": wide}


def _cup(rng: np.random.Generator, mi: Any, x: float, y: float) -> dict[str, Any]:  # noqa: ARG001
    aside = max(1.0, 1.3 / max(0.3, float(np.hypot(x, y))))  # beside the cards
    foot, top = [x * aside, y * aside, 0.0], [x * aside, y * aside, float(rng.uniform(0.2, 0.8))]
    return {"type": "cylinder", "p0": foot, "p1": top, "radius": float(rng.uniform(0.08, 0.2))}


def _box(rng: np.random.Generator, mi: Any, x: float, y: float) -> dict[str, Any]:
    aside = max(1.0, 1.5 / max(0.3, float(np.hypot(x, y))))
    there = mi.ScalarTransform4f().translate([x * aside, y * aside, 0.15])
    turned = there.rotate([0, 0, 1], float(rng.uniform(0, 90)))
    size = [float(v) for v in (*rng.uniform(0.1, 0.6, 2), rng.uniform(0.05, 0.5))]
    return {"type": "cube", "to_world": turned.scale(size)}


def _seen(scene: dict[str, Any], mi: Any) -> np.ndarray:
    return np.array(mi.render(mi.load_dict(scene)), dtype=np.float32)[:, :, :3]


def ensure(work: Path, many: int = MAPS) -> Path:
    """The file of maps; traced if it is not there yet."""
    file = work / "light.npz"
    if not file.exists():
        _trace(file, many, rooms(work / "sources"))
    photographs(work)
    return file


def photographs(work: Path) -> Path:
    """The rooms as photographs, for what is printed in magazines and on paper."""
    file = work / ROOMS
    if file.exists():
        return file
    import mitsuba as mi

    mi.set_variant("scalar_rgb")
    out = []
    for room in rooms(work / "sources"):
        raw = np.array(
            mi.Bitmap(str(room)).convert(mi.Bitmap.PixelFormat.RGB, mi.Struct.Type.Float32)
        )
        level = np.quantile(raw, 0.9)
        seen = np.clip(raw / level, 0, 1) ** (1 / 2.2) * 255
        out.append(
            cv2.resize(seen.astype(np.uint8), (320, 160), interpolation=cv2.INTER_AREA)[..., ::-1]
        )
    np.savez_compressed(file, rooms=np.stack(out))
    return file


def some(work: Path) -> Path | None:
    """A few maps without photographed rooms, to prove the path; None without Mitsuba."""
    if find_spec("mitsuba") is None:
        print("light: Mitsuba is not installed, so all light is drawn", flush=True)
        return None
    file = work / "light.npz"
    if not file.exists():
        _trace(file, 4, [])
    return file


def _trace(file: Path, many: int, files: list[Path]) -> None:
    import mitsuba as mi

    mi.set_variant("scalar_rgb")
    mi.set_log_level(mi.LogLevel.Error)
    file.parent.mkdir(parents=True, exist_ok=True)
    falls, veils = [], []
    for number in range(many):
        fall, veil = traced(np.random.default_rng([SEED, number]), mi, files)
        falls.append(fall)
        veils.append(veil)
        if number % 60 == 59:
            print(f"light: {number + 1} of {many} maps", flush=True)
    new = file.with_suffix(".new.npz")
    np.savez_compressed(new, fall=np.stack(falls)[..., ::-1], veil=np.stack(veils))  # blue first
    new.replace(file)


if __name__ == "__main__":
    ensure(Path("artefacts/train"))
