"""Mutants that change nothing a test could notice, each with the reason: blocks of file, line, change and why."""


class Known:
    def __init__(self, path):
        self.entries = {}
        blocks = path.read_text().split("\n\n") if path.exists() else []
        for block in blocks:
            rows = [r for r in block.split("\n") if r and not r.startswith("#")]
            if not rows:
                continue
            fields = dict(r.split(": ", 1) for r in rows if ": " in r)
            if [r.split(": ", 1)[0] for r in rows] != ["file", "line", "change", "why"]:
                raise SystemExit(f"{path}: expected file, line, change and why, got: {rows[0]}")
            self.entries[(fields["file"], fields["line"].strip(), fields["change"])] = fields["why"]

    def why(self, mutant):
        return self.entries.get((mutant.file, mutant.text, mutant.change))

    def stale(self, mutants):
        """Of the files that were read: what is none of their mutants any more."""
        files, present = {m.file for m in mutants}, {(m.file, m.text, m.change) for m in mutants}
        return [e for e in self.entries if e[0] in files and e not in present]
