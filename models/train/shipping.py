"""From trained weights to what is shipped: ONNX files, built-in decks, sums."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from companion.sim.crops import Drawn, drawn, view
from companion.sim.faces import DECKS, playing
from companion.vision.decks import Deck, Look, Sureness, Vectors, built
from companion.vision.networks import SUMS, Network
from models.train import embedder
from models.train.nets import Detector, DieReader, Embedder, Refiner
from models.train.running import MODELS, export
from models.train.sureness import SEED, fitted, looks, strangers

_VIEWS = 24


def trained(name: str, work: Path) -> nn.ModuleList:
    """The running average of the weights in a checkpoint, finished or not."""
    nets: dict[str, list[nn.Module]] = {
        "embedder": [Embedder(), embedder.Prototypes()],
        "detector": [Detector()],
        "dice": [DieReader()],
        "refiner": [Refiner()],
    }
    whole = nn.ModuleList(nets[name])
    saved = torch.load(work / f"{name}.pt", weights_only=True)["average"]
    whole.load_state_dict(
        {k.removeprefix("module."): v for k, v in saved.items() if k.startswith("module.")}
    )
    return whole.eval()


def ship(name: str, work: Path, to: Path = MODELS) -> None:
    cv2.setNumThreads(1)
    whole = trained(name, work)
    if name == "detector":
        example = torch.zeros(1, 320, 320, 3, dtype=torch.uint8)
        export(whole[0], example, to / "detector.onnx", {0: "n", 1: "h", 2: "w"})
    elif name == "refiner":
        example = torch.zeros(2, 88, 64, 3, dtype=torch.uint8)
        export(whole[0], example, to / "refiner.onnx", {0: "n"})
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
    """The decks that need no enrolment, their probabilities fitted."""
    for name, faces in DECKS.items():
        if name == "playing-cards":
            continue
        rng = np.random.default_rng(11)
        sides = [drawn(face) for face in faces()]
        deck = built(
            name, [row for side in sides for row in _rows(side, network, rng)], Sureness(), 63 / 88
        )
        rng = np.random.default_rng(SEED)
        yield _told(fitted(deck, looks(sides, network, rng), strangers(network, rng, cards=True)))
    directions = functional.normalize(cards.directions.detach(), dim=1).numpy()
    deck = built(
        "playing-cards",
        [(Look(label), directions[i]) for i, label in enumerate(embedder.LABELS)],
        Sureness(),
        63 / 88,
    )
    rng = np.random.default_rng(SEED)
    known = [
        looks([drawn(f) for f in playing.faces(playing.printing(rng))], network, rng)
        for _ in range(6)
    ]
    every = (
        np.concatenate([points for points, _ in known]),
        [name for _, names in known for name in names],
    )
    # Jokers differ too much from house to house to be named unseen; enrol your own.
    yield _told(fitted(deck, every, strangers(network, rng, cards=False)).without("joker"))


def _told(deck: Deck) -> Deck:
    print(f"{deck.name}: {deck.sure}", flush=True)
    return deck


def _rows(of: Drawn, network: Network, rng: np.random.Generator) -> Iterator[tuple[Look, Vectors]]:
    """The mean of many easy looks, the right way up and, if that differs, upside down."""
    for turn in (0,) if of.face.same_upside_down else (0, 180):
        looks = [view(of, rng, turned=turn == 180, hard=0.15, astray=0.008) for _ in range(_VIEWS)]
        yield Look(of.face.label, turn), network.run(np.stack(looks)).mean(0)


def sums(folder: Path) -> None:
    files = sorted([*folder.glob("*.onnx"), *folder.glob("*.deck")])
    lines = [f"{hashlib.sha256(f.read_bytes()).hexdigest()}  {f.name}" for f in files]
    (folder / SUMS).write_text("\n".join(lines) + "\n")
