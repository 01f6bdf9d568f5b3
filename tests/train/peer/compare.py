#!/usr/bin/env python3
"""A training step by narrows beside the same step by PyTorch, in turns on the same processor.

    compare.py build/narrows [--threads N] [--rounds N] [--backend NAME]

For each network: samples/s of both (medians over the rounds, each of which is a median over steps), and the median of the
rounds' ratios, narrows / PyTorch. In both, a step is forward, backward and SGD on a batch that is there. DLRM is compared
by its MLPs, narrows' fully-connected layers and ReLUs in the whole network (with shorter tables), PyTorch's alone.
"""
import argparse
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MODELS = HERE.parents[2] / "scenarios" / "models"
# model, batch, PyTorch's script, kinds of operations that count (none: the whole step)
NETWORKS = {
    "resnet-20": ("resnet-20-cifar", 32, "resnet20_speed.py", ()),
    "dlrm-mlp": ("dlrm-criteo-kaggle", 128, "dlrm_mlp_speed.py", ("fc-", "relu-")),
}


def narrows(program, model, threads, backend, kinds):
    """Milliseconds of a step, or of the operations whose names begin with one of these kinds."""
    with tempfile.TemporaryDirectory() as folder:
        description = pathlib.Path(folder) / f"{model}.yaml"
        description.write_text(re.sub(r"rows: \d+", "rows: 26000", (MODELS / f"{model}.yaml").read_text()))
        lines = subprocess.run(
            [program, "bench", "ops", "--model", description, "--impl", backend, "--threads", str(threads), "--db",
             f"{folder}/bench.db"], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    times = {}
    for line in lines.splitlines():
        found = re.match(rf"(\S+) +{backend} +batch=\d+ +([0-9.]+) ", line)
        if found:
            times[found.group(1)] = float(found.group(2))
    if not kinds:
        return times["step"]
    return sum(ms for name, ms in times.items() if name.startswith(kinds))


def pytorch(script, threads, batch):
    text = subprocess.run(["/usr/bin/python3", HERE / script, "--threads", str(threads), "--batch", str(batch)],
                          check=True, stdout=subprocess.PIPE, text=True).stdout
    return float(re.search(r"([0-9.]+) ms", text).group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--backend", default="dnnl")
    parser.add_argument("--network", choices=NETWORKS)
    args = parser.parse_args()

    for name, (model, batch, script, kinds) in NETWORKS.items():
        if args.network and name != args.network:
            continue
        ours, theirs = [], []
        for _ in range(args.rounds):
            ours.append(narrows(args.program, model, args.threads, args.backend, kinds))
            theirs.append(pytorch(script, args.threads, batch))
        ratio = statistics.median(b / a for a, b in zip(ours, theirs))
        print(f"{name} {args.backend} threads={args.threads}: narrows {1000 * batch / statistics.median(ours):.0f} "
              f"samples/s, PyTorch {1000 * batch / statistics.median(theirs):.0f}, ratio {ratio:.2f}")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
