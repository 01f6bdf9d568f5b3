#!/usr/bin/env python3
"""make_fixture.py - losses.txt: what PyTorch computes for small networks, to compare the trainer with.

use: /usr/bin/python3 make_fixture.py > losses.txt        (Debian: python3-torch)

Each network is a module whose parameters have the order of the layers in NAME.yaml next to this file. Parameters and
samples come from numbers() alone, a hash of their place, so that both sides begin with the same bits and none has to be
stored. Ten steps of SGD: momentum 0.9, weight decay 1e-4 (embedding tables: plain), another batch of 8 samples in each
step. Printed are the loss of every step and the l2 norm of every parameter after the last one; for networks with batch
norms also the loss of the first batch, evaluated after the last step, and, if they work on patches, its loss unsplit.
"""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

BATCH, STEPS, MOMENTUM, DECAY = 8, 10, 0.9, 1e-4


def words(stream, n):
    """Words n of a stream: a multiplicative hash, the same in C (fixture.c)."""
    x = np.arange(n, dtype=np.uint64) + np.uint64(stream) * np.uint64(1000003)
    x = (x * np.uint64(2654435761)) & np.uint64(0xFFFFFFFF)
    x ^= x >> np.uint64(15)
    x = (x * np.uint64(2246822519)) & np.uint64(0xFFFFFFFF)
    return x ^ (x >> np.uint64(13))


def numbers(stream, n):
    """Uniform in [-1, 1), in steps of 2^-23."""
    return ((words(stream, n) >> np.uint64(8)).astype(np.float64) * 2.0**-23 - 1).astype(np.float32)


NORMS = (nn.BatchNorm2d, nn.LayerNorm)


def initial(parameter, stream, scales):
    """Matrices and kernels by the values that they read, vectors small around 0, or around 1 if scales of a norm."""
    n = parameter.numel()
    if parameter.dim() == 1:
        values = (1 if scales else 0) + np.float32(0.1) * numbers(stream, n)
    else:
        read = n // parameter.shape[0]
        values = numbers(stream, n) * np.float32(np.sqrt(3.0 / read))
    with torch.no_grad():
        parameter.copy_(torch.from_numpy(values.astype(np.float32).reshape(parameter.shape)))


class Residual(nn.Module):
    """Two convolutions and a shortcut that subsamples and pads with zeros (ResNet's option A)."""

    def __init__(self, channels, out, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, out, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(out)
        self.conv2 = nn.Conv2d(out, out, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(out)
        self.stride, self.more = stride, out - channels

    def forward(self, x):
        y = self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x)))))
        shortcut = F.pad(x[:, :, :: self.stride, :: self.stride], (0, 0, 0, 0, 0, self.more))
        return F.relu(y + shortcut)


class Cnn(nn.Module):
    """cnn.yaml: every kind of layer that the papers' convolutional networks have, but dropout."""

    name, classes = "cnn", 10

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 5, 1, 2)
        self.norm1 = nn.BatchNorm2d(8)
        self.block1 = Residual(8, 8, 1)
        self.block2 = Residual(8, 16, 2)
        self.conv2 = nn.Conv2d(16, 12, 3, 1, 0)
        self.fc1 = nn.Linear(12 * 3 * 3, 20)
        self.fc2 = nn.Linear(20, 10)

    def first(self, x):
        return self.block1(F.max_pool2d(F.relu(self.norm1(self.conv1(x))), 3, 1, 1))

    def last(self, x):
        x = F.avg_pool2d(F.relu(self.conv2(x)), 2, 2)
        return self.fc2(F.relu(self.fc1(x.flatten(1))))

    def forward(self, x):
        return self.last(self.block2(self.first(x)))

    def loss(self, step):
        x = numbers(1000 + step, BATCH * 3 * 16 * 16).reshape(BATCH, 3, 16, 16)
        x = torch.from_numpy(x).to(self.fc2.weight.dtype)
        labels = torch.from_numpy((words(2000 + step, BATCH) % np.uint64(10)).astype(np.int64))
        return F.cross_entropy(self(x), labels)


class Split(Cnn):
    """cnn.yaml as a Split-CNN (ASPLOS 2019): the first layers are given one patch after the other, each padded as if it
    were the whole image; then the patches are joined. Even patches give this where all kernels are odd and padded to
    match."""

    name, rows, columns, whole = "split", [8, 8], [5, 5, 6], False

    def patches(self, x, layers):
        rows = [[layers(part) for part in row.split(self.columns, 3)] for row in x.split(self.rows, 2)]
        return torch.cat([torch.cat(row, 3) for row in rows], 2)

    def forward(self, x):
        return super().forward(x) if self.whole else self.last(self.block2(self.patches(x, self.first)))


class SplitDeep(Split):
    """The same with a block that halves the plane on patches, too."""

    name, columns = "split-deep", [8, 8]

    def forward(self, x):
        if self.whole:
            return Cnn.forward(self, x)
        return self.last(self.patches(x, lambda part: self.block2(self.first(part))))


class Dlrm(nn.Module):
    """dlrm.yaml: arXiv 1906.00091 with three tables, two lookups in each."""

    name, tables, rows, lookups, dim = "dlrm", 3, 20, 2, 4

    def __init__(self):
        super().__init__()
        self.bottom = nn.ModuleList([nn.Linear(5, 16), nn.Linear(16, 4)])
        self.top = nn.ModuleList([nn.Linear(4 + 4 * 3 // 2, 12), nn.Linear(12, 1)])
        self.table = nn.Parameter(torch.zeros(self.tables * self.rows, self.dim))

    def forward(self, x, ids):
        for layer in self.bottom:
            x = F.relu(layer(x))
        looked_up = self.table[ids].sum(2)
        vectors = torch.cat([x.unsqueeze(1), looked_up], 1)
        products = torch.bmm(vectors, vectors.transpose(1, 2))
        i, j = torch.tril_indices(self.tables + 1, self.tables + 1, -1)
        x = F.relu(self.top[0](torch.cat([x, products[:, i, j]], 1)))
        return self.top[1](x).flatten()

    def loss(self, step):
        x = torch.from_numpy(numbers(1000 + step, BATCH * 5).reshape(BATCH, 5))
        ids = words(3000 + step, BATCH * self.tables * self.lookups).reshape(BATCH, self.tables, self.lookups)
        ids = (ids % np.uint64(self.rows)).astype(np.int64) + (np.arange(self.tables) * self.rows)[None, :, None]
        labels = torch.from_numpy((words(2000 + step, BATCH) % np.uint64(2)).astype(np.float32))
        return F.binary_cross_entropy_with_logits(self(x, torch.from_numpy(ids)), labels)


class Attention(nn.Module):
    """Query, key, value and output in one matrix, as the trainer has them."""

    def __init__(self, dim, heads):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(4 * dim, dim))
        self.bias = nn.Parameter(torch.zeros(4 * dim))
        self.dim, self.heads = dim, heads

    def forward(self, x, memory, mask=None):
        d = self.dim
        x, memory = x.transpose(0, 1), memory.transpose(0, 1)
        y, _ = F.multi_head_attention_forward(
            x, memory, memory, d, self.heads, self.weight[: 3 * d], self.bias[: 3 * d], None, None, False, 0.0,
            self.weight[3 * d :], self.bias[3 * d :], need_weights=False, attn_mask=mask)
        return y.transpose(0, 1)


class FeedForward(nn.Module):
    def __init__(self, dim, inner):
        super().__init__()
        self.linear1 = nn.Linear(dim, inner)
        self.linear2 = nn.Linear(inner, dim)

    def forward(self, x):
        return self.linear2(F.relu(self.linear1(x)))


class Transformer(nn.Module):
    """transformer.yaml: arXiv 1706.03762, a layer of each stack, norms behind the sums."""

    name, words, dim, positions = "transformer", 20, 16, 6

    def __init__(self):
        super().__init__()
        d = self.dim
        self.source = nn.Embedding(self.words, d)
        self.attention1, self.norm1 = Attention(d, 2), nn.LayerNorm(d)
        self.forward1, self.memory = FeedForward(d, 24), nn.LayerNorm(d)
        self.target = nn.Embedding(self.words, d)
        self.attention2, self.norm3 = Attention(d, 2), nn.LayerNorm(d)
        self.cross, self.norm4 = Attention(d, 2), nn.LayerNorm(d)
        self.forward2, self.norm5 = FeedForward(d, 24), nn.LayerNorm(d)
        self.out = nn.Linear(d, self.words, bias=False)
        position = torch.arange(self.positions, dtype=torch.float64)[:, None]
        angle = position / 10000 ** (torch.arange(0, d, 2, dtype=torch.float64) / d)
        self.sinusoid = torch.stack([angle.sin(), angle.cos()], 2).flatten(1).float()

    def embed(self, table, ids):
        return table(ids) * self.dim**0.5 + self.sinusoid

    def forward(self, source, target):
        later = torch.triu(torch.full((self.positions, self.positions), float("-inf")), 1)
        x = self.embed(self.source, source)
        x = self.norm1(x + self.attention1(x, x))
        memory = self.memory(x + self.forward1(x))
        y = self.embed(self.target, target)
        y = self.norm3(y + self.attention2(y, y, later))
        y = self.norm4(y + self.cross(y, memory))
        return self.out(self.norm5(y + self.forward2(y)))

    def loss(self, step):
        n = BATCH * self.positions
        draw = lambda stream: torch.from_numpy(
            (words(stream + step, n) % np.uint64(self.words)).astype(np.int64).reshape(BATCH, self.positions))
        y = self(draw(3000), draw(3100))
        return F.cross_entropy(y.flatten(0, 1), draw(2000).flatten())


def evaluate(network):
    network.eval()
    with torch.no_grad():
        print(f"{network.name} evaluated 0 {network.loss(0).item():.9g}")
        if isinstance(network, Split):
            network.whole = True
            print(f"{network.name} evaluated 1 {network.loss(0).item():.9g}")


def train(network, rate):
    network.train()
    table = getattr(network, "table", None)
    dense = [p for p in network.parameters() if p is not table]
    scales = {id(m.weight) for m in network.modules() if isinstance(m, NORMS)}
    for stream, p in enumerate(dense):
        initial(p, stream, id(p) in scales)
    groups = [{"params": dense, "momentum": MOMENTUM, "weight_decay": DECAY}]
    if table is not None:
        with torch.no_grad():
            table.copy_(torch.from_numpy(0.5 * numbers(500, table.numel()).reshape(table.shape)))
        groups.append({"params": [table], "momentum": 0, "weight_decay": 0})
    optimizer = torch.optim.SGD(groups, lr=rate)
    for step in range(STEPS):
        optimizer.zero_grad()
        loss = network.loss(step)
        loss.backward()
        optimizer.step()
        print(f"{network.name} loss {step} {loss.item():.9g}")
    for i, p in enumerate(dense + ([table] if table is not None else [])):
        print(f"{network.name} norm {i} {p.detach().double().norm().item():.9g}")
    if isinstance(network, Cnn):
        evaluate(network)


if __name__ == "__main__":
    torch.set_num_threads(1)
    print(f"# PyTorch {torch.__version__}: network, loss of a step or norm of a parameter, number, value")
    train(Cnn(), 0.02)
    # In float, one value of these steps is on the other side of a ReLU's edge: the losses differ in the fourth digit.
    train(Split().double(), 0.02)
    train(SplitDeep().double(), 0.02)
    train(Dlrm(), 0.1)
    train(Transformer(), 0.02)
