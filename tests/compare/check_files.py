"""Holds the files of a comparison to each other: check_files.py CSV CSV_OF_OTHER_THREADS JSON HTML"""
import csv
import json
import sys
from html.parser import HTMLParser

table, threads, document, page = sys.argv[1:5]
wrong = []


def check(holds, what):
    if not holds:
        wrong.append(what)


def refuse(name):
    raise ValueError(name + " is no JSON")


with open(table, newline="") as f:
    rows = list(csv.DictReader(f))
with open(threads, newline="") as f:
    others = list(csv.DictReader(f))
with open(document) as f:
    text = json.load(f, parse_constant=refuse)

whole = [r for r in rows if r["scope"] == "whole"]
check(len(whole) >= 29, "every codec has a row")
check({r["scope"] for r in rows} == {"whole", "class", "tensor"}, "the scopes")
check({r["name"] for r in rows if r["scope"] == "class"} == {"kernels", "matrices", "vectors"}, "the classes")
check(None not in rows[0] and all(None not in r.values() for r in rows), "every row has every column")
bits = [float(r["bits"]) for r in whole]
check(bits == sorted(bits), "fewest bits first")

# Times alone may differ.
check(len(rows) == len(others), "as many rows on other threads")
for one, other in zip(rows, others):
    same = all(one[k] == other[k] for k in one if not k.startswith(("encode", "decode")))
    check(same, f"{one['codec']}, {one['name']}: other numbers on other threads")

# Sums of parts are the whole.
for codec in {r["codec"] for r in rows}:
    for scope in "class", "tensor":
        parts = [r for r in rows if r["codec"] == codec and r["scope"] == scope]
        all_of = [r for r in whole if r["codec"] == codec][0]
        for key in "values", "payload_bytes", "header_bytes", "tensors":
            check(sum(int(r[key]) for r in parts) == int(all_of[key]), f"{codec}: {key} of each {scope} add up")

# What it says is what its rows have.
ours = [r for r in text["rows"] if r["scope"] == "whole"]
for key, cosine in ("fewest_bits", "cosine"), ("fewest_bits_after_all_steps", "arrived_cosine"):
    kept = [r for r in ours if r[cosine] is not None and r[cosine] >= text["cosine"]]
    best = min(kept, key=lambda r: (r["bits"], -r[cosine]))
    check(text[key] == best["codec"], f"{key}: {text[key]}, not {best['codec']}")
    check(best["codec"] + " keeps a cosine of 0.95" in text["answer"], f"the sentence on {key}")
check(text["cosine"] == 0.95, "the cosine asked for")
check(text["steps"] == 6, "six steps")
for r in ours:
    check(abs(r["speedup"] - text["fp32_step_ms"] / r["step_ms"]) < 1e-12, f"{r['codec']}: the speedup")
    ratio = [s for s in r["settings"] if s.startswith("method.gradients.ratio=")]
    check(len(ratio) == 1 and float(ratio[0].split("=")[1]) > 0.9, f"{r['codec']}: its settings")
for a, b in zip(whole, ours):
    check(a["codec"] == b["codec"] and float(a["cosine"]) == b["cosine"], f"{a['codec']}: CSV and JSON differ")
by_name = {r["codec"]: r for r in ours}
check(by_name["fp32"]["cosine"] > 0.9999999 and by_name["fp32"]["relative_l2"] == 0, "fp32 loses nothing")
check(by_name["local"]["arrived_relative_l2"] < 1e-6 < by_name["local"]["relative_l2"], "local sends later")


class Page(HTMLParser):
    """Open elements, rows and drawings of a page; nothing may be fetched."""

    empty = {"meta", "link"}

    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attributes):
        self.seen.append(tag)
        for name, value in attributes:
            check(name not in ("src", "href") or value.startswith(("data:", "#")), f"{tag} fetches {value}")
        if tag not in self.empty:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.seen.append(tag)

    def handle_endtag(self, tag):
        check(self.open and self.open.pop() == tag, f"</{tag}> closes another element")


with open(page, encoding="utf-8") as f:
    parser = Page()
    parser.feed(f.read())
check(not parser.open, f"left open: {parser.open}")
check(parser.seen.count("tr") == len(text["rows"]) + parser.seen.count("thead"), "a row of the page for each row")
check(parser.seen.count("circle") == len(ours), "a point for each codec")

for what in wrong[:20]:
    print("wrong:", what)
sys.exit(bool(wrong))
