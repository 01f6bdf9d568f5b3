"""Eight writers and a reader on one database, for a while."""

import itertools
import threading
import time

import database
import tally


def write(c, path, number, until, errors, done, batches):
    while time.monotonic() < until:
        batch = next(batches)
        outcome = tally.run([c.narrows, "run", "--db", path, "-j1", "--set", f"batch={batch}", "break-even"], c.work)
        if outcome.code or outcome.hung:
            errors.append((f"writer {number}", outcome))
        else:
            done.append(batch)


def read(c, path, until, errors, reads):
    while time.monotonic() < until:
        outcome = tally.run([c.narrows, "report", "--db", path, "--scenario", "break-even", "--no-figures"], c.work)
        reads.append(1)
        if outcome.code or outcome.hung:
            errors.append(("reader", outcome))


def attack(c):
    t = tally.Tally("a crowd", "eight writers, a reader")
    path, errors, done, reads = c.work / "crowd.db", [], [], []
    batches = itertools.count(1040, 16)  # next() of it is whole: no two writers get the same
    database.remove(path)
    first = tally.run([c.narrows, "run", "--db", path, "-j1", "break-even"], c.work)
    until = time.monotonic() + c.seconds
    threads = [threading.Thread(target=write, args=(c, path, i, until, errors, done, batches)) for i in range(8)]
    threads.append(threading.Thread(target=read, args=(c, path, until, errors, reads)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    t.judge("first", first)
    t.cases = len(done) + len(reads)
    for who, outcome in errors:
        t.note("hung" if outcome.hung else "lost", who, f"exit {outcome.code}: {outcome.last_words()}")
    if database.whole(path) != "ok":
        t.note("lost", "at the end", "integrity_check")
    points = 3 * (len(done) + 1)
    if database.points(path) != points:
        t.note("lost", "at the end", f"{database.points(path)} points of {points}")
    return [t]
