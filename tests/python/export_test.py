"""narrows.export() of a small module: the framework's own count of parameters, or a clear message where PyTorch is too
old. Prints what was found."""

import sys

import torch

from narrows import ExportError, export


class Small(torch.nn.Module):
    """A shared table, a norm that is trained, a shortcut."""

    def __init__(self):
        super().__init__()
        self.words = torch.nn.Embedding(11, 8)
        self.norm = torch.nn.LayerNorm(8)
        self.linear = torch.nn.Linear(8, 8)
        self.last = torch.nn.Linear(8, 11, bias=False)
        self.last.weight = self.words.weight

    def forward(self, tokens):
        values = self.words(tokens)
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
text = export(module, tokens, name="small")
count = sum(p.numel() for p in module.parameters())
assert count == 88 + 16 + 72, count
for line in ("name: small", "rows: 11, dim: 8, positions: 6", "shortcut: identity", "shared: words, bias: false"):
    assert line in text, (line, text)
try:
    export(torch.nn.LSTM(8, 8), torch.zeros(1, 6, 8))
    sys.exit("expected an LSTM to be refused")
except ExportError as error:
    assert "a model file" in str(error) or "cannot trace" in str(error), error
print("exported")
