"""A copy of the tree with a build of its own, in which one file at a time is changed."""
import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path

# Without warnings as errors, as a mutant may leave something unused; but no pointers of the wrong type, which would
# only make it crash. Optimized, so that a change that means nothing gives the same object; without debug information.
FLAGS = "-O1 -Werror=incompatible-pointer-types -Werror=int-conversion"
OPTIONS = ["-DCMAKE_BUILD_TYPE=Debug", f"-DCMAKE_C_FLAGS_DEBUG={FLAGS}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
           "-DNW_TESTS=ON", "-DNW_CUDA=OFF", "-DNW_WERROR=OFF", "--no-warn-unused-cli"]
# Records are stamped with a digest of the sources, which would give each mutant away: it stays as it was.
OWN = Path("tests/mutate")  # no test that is asked needs it
BUILD_INFO, KEEP = "cmake/build_info.cmake", b"if(EXISTS ${OUTPUT})\n  return()\nendif()\n"


def files_of(root):
    """Those that git has or does not ignore; without git all, but build folders."""
    if (root / ".git").exists():
        listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", "-z"],
                                capture_output=True, check=True).stdout
        names = [os.fsdecode(name) for name in listed.split(b"\0") if name]
        return [Path(name) for name in names if (root / name).is_file()]
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in folders if f != "build"]
        found += [Path(folder, name).relative_to(root) for name in names]
    return found


class Scratch:
    """changed: whether the tree is another one than when its copy was made."""

    def __init__(self, root, place):
        self.root, self.place, self.tree, self.build = root, place, place / "tree", place / "build"
        self.log = place / "build.log"
        self.unchanged = {}  # file: the bytes of its objects
        self.sources = {}  # of the tree: objects

    def open(self):
        self.changed = changed = self._copy()
        if changed:  # the next build makes it again
            (self.build / "generated/narrows_build.h").unlink(missing_ok=True)
        if changed or not (self.build / "build.ninja").exists():
            launcher = ["-DCMAKE_C_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
            self._call(["cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja", *OPTIONS, *launcher], check=True)
        for entry in json.loads((self.build / "compile_commands.json").read_text()):
            words = shlex.split(entry["command"])
            self.sources.setdefault(os.path.normpath(entry["file"]), []).append(words[words.index("-o") + 1])

    def _copy(self):
        wanted, changed = [f for f in files_of(self.root) if f.parent != OWN], False
        for name in wanted:
            content = (self.root / name).read_bytes()
            if str(name) == BUILD_INFO:
                content = KEEP + content
            to = self.tree / name
            if not to.exists() or to.read_bytes() != content:
                to.parent.mkdir(parents=True, exist_ok=True)
                to.write_bytes(content)
                shutil.copymode(self.root / name, to)
                changed = True
        keep = set(wanted)
        for name in files_of_copy(self.tree):
            if name not in keep:
                (self.tree / name).unlink()
                changed = True
        return changed

    def _call(self, command, check=False):
        environment = {"CCACHE_BASEDIR": str(self.tree.parent.parent), "CCACHE_NOHASHDIR": "1", **os.environ}
        with open(self.log, "ab") as log:
            done = subprocess.run(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=environment)
        if check and done.returncode:
            raise SystemExit(f"mutate: {command[0]} failed (whole log: {self.log})")
        return done.returncode == 0

    def make(self, targets, jobs=1):
        return self._call(["ninja", "-C", self.build, f"-j{jobs}", *targets])

    def objects(self, file):
        """What is compiled from it, or from what is generated from it."""
        source = str(self.tree / file)
        if source in self.sources:
            return self.sources[source]
        asked = subprocess.run(["ninja", "-C", self.build, "-t", "query", source], capture_output=True, text=True)
        outputs = asked.stdout.split("outputs:")[-1].split()
        return [o for name in outputs for o in self.sources.get(os.path.normpath(self.build / name), [])]

    def _bytes(self, objects):
        return [(self.build / o).read_bytes() for o in objects]

    def mutate(self, mutant):
        """"built", "same" or "refused"; restore() in any case."""
        objects, path = self.objects(mutant.file), self.tree / mutant.file
        if mutant.file not in self.unchanged:
            if not objects or not self.make(objects):
                return "refused"
            self.unchanged[mutant.file] = self._bytes(objects)
        text = path.read_text()
        end = mutant.at + len(mutant.before)
        path.write_text(text[: mutant.at] + mutant.after + text[end:])
        if not self.make(objects):
            return "refused"
        return "same" if self._bytes(objects) == self.unchanged[mutant.file] else "built"

    def restore(self, mutant):
        (self.tree / mutant.file).write_bytes((self.root / mutant.file).read_bytes())


def files_of_copy(tree):
    return [Path(folder, name).relative_to(tree) for folder, _, names in os.walk(tree) for name in names]
