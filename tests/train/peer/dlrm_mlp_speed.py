#!/usr/bin/env python3
"""How fast PyTorch trains the MLPs of DLRM (Naumov et al., arXiv 1906.00091) on this processor, without its tables.

Two chains of fully-connected layers with ReLU between them, on inputs of their own: 13-512-256-64-16 and
367-512-256-128-1, the last one's output in a binary cross-entropy, the first one's multiplied with given errors.
Synthetic data, forward, backward and SGD. Prints one line: samples/s, from the median step after the warm-up, and that
step's milliseconds; with --ops, PyTorch's profile, operation by operation.
"""
import argparse
import os
import statistics
import sys
import time

import torch
from torch import nn
from torch.nn import functional

BOTTOM = (13, 512, 256, 64, 16)
TOP = (367, 512, 256, 128, 1)


def chain(sizes, last_relu):
    layers = []
    for i, (inputs, outputs) in enumerate(zip(sizes, sizes[1:])):
        layers.append(nn.Linear(inputs, outputs))
        if last_relu or i + 2 < len(sizes):
            layers.append(nn.ReLU())
    return nn.Sequential(*layers)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--warm-up", type=int, default=20)
    parser.add_argument("--ops", action="store_true")
    args = parser.parse_args()

    if os.environ.get("OPENBLAS_NUM_THREADS") != str(args.threads):  # which it reads while it is loaded
        os.environ["OPENBLAS_NUM_THREADS"] = str(args.threads)
        os.execv(sys.executable, [sys.executable] + sys.argv)
    torch.set_num_threads(args.threads)
    torch.manual_seed(1)
    bottom, top = chain(BOTTOM, True), chain(TOP, False)
    dense, mixed = torch.randn(args.batch, BOTTOM[0]), torch.randn(args.batch, TOP[0], requires_grad=True)
    errors, labels = torch.randn(args.batch, BOTTOM[-1]), torch.randint(0, 2, (args.batch, 1)).float()
    parameters = list(bottom.parameters()) + list(top.parameters())
    optimizer = torch.optim.SGD(parameters, lr=0.01)

    def step():
        optimizer.zero_grad()
        functional.binary_cross_entropy_with_logits(top(mixed), labels).backward()
        bottom(dense).backward(errors)
        optimizer.step()

    seconds = []
    for _ in range(args.warm_up + args.steps):
        begin = time.perf_counter()
        step()
        seconds.append(time.perf_counter() - begin)
    median = statistics.median(seconds[args.warm_up:])
    print(f"{args.batch / median:.1f} samples/s {1000 * median:.3f} ms")
    if args.ops:
        with torch.autograd.profiler.profile() as profile:
            for _ in range(args.steps):
                step()
        print(profile.key_averages().table(sort_by="self_cpu_time_total", row_limit=40))


if __name__ == "__main__":
    main()
