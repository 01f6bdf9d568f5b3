"""What became of each mutant: rows of an append-only file, so that a run that was killed goes on; and the table."""
import csv
import threading
from collections import Counter

COLUMNS = ["key", "file", "line", "change", "outcome", "by", "seconds"]
# outcome: killed (by: the test, or the test and "late"), living, same (object), refused (by the compiler), known


class Results:
    def __init__(self, path):
        self.path, self.rows, self.lock = path, {}, threading.Lock()
        if path.exists():
            with open(path, newline="") as file:
                for row in csv.DictReader(file):
                    if row["seconds"]:  # whole
                        self.rows[row["key"]] = row
            with open(path, "rb+") as file:
                if not file.read().endswith(b"\n"):
                    file.write(b"\n")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(",".join(COLUMNS) + "\n")

    def add(self, mutant, outcome, by, seconds):
        row = dict(zip(COLUMNS, [mutant.key, mutant.file, mutant.line, mutant.change, outcome, by, f"{seconds:.1f}"]))
        with self.lock, open(self.path, "a", newline="") as file:
            csv.DictWriter(file, COLUMNS, lineterminator="\n").writerow(row)
            self.rows[mutant.key] = row

    def outcome(self, mutant):
        row = self.rows.get(mutant.key)
        return row["outcome"] if row else None


def table(folders, mutants, results, known):
    """folder, mutants, killed, living, known, same, refused, killed of killed and living."""
    counts = {folder: Counter() for folder in folders}
    for m in mutants:
        folder = max((f for f in folders if m.file == f or m.file.startswith(f + "/")), key=len)
        outcome = results.outcome(m) or "not tried"
        counts[folder]["known" if outcome == "living" and known.why(m) else outcome] += 1
    kinds = ["killed", "living", "known", "same", "refused", "not tried"]
    lines = [f"{'folder':24}{'mutants':>9}" + "".join(f"{k:>11}" for k in kinds) + f"{'killed, %':>11}"]
    counts["in all"] = sum(counts.values(), Counter())
    for folder, n in counts.items():
        counted = n["killed"] + n["living"]
        share = f"{100 * n['killed'] / counted:.1f}" if counted else "-"
        lines.append(f"{folder:24}{sum(n.values()):9}" + "".join(f"{n[k]:11}" for k in kinds) + f"{share:>11}")
    for m in sorted(mutants):
        if results.outcome(m) == "living" and not known.why(m):
            lines.append(f"{m.file}:{m.line}: {m.change}\n    {m.text}")
    return "\n".join(lines), counts["in all"]
