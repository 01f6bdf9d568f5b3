#!/usr/bin/env python3
"""Breaks the code in small ways and sees which of them no test notices.

Each mutant is one change of one place: a comparison, an operator, a constant, a statement left out, two arguments
swapped, a condition negated. It is made in a copy of the tree, built, and the tests that can notice it are run, the
narrowest first, until one fails or takes three times as long as it does (killed) or all pass (living). A living mutant
is a test that is missing, or it changes nothing; then it goes, with the reason, to tests/mutate/known.txt.
"""
import argparse
import json
import os
import queue
import random
import sys
import threading
import time
from pathlib import Path

from choice import Choice, tests_of
from known import Known
from mutants import of_file
from results import Results, table
from scratch import Scratch, files_of

FOLDERS = ["train", "harness/run", "harness/report", "results_schema"]
LEAST_LIMIT_S, TIMES_USUAL = 10, 3


def arguments():
    p = argparse.ArgumentParser(prog="narrows mutate", description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("folders", nargs="*", metavar="FOLDER", help=f"files or folders (default: {' '.join(FOLDERS)})")
    p.add_argument("--sample", type=int, default=60, metavar="N", help="mutants, 0: all (default 60, some for a night)")
    p.add_argument("--seed", type=int, default=1, metavar="S", help="which ones (default 1)")
    p.add_argument("-j", "--jobs", type=int, default=max(1, (os.cpu_count() or 1) // 2), metavar="N",
                   help="copies of the tree that are worked on at a time (default: half of the processors)")
    p.add_argument("--programs", type=int, default=24, metavar="N", help="test programs a mutant, at most (default 24)")
    p.add_argument("--scripts", type=int, default=6, metavar="N", help="then so many scripts (default 6)")
    p.add_argument("--slowest", type=float, default=60, metavar="S", help="leave out slower tests (default 60 s)")
    p.add_argument("--again", action="store_true", help="try those again that lived, for instance after new tests")
    p.add_argument("--list", action="store_true", help="print the mutants and do nothing")
    p.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2], help=argparse.SUPPRESS)
    p.add_argument("--scratch", type=Path, help="folder of copies and results (default: build/mutate)")
    a = p.parse_args()
    a.root = a.root.resolve()
    a.folders = [os.path.normpath(f) for f in a.folders or FOLDERS]
    a.scratch = (a.scratch or a.root / "build/mutate").resolve()
    for folder in a.folders:
        if not (a.root / folder).exists():
            p.error(f"{folder}: expected a folder of {a.root}")
    return a


def all_mutants(root, folders):
    found = []
    for file in sorted(str(f) for f in files_of(root)):
        if file.endswith((".c", ".sql")) and any(file == f or file.startswith(f + "/") for f in folders):
            found += of_file(file, (root / file).read_text())
    return found


def sample(mutants, n, seed):
    """Of each kind of change as many, as far as there are: else swaps, few of which compile, would be most of them."""
    kinds = {}
    for m in mutants:
        kinds.setdefault(m.change.split(":")[0], []).append(m)
    draw, chosen = random.Random(seed), []
    for kind in sorted(kinds):
        draw.shuffle(kinds[kind])
    while len(chosen) < (n or len(mutants)) and any(kinds.values()):
        chosen += [kinds[kind].pop() for kind in sorted(kinds) if kinds[kind]]
    return chosen[: n or None]


class Session:
    """Copy 0 stays as it is: there tests show how long they usually take. In the others mutants are made."""

    def __init__(self, a, first, copies, results):
        self.a, self.first, self.copies, self.results = a, first, copies, results
        self.choice, self.order, self.lock = None, {}, threading.Lock()
        self.times = a.scratch / "times.json"
        self.usual = json.loads(self.times.read_text()) if self.times.exists() and not first.changed else {}
        self.timing = {}  # of each test a lock

    def run(self, mutants):
        self.choice = Choice(self.first)
        left = queue.Queue()
        for m in mutants:
            left.put(m)
        threads = [threading.Thread(target=self._work, args=(c, left), daemon=True) for c in self.copies]
        for t in threads:
            t.start()
        for t in threads:
            t.join()

    def _work(self, copy, left):
        tests = tests_of(self.first, copy)
        while True:
            try:
                mutant = left.get_nowait()
            except queue.Empty:
                return
            begun = time.monotonic()
            try:
                outcome, by = self._try(copy, tests, mutant)
            finally:
                copy.restore(mutant)
            self.results.add(mutant, outcome, by, time.monotonic() - begun)
            print(f"{outcome:8}{mutant.file}:{mutant.line}: {mutant.change[:90]}  {by}", file=sys.stderr, flush=True)

    def _try(self, copy, tests, mutant):
        built = copy.mutate(mutant)
        if built != "built":
            return built, ""
        for name in self._names(mutant.file):
            test, usual = tests[name], self._usual(name)
            needed = [os.path.relpath(p, copy.build) for p in test.needed()]
            if usual is None or not copy.make(needed):
                continue
            copy.make([os.path.relpath(p, copy.build) for p in test.also if not os.path.exists(p)])
            _, how = test.run(max(LEAST_LIMIT_S, TIMES_USUAL * usual))
            if how in ("failed", "late"):
                return "killed", name + (" (late)" if how == "late" else "")
        return "living", ""

    def _names(self, file):
        with self.lock:
            if file not in self.order:
                names, tests = self.choice.order(file), self.choice.tests
                programs = [n for n in names if tests[n].program][: self.a.programs]
                self.order[file] = programs + [n for n in names if not tests[n].program][: self.a.scripts]
            return self.order[file]

    def _usual(self, name):
        """Seconds; None of a test that is not asked: where nothing changed it fails, is skipped or takes too long."""
        with self.lock:
            timing = self.timing.setdefault(name, threading.Lock())
        with timing:
            if name not in self.usual:
                seconds, how = self.choice.tests[name].run(self.a.slowest)
                with self.lock:
                    self.usual[name] = seconds if how == "passed" else None
                    self.times.write_text(json.dumps(self.usual, indent=1))
                if how == "failed":
                    print(f"mutate: {name} fails as it is, so it is not asked", file=sys.stderr)
            usual = self.usual[name]
            return usual if usual is not None and usual <= self.a.slowest else None


def main():
    a = arguments()
    everything = all_mutants(a.root, a.folders)
    chosen = sample(everything, a.sample, a.seed)
    if a.list:
        for m in sorted(chosen):
            print(f"{m.file}:{m.line}: {m.change}")
        return 0
    known = Known(a.root / "tests/mutate/known.txt")
    first = Scratch(a.root, a.scratch / "0")
    results = Results(a.scratch / "results.csv")
    open_ones = [m for m in chosen if results.outcome(m) in ([None, "living"] if a.again else [None])]
    if open_ones:
        copies = [Scratch(a.root, a.scratch / str(i + 1)) for i in range(max(1, min(a.jobs, len(open_ones))))]
        for s in [first, *copies]:
            s.open()
        if not first.make(["all"], os.cpu_count() or 1):
            raise SystemExit(f"mutate: the build failed (whole log: {first.log})")
        Session(a, first, copies, results).run(open_ones)
    text, total = table(a.folders, chosen, results, known)
    print(text)
    stale = known.stale(everything)
    for file, line, change in stale:
        print(f"known.txt: {file}: no such mutant any more: {change}\n    {line}")
    return 1 if total["living"] or total["not tried"] or stale else 0


if __name__ == "__main__":
    sys.exit(main())
