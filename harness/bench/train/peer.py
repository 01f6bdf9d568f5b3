#!/usr/bin/env python3
"""PyTorch's side of `narrows bench train`: trains the networks that narrows trains, on the same samples.

    peer.py version                                     prints "ready 0 PyTorch VERSION (BLAS)"
    peer.py NETWORK BATCH SAMPLES THREADS DATA [--ops]  prints "ready PARAMETERS PyTorch ...", then for each line N
                                                        takes N steps and prints how many nanoseconds they took

An error is printed as "failed WHY". A step is forward, backward and SGD on the next batch of DATA: for each part of the
network the values of all samples (fp32), their table rows (int32) and their labels (int32), as in prepared.h. With
--ops it prints what PyTorch's profiler counts in 30 steps instead.

PyTorch runs in its fastest setting: all choices that it offers (Way) are tried before "ready", which names the fastest.
"""
import array
import ctypes
import os
import sys
import time

try:
    import torch
    from torch import nn
    from torch.nn import functional
except ImportError as error:
    print("failed", error)
    sys.exit(1)


def blas():
    """The BLAS that computes its products; the wrong one is 17 times slower. On Debian the alternatives decide: libblas
    counts, whatever else other libraries load."""
    try:
        with open("/proc/self/maps") as file:
            loaded = {line.split("/", 1)[1].strip().lower() for line in file if ".so" in line and "/" in line}
    except OSError:
        return ""
    alternatives = {path for path in loaded if "/libblas.so" in path}
    known = {"mkl_": "MKL", "openblas": "OpenBLAS", "blis": "BLIS", "atlas": "ATLAS"}
    for part, name in known.items():
        if any(part in path for path in alternatives or loaded):
            return name
    if alternatives:
        return "reference BLAS"
    return "MKL" if torch.backends.mkl.is_available() else ""


def program(*chosen):
    said = ", ".join(filter(None, (blas(),) + chosen))
    return f"PyTorch {torch.__version__} ({said})" if said else "PyTorch " + torch.__version__


def use_blas_threads(n):
    """OpenBLAS has threads of its own, which may get in the way of PyTorch's. False where it is not used."""
    try:
        ctypes.CDLL("libopenblas.so.0", os.RTLD_NOLOAD | os.RTLD_NOW).openblas_set_num_threads(n)
    except (AttributeError, OSError):
        return False
    return True


class Block(nn.Module):
    """Two 3x3 convolutions; the shortcut takes every second position and lacks channels where the sizes change."""

    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.stride, self.missing = stride, outputs - inputs

    def forward(self, x):
        y = functional.relu(self.norm1(self.conv1(x)), inplace=True)
        y = self.norm2(self.conv2(y))
        if self.stride != 1:
            x = x[:, :, ::self.stride, ::self.stride]
        if self.missing:
            x = functional.pad(x, (0, 0, 0, 0, 0, self.missing))
        return functional.relu(y + x, inplace=True)


class ResNet20(nn.Module):
    """He et al., arXiv 1512.03385, section 4.2, n = 3."""

    values, rows, momentum, decay = (3, 32, 32), 0, 0.9, 1e-4

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 16, 3, 1, 1, bias=False)
        self.norm = nn.BatchNorm2d(16)
        blocks, inputs = [], 16
        for stage, outputs in enumerate((16, 32, 64)):
            for i in range(3):
                blocks.append(Block(inputs, outputs, 2 if stage and not i else 1))
                inputs = outputs
        self.blocks = nn.Sequential(*blocks)
        self.classifier = nn.Linear(64, 10)

    def loss(self, images, _, labels):
        x = self.blocks(functional.relu(self.norm(self.conv(images)), inplace=True))
        return functional.cross_entropy(self.classifier(functional.avg_pool2d(x, 8).flatten(1)), labels)


def mlp(sizes, relu_behind):
    layers = []
    for i, (inputs, outputs) in enumerate(zip(sizes, sizes[1:])):
        layers.append(nn.Linear(inputs, outputs))
        if relu_behind or i + 2 < len(sizes):
            layers.append(nn.ReLU(inplace=True))
    return nn.Sequential(*layers)


def clicks(logits, labels):
    return functional.binary_cross_entropy_with_logits(logits.flatten(), labels.float())


class Bottom(nn.Module):
    """DLRM's first MLP (arXiv 1906.00091), by itself: its 16 outputs are taken for classes."""

    values, rows, momentum, decay = (13,), 0, 0, 0

    def __init__(self):
        super().__init__()
        self.chain = mlp((13, 512, 256, 64, 16), False)

    def loss(self, values, _, labels):
        return functional.cross_entropy(self.chain(values), labels)


class Top(nn.Module):
    """DLRM's second MLP, by itself."""

    values, rows, momentum, decay = (367,), 0, 0, 0

    def __init__(self):
        super().__init__()
        self.chain = mlp((367, 512, 256, 128, 1), False)

    def loss(self, values, _, labels):
        return clicks(self.chain(values), labels)


class Dlrm(nn.Module):
    """All of it, with 26 tables of 1000 rows. They are one parameter here, which is faster than a module for each."""

    values, rows, momentum, decay = (13,), 26, 0, 0

    def __init__(self):
        super().__init__()
        self.bottom, self.top = mlp((13, 512, 256, 64, 16), True), mlp((367, 512, 256, 128, 1), False)
        self.tables = nn.Embedding(26000, 16, sparse=True)
        self.pairs = torch.tril_indices(27, 27, -1)

    def loss(self, values, rows, labels):
        dense = self.bottom(values)
        vectors = torch.cat((dense.unsqueeze(1), self.tables(rows)), 1)
        products = torch.bmm(vectors, vectors.transpose(1, 2))[:, self.pairs[0], self.pairs[1]]
        return clicks(self.top(torch.cat((dense, products), 1)), labels)


NETWORKS = {"resnet-20": (ResNet20,), "dlrm-mlps": (Bottom, Top), "dlrm": (Dlrm,)}


def read(file, kind, count, shape):
    numbers = array.array(kind)
    numbers.fromfile(file, count)
    return torch.tensor(numbers, dtype=torch.float32 if kind == "f" else torch.int64).reshape(shape)


class Samples:
    """Of one network; of DLRM's MLPs one of the two."""

    def __init__(self, network, count, file):
        size = 1
        for n in network.values:
            size *= n
        self.values = read(file, "f", count * size, (count,) + network.values)
        self.rows = read(file, "i", count * network.rows, (count, network.rows))
        self.labels = read(file, "i", count, (count,))


class Part:
    """A network being trained on its samples."""

    def __init__(self, network, batch, samples, layout):
        self.values = samples.values.contiguous(memory_format=layout)
        self.rows, self.labels = samples.rows, samples.labels
        self.network, self.batch, self.at = network().to(memory_format=layout), batch, 0
        self.optimizer = torch.optim.SGD(self.network.parameters(), lr=0.01, momentum=network.momentum,
                                         weight_decay=network.decay)

    def parameters(self):
        return sum(p.numel() for p in self.network.parameters())

    def step(self):
        here = slice(self.at, self.at + self.batch)
        self.at = here.stop if here.stop + self.batch <= len(self.labels) else 0
        self.optimizer.zero_grad(set_to_none=True)
        self.network.loss(self.values[here], self.rows[here], self.labels[here]).backward()
        self.optimizer.step()


def take(parts, steps):
    for _ in range(steps):
        for part in parts:
            part.step()


def timed(parts, steps):
    begin = time.perf_counter_ns()
    take(parts, steps)
    return time.perf_counter_ns() - begin


class Way:
    """How images lie in memory, and how many threads BLAS has."""

    def __init__(self, name, batch, samples, channels_last, blas_threads):
        layout = torch.channels_last if channels_last else torch.contiguous_format
        self.chosen = ("channels last" if channels_last else "", "1 BLAS thread" if blas_threads == 1 else "")
        self.blas_threads = blas_threads  # 0: as many as there are
        self.parts = [Part(network, batch, s, layout) for network, s in zip(NETWORKS[name], samples)]

    def begin(self):
        if self.blas_threads:
            use_blas_threads(self.blas_threads)


def ways(name, batch, samples, threads):
    layouts = (False, True) if len(NETWORKS[name][0].values) == 3 else (False,)
    blas_threads = (threads, 1) if threads > 1 and blas() == "OpenBLAS" and use_blas_threads(threads) else (0,)
    return [Way(name, batch, samples, layout, n) for layout in layouts for n in blas_threads]


def fastest(tried):
    """The setting with the shortest of five turns of some 50 ms: other load hardly changes a minimum. One step precedes
    each turn, in which the other setting's threads go to sleep."""
    least = [float("inf")] * len(tried)
    for i in range(6):
        for k, way in enumerate(tried):
            way.begin()
            once = timed(way.parts, 1)
            if i:
                steps = max(1, int(50e6 / once))
                least[k] = min(least[k], timed(way.parts, steps) / steps)
    way = tried[least.index(min(least))]
    way.begin()
    return way


def main():
    if sys.argv[1] == "version":
        print("ready 0", program())
        return
    name, batch, count, threads, data = sys.argv[1], *map(int, sys.argv[2:5]), sys.argv[5]
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    with open(data, "rb") as file:
        samples = [Samples(network, count, file) for network in NETWORKS[name]]
    way = fastest(ways(name, batch, samples, threads))
    if sys.argv[6:] == ["--ops"]:
        with torch.autograd.profiler.profile() as profile:
            take(way.parts, 30)
        print(profile.key_averages().table(sort_by="self_cpu_time_total", row_limit=40))
        return
    print("ready", sum(part.parameters() for part in way.parts), program(*way.chosen), flush=True)
    for line in sys.stdin:
        print(timed(way.parts, int(line)), flush=True)


if __name__ == "__main__":
    try:
        main()
    except (EOFError, KeyError, OSError, RuntimeError, ValueError) as error:
        print("failed", type(error).__name__, str(error).replace("\n", " "), flush=True)
        sys.exit(1)
