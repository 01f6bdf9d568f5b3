"""System calls that fail or do half, at every place: a full disk, or errors (strace has the kernel say so)."""

import concurrent.futures
import sys

import database
import tally

# The first group of calls on a file, then the error.
FAULTS = {
    "disk full": ("write,pwrite64,writev,pwritev,ftruncate,fallocate", "ENOSPC", "+"),
    "EIO on writes": ("write,pwrite64,writev,pwritev", "EIO", ""),
    "EIO on fsync": ("fsync,fdatasync", "EIO", ""),
    "EIO on reads": ("read,pread64", "EIO", ""),
}


def paths(path):
    return [argument for end in ("", "-wal", "-journal", ".csv") for argument in ("-P", f"{path}{end}")]


def traced(c, path, calls, inject, arguments):
    return tally.run(["strace", "-f", "-qq", "-o", f"{path}.strace", *paths(path), "-e", f"trace={calls}",
                      *(["-e", f"inject={calls}:{inject}"] if inject else []), *arguments], c.work, 120)


def lines(path):
    with open(f"{path}.strace", encoding="ascii", errors="replace") as log:
        return sum("(" in line for line in log)


def case(c, fault, n):
    calls, error, on = FAULTS[fault]
    path = c.work / f"calls-{error}-{n}-{calls[0:2]}.db"
    database.remove(path)
    arguments = [c.narrows, "run", "--db", path, "-j1", "break-even"]
    outcome = traced(c, path, calls, f"error={error}:when={n}{on}", arguments)
    # What a run stored that said it had succeeded is there; what failed ends well when nothing fails any more.
    again = tally.run(arguments, c.work, 60)
    kept = again.code == 0 and database.whole(path) == "ok" and database.table(path, "break-even") == c.good_table
    database.remove(path)
    (c.work / f"{path}.strace").unlink(missing_ok=True)
    return outcome, kept, again


def one(c, fault):
    t = tally.Tally(fault, "run")
    path = c.work / "calls.db"
    database.remove(path)
    traced(c, path, FAULTS[fault][0], None, [c.narrows, "run", "--db", path, "-j1", "break-even"])
    t.of = lines(path)
    numbers = c.spread(t.of)
    with concurrent.futures.ThreadPoolExecutor(c.jobs) as pool:
        for n, (outcome, kept, again) in zip(numbers, pool.map(lambda n: case(c, fault, n), numbers)):
            t.judge(f"call {n}", outcome)
            if not kept:
                t.note("lost", f"call {n}", f"the same command again: exit {again.code}, {again.last_words()}")
    return t


def halves(c):
    """Every write takes half of what it is given."""
    t = tally.Tally("short writes", "run, compress, plan")
    path, packed = c.work / "halves.db", c.work / "halves.nws"
    for name, arguments in {
            "run": ["run", "--db", path, "-j1", "break-even"],
            "compress": ["compress", "fp16", "gradient.f32", packed],
            "plan": ["plan", "--csv=-", "splitcnn/fig8-vgg-19"],
    }.items():
        database.remove(path)
        packed.unlink(missing_ok=True)
        good = tally.run([c.narrows, *arguments], c.work)
        whole = packed.read_bytes() if name == "compress" else None
        database.remove(path)
        packed.unlink(missing_ok=True)
        short = tally.run([c.narrows, *arguments], c.work, LD_PRELOAD=c.shim, NARROWS_FAULT_SHORT=1)
        if not t.judge(name, short, good.out if name == "plan" else None):
            continue
        if name == "compress" and packed.read_bytes() != whole:
            t.note("lost", name, "another stream")
        if name == "run" and database.table(path, "break-even") != c.good_table:
            t.note("lost", name, "another table")
    return t


def full(c):
    """Standard output on a full disk: no command says that it has succeeded."""
    t = tally.Tally("full stdout", "all that print")
    for arguments in (["check", "break-even"], ["run", "--no-store", "break-even"], ["list", "scenarios"], ["--help"],
                      ["report", "--db", c.good, "--scenario", "break-even", "--no-figures"], ["schema", "method"],
                      ["compress", "--seconds", "0", "--csv", "fp16", "gradient.f32"], ["show", "platform", "dgx-h100"],
                      ["plan", "splitcnn/fig8-vgg-19"], ["place", "--help"], ["report", "--summary", "--db", c.good]):
        command = ["sh", "-c", 'exec "$0" "$@" >/dev/full', c.narrows, *arguments]
        outcome = tally.run(command, c.work, 60)
        t.judge(" ".join(map(str, arguments)), outcome)
        if outcome.code == 0:
            t.note("silent", " ".join(map(str, arguments)), "exit 0 on a full disk")
    return t


def attack(c):
    if not c.strace:
        print("faults: strace cannot trace here: calls of the kernel do not fail", file=sys.stderr)
    return [*(one(c, fault) for fault in FAULTS if c.strace), halves(c), full(c)]
