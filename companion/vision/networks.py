"""The shipped neural networks, checked against their checksums before they are used."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.foundation.errors import BadInput
from companion.foundation.messages import N_
from companion.foundation.resources import shipped

SUMS = "SHA256SUMS"
"""The file of checksums beside the networks."""
_BATCH = 16
"""Pictures run at once: more save no time, and onnxruntime never gives their memory back."""


class Network:
    """One ONNX file, run on one thread: pixels in, numbers out."""

    def __init__(self, path: Path, expected: str | None = None) -> None:
        import onnxruntime

        try:
            data = path.read_bytes()
        except OSError:
            raise BadInput(
                "model-missing-install-companion",
                N_("the model %(name)s is missing: install the companion again"),
                name=path.name,
            ) from None
        if expected is not None and hashlib.sha256(data).hexdigest() != expected:
            raise BadInput(
                "model-damaged-install-companion",
                N_("the model %(name)s is damaged: install the companion again"),
                name=path.name,
            )
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # A plan of the memory is kept for every shape of input there ever was, and shapes vary.
        options.enable_mem_pattern = False
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._session = onnxruntime.InferenceSession(
                data, options, providers=["CPUExecutionProvider"]
            )
        except Exception:  # onnxruntime's own exceptions share no public base
            raise BadInput(
                "not-model-companion-can",
                N_("%(name)s is not a model this companion can run"),
                name=path.name,
            ) from None

    def run(self, pixels: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """What the network says about each picture (n, height, width, 3)."""
        starts = range(0, max(len(pixels), 1), _BATCH)
        parts = [self._session.run(None, {"pixels": pixels[at : at + _BATCH]})[0] for at in starts]
        out: npt.NDArray[Any] = parts[0] if len(parts) == 1 else np.concatenate(parts)
        return out


def sums(folder: Path) -> dict[str, str]:
    """The expected checksum of every file in the models' folder, by the file's name."""
    try:
        lines = (folder / SUMS).read_text().splitlines()
    except (OSError, UnicodeDecodeError):
        raise BadInput(
            "missing-beside-models-install",
            N_("%(sums)s is missing beside the models: install the companion again"),
            sums=SUMS,
        ) from None
    rows = (line.partition(" ") for line in lines)  # as sha256sum writes them
    return {name.lstrip(" *"): digest for digest, _, name in rows if name}


@cache
def mark(name: str) -> str:
    """A short name for this very version of a network: the beginning of its checksum."""
    return sums(shipped("models")).get(f"{name}.onnx", "")[:16]


@cache
def network(name: str) -> Network:
    """The shipped network of that name; it is loaded once."""
    folder = shipped("models")
    file = f"{name}.onnx"
    return Network(folder / file, sums(folder).get(file, "no sum"))
