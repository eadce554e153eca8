"""From trained weights to what is shipped: ONNX files, built-in decks, sums."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper
from onnxruntime.quantization import (
    CalibrationDataReader,
    QuantFormat,
    QuantType,
    quantize_static,
)
from torch import nn
from torch.nn import functional

from companion.sim.faces import drawn_decks, playing
from companion.sim.render.crops import drawn
from companion.vision.crops import (
    CORNER_HIGH,
    CORNER_WIDE,
    DIE,
    HIGH,
    INDEX_HIGH,
    INDEX_WIDE,
    WIDE,
)
from companion.vision.decks import Deck, Sureness, built
from companion.vision.networks import SUMS, Network
from models.train import embedder
from models.train.nets import MIDDLE, PIXEL, Detector, DieReader, Embedder, IndexReader, Refiner
from models.train.running import MODELS, export
from models.train.sureness import SEED, fitted, looks, nothing, strangers

_SHOWN = 6
_INPUTS: dict[str, tuple[tuple[int, ...], dict[int, str]]] = {
    "detector": ((1, 320, 320, 3), {0: "n", 1: "h", 2: "w"}),
    "refiner": ((2, CORNER_HIGH, CORNER_WIDE, 3), {0: "n"}),
    "embedder": ((2, HIGH, WIDE, 3), {0: "n"}),
    "index": ((2, INDEX_HIGH, INDEX_WIDE, 3), {0: "n"}),
    "dice": ((2, DIE, DIE, 3), {0: "n"}),
}
"""An example of each network's input, and which of its axes may differ."""


def trained(name: str, work: Path) -> nn.ModuleList:
    """The running average of the weights in a checkpoint, finished or not."""
    nets: dict[str, list[nn.Module]] = {
        "embedder": [Embedder(), embedder.Prototypes()],
        "index": [IndexReader()],
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
    shape, free = _INPUTS[name]
    export(whole[0], torch.zeros(shape, dtype=torch.uint8), work / f"{name}.onnx", free)
    quantised(name, work / f"{name}.onnx", to / f"{name}.onnx")
    if name == "embedder":
        for deck in decks(Network(to / "embedder.onnx"), whole[1]):
            deck.save(to / f"{deck.name}.deck")
    sums(to)


def quantised(name: str, exact: Path, to: Path) -> None:
    """The network in eight-bit numbers: half the time and a quarter of the size.

    Numbers between layers are unsigned, weights signed: the only pair that x86 multiplies fast, and
    ARM loses nothing by it. Weights keep to seven bits (`reduce_range`): without VNNI eight overflow.
    """
    pictures = import_module(f"models.train.{name}").make(np.random.default_rng(SEED))
    logging.getLogger().setLevel(logging.ERROR)  # its advice to pre-process is for other exporters
    to.parent.mkdir(parents=True, exist_ok=True)
    quantize_static(
        exact,
        to,
        _Shown([next(pictures)[0] for _ in range(_SHOWN)]),
        quant_format=QuantFormat.QDQ,
        op_types_to_quantize=["Conv", "Relu", "Add", "Resize"],
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
    )
    onnx.save(_straight(onnx.load(to)), to)


def _straight(model: onnx.ModelProto) -> onnx.ModelProto:
    """The network without the way of its pixels through floating point and back to eight bits.

    Only where nothing but their scale changes on that way; the embedder balances colours there.
    """
    graph = model.graph
    way: list[onnx.NodeProto] = []
    at = "pixels"
    while True:
        after = [node for node in graph.node if at in node.input]
        if len(after) != 1:
            return model
        if after[0].op_type == "DequantizeLinear":
            break
        way.append(after[0])
        at = after[0].output[0]
    scale = numpy_helper.from_array(np.float32(PIXEL), "pixel_scale")
    zero = numpy_helper.from_array(np.uint8(MIDDLE), "pixel_zero")
    for node in way:
        graph.node.remove(node)
    used = {name for node in graph.node for name in node.input}
    for unused in [one for one in graph.initializer if one.name not in used]:
        graph.initializer.remove(unused)
    graph.initializer.extend([scale, zero])
    after[0].input[:] = ["planes", scale.name, zero.name]
    planes = helper.make_node("Transpose", ["pixels"], ["planes"], perm=[0, 3, 1, 2])
    graph.node.insert(0, planes)
    return model


class _Shown(CalibrationDataReader):
    """Pictures from which the range of every layer's numbers is learned."""

    def __init__(self, batches: list[np.ndarray]) -> None:
        self._left = iter(batches)

    def get_next(self) -> dict[str, np.ndarray] | None:
        batch = next(self._left, None)
        return None if batch is None else {"pixels": batch}


def decks(network: Network, cards: embedder.Prototypes) -> Iterator[Deck]:
    """The decks that need no enrolment, their probabilities fitted."""
    for name, rows in embedder.known().items():
        directions = functional.normalize(cards.directions[name].detach(), dim=1).numpy()
        deck = built(name, zip(rows, directions, strict=True), Sureness(), 63 / 88, _sizes(name))
        rng = np.random.default_rng(SEED)
        ours = name != embedder.CARDS
        styles = [playing.printing(rng) for _ in range(6)]
        printed = (
            [drawn_decks()[name].faces()] if ours else [playing.faces(style) for style in styles]
        )
        every = [looks([drawn(f) for f in faces], network, rng) for faces in printed]
        seen = np.concatenate([points for points, _ in every]), [n for _, ns in every for n in ns]
        sides = [drawn(f) for faces in printed for f in faces]
        others = [strangers(network, rng, cards=ours), nothing(sides, network, rng)]
        deck = fitted(deck, seen, np.concatenate(others))
        print(f"{deck.name}: {deck.sure}", flush=True)
        # Jokers differ too much from house to house to be named unseen; enrol your own.
        yield deck if ours else deck.without("joker")


def _sizes(name: str) -> tuple[tuple[float, float], ...]:
    """The sizes of a deck's pieces; ordinary playing cards come in several."""
    faces = drawn_decks()[name].faces() if name != embedder.CARDS else []
    return tuple(sorted({embedder.short_first(face) for face in faces}))


def sums(folder: Path) -> None:
    files = sorted([*folder.glob("*.onnx"), *folder.glob("*.deck")])
    lines = [f"{hashlib.sha256(f.read_bytes()).hexdigest()}  {f.name}" for f in files]
    (folder / SUMS).write_text("\n".join(lines) + "\n")
