"""narrows: compressed communication in neural network training, from Python.

    codec = narrows.Codec("3lc:s=1.75")             a codec on numpy arrays
    narrows.compare({"layer1": gradient})           what each codec would make of one's own gradients
    narrows.torch.hook("3lc:s=1.75")                a communication hook of PyTorch
    narrows.export(module, example)                 a module of PyTorch as a model file
    narrows.results("out/narrows.db")               what the program stored

A thin package over libnarrows and the program ``narrows``: it has no arithmetic of its own.
"""

import importlib

from narrows._compare import compare
from narrows._library import Error, lib as _lib
from narrows._program import Refused
from narrows._results import Results, results
from narrows.codec import Codec, Description, Opened, Parameter, aligned, codecs
from narrows.export import ExportError, export

__version__ = _lib.narrows_version().decode()


def __getattr__(name: str):
    """narrows.torch needs PyTorch: it is imported when it is asked for."""
    if name == "torch":
        return importlib.import_module("narrows.torch")
    raise AttributeError(f"module 'narrows' has no attribute '{name}'")


__all__ = [
    "Codec",
    "Description",
    "Error",
    "ExportError",
    "Opened",
    "Parameter",
    "Refused",
    "Results",
    "aligned",
    "codecs",
    "compare",
    "export",
    "results",
]
