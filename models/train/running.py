"""What every training needs: batches from another process, checkpoints, progress, export."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Full

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from companion.sim.render import traced

MODELS = Path(__file__).resolve().parent.parent
_SHELF = 32
Batch = tuple[npt.NDArray[np.generic], ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and from which seed; `quick` proves the path in a minute or two."""

    name: str
    steps: int
    rate: float
    seed: int
    work: Path
    light: Path | None = None
    """The file of traced light; None: light is drawn."""
    threads: int = 1
    workers: int = 1
    twice: bool = False
    """Learn from each batch again some time later."""


def _produce(
    make: Callable[[np.random.Generator], Iterator[Batch]],
    seed: list[int],
    light: Path | None,
    out: multiprocessing.Queue,
) -> None:
    import cv2

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cv2.setNumThreads(1)
    if light is not None:
        traced.use(light)
    parent = os.getppid()
    for batch in make(np.random.default_rng(seed)):
        while True:  # a training that was killed leaves nobody to take the batch
            try:
                out.put(batch, timeout=5)
                break
            except Full:
                if os.getppid() != parent:
                    os._exit(0)


def batches(
    make: Callable[[np.random.Generator], Iterator[Batch]], plan: Plan, since: int
) -> Iterator[Batch]:
    """Batches rendered side by side with the training; a resumed run draws fresh ones."""
    context = multiprocessing.get_context("spawn")
    queue = context.Queue(maxsize=6)
    workers = [
        context.Process(
            target=_produce, args=(make, [plan.seed, since, i], plan.light, queue), daemon=True
        )
        for i in range(plan.workers)
    ]
    for worker in workers:
        worker.start()
    try:
        while True:
            try:
                yield queue.get(timeout=600)
            except Empty:
                sys.exit(f"train {plan.name}: the renderer stopped; see its message above")
    finally:
        for worker in workers:
            worker.kill()


def served_twice(source: Iterator[Batch], rng: np.random.Generator) -> Iterator[Batch]:
    """Every batch, and again some thirty batches later.

    Where painting takes longer than learning, this halves what a step costs, and a network of
    this size has forgotten a batch by the time it comes again.
    """
    shelf: list[Batch] = []
    for batch in source:
        yield batch
        shelf.append(batch)
        if len(shelf) > _SHELF:
            yield shelf.pop(int(rng.integers(_SHELF)))


def train(
    plan: Plan,
    net: nn.Module,
    make: Callable[[np.random.Generator], Iterator[Batch]],
    loss_of: Callable[[Batch], tuple[torch.Tensor, dict[str, float]]],
    extra: nn.Module | None = None,
) -> nn.Module:
    """Train to the plan's end, saving every minute; returns the running average of the weights."""
    torch.set_num_threads(plan.threads)
    plan.work.mkdir(parents=True, exist_ok=True)
    checkpoint = plan.work / f"{plan.name}.pt"
    whole = nn.ModuleList([net] if extra is None else [net, extra])
    average = torch.optim.swa_utils.AveragedModel(
        whole, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True
    )
    optimiser = torch.optim.AdamW(whole.parameters(), plan.rate, weight_decay=0.02)
    step, spent = 0, 0.0
    if checkpoint.exists():
        saved = torch.load(checkpoint, weights_only=True)
        whole.load_state_dict(saved["whole"])
        average.load_state_dict(saved["average"])
        optimiser.load_state_dict(saved["optimiser"])
        step, spent = saved["step"], saved["spent"]
        print(f"{plan.name}: going on at step {step} of {plan.steps}", flush=True)
    begun = last = time.monotonic()
    seen: dict[str, float] = {}
    fresh = batches(make, plan, step)
    order = np.random.default_rng([plan.seed, step])
    source = served_twice(fresh, order) if plan.twice else fresh
    whole.train()
    while step < plan.steps:
        batch = next(source)
        rate = plan.rate * _pace(step / plan.steps, step)
        for group in optimiser.param_groups:
            group["lr"] = rate
        loss, figures = loss_of(batch)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(whole.parameters(), 5.0)
        optimiser.step()
        average.update_parameters(whole)
        step += 1
        for key, value in figures.items():
            seen[key] = value if key not in seen else 0.98 * seen[key] + 0.02 * value
        now = time.monotonic()
        if now - last > 60 or step == plan.steps:
            last = now
            total = spent + now - begun
            state = {
                "whole": whole.state_dict(),
                "average": average.state_dict(),
                "optimiser": optimiser.state_dict(),
                "step": step,
                "spent": total,
            }
            torch.save(state, checkpoint.with_suffix(".new"))
            checkpoint.with_suffix(".new").replace(checkpoint)
            left = (plan.steps - step) * total / step
            words = "  ".join(f"{k} {v:.4f}" for k, v in seen.items())
            print(f"{plan.name} {step}/{plan.steps}  {words}  {left / 60:.0f} min left", flush=True)
    fresh.close()
    facts = {
        "steps": plan.steps,
        "seed": plan.seed,
        "minutes": round((spent + time.monotonic() - begun) / 60, 1),
    }
    (plan.work / f"{plan.name}.json").write_text(
        json.dumps({**facts, **{k: round(v, 4) for k, v in seen.items()}})
    )
    average.module.eval()
    return average.module


def _pace(share: float, step: int) -> float:
    """A short warm-up, then down along a cosine."""
    return float(min(1.0, (step + 1) / 200)) * float(
        0.5 * (1 + np.cos(np.pi * share)) * 0.99 + 0.01
    )


def export(net: nn.Module, example: torch.Tensor, path: Path, free: dict[int, str]) -> None:
    """One ONNX file; `free` names the input's axes that may differ."""
    net.eval()
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        net,
        (example,),
        str(path),
        input_names=["pixels"],
        output_names=["out"],
        dynamic_axes={
            "pixels": free,
            "out": {0: "n"} if 1 not in free else {0: "n", 2: "h", 3: "w"},
        },
        opset_version=17,
        dynamo=False,
    )
