"""How long a look takes in one thread, compared with a network as costly as YOLO11n that is
measured in the same run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import numpy as np

from companion.bench.figure import Figure
from companion.bench.games import measured_game
from companion.foundation.errors import BadInput
from companion.foundation.frames import Frame
from companion.foundation.messages import N_
from companion.sim.render.tables import Table, plane_of, table
from companion.vision import decks
from companion.vision.enrolment.deck_making import Sample, enrol
from companion.vision.observing.gate import Gate
from companion.vision.observing.observer import Observer

# The convolutions of a nano detector at 640 x 640: side of the output in cells, channels in,
# channels out, side of the kernel.
_STAGES = (
    *((320, 3, 16, 3), (160, 16, 32, 3), (160, 32, 32, 1), (160, 16, 16, 3), (160, 16, 16, 3)),
    *((160, 48, 64, 1), (80, 64, 64, 3), (80, 64, 64, 1), (80, 32, 32, 3), (80, 32, 32, 3)),
    *((80, 96, 128, 1), (40, 128, 128, 3), (40, 128, 128, 1), (40, 64, 64, 3), (40, 64, 64, 3)),
    *((40, 64, 64, 3), (40, 64, 64, 3), (40, 192, 128, 1), (20, 128, 256, 3), (20, 256, 256, 1)),
    *(
        (20, 128, 128, 3),
        (20, 128, 128, 3),
        (20, 128, 128, 3),
        (20, 128, 128, 3),
        (20, 384, 256, 1),
    ),
    *((20, 256, 256, 1), (20, 512, 256, 1), (20, 256, 256, 1), (40, 384, 128, 1), (40, 64, 64, 3)),
    *((40, 64, 64, 3), (40, 192, 128, 1), (80, 256, 64, 1), (80, 32, 32, 3), (80, 32, 32, 3)),
    *((80, 96, 64, 1), (40, 64, 64, 3), (40, 192, 128, 1)),
    *((20, 128, 128, 3), (20, 384, 256, 1), (20, 128, 128, 3), (20, 128, 128, 3)),
    *((80, 64, 64, 3), (40, 128, 64, 3), (40, 64, 64, 3), (20, 256, 64, 3)),
    *((20, 64, 64, 3), (80, 64, 80, 1), (80, 80, 80, 1), (40, 128, 80, 1), (20, 256, 80, 1)),
)


def measure_vision(*, quick: bool) -> Iterator[Figure]:
    rounds = 8 if quick else 40
    nano, cost = _nano()
    deck = measured_game()
    picture, view = table(1, Table(deck, cards=12, dice=6))
    eye = Observer(decks.named(deck), plane_of(view))
    frame = Frame(picture.image, 0.0, 1)

    ours, theirs = _by_turns(_full_look(eye, frame), nano, rounds)
    yield Figure("a full look at 12 cards and 6 dice, 720p", 1000 * ours, "ms")
    yield Figure(f"a network of {cost / 1e9:.2f} GMAC at 640 x 640", 1000 * theirs, "ms")
    yield Figure("the look's share of that", 100 * ours / theirs, "%")
    gate = Gate()
    gate.step(picture.image)
    still, _ = _by_turns(lambda: gate.step(picture.image), None, rounds * 5)
    yield Figure("a frame on which nothing moved", 1000 * still, "ms")
    for many in (1, 12, 30, 60):
        shot, camera = table(2, Table(deck, cards=many, overlap=0.4 if many > 12 else 0.0))
        other = Observer(decks.named(deck), plane_of(camera))
        again = _full_look(other, Frame(shot.image, 0.0, 1))
        spent, _ = _by_turns(again, None, max(3, rounds // 4))
        yield Figure(f"a full look at {many} cards", 1000 * spent, "ms")
    yield from _enrolling(deck, 10 if quick else 54)


def _full_look(eye: Observer, frame: Frame) -> Callable[[], object]:
    """A function that looks at everything; the eye has already seen that the table is still."""
    for _ in range(5):
        eye.observe(frame)

    def look() -> None:
        eye.forget()
        if not eye.observe(frame).looked:
            raise RuntimeError("the eye did not look")

    return look


def _enrolling(deck: str, many: int) -> Iterator[Figure]:
    samples = []
    for number in range(many):
        shot, _ = table(100 + number, Table(deck, cards=1, size=(1024, 576), px_per_mm=2.0))
        samples.append(Sample(str(number), shot.image, None, str(number)))
    before = time.perf_counter()
    with suppress(BadInput):  # a card may be there twice, which is refused: only the time counts
        enrol("bench", samples)
    yield Figure(f"enrolling {many} cards", time.perf_counter() - before, "s")


def _by_turns(
    one: Callable[[], object], other: Callable[[], object] | None, rounds: int
) -> tuple[float, float]:
    """Median seconds of each, measured in turn, so that a busy machine slows both."""
    first: list[float] = []
    second: list[float] = []
    for _ in range(rounds):
        before = time.perf_counter()
        one()
        between = time.perf_counter()
        if other is not None:
            other()
        first.append(between - before)
        second.append(time.perf_counter() - between)
    return float(np.median(first)), float(np.median(second))


def _nano() -> tuple[Callable[[], object], float]:
    """A network with the convolutions of a nano detector, and how many multiplications it takes."""
    try:
        from onnx import TensorProto, helper
    except ImportError:
        raise BadInput(
            "no-onnx", N_("the comparison needs the onnx package: pip install onnx")
        ) from None
    import onnxruntime

    rng = np.random.default_rng(0)
    nodes, weights, inputs, feeds = [], [], [], {}
    macs = 0.0
    for i, (side, into, out, kernel) in enumerate(_STAGES):
        stride = 2 if i == 0 or (kernel == 3 and _STAGES[i - 1][0] == 2 * side) else 1
        shape = [1, into, side * stride, side * stride]
        # Each convolution has an input of its own: what joins them costs next to nothing.
        w = rng.normal(0, 0.05, (out, into, kernel, kernel)).astype(np.float32)
        weights.append(helper.make_tensor(f"w{i}", TensorProto.FLOAT, w.shape, w.ravel()))
        inputs.append(helper.make_tensor_value_info(f"x{i}", TensorProto.FLOAT, shape))
        feeds[f"x{i}"] = rng.normal(0, 1, shape).astype(np.float32)
        pad = [kernel // 2] * 4
        nodes.append(
            helper.make_node("Conv", [f"x{i}", f"w{i}"], [f"c{i}"], pads=pad, strides=[stride] * 2)
        )
        nodes.append(helper.make_node("Sigmoid", [f"c{i}"], [f"s{i}"]))
        nodes.append(helper.make_node("Mul", [f"c{i}", f"s{i}"], [f"m{i}"]))
        nodes.append(helper.make_node("ReduceMax", [f"m{i}"], [f"y{i}"], keepdims=0))
        macs += side * side * into * out * kernel * kernel
    outputs = [
        helper.make_tensor_value_info(f"y{i}", TensorProto.FLOAT, []) for i in range(len(_STAGES))
    ]
    graph = helper.make_graph(nodes, "nano", inputs, outputs, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 9
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    return lambda: session.run(None, feeds), macs
