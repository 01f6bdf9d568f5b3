"""kill -9 at random moments; whoever continues must end with what an undisturbed run has."""

import signal
import subprocess
import time

import database
import tally


class Job:
    """A command that stores into a database, and can be begun again until it is done."""

    def __init__(self, what, arguments, share, answer):
        self.what, self.arguments, self.share, self.answer = what, arguments, share, answer

    def command(self, c, path):
        return [c.narrows, *(a.replace("DB", str(path)) for a in self.arguments)]


def jobs():
    """With their shares of the kills."""
    return [
        Job("sweep", ["run", "--db", "DB", "-j2", "bandwidth-by-bytes"], 5,
            lambda path: database.table(path, "bandwidth-by-bytes")),
        Job("training", ["run", "--db", "DB", "-j2", "training.yaml"], 2, database.training),
        Job("validate", ["validate", "grace", "quantdist", "--db", "DB"], 1, database.predictions),
        Job("import", ["record", "import", "--db", "DB"], 1, database.points_by_key),
        Job("reproduce", ["reproduce", "--db", "DB", "--out", "DB.report"], 1, database.points_by_key),
    ]


def one(c, job, kills):
    t = tally.Tally("kill -9", job.what)
    t.of = kills
    good, path = c.work / f"good-{job.what}.db", c.work / f"killed-{job.what}.db"
    database.remove(good)
    began = time.monotonic()
    undisturbed = tally.run(job.command(c, good), c.work, 1800)
    took = time.monotonic() - began
    if not t.judge("the undisturbed run", undisturbed):
        t.note("lost", "the undisturbed run", undisturbed.last_words())
        return t
    want = job.answer(good)
    t.cases, kept = 0, 0
    database.remove(path)
    until = time.monotonic() + c.seconds * job.share / 10
    while t.cases < kills and time.monotonic() < until:
        child = subprocess.Popen(job.command(c, path), cwd=c.work, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            child.wait(c.random.uniform(0, min(took / 4 + 0.02, 10)))
        except subprocess.TimeoutExpired:
            child.kill()
        _, err = child.communicate()
        done = child.returncode == 0
        t.cases += child.returncode == -signal.SIGKILL
        if child.returncode not in (0, -signal.SIGKILL):
            t.note("lost", f"after {t.cases} kills", f"exit {child.returncode}: {err.decode()[-200:]}")
            break
        now = database.points(path)
        if now < kept:
            t.note("lost", f"kill {t.cases}", f"{now} points after {kept}")
        kept = now
        if done:
            compare(t, job, path, want)
            database.remove(path)
            kept = 0
    last = tally.run(job.command(c, path), c.work, 1800)
    if last.code:
        t.note("lost", "continued to the end", f"exit {last.code}: {last.last_words()}")
    else:
        compare(t, job, path, want)
    return t


def compare(t, job, path, want):
    if database.whole(path) != "ok":
        t.note("lost", f"after {t.cases} kills", "integrity_check")
    elif job.answer(path) != want:
        t.note("lost", f"after {t.cases} kills", "not what an undisturbed run has stored")


def attack(c):
    share = sum(job.share for job in jobs())
    # A few kills are no reason to reproduce all papers.
    return [one(c, job, max(1, c.count(500) * job.share // share)) for job in jobs()
            if job.what != "reproduce" or c.cases >= 100]
