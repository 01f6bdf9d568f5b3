#!/usr/bin/env python3
"""How fast PyTorch trains ResNet-20 for CIFAR-10 (He et al., arXiv 1512.03385, section 4.2) on this processor.

Synthetic images, forward, backward and SGD with momentum 0.9 and weight decay 1e-4. Prints one line: samples/s, from the
median step after the warm-up, and that step's milliseconds; with --ops, PyTorch's profile, operation by operation.
"""
import argparse
import os
import statistics
import sys
import time

import torch
from torch import nn
from torch.nn import functional


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
        y = functional.relu(self.norm1(self.conv1(x)))
        y = self.norm2(self.conv2(y))
        if self.stride != 1:
            x = x[:, :, ::self.stride, ::self.stride]
        if self.missing:
            x = functional.pad(x, (0, 0, 0, 0, 0, self.missing))
        return functional.relu(y + x)


class ResNet(nn.Module):
    def __init__(self, repeat):
        super().__init__()
        self.conv = nn.Conv2d(3, 16, 3, 1, 1, bias=False)
        self.norm = nn.BatchNorm2d(16)
        blocks, inputs = [], 16
        for stage, outputs in enumerate((16, 32, 64)):
            for i in range(repeat):
                blocks.append(Block(inputs, outputs, 2 if stage and not i else 1))
                inputs = outputs
        self.blocks = nn.Sequential(*blocks)
        self.classifier = nn.Linear(64, 10)

    def forward(self, x):
        x = self.blocks(functional.relu(self.norm(self.conv(x))))
        return self.classifier(functional.avg_pool2d(x, 8).flatten(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--repeat", type=int, default=3, help="blocks in a stage: 3 is ResNet-20, 18 is ResNet-110")
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--warm-up", type=int, default=5)
    parser.add_argument("--ops", action="store_true")
    args = parser.parse_args()

    if os.environ.get("OPENBLAS_NUM_THREADS") != str(args.threads):  # which it reads while it is loaded
        os.environ["OPENBLAS_NUM_THREADS"] = str(args.threads)
        os.execv(sys.executable, [sys.executable] + sys.argv)
    torch.set_num_threads(args.threads)
    torch.manual_seed(1)
    model = ResNet(args.repeat)
    images = torch.randn(args.batch, 3, 32, 32)
    labels = torch.randint(0, 10, (args.batch,))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-4)

    def step():
        optimizer.zero_grad()
        functional.cross_entropy(model(images), labels).backward()
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
