#!/usr/bin/env python3
"""Names that would run something if a shell, gnuplot, SQL or a browser took them for its own: they are text wherever
they arrive, and nothing runs.

    hostile_names.py NARROWS HOME    in an empty folder"""

import html.parser
import json
import pathlib
import re
import subprocess
import sys
import xml.dom.minidom

NAMES = [
    "a'b\"c`touch ran`$(touch ran){/Symbol x}_^@&~%d",
    "v'.system('touch ran').'<b>x</b>&amp;",
    "q\"; !touch ran; plot 1 #",
    "n\nset output 'ran'\nm",
    "100%s %n {{ ' ' }} '; DROP TABLE point; --",
    "\\\"\\$(touch ran)\\`touch ran\\`",
]
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)


def scenario(home, name):
    """An example in which the scenario, its platform and a variant have that name."""
    text = (home / "scenarios/examples/break-even.yaml").read_text().replace("../models", f"{home}/scenarios/models")
    quoted = json.dumps(name)
    for old, new in ((r"(?m)^(name|title):.*$", r"\1: {}"), (r"(?m)^(  name|  title):.*$", r"\1: {}"),
                     (r"(?m)^  fp32:", "  {}:")):
        text = re.sub(old, lambda match, new=new: match.expand(new).replace("{}", quoted), text)
    assert text.count(quoted) == 5, text
    return text


def run(arguments, what):
    done = subprocess.run(arguments, capture_output=True, text=True, errors="replace")
    check(done.returncode == 0, f"{what}: exit {done.returncode}: {done.stderr[-300:]}")
    return done.stdout


def drawn(path):
    """The text of a figure, without what separates its parts."""
    document = xml.dom.minidom.parse(str(path))
    return "".join(node.data for text in document.getElementsByTagName("text")
                   for node in text.getElementsByTagName("*") + [text] for node in node.childNodes
                   if node.nodeType == node.TEXT_NODE)


def joined(text):
    return re.sub(r"\s+", "", text)


def figures_name(name):
    """Double quotes are gnuplot's own in data, and become single ones; backslashes before them are lost."""
    return joined(name).replace('"', "'").replace("\\", "")


class Page(html.parser.HTMLParser):
    """The words of a page, and its elements."""

    def __init__(self, text):
        super().__init__()
        self.words, self.elements = "", set()
        self.feed(text)

    def handle_data(self, data):
        self.words += data

    def handle_starttag(self, tag, attributes):
        self.elements.add(tag)


def strings(value):
    """All of them in a JSON value, keys included."""
    if isinstance(value, dict):
        return strings([*value.keys(), *value.values()])
    return {s for v in value for s in strings(v)} if isinstance(value, list) else {value} - {None}


def one(narrows, home, number, name):
    folder = pathlib.Path(f"{number} " + re.sub(r"[\n/]", "", name))
    folder.mkdir()
    file, db = folder / "scenario.yaml", folder / "it's $(touch ran).db"
    file.write_text(scenario(home, name))
    run([narrows, "check", file], f"check {name!r}")
    run([narrows, "run", "--db", db, file, "--sweep", "link.eth.bandwidth=1 Gbit/s, 10 Gbit/s"], f"run {name!r}")
    said = run([narrows, "report", "--db", db, "--scenario", name, "--out", folder / "out"], f"report {name!r}")
    check(joined(name) in joined(said), f"report {name!r}: the name is not in {said!r}")
    points = json.loads(run([narrows, "report", "--db", db, "--scenario", name, "--json"], f"json {name!r}"))
    check(name in strings(points), f"json {name!r}: the name is not in {strings(points)}")
    figures = list((folder / "out").glob("*.svg"))
    check(figures, f"report {name!r}: no figure")
    for figure in figures:
        check(figures_name(name) in joined(drawn(figure)), f"{figure.name}: the name is not in {drawn(figure)!r}")
    run([narrows, "report", "--db", db, "--html", "--out", folder / "page"], f"page {name!r}")
    page = Page((folder / "page" / "index.html").read_text())
    check(joined(name) in joined(page.words), f"page {name!r}: the name is not in it")
    check("b" not in page.elements, f"page {name!r}: the name was taken for an element")
    run([narrows, "trace", file, "--output", folder / "trace.json"], f"trace {name!r}")
    json.loads((folder / "trace.json").read_text())


def main():
    narrows, home = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    for number, name in enumerate(NAMES):
        one(narrows, home, number, name)
    ran = [str(p) for p in pathlib.Path(".").rglob("ran")]
    check(not ran, f"something ran: {ran}")
    print("\n".join(failures))
    sys.exit(bool(failures))


main()
