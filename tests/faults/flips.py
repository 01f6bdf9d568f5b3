"""A bit flips, or the end is missing: refused, or the same answer."""

import concurrent.futures
import shutil
import subprocess
import time

import database
import tally


def damaged(data, n):
    """Case n of a file: first every bit, then every length."""
    bits = 8 * len(data)
    if n >= bits:
        return data[:n - bits]
    out = bytearray(data)
    out[n // 8] ^= 1 << n % 8
    return bytes(out)


def one(c, what, data, end, arguments, result):
    """Arguments of a file; result: what counts of an outcome that succeeded."""
    t = tally.Tally("bit flips, truncation", what)
    t.of = 9 * len(data)

    def outcome_of(content, n):
        path = c.work / f"flip-{n}{end}"
        database.remove(path)
        path.write_bytes(content)
        outcome = tally.run([c.narrows, *arguments(path)], c.work, 60)
        got = result(path, outcome) if outcome.code == 0 else None
        database.remove(path)
        return outcome, got

    _, good = outcome_of(data, "good")
    numbers = [n - 1 for n in c.spread(t.of)]
    with concurrent.futures.ThreadPoolExecutor(c.jobs) as pool:
        for n, (outcome, got) in zip(numbers, pool.map(lambda n: outcome_of(damaged(data, n), n), numbers)):
            case = f"bit {n}" if n < 8 * len(data) else f"{n - 8 * len(data)} bytes"
            if t.judge(case, outcome) and got != good:
                t.note("silent", case, "exit 0, another answer")
    return t


def stream(c, codec):
    packed = c.work / "flips.nws"
    tally.run([c.narrows, "compress", codec, "short.f32", packed], c.work)

    def back(path, _):
        out = path.with_suffix(".back")
        data = out.read_bytes() if out.exists() else b""
        out.unlink(missing_ok=True)
        return data

    return one(c, f"stream of {codec}", packed.read_bytes(), ".nws",
               lambda path: ["decompress", path, path.with_suffix(".back")], back)


def small_database(c):
    return one(c, "database", c.good.read_bytes(), ".db",
               lambda path: ["report", "--db", path, "--scenario", "break-even", "--csv"],
               lambda _, outcome: outcome.out)


def record(c):
    path, file = c.work / "record.db", c.work / "flips.record"
    database.remove(path)
    tally.run([c.narrows, "run", "--db", path, "training.yaml"], c.work)
    tally.run([c.narrows, "record", "--db", path, "export", file, "training.yaml"], c.work)
    good = file.read_bytes()

    def imported(path, _):
        target = path.with_suffix(".db")
        got = database.points_by_key(target), database.training(target)
        database.remove(target)
        return got

    return one(c, "record", good, ".record", lambda path: ["record", "--db", path.with_suffix(".db"), "import", path],
               imported)


def checkpoint(c):
    """Killed half-way; the same command goes on from what lies there, or says what is wrong with it."""
    t = tally.Tally("bit flips, truncation", "checkpoint")
    path, folder = c.work / "checkpoint.db", c.work / "checkpoint.db.checkpoints"
    arguments = [c.narrows, "run", "--db", path, "-j1", "training.yaml"]
    database.remove(path)
    shutil.rmtree(folder, ignore_errors=True)
    if tally.run(arguments, c.work).code:
        raise RuntimeError("the undisturbed training failed")
    want = database.training(path)
    for _ in range(100):
        database.remove(path)
        shutil.rmtree(folder, ignore_errors=True)
        child = subprocess.Popen(arguments, cwd=c.work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(2000):
            if child.poll() is not None or any(f.suffix != ".part" for f in folder.glob("*")):
                break
            time.sleep(0.001)
        child.kill()
        child.wait()
        files = [f for f in folder.glob("*") if f.suffix != ".part"]
        if files:
            break
    data, saved = files[0].read_bytes(), {p: p.read_bytes() for p in c.work.glob("checkpoint.db*") if p.is_file()}
    t.of = 9 * len(data)
    for n in (n - 1 for n in c.spread(t.of)):
        database.remove(path)
        shutil.rmtree(folder)
        folder.mkdir()
        for file, content in saved.items():
            file.write_bytes(content)
        files[0].write_bytes(damaged(data, n))
        outcome = tally.run(arguments, c.work, 60)
        if t.judge(f"case {n}", outcome) and database.training(path) != want:
            t.note("silent", f"case {n}", "exit 0, another training")
    return t


def attack(c):
    return [stream(c, "fp16"), stream(c, "3lc"), checkpoint(c), record(c), small_database(c)]
