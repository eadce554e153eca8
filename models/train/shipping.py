"""From trained weights to what is shipped: ONNX files, built-in decks, sums."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch import nn

from companion.sim.crops import Drawn, drawn, view
from companion.sim.faces import DECKS
from companion.vision.decks import Deck, Look, Sureness, Vectors, built
from companion.vision.networks import SUMS, Network
from models.train import embedder
from models.train.nets import Detector, DieReader, Embedder
from models.train.running import MODELS, export

_VIEWS = 24


def trained(name: str, work: Path) -> nn.ModuleList:
    """The running average of the weights in a checkpoint, finished or not."""
    nets: dict[str, list[nn.Module]] = {
        "embedder": [Embedder(), embedder.Prototypes()],
        "detector": [Detector()],
        "dice": [DieReader()],
    }
    whole = nn.ModuleList(nets[name])
    saved = torch.load(work / f"{name}.pt", weights_only=True)["average"]
    whole.load_state_dict(
        {k.removeprefix("module."): v for k, v in saved.items() if k.startswith("module.")}
    )
    return whole.eval()


def ship(name: str, work: Path, to: Path = MODELS) -> None:
    whole = trained(name, work)
    if name == "detector":
        example = torch.zeros(1, 320, 320, 3, dtype=torch.uint8)
        export(whole[0], example, to / "detector.onnx", {0: "n", 1: "h", 2: "w"})
    elif name == "dice":
        example = torch.zeros(2, 40, 40, 3, dtype=torch.uint8)
        export(whole[0], example, to / "dice.onnx", {0: "n"})
    else:
        example = torch.zeros(2, 112, 80, 3, dtype=torch.uint8)
        export(whole[0], example, to / "embedder.onnx", {0: "n"})
        for deck in decks(Network(to / "embedder.onnx"), whole[1]):
            deck.save(to / f"{deck.name}.deck")
    sums(to)


def decks(network: Network, cards: nn.Module) -> Iterator[Deck]:
    """The decks that need no enrolment."""
    for name, faces in DECKS.items():
        if name == "playing-cards":
            continue
        rng = np.random.default_rng(11)
        rows = [row for face in faces() for row in _rows(drawn(face), network, rng)]
        yield built(name, rows, Sureness(), 63 / 88)
    directions = torch.nn.functional.normalize(cards.directions.detach(), dim=1).numpy()
    sure = Sureness(cards.log_scale.exp().item(), cards.none.item())
    yield built(
        "playing-cards",
        [(Look(label), directions[i]) for i, label in enumerate(embedder.LABELS)],
        sure,
        63 / 88,
    )


def _rows(of: Drawn, network: Network, rng: np.random.Generator) -> Iterator[tuple[Look, Vectors]]:
    """The mean of many easy looks, the right way up and, if that differs, upside down."""
    for turn in (0,) if of.face.same_upside_down else (0, 180):
        looks = [view(of, rng, turned=turn == 180, hard=0.15, astray=0.008) for _ in range(_VIEWS)]
        yield Look(of.face.label, turn), network.run(np.stack(looks)).mean(0)


def sums(folder: Path) -> None:
    files = sorted([*folder.glob("*.onnx"), *folder.glob("*.deck")])
    lines = [f"{hashlib.sha256(f.read_bytes()).hexdigest()}  {f.name}" for f in files]
    (folder / SUMS).write_text("\n".join(lines) + "\n")
