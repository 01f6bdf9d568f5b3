"""What became of the cases of one kind of fault."""

import dataclasses
import os
import shlex
import signal
import subprocess


@dataclasses.dataclass
class Outcome:
    code: int  # as subprocess has it: negative, a signal
    out: bytes
    err: bytes
    hung: bool

    def last_words(self):
        lines = self.err.decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else ""


def run(arguments, folder, limit_s=120, **environment):
    """Runs it to its end, or kills all of its group after limit_s."""
    whole = dict(os.environ, **{name: str(value) for name, value in environment.items()})
    child = subprocess.Popen(arguments, cwd=folder, env=whole, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, start_new_session=True)
    try:
        out, err = child.communicate(timeout=limit_s)
        return Outcome(child.returncode, out, err, False)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        out, err = child.communicate()
        return Outcome(child.returncode, out, err, True)


class Tally:
    """Counts of one kind of fault on one command."""

    SHOWN = 5
    WRONGS = ("lost", "silent", "crashed", "hung")

    def __init__(self, kind, what):
        self.kind, self.what = kind, what
        self.cases = 0
        self.of = None  # cases that there are, where not all were tried
        self.wrong = dict.fromkeys(self.WRONGS, 0)
        self.notes = []

    def note(self, wrong, case, why):
        self.wrong[wrong] += 1
        if len(self.notes) < self.SHOWN:
            self.notes.append(f"{wrong}: {self.what}, {case}: {why}")

    def judge(self, case, outcome, good=None, arguments=()):
        """An end without a crash, and without an answer that differs from the good one; a failure says why. True: it
        succeeded."""
        self.cases += 1
        again = f" ({shlex.join(str(a) for a in arguments)})" if arguments else ""
        if outcome.hung:
            self.note("hung", case, "still running at its limit" + again)
        elif outcome.code < 0 or outcome.code >= 128:
            number = -outcome.code if outcome.code < 0 else outcome.code - 128
            self.note("crashed", case, f"signal {number}" + again)
        elif outcome.code and not outcome.err.strip():
            self.note("silent", case, f"exit {outcome.code} without a word" + again)
        elif not outcome.code and good is not None and outcome.out != good:
            self.note("silent", case, "exit 0, another answer" + again)
        return outcome.code == 0 and not outcome.hung

    @property
    def bad(self):
        return sum(self.wrong.values())


def show(tallies):
    head = ("fault", "on", "cases") + Tally.WRONGS
    rows = [(t.kind, t.what, f"{t.cases}" + (f" of {t.of}" if t.of and t.of != t.cases else ""),
             *(str(t.wrong[w]) for w in Tally.WRONGS)) for t in tallies]
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    for row in [head, *rows]:
        left, right = row[:2], row[2:]
        print("  ".join([*(c.ljust(w) for c, w in zip(left, widths)),
                         *(c.rjust(w) for c, w in zip(right, widths[2:]))]).rstrip())
    for t in tallies:
        for note in t.notes:
            print(note)
