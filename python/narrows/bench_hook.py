"""What narrows' hooks cost and how they train, next to PyTorch's own.

    python -m narrows.bench_hook time [--reps 31] [--threads 1] [--codec 3lc:s=1 ...]
    python -m narrows.bench_hook train [--steps 200] [--workers 2] [--hook 3lc:s=1.75 ...]

time: encoding and decoding of the gradients of a ResNet-20, everything that a hook does besides
exchanging bytes, next to PyTorch's PowerSGD hook at equal cosine: at the highest rank that brings
no more of the gradients' direction than the codec does, or at rank 1, marked < if it brings more.
Both take the same gradients in turn, the one that begins changes, and the ratio is the median of
the pairs' ratios: below 1 the codec is faster. "all" is the cosine of all that has arrived over the
steps with the sum of their gradients, by which ranks are chosen: what error feedback sends later
lowers a step's cosine (the mean over the second half), and yet is not lost.

train: the ResNet-20 on synthetic images of 10 classes, the same samples for each hook, by
processes that talk over gloo: the mean loss of the last tenth of the steps, and the time of a
step.
"""

import argparse
import contextlib
import os
import statistics
import tempfile
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.algorithms.ddp_comm_hooks import default_hooks, powerSGD_hook
from torch.nn import functional

import narrows
import narrows.torch
from narrows._bucket import Bucket

CODECS = ("3lc:s=1", "dct:dropped=0.99,lifespan=1", "dct:dropped=0.95,lifespan=1", "8bit", "fp16")
RANKS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
WORKERS = 2  # whose payloads are decoded
STEPS = 32  # successive gradients
NOISE = 4.0  # standard deviations: some hundred steps do not learn the images by heart


class Block(nn.Module):
    """Two 3x3 convolutions around a shortcut without weights."""

    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.stride, self.missing = stride, outputs - inputs

    def forward(self, x):
        y = functional.relu(self.norm1(self.conv1(x)))
        y = self.norm2(self.conv2(y))
        if self.missing:
            x = functional.pad(
                x[:, :, :: self.stride, :: self.stride], (0, 0, 0, 0, 0, self.missing)
            )
        return functional.relu(y + x)


def resnet20() -> nn.Module:
    """He et al., arXiv 1512.03385, section 4.2, n = 3."""
    blocks = (
        [(16, 16, 1)] * 3 + [(16, 32, 2)] + [(32, 32, 1)] * 2 + [(32, 64, 2)] + [(64, 64, 1)] * 2
    )
    stem = (nn.Conv2d(3, 16, 3, 1, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU())
    end = (nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))
    return nn.Sequential(*stem, *(Block(*b) for b in blocks), *end)


def samples(n: int, seed: int):
    """Images of 32 x 32: a smooth pattern for each class, shifted at random, below noise."""
    patterns = torch.randn(10, 3, 8, 8, generator=torch.Generator().manual_seed(7))
    patterns = functional.interpolate(
        patterns, scale_factor=4, mode="bilinear", align_corners=False
    )
    draw = torch.Generator().manual_seed(seed)
    labels = torch.randint(10, (n,), generator=draw)
    shifts = torch.randint(8, (n, 2), generator=draw).tolist()
    images = torch.stack(
        [patterns[k].roll(shift, (1, 2)) for k, shift in zip(labels.tolist(), shifts)]
    )
    return images + NOISE * torch.randn(images.shape, generator=draw), labels


def gradients(skip: int, keep: int) -> tuple:
    """The model, and 'keep' successive gradients of its training, each as one flat tensor."""
    torch.manual_seed(1)
    model, kept = resnet20(), []
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for step in range(skip + keep):
        images, labels = samples(32, step)
        optimizer.zero_grad()
        functional.cross_entropy(model(images), labels).backward()
        if step >= skip:
            kept.append(torch.cat([p.grad.flatten() for p in model.parameters()]))
        optimizer.step()
    return model, kept


class Gradients:
    """All gradients of a model as one bucket, as hooks take it from DDP."""

    def __init__(self, model):
        self.of = list(model.parameters())
        self.flat = torch.zeros(sum(p.numel() for p in self.of))
        parts = self.flat.split([p.numel() for p in self.of])
        self.views = [part.view_as(p) for part, p in zip(parts, self.of)]

    def index(self):
        return 0

    def is_last(self):
        return True

    def buffer(self):
        return self.flat

    def gradients(self):
        return self.views

    def parameters(self):
        return self.of


class Ours:
    """A codec's hook without the exchange: encode, and decode as many payloads as there are
    workers.
    """

    def __init__(self, text: str, by: str, model):
        self.bucket = Gradients(model)
        choice, parameters = narrows.torch._Choice(text, by), self.bucket.parameters()
        self.kept = Bucket(choice, None, self.bucket, parameters, ())
        self.times = WORKERS if self.kept.kind == "gathered" else 1

    def step(self):
        kept, values = self.kept, self.bucket.flat
        values.div_(WORKERS)
        sizes = kept._encode(values)
        for i in range(self.times):
            kept._decode(values, kept.payload.data_ptr(), sizes, add=i > 0)
        self.bits = 8 * sum(sizes) / values.numel()


class Theirs:
    """PyTorch's PowerSGD hook, whose collectives return at once what they got."""

    def __init__(self, rank: int, model):
        self.bucket = Gradients(model)
        self.state = powerSGD_hook.PowerSGDState(None, rank, start_powerSGD_iter=2)
        for _ in range(2):  # which it sums up uncompressed
            self.step()

    def step(self):
        with at_once():
            powerSGD_hook.powerSGD_hook(self.state, self.bucket).wait()


@contextlib.contextmanager
def at_once():
    """All-reduce among as many workers as there are here: one."""

    class Done:
        def __init__(self, tensor):
            self.future = torch.futures.Future()
            self.future.set_result([tensor])

        def get_future(self):
            return self.future

    usual = dist.all_reduce
    dist.all_reduce = lambda tensor, *args, **named: Done(tensor)
    try:
        yield
    finally:
        dist.all_reduce = usual


def cosines(side, steps: list) -> tuple:
    """Of what arrives with the gradient, over the steps' second half; of both, summed up."""
    found, arrived, total = [], torch.zeros_like(steps[0]), torch.zeros_like(steps[0])
    for gradient in steps:
        side.bucket.flat.copy_(gradient)
        side.step()
        found.append(functional.cosine_similarity(side.bucket.flat, gradient, dim=0).item())
        arrived += side.bucket.flat
        total += gradient
    step = statistics.mean(found[len(found) // 2 :])
    return step, functional.cosine_similarity(arrived, total, dim=0).item()


def equal_rank(wanted: float, ranks: dict) -> int:
    """The rank to compare with."""
    return max((rank for rank, (_, there) in ranks.items() if there <= wanted), default=RANKS[0])


def timed(side, gradient) -> int:
    side.bucket.flat.copy_(gradient)
    began = time.perf_counter_ns()
    side.step()
    return time.perf_counter_ns() - began


def pairs(ours, theirs, steps: list, reps: int) -> tuple:
    """Nanoseconds of both, taking turns."""
    found = []
    for i in range(reps + 2):
        sides = (ours, theirs) if i % 2 else (theirs, ours)
        took = {side: timed(side, steps[i % len(steps)]) for side in sides}
        found.append((took[ours], took[theirs]))
    return found[2:]


def alone():
    """A group of this process alone, which the hooks ask for their number."""
    file = tempfile.NamedTemporaryFile(prefix="narrows-", delete=False)
    os.unlink(file.name)
    dist.init_process_group("gloo", init_method="file://" + file.name, rank=0, world_size=1)


def time_hooks(codecs: list, reps: int, threads: int) -> None:
    torch.set_num_threads(threads)
    alone()
    model, steps = gradients(20, STEPS)
    ranks = {rank: cosines(Theirs(rank, model), steps) for rank in RANKS}
    print(
        f"encode + decode of {steps[0].numel()} gradients, {WORKERS} workers, {threads} threads, "
        f"next to the PowerSGD hook of PyTorch {torch.__version__}"
    )
    print(
        f"{'codec':<28} {'by':<7}{'bits':>6} {'cosine':>7} {'all':>7} {'rank':>5} "
        f"{'cosine':>7} {'all':>7} {'us':>6} {'PowerSGD':>9} {'ratio':>7} {'quartiles':>13}"
    )
    for text in codecs:
        for by in ("bucket", "tensor"):
            ours = Ours(text, by, model)
            here = cosines(ours, steps)
            rank = equal_rank(here[1], ranks)
            there, more = ranks[rank], "<" if ranks[rank][1] > here[1] else ""
            found = pairs(ours, Theirs(rank, model), steps, reps)
            low, middle, high = statistics.quantiles([a / b for a, b in found], n=4)
            us = [statistics.median(side) / 1e3 for side in zip(*found)]
            print(
                f"{text:<28} {by:<7}{ours.bits:6.2f} {here[0]:7.4f} {here[1]:7.4f} "
                f"{more + str(rank):>5} {there[0]:7.4f} {there[1]:7.4f} "
                f"{us[0]:6.0f} {us[1]:9.0f} {middle:7.3f} {low:6.3f}..{high:.3f}",
                flush=True,
            )
    dist.destroy_process_group()


HOOKS = ("none", "torch:fp16", "torch:powersgd", *CODECS, "powersgd")


def register(ddp, name: str, by: str) -> None:
    if name == "torch:fp16":
        ddp.register_comm_hook(None, default_hooks.fp16_compress_hook)
    elif name == "torch:powersgd":
        state = powerSGD_hook.PowerSGDState(dist.new_group(), 4, start_powerSGD_iter=2)
        ddp.register_comm_hook(state, powerSGD_hook.powerSGD_hook)
    elif name != "none":
        ddp.register_comm_hook(narrows.torch.State(), narrows.torch.hook(name, by=by))


def trained(name: str, by: str, rank: int, workers: int, steps: int, batch: int) -> tuple:
    torch.manual_seed(1)
    ddp = nn.parallel.DistributedDataParallel(resnet20(), bucket_cap_mb=100)
    register(ddp, name, by)
    optimizer = torch.optim.SGD(ddp.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    losses, began = [], time.perf_counter()
    for step in range(steps):
        images, labels = samples(batch, 1000003 * rank + step)
        optimizer.zero_grad()
        loss = functional.cross_entropy(ddp(images), labels)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    took = time.perf_counter() - began
    last = torch.stack(losses[-max(1, steps // 10) :]).mean()
    dist.all_reduce(last)
    return last.item() / workers, 1e3 * took / steps


def worker(rank: int, workers: int, file: str, args) -> None:
    torch.set_num_threads(args.threads)
    # PyTorch's PowerSGD begins collectives whenever others end: of several buckets, over gloo, in
    # an order that workers need not share.
    dist._DEFAULT_FIRST_BUCKET_BYTES = 100 << 20
    dist.init_process_group("gloo", init_method="file://" + file, rank=rank, world_size=workers)
    for name in args.hook or HOOKS:
        own = name != "none" and not name.startswith("torch:")
        for by in args.by if own else ("",):
            loss, ms = trained(name, by, rank, workers, args.steps, args.batch)
            if rank == 0:
                print(f"{name:<28} {by:<7} {loss:8.4f} {ms:9.1f}", flush=True)
    dist.destroy_process_group()


def train_hooks(args) -> None:
    print(
        f"ResNet-20, {args.workers} gloo processes, "
        f"{args.steps} steps of {args.batch} samples each, "
        f"PyTorch {torch.__version__}\n{'hook':<28} {'by':<7} {'loss':>8} {'ms/step':>9}",
        flush=True,
    )
    with tempfile.TemporaryDirectory(prefix="narrows-") as folder:
        torch.multiprocessing.spawn(worker, (args.workers, folder + "/store", args), args.workers)


def main(argv=None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m narrows.bench_hook", description=__doc__.split("\n")[0]
    )
    modes = parser.add_subparsers(dest="mode", required=True)
    mode = modes.add_parser(
        "time", help="encode and decode, next to PyTorch's PowerSGD hook at equal cosine"
    )
    mode.add_argument(
        "--codec", action="append", help=f"may be given several times (default {' '.join(CODECS)})"
    )
    mode.add_argument("--reps", type=int, default=31)
    mode.add_argument("--threads", type=int, default=1)
    mode = modes.add_parser("train", help="a ResNet-20 on processes that talk over gloo")
    mode.add_argument(
        "--hook", action="append", help=f"may be given several times (default {' '.join(HOOKS)})"
    )
    mode.add_argument("--by", action="append", help="bucket, tensor (default both)")
    for name, usual in (("steps", 200), ("workers", 2), ("batch", 32), ("threads", 1)):
        mode.add_argument("--" + name, type=int, default=usual)
    args = parser.parse_args(argv)
    if args.mode == "time":
        time_hooks(args.codec or CODECS, args.reps, args.threads)
    else:
        args.by = args.by or ("bucket", "tensor")
        train_hooks(args)


if __name__ == "__main__":
    main()
