"""narrows.export() of small modules: the framework's own count of parameters, or a clear message where PyTorch is too
old. Prints what was found."""

import contextlib
import io
import os
import sys

import torch

from narrows import ExportError, export


class Small(torch.nn.Module):
    """A shared table, waves that mark places and are no parameter, a norm that is trained, a shortcut."""

    def __init__(self):
        super().__init__()
        self.words = torch.nn.Embedding(11, 8)
        self.register_buffer("waves", torch.sin(torch.arange(48.0)).reshape(1, 6, 8))
        self.norm = torch.nn.LayerNorm(8)
        self.linear = torch.nn.Linear(8, 8)
        self.last = torch.nn.Linear(8, 11, bias=False)
        self.last.weight = self.words.weight

    def forward(self, tokens):
        values = self.words(tokens) + self.waves
        return self.last(values + torch.nn.functional.gelu(self.linear(self.norm(values))))


module, tokens = Small(), torch.zeros(1, 6, dtype=torch.long)
if tuple(int(part) for part in torch.__version__.split(".")[:2]) < (2, 1):
    try:
        export(module, tokens)
    except ExportError as error:
        assert "needs torch.export of PyTorch 2.1 or later, got " + torch.__version__ in str(error), error
        assert "torch.onnx.export" in str(error), error
        print("too old, and said")
        sys.exit(0)
    sys.exit("expected an ExportError")


def exported(module, example, layers, name):
    """The model file, which also lies at a path, with as many layers and parameters as the module, said on stderr."""
    count, said = sum(p.numel() for p in module.parameters()), io.StringIO()
    path = os.path.join(os.environ["NARROWS_TEST_TMP"], f"{name}.yaml")
    if os.path.exists(path):
        os.remove(path)
    with contextlib.redirect_stderr(said):
        text = export(module, example, path, name=name)
    line = f"{name}: {layers} layers, {count} parameters; the file has {count}, as many"
    assert line in said.getvalue(), (line, said.getvalue())
    with open(path, encoding="utf-8") as file:
        assert file.read() == text, path
    return text


text = exported(module, tokens, 8, "small")
for line in ("name: small", "rows: 11, dim: 8, positions: 6", "shortcut: identity", "shared: words, bias: false"):
    assert line in text, (line, text)
# A batch norm has buffers, which are no parameters; in training it has several outputs.
image = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3, padding=1, bias=False), torch.nn.BatchNorm2d(8), torch.nn.ReLU(),
                            torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(8, 4))
for training in (True, False):
    text = exported(image.train(training), torch.zeros(2, 3, 8, 8), 6, "image")
    for line in ("channels: 3, height: 8", "classes: 4", "kind: batchnorm", "kind: avgpool"):
        assert line in text, (line, text)
try:
    export(torch.nn.LSTM(8, 8), torch.zeros(1, 6, 8))
    sys.exit("expected an LSTM to be refused")
except ExportError as error:
    assert "a model file" in str(error) or "cannot trace" in str(error), error
print("exported")
