"""The clock of the day jumps by hours, there and back: nothing waits for it, and no answer depends on it."""

import database
import tally


def attack(c):
    t = tally.Tally("clock steps", "run, training, report")
    want = None
    for n in (0, 1, 2, 3, 5, 8, 13, 21):
        for scenario in ("break-even", "training.yaml"):
            path = c.work / "clock.db"
            database.remove(path)
            outcome = tally.run([c.narrows, "run", "--db", path, scenario], c.work, 120, LD_PRELOAD=c.shim,
                                NARROWS_FAULT_CLOCK=n)
            if not t.judge(f"{scenario}, every {n} looks", outcome):
                continue
            if scenario == "break-even":
                same = database.table(path, "break-even") == c.good_table
            else:
                got = database.training(path)
                want = want or got
                same = got == want
            if not same:
                t.note("silent", f"{scenario}, every {n} looks", "another table")
    return [t]
