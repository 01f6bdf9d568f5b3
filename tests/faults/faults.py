#!/usr/bin/env python3
"""What a machine does to a program at bad moments, and whether narrows loses anything, says nothing, crashes or hangs.

    ./narrows test --faults [--minutes M] [--seed N] [--cases N] [KIND...]

Kinds: kills (kill -9), calls (full disk, errors and short writes), memory (the n-th allocation fails), power (power
loss), crowd (eight writers and a reader), flips (damaged files), clock (clock steps). A table at the end; exit 1 if
anything was lost, silent, crashed or hung."""

import argparse
import array
import math
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

import calls
import clock
import crowd
import database
import flips
import kills
import memory
import power
import tally

KINDS = {"kills": kills, "calls": calls, "memory": memory, "power": power, "crowd": crowd, "flips": flips,
         "clock": clock}
HERE = pathlib.Path(__file__).resolve().parent


def usable(arguments):
    try:
        return subprocess.run(arguments, capture_output=True).returncode == 0
    except OSError:
        return False


class Context:
    def __init__(self, arguments, work):
        self.narrows, self.shim = arguments.narrows, arguments.shim
        self.work, self.jobs = work, os.cpu_count() or 1
        self.seconds = 60 * arguments.minutes / len(KINDS)
        self.cases, self.random = arguments.cases, random.Random(arguments.seed)
        self.strace = usable(["strace", "-f", "true"])
        self.good = work / "good.db"
        self.inputs(work)
        outcome = tally.run([self.narrows, "run", "--db", self.good, "-j1", "break-even"], work)
        if outcome.code:
            sys.exit(f"faults: {self.narrows} run break-even: exit {outcome.code}: {outcome.last_words()}")
        self.good_table = database.table(self.good, "break-even")

    def inputs(self, folder):
        shutil.copy(HERE / "training.yaml", folder)
        values = array.array("f", (math.sin(i * i) / (1 + i % 7) for i in range(4096)))
        (folder / "gradient.f32").write_bytes(values.tobytes())
        (folder / "short.f32").write_bytes(values[:64].tobytes())

    def count(self, wanted):
        return min(wanted, self.cases)

    def spread(self, n):
        """Numbers from 1 to n: all of them, or as many as there are cases, evenly over them, each at random in its
        share."""
        if n <= self.cases:
            return list(range(1, n + 1))
        edge = [1 + i * n // self.cases for i in range(self.cases + 1)]
        return [self.random.randrange(edge[i], max(edge[i] + 1, edge[i + 1])) for i in range(self.cases)]


def main():
    parser = argparse.ArgumentParser(prog="narrows test --faults", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--narrows", required=True, type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--shim", required=True, type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--minutes", type=float, default=17, help="for all kinds, about (default 17)")
    parser.add_argument("--cases", type=int, default=1000, help="of a kind on a command at most (default 1000)")
    parser.add_argument("--seed", type=int, default=1, help="of what is random (default 1)")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="some of " + ", ".join(KINDS))
    arguments = parser.parse_args()
    wrong = [kind for kind in arguments.kinds if kind not in KINDS]
    if wrong:
        parser.error(f"expected one of {', '.join(KINDS)}, got '{wrong[0]}'")
    arguments.narrows, arguments.shim = arguments.narrows.resolve(), arguments.shim.resolve()
    tallies = []
    with tempfile.TemporaryDirectory(prefix="narrows-faults.") as work:
        c = Context(arguments, pathlib.Path(work))
        for kind in arguments.kinds or KINDS:
            began = time.monotonic()
            tallies += KINDS[kind].attack(c)
            print(f"{kind}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    tally.show(tallies)
    return any(t.bad for t in tallies)


if __name__ == "__main__":
    sys.exit(main())
