"""`python -m models.train [embedder] [index] [detector] [dice] [refiner]`: see models/README.md."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

from companion.sim.render import traced
from models.train import lightmaps
from models.train.running import MODELS, Plan
from models.train.shipping import ship

STEPS = {"embedder": 12000, "index": 3600, "detector": 15000, "dice": 18000, "refiner": 15000}
QUICK_STEPS = 12
RATE = 2e-3
RENDERERS = {"embedder": 1, "index": 2, "detector": 1, "dice": 1, "refiner": 1}
"""Processes that paint."""
TWICE = {"embedder", "detector", "refiner"}
"""Learned from twice, for a batch of theirs takes longer to paint than to learn from."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="train", description=__doc__)
    parser.add_argument("names", nargs="*", default=[], help="which models (all)")
    parser.add_argument(
        "--quick", action="store_true", help="a minute each, to prove the path; not for use"
    )
    parser.add_argument("--work", type=Path, help="where checkpoints go (artefacts/train)")
    parser.add_argument("--to", type=Path, help="where the models go (models)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int)
    args = parser.parse_args()
    unknown = set(args.names) - set(STEPS)
    if unknown:
        parser.error(
            f"no model is called {', '.join(sorted(unknown))}; there are {', '.join(STEPS)}"
        )
    work = args.work or Path("artefacts/train-quick" if args.quick else "artefacts/train")
    to = args.to or (work / "models" if args.quick else MODELS)
    light = lightmaps.some(work) if args.quick else lightmaps.ensure(work)
    if light is not None:
        traced.use(light)
    for name in args.names or STEPS:
        steps = args.steps or (QUICK_STEPS if args.quick else STEPS[name])
        paint = {"workers": RENDERERS[name], "twice": name in TWICE}
        plan = Plan(name, steps, RATE, args.seed, work, light, **paint)
        import_module(f"models.train.{name}").run(plan)
        ship(name, work, to)


if __name__ == "__main__":
    main()
