"""Power loss: what was not synced is gone, or half of it. All calls that change files are logged by strace; a disk that
keeps only what it must is rebuilt for many moments."""

import codecs
import pathlib
import re
import shutil
import sys

import database
import tally

CALLS = "openat,write,pwrite64,lseek,fsync,fdatasync,ftruncate,rename,renameat,renameat2,unlink,unlinkat,mkdir,close"
LINE = re.compile(r"^(?P<pid>\d+) +(?P<name>\w+)\((?P<args>.*)\) += (?P<result>-?\d+)")
FD = re.compile(r"^(?P<fd>\d+)<(?P<path>[^>]*)>")
TEXT = re.compile(r'"([^"]*)"')


def unhex(text):
    return codecs.escape_decode(text.encode())[0]


def calls(log):
    """(name, arguments, result) of every call, in the order in which they ended."""
    begun = {}
    for line in log.read_text("ascii", "replace").splitlines():
        pid = line.split(" ", 1)[0]
        if line.endswith("<unfinished ...>"):
            begun[pid] = line[:-len("<unfinished ...>")]
            continue
        resumed = re.match(r"^\d+ +<\.\.\. \w+ resumed>", line)
        if resumed:
            line = begun.pop(pid, "") + line[resumed.end():]
        got = LINE.match(line)
        if got and int(got["result"]) >= 0:
            yield got["name"], got["args"], int(got["result"])


class Disk:
    """Files of one folder: what is durable, and what has been done since. Names are made durable by syncing the folder,
    contents by syncing the file."""

    def __init__(self):
        self.names, self.renames = {}, []  # durable: name -> file; since then: (name, file or None)
        self.data, self.pending = {}, {}  # file -> bytes; file -> [(offset, bytes) or (length, None)]

    def now(self):
        names = dict(self.names)
        for name, file in self.renames:
            names.pop(name, None)
            if file is not None:
                names[name] = file
        return names

    def make(self, name):
        file = len(self.data)
        self.data[file], self.pending[file] = b"", []
        self.renames.append((name, file))
        return file

    def sync(self, file):
        self.data[file] = apply(self.data[file], self.pending[file])
        self.pending[file] = []

    def sync_names(self):
        self.names, self.renames = self.now(), []

    def lost(self, random):
        """name -> bytes after a power loss: the first of the renames, any of the writes."""
        names = dict(self.names)
        for name, file in self.renames[:random.randint(0, len(self.renames))]:
            names.pop(name, None)
            if file is not None:
                names[name] = file
        keep = random.choice((0, 0.5, 0.9))
        return {name: apply(self.data[file], [p for p in self.pending[file] if random.random() < keep])
                for name, file in names.items()}


def apply(data, changes):
    out = bytearray(data)
    for at, content in changes:
        if content is None:
            del out[at:]
            out.extend(bytes(at - len(out)))
        else:
            out.extend(bytes(max(0, at + len(content) - len(out))))
            out[at:at + len(content)] = content
    return bytes(out)


def under(folder, raw):
    path = pathlib.PurePath(folder, unhex(raw).decode("utf-8", "replace"))
    return str(path.relative_to(folder)) if path.is_relative_to(folder) else None


def history(log, folder):
    """After every call that changes something: the disk, which goes on changing."""
    disk, at = Disk(), {}
    for name, args, result in calls(log):
        fd = FD.match(args)
        file = under(folder, fd["path"]) if fd else None
        texts = TEXT.findall(args)
        if file and file.endswith("-shm"):
            continue
        known = disk.now()
        if name == "openat":
            path = under(folder, texts[0])
            if path is None or path.endswith("-shm") or ("O_CREAT" not in args and path not in known):
                continue
            if path not in known:
                disk.make(path)
            if "O_TRUNC" in args and path in known:
                disk.pending[known[path]].append((0, None))
            at[path] = 0
        elif name in ("rename", "renameat", "renameat2"):
            old, new = (under(folder, t) for t in texts[:2])
            if old not in known:
                continue
            disk.renames += [(new, known[old]), (old, None)]
        elif name in ("unlink", "unlinkat"):
            path = under(folder, texts[0])
            if path not in known:
                continue
            disk.renames.append((path, None))
        elif name in ("fsync", "fdatasync") and file is not None:
            if file in known:
                disk.sync(known[file])
            else:
                disk.sync_names()
        elif file not in known:
            continue
        elif name == "lseek":
            at[file] = result
            continue
        elif name == "ftruncate":
            disk.pending[known[file]].append((int(args.rsplit(",", 1)[1]), None))
        elif name in ("write", "pwrite64"):
            content = unhex(texts[0])[:result]
            offset = int(args.rsplit(",", 1)[1]) if name == "pwrite64" else at.get(file, 0)
            if name == "write":
                at[file] = offset + result
            disk.pending[known[file]].append((offset, content))
        else:
            continue
        yield disk


def one(c, what, arguments, answer):
    t = tally.Tally("power loss", what)
    folder, log = c.work / f"power-{what}", c.work / f"power-{what}.strace"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    c.inputs(folder)
    arguments = [c.narrows, *arguments]
    outcome = tally.run(["strace", "-f", "-y", "-xx", "-qq", "-s", "10000000", "-e", f"trace={CALLS}", "-o", log,
                         *arguments], folder, 300)
    if not t.judge("the undisturbed run", outcome):
        t.note("lost", "the undisturbed run", outcome.last_words())
        return t
    good, t.cases = answer(folder / "power.db"), 0
    t.of = sum(1 for _ in history(log, folder))
    chosen = set(c.spread(t.of))
    for n, disk in enumerate(history(log, folder), 1):
        if n not in chosen:
            continue
        shutil.rmtree(folder)
        folder.mkdir()
        c.inputs(folder)
        for name, content in disk.lost(c.random).items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        outcome = tally.run(arguments, folder, 120)
        if not t.judge(f"call {n}", outcome):
            t.note("lost", f"call {n}", f"the same command again: {outcome.last_words()}")
        elif answer(folder / "power.db") != good or database.whole(folder / "power.db") != "ok":
            t.note("lost", f"call {n}", "another table")
    return t


def attack(c):
    if not c.strace:
        print("faults: strace cannot trace here: no power loss", file=sys.stderr)
        return []
    return [one(c, "run", ["run", "--db", "power.db", "-j1", "break-even"],
                lambda path: database.table(path, "break-even")),
            one(c, "training", ["run", "--db", "power.db", "-j1", "training.yaml"], database.training)]
