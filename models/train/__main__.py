"""`python -m models.train [embedder] [detector] [dice] [refiner]`: see models/README.md."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

from models.train.running import MODELS, Plan
from models.train.shipping import ship

STEPS = {"embedder": 11500, "detector": 14500, "dice": 18000, "refiner": 15000}
QUICK = {"embedder": 12, "detector": 12, "dice": 12, "refiner": 12}
RATES = {"embedder": 2e-3, "detector": 2e-3, "dice": 2e-3, "refiner": 2e-3}
RENDERERS = {"embedder": 2, "detector": 2, "dice": 1, "refiner": 2}
"""Processes that paint: of all but dice, a batch takes longer to paint than to learn from."""


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
    for name in args.names or STEPS:
        steps = args.steps or (QUICK if args.quick else STEPS)[name]
        plan = Plan(name, steps, RATES[name], args.seed, work, workers=RENDERERS[name])
        import_module(f"models.train.{name}").run(plan)
        ship(name, work, to)


if __name__ == "__main__":
    main()
