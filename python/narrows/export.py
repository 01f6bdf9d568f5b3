"""Models of PyTorch as model files of narrows.

    narrows.export(module, (example,))                   the model file as a text
    narrows.export(module, (example,), "model.yaml")     and written there

The module is traced by torch.export with example inputs, as it stands: in training mode its dropouts and batch norms
are kept. The graph is written as ONNX's messages with PyTorch's own operators and without one weight, and read by
'narrows import onnx'. Needs PyTorch 2.1 or later.
"""

import struct
import subprocess
import sys

from narrows import _program

OLDEST = (2, 1)


class ExportError(RuntimeError):
    """The module cannot be traced, or no model file can say what it is; the text says why."""


def _varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _number(field, value):
    return _varint(field << 3) + _varint(int(value))


def _bytes(field, value):
    value = value.encode() if isinstance(value, str) else value
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _element(dtype):
    """TensorProto.DataType of a dtype: floating point, truth values or whole numbers."""
    return 1 if dtype.is_floating_point else 9 if str(dtype) == "torch.bool" else 7


def _shape(tensor):
    return [int(side) for side in tensor.shape]


def _value(name, tensor):
    dims = b"".join(_bytes(1, _number(1, side)) for side in _shape(tensor))
    return _bytes(1, name) + _bytes(2, _bytes(1, _number(1, _element(tensor.dtype)) + _bytes(2, dims)))


def _initializer(name, tensor):
    dims = b"".join(_number(1, side) for side in _shape(tensor))
    return dims + _number(2, _element(tensor.dtype)) + _bytes(8, name)


def _attribute(name, value):
    """A number, a truth value or a list of whole numbers; None for anything else."""
    head = _bytes(1, name)
    if isinstance(value, (bool, int)):
        return head + _number(3, value)
    if isinstance(value, float):
        return head + _varint(2 << 3 | 5) + struct.pack("<f", value)
    if isinstance(value, (list, tuple)) and value and all(isinstance(one, int) for one in value):
        return head + b"".join(_number(8, one) for one in value)
    return None


class _Graph:
    """The messages of one traced module."""

    def __init__(self, fx):
        self.fx = fx  # torch.fx.Node
        self.names = {}  # of what a node gives
        self.parts = []  # fields of the graph

    def _tensors(self, argument):
        """The names of a tensor, or of a list of them; None if it is neither."""
        if isinstance(argument, self.fx):
            return [self.names[argument]]
        if isinstance(argument, (list, tuple)) and argument and all(isinstance(one, self.fx) for one in argument):
            return [self.names[one] for one in argument]
        return None

    def _arguments(self, node):
        """Inputs in the order of the operator's schema, "" for one that is left out, and attributes."""
        inputs, attributes = [], []
        for at, argument in enumerate(node.target._schema.arguments):
            value = node.args[at] if at < len(node.args) else node.kwargs.get(argument.name, argument.default_value)
            names = self._tensors(value)
            if names is not None:
                inputs += names
            elif value is None and "Tensor" in str(argument.type):
                inputs.append("")
            else:
                attribute = _attribute(argument.name, value)
                attributes += [attribute] if attribute else []
        return inputs, attributes

    def call(self, node):
        if not hasattr(node.target, "_schema"):
            # operator.getitem, of an operator with several outputs
            self.names[node] = f"{self.names[node.args[0]]}#{node.args[1]}"
            return
        value = node.meta.get("val")
        several = isinstance(value, (list, tuple))
        outputs = [f"{node.name}#{i}" for i in range(len(value))] if several else [node.name]
        self.names[node] = node.name
        inputs, attributes = self._arguments(node)
        message = b"".join(_bytes(1, name) for name in inputs) + b"".join(_bytes(2, name) for name in outputs)
        message += _bytes(3, node.name) + _bytes(4, str(node.target)) + b"".join(_bytes(5, a) for a in attributes)
        self.parts.append(_bytes(1, message + _bytes(7, "pytorch.aten")))
        for name, tensor in zip(outputs, value if several else [value]):
            if hasattr(tensor, "shape"):
                self.parts.append(_bytes(13, _value(name, tensor)))


def _messages(program, name, fx):
    """The bytes of an ONNX file of what torch.export gave."""
    signature, graph = program.graph_signature, _Graph(fx)
    parameters, constants = signature.inputs_to_parameters, dict(signature.inputs_to_buffers)
    constants.update(getattr(signature, "inputs_to_lifted_tensor_constants", {}))
    first = {}  # the name of a parameter that several modules share
    for node in program.graph.nodes:
        if node.op == "placeholder":
            tensor = node.meta.get("val")
            if node.name in parameters:
                original = program.state_dict[parameters[node.name]]
                known = first.setdefault(id(original), parameters[node.name])
                graph.names[node] = known
                if known == parameters[node.name]:
                    graph.parts.append(_bytes(5, _initializer(known, tensor)))
            elif node.name in constants and hasattr(tensor, "shape"):
                # A buffer is no parameter: a constant of a node, not an initializer.
                graph.names[node] = node.name
                held = _bytes(1, "value") + _bytes(5, _initializer(node.name, tensor))
                graph.parts.append(_bytes(1, _bytes(2, node.name) + _bytes(4, "Constant") + _bytes(5, held)))
            elif hasattr(tensor, "shape"):
                graph.names[node] = node.name
                graph.parts.append(_bytes(11, _value(node.name, tensor)))
        elif node.op == "call_function":
            graph.call(node)
    known = {node.name: value for node, value in graph.names.items()}
    outputs = [known.get(one, one) for one in signature.user_outputs if isinstance(one, str)]
    body = b"".join(graph.parts) + _bytes(2, name) + b"".join(_bytes(12, _bytes(1, one)) for one in outputs)
    return _number(1, 10) + _bytes(2, "pytorch") + _bytes(3, _torch_version()) + _bytes(7, body)


def _torch_version():
    import torch

    return str(torch.__version__)


def _trace(module, example):
    try:
        import torch
    except ImportError as error:
        raise ExportError("narrows.export() needs PyTorch, which is not installed") from error
    version = tuple(int("".join(c for c in part if c.isdigit()) or 0) for part in torch.__version__.split(".")[:2])
    if version < OLDEST:
        raise ExportError(
            f"narrows.export() needs torch.export of PyTorch {OLDEST[0]}.{OLDEST[1]} or later, got "
            f"{torch.__version__}; "
            "torch.onnx.export(module, example, 'model.onnx', training=torch.onnx.TrainingMode.PRESERVE, "
            "do_constant_folding=False) and 'narrows import onnx model.onnx' do the same"
        )
    import torch.export
    import torch.fx

    example = example if isinstance(example, tuple) else (example,)
    try:
        return torch.export.export(module, example), torch.fx.Node
    except Exception as error:
        raise ExportError(f"torch.export cannot trace the module: {error}") from error


def export(module, example, path=None, *, name=None):
    """The model file of 'module', called with the tensors of 'example' (one, or a tuple of them), whose first dimension
    is the batch. Returns its text; writes it to 'path' if given. What the file says otherwise than the module is
    printed to stderr, with the parameters of both. ExportError where it cannot be traced, or where no model file can
    say it; FileNotFoundError where the program narrows is nowhere."""
    traced, fx = _trace(module, example)
    name = name or type(module).__name__.lower()
    program = _program.path()
    done = subprocess.run([program, "import", "onnx", "-", "--name", name], input=_messages(traced, name, fx),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    said = done.stderr.decode(errors="replace")
    if done.returncode:
        raise ExportError(said.strip() or f"{program} ended with {done.returncode}")
    sys.stderr.write(said)
    text = done.stdout.decode()
    if path is not None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return text
