#!/usr/bin/env python3
"""Does the tier see what it looks for? Careless programs, on purpose."""

import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import flips
import power
import tally

WRITE = """
import os, sys
f = os.open("x.part", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
os.write(f, b"new contents")
if sys.argv[1] != "careless":
    os.fsync(f)
os.close(f)
os.rename("x.part", "x")
"""


def check(what, holds):
    if not holds:
        sys.exit(f"selftest: {what}")


def judged(outcome, good=b"good"):
    t = tally.Tally("kind", "what")
    t.judge("case", outcome, good)
    return {wrong: n for wrong, n in t.wrong.items() if n}


def verdicts():
    check("a good end is wrong", not judged(tally.Outcome(0, b"good", b"", False)))
    check("a refusal is wrong", not judged(tally.Outcome(1, b"", b"why", False)))
    check("another answer passes", judged(tally.Outcome(0, b"other", b"", False)) == {"silent": 1})
    check("a failure without a word passes", judged(tally.Outcome(1, b"", b"\n", False)) == {"silent": 1})
    check("a signal passes", judged(tally.Outcome(-11, b"", b"", False)) == {"crashed": 1})
    check("a shell's signal passes", judged(tally.Outcome(134, b"", b"why", False)) == {"crashed": 1})
    check("a hang passes", judged(tally.run(["sleep", "60"], ".", 0.1)) == {"hung": 1})


def damages():
    cases = {flips.damaged(b"ab", n) for n in range(18)}
    check("a flip is not one bit", len(cases) == 18 and cases >= {b"", b"a", b"`b", b"\xe1b", b"a\xe2"})


def contents(log, folder, seed):
    """What x holds after power was lost, at every moment and in many ways; None: it is not there."""
    draws = random.Random(seed)
    return {disk.lost(draws).get("x") for disk in power.history(log, folder) for _ in range(50)}


def losses():
    """A file that is renamed before it is synced can be found empty; one that is synced cannot."""
    for how in ("careless", "careful"):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder).resolve()
            log = folder.with_suffix(".strace")
            subprocess.run(["strace", "-f", "-y", "-xx", "-qq", "-s", "1000", "-e", f"trace={power.CALLS}", "-o", log,
                            sys.executable, "-S", "-c", WRITE, how], cwd=folder, check=True)
            seen = contents(log, folder, 1)
            log.unlink()
        check(f"{how}: x was {seen}", seen == ({None, b"", b"new contents"} if how == "careless" else
                                              {None, b"new contents"}))


verdicts()
damages()
if shutil.which("strace") and subprocess.run(["strace", "true"], capture_output=True).returncode == 0:
    losses()
