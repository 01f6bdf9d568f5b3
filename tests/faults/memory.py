"""The n-th allocation fails, n = 1, 2, ...: an error that says so, or the same answer."""

import concurrent.futures

import database
import tally

COMMANDS = {
    "check": ["check", "break-even"],
    "run": ["run", "--db", "DB", "-j1", "break-even"],
    "report": ["report", "--db", "GOOD", "--scenario", "break-even", "--no-figures"],
    "compress": ["compress", "3lc:s=1.5", "gradient.f32", "DB"],
    "plan": ["plan", "splitcnn/fig8-vgg-19"],
}


def command(c, name, path):
    return [c.narrows, *(a.replace("DB", str(path)).replace("GOOD", str(c.good)) for a in COMMANDS[name])]


def counted(c, name):
    """The good answer, and how often it allocates."""
    path, file = c.work / "counted.db", c.work / "count"
    database.remove(path)
    arguments = command(c, name, path)
    outcome = tally.run(arguments, c.work, LD_PRELOAD=c.shim, NARROWS_FAULT_COUNT=file)
    if outcome.code or not file.exists():
        raise RuntimeError(f"{arguments}: exit {outcome.code}: {outcome.last_words()}")
    if name == "compress":
        c.packed = path.read_bytes()
    return outcome.out, int(file.read_text().split()[0])


def case(c, name, n):
    path = c.work / f"memory-{name}-{n}.db"
    arguments = command(c, name, path)
    outcome = tally.run(arguments, c.work, 60, LD_PRELOAD=c.shim, NARROWS_FAULT_MALLOC=n)
    again = tally.run(arguments, c.work, 60) if name == "run" else None
    kept = again is None or again.code == 0 and database.table(path, "break-even") == c.good_table
    if name == "compress" and outcome.code == 0:
        kept = path.read_bytes() == c.packed
    database.remove(path)
    return outcome, arguments, kept


def one(c, name):
    t = tally.Tally("malloc fails", name)
    good, t.of = counted(c, name)
    numbers = c.spread(t.of)
    with concurrent.futures.ThreadPoolExecutor(c.jobs) as pool:
        for n, (outcome, arguments, kept) in zip(numbers, pool.map(lambda n: case(c, name, n), numbers)):
            t.judge(f"allocation {n}", outcome, None if name in ("run", "compress") else good, arguments)
            if not kept:
                t.note("lost", f"allocation {n}", "another table, or another stream")
    return t


def attack(c):
    return [one(c, name) for name in COMMANDS]
