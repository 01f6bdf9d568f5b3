"""What codecs make of one's own gradients: ``narrows compress --compare`` on arrays."""

import json
import struct
import tempfile
from pathlib import Path
from typing import Mapping, Optional, Sequence, Union

import numpy as np

from narrows import _program
from narrows._table import table

TYPES = {np.dtype("<f4"): "F32", np.dtype("<f2"): "F16", np.dtype("<f8"): "F64"}


def _array(name: str, values) -> np.ndarray:
    """A numpy array, also of what torch.Tensor.grad is."""
    if hasattr(values, "detach"):
        values = values.detach().cpu()
        if values.dtype.is_floating_point and values.dtype.itemsize == 2:
            values = values.float()
        values = values.numpy()
    array = np.asarray(values, order="C")
    if array.dtype not in TYPES:
        raise TypeError(f"{name}: expected float32 or float16, got {array.dtype}")
    return array


def _write(path: Path, tensors: Mapping) -> None:
    """A file of safetensors: eight bytes of length, JSON, the values."""
    arrays = {str(name): _array(name, values) for name, values in tensors.items()}
    header, at = {}, 0
    for name, array in arrays.items():
        here = {
            "dtype": TYPES[array.dtype],
            "shape": array.shape,
            "data_offsets": [at, at + array.nbytes],
        }
        header[name] = here
        at += array.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for array in arrays.values():
            file.write(array.data)


def _steps(gradients) -> list:
    """A step is a mapping of names to arrays, or one array; several steps are a list of such."""
    steps = gradients if isinstance(gradients, (list, tuple)) else [gradients]
    if not steps:
        raise ValueError("expected the gradients of at least one step, got none")
    return [step if isinstance(step, Mapping) else {"tensor": step} for step in steps]


def compare(
    gradients: Union[Mapping, np.ndarray, Sequence, str, Path, None] = None,
    codecs: Sequence[str] = (),
    *,
    scenario: Optional[str] = None,
    cosine: Optional[float] = None,
    tensors: bool = False,
    options: Sequence[str] = (),
):
    """A table of codecs: bits a value, what arrives and how fast, over all tensors and steps.

    gradients: arrays by name, one array, or a list of such, a step each, of numpy or torch; a path
    to files as ``narrows compress`` reads them; None: the shipped examples. codecs: by text, all
    if there are none. scenario: a cluster, of which steps are forecast with each codec. cosine:
    the least that is asked for. tensors: rows for each tensor, too. options: more of ``narrows
    compress``.

    Returns a pandas.DataFrame, or a list of dicts without pandas, of the program's rows: "scope"
    is "whole", "class" or "tensor". ``attrs`` has "answer", the sentence that names the codec to
    take, and what else the program said. What it refuses is narrows.Refused.
    """
    asked = ["compress", "--compare", "--json", *options]
    if scenario is not None:
        asked += ["--scenario", str(scenario)]
    if cosine is not None:
        asked += ["--cosine", repr(float(cosine))]
    if tensors:
        asked.append("--each-tensor")
    for text in codecs:
        asked += ["--codec", text]
    with tempfile.TemporaryDirectory(prefix="narrows-") as folder:
        if isinstance(gradients, (str, Path)):
            asked.append(str(gradients))
        elif gradients is not None:
            steps = _steps(gradients)
            for i, step in enumerate(steps):
                _write(Path(folder) / f"step-{i}.safetensors", step)
            asked.append(folder)
        said = json.loads(_program.run(*asked))
    rows = said.pop("rows")
    if gradients is not None and not isinstance(gradients, (str, Path)):
        said["source"] = "arrays"
    return table(rows, **said)
