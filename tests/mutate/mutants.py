"""The mutants of a file: small changes, each of which should make a test fail."""
import hashlib
import re
from collections import namedtuple

from places import Places
from tokens import SQL, tokens_of

# 'before' at offset 'at' becomes 'after'. change: both on one line, with the operator's name.
Mutant = namedtuple("Mutant", "file line text at before after change key")

ORDER = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",)}
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}
LOGIC = {"&&": "||", "||": "&&"}
SQL_ORDER = {**{k: v for k, v in ORDER.items() if k[0] in "<>"}, "=": ("<>",), "<>": ("=",)}
SQL_WORDS = {"min": "max", "max": "min", "DESC": "ASC", "IS": "IS NOT", "LEFT": "INNER"}
SYNTAX = set("return case SELECT DISTINCT FROM WHERE AND OR NOT ON BY THEN ELSE WHEN CASE AS IN UNION ALL".split())


class Maker:
    def __init__(self, file, text):
        self.file, self.text, self.out = file, text, []
        self.digest = hashlib.sha256(text.encode()).hexdigest()

    def add(self, what, at, before, after):
        line = self.text.count("\n", 0, at) + 1
        change = re.sub(r"\s+", " ", f"{what}: {before} -> {after}" if what != "delete" else f"delete: {before}")
        key = hashlib.sha256(f"{self.file} {self.digest} {at} {change}".encode()).hexdigest()[:16]
        text = self.text.splitlines()[line - 1].strip()
        self.out.append(Mutant(self.file, line, text, at, before, after, change, key))


def _operand(token):
    return token.kind in ("name", "number") and token.text not in SYNTAX or token.text in (")", "]")


def _arguments(places, first, close):
    """(first, last) of each argument."""
    begin, i = first + 1, first + 1
    while i < close:
        if places.word(i) == ",":
            yield begin, i - 1
            begin = i + 1
        i = places._after(i)
    if begin < close:
        yield begin, close - 1


def of_c(file, text):
    places, make = Places(text), Maker(file, text)
    t = places.tokens

    def span(first, last):
        return text[t[first].at : t[last].at + len(t[last].text)]

    for i in sorted(places.expressions):
        at, word = t[i].at, t[i].text
        if word in ORDER:
            for other in ORDER[word]:
                make.add("compare", at, word, other)
        elif word in LOGIC:
            make.add("logic", at, word, LOGIC[word])
        elif word in ARITHMETIC and i and _operand(t[i - 1]) and places.word(i + 1) not in (")", ","):
            make.add("arithmetic", at, word, ARITHMETIC[word])
        elif t[i].kind == "number":
            make.add("constant", at, word, f"({word} + 1)")
    for first, last in places.statements:
        make.add("delete", t[first].at, span(first, last), "(void)0")
    for first, last in places.conditions:
        make.add("negate", t[first].at, span(first, last), f"!({span(first, last)})")
    for first, close in places.calls():
        if first not in places.expressions:
            continue
        arguments = list(_arguments(places, first, close))
        for (a, b), (c, d) in zip(arguments, arguments[1:]):
            if span(a, b) != span(c, d):
                make.add("swap", t[a].at, span(a, d), span(c, d) + ", " + span(a, b))
    return make.out


def of_sql(file, text):
    """Of views alone: what is inserted or listed is data, and tables are what stored files have."""
    make, view, data, between = Maker(file, text), False, False, False
    t = tokens_of(SQL, text)
    for i, token in enumerate(t):
        before = t[i - 1].text if i else ";"
        after = t[i + 1].text if i + 1 < len(t) else ";"
        if before == ";":
            view, data = token.text == "CREATE" and after == "VIEW", False
        data = data or token.text == "VALUES"
        if not view or data:
            continue
        between = between or token.text == "BETWEEN"
        if token.text in SQL_ORDER:
            for other in SQL_ORDER[token.text]:
                make.add("compare", token.at, token.text, other)
        elif token.text in ("AND", "OR"):
            if not between:
                make.add("logic", token.at, token.text, "OR" if token.text == "AND" else "AND")
            between = False
        elif token.text in ARITHMETIC and i and _operand(t[i - 1]):
            if after not in (")", ",", "FROM"):
                make.add("arithmetic", token.at, token.text, ARITHMETIC[token.text])
        elif token.kind == "number":
            make.add("constant", token.at, token.text, f"({token.text} + 1)")
        elif token.text in SQL_WORDS and (token.text != "IS" or after == "NULL"):
            make.add("word", token.at, token.text, SQL_WORDS[token.text])
    return make.out


def of_file(file, text):
    return of_sql(file, text) if file.endswith(".sql") else of_c(file, text)
