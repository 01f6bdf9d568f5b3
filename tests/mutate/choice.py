"""The tests of a build, which of them can notice a change of a file, and in which order to ask them."""
import json
import math
import os
import re
import subprocess
import time

LEFT_OUT = {"build", "avx2", "slow", "cuda"}  # labels: of the text, twice the same, too long, of a device
LIMIT = ["prlimit", "--core=0", "--fsize=4294967296", "--as=17179869184"]  # a mutant may ask for anything


def words_of(*texts):
    return {w for text in texts for w in re.split(r"[^a-z0-9]+", text.lower()) if len(w) > 1 and w != "test"}


class Test:
    def __init__(self, entry, build):
        properties = {p["name"]: p["value"] for p in entry.get("properties", [])}
        self.name, self.command = entry["name"], entry["command"]
        self.environment = dict(e.split("=", 1) for e in properties.get("ENVIRONMENT", []))
        self.folder = properties.get("WORKING_DIRECTORY", build)
        self.skip, self.labels = properties.get("SKIP_RETURN_CODE"), set(properties.get("LABELS", []))
        self.program = self.command[0].startswith(f"{build}/")
        self.named = self._built(self.command, build)
        self.also = self._built(self.environment.values(), build)
        self.words = words_of(self.name)

    @staticmethod
    def _built(texts, build):
        return [t for t in texts if t.startswith(f"{build}/") and "/tmp/" not in t[len(str(build)) :]]

    def needed(self):
        """A program mentions the others in its environment without using them, but for a few; a script uses them."""
        return self.named if self.program else self.named + self.also

    def run(self, limit):
        """Seconds, and "passed", "failed", "skipped" or "late"."""
        begun = time.monotonic()
        run = subprocess.Popen([*LIMIT, *self.command], cwd=self.folder, env={**os.environ, **self.environment},
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True)
        try:
            code = run.wait(limit)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            try:
                os.killpg(run.pid, 9)  # what it left behind
            except ProcessLookupError:
                pass
            run.wait()
        how = "late" if code is None else "passed" if code == 0 else "skipped" if code == self.skip else "failed"
        return time.monotonic() - begun, how


def tests_of(scratch, copy):
    """Of a build with all its programs, as another copy has them."""
    asked = ["ctest", "--test-dir", scratch.build, "--show-only=json-v1"]
    listed = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    listed = json.loads(listed.replace(f"{scratch.place}/", f"{copy.place}/"))["tests"]
    every = [Test(e, str(copy.build)) for e in listed if e.get("command")]
    return {t.name: t for t in every if not t.labels & LEFT_OUT}


class Choice:
    """By what is linked: an archive gives a program only the objects that it needs."""

    def __init__(self, scratch):
        self.scratch, self.tests = scratch, tests_of(scratch, scratch)
        self.parts = {}  # of a program: names of its sources, names that it defines
        self._name_sources()
        counts = {}
        for test in self.tests.values():
            for word in test.words:
                counts[word] = counts.get(word, 0) + 1
        self.weight = {w: math.log(1 + len(self.tests) / n) for w, n in counts.items()}

    def _name_sources(self):
        """A test is also called what its sources are."""
        for source, objects in self.scratch.sources.items():
            for o in objects:
                target = re.search(r"CMakeFiles/([^/]+)\.dir/", o)
                if target and target[1] in self.tests:
                    self.tests[target[1]].words |= words_of(os.path.relpath(source, self.scratch.tree))

    def _parts(self, program):
        if program not in self.parts:
            read = subprocess.run(["readelf", "-sW", program], capture_output=True, text=True).stdout.split("\n")
            rows = [r.split() for r in read]
            self.parts[program] = ({r[7] for r in rows if len(r) > 7 and r[3] == "FILE"},
                                   {r[7] for r in rows if len(r) > 7 and r[4] in ("GLOBAL", "WEAK") and r[6] != "UND"})
        return self.parts[program]

    def _has(self, program, file_names, defined):
        files, names = self._parts(program)
        return bool(files & file_names) and (not defined or bool(names & defined))

    def order(self, file):
        """The tests that can notice it: the closest by name first, then those of the smallest programs."""
        objects = [str(self.scratch.build / o) for o in self.scratch.objects(file)]
        file_names = {os.path.basename(o).removesuffix(".o") for o in objects}
        defined = set().union(*(self._parts(o)[1] for o in objects)) if objects else set()
        words, able = words_of(file), []
        for test in self.tests.values():
            programs = [p for p in test.needed() if os.path.isfile(p)]
            if any(self._has(p, file_names, defined) for p in programs):
                size = max(len(self._parts(p)[0]) for p in programs)
                able.append((-sum(self.weight[w] for w in words & test.words), not test.program, size, test.name))
        return [name for *_, name in sorted(able)]
