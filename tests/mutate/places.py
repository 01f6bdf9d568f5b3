"""Where a C file may be changed: expressions, statements and conditions, but no types and no text of messages."""
import re

from tokens import C, pairs_of, tokens_of

TYPE_WORDS = set(
    "const static struct enum union unsigned signed int char float double long short void bool volatile extern"
    " typedef register inline _Bool".split()
)
LEAVING = {"break", "continue", "goto"}
HEADS = {"if", "while", "for", "switch"}
MESSENGER = re.compile(r"printf|print|fail|refuse|error|warn|say|die|assert")
RELEASER = re.compile(r"(^|_)(free|close|unlock|destroy)$|^fclose$|^munmap$")


class Places:
    """expressions: indices of tokens. statements, conditions: (first, last) of what can be left out or negated."""

    def __init__(self, text):
        self.tokens = tokens_of(C, text)
        self.partner = pairs_of(self.tokens)
        self.expressions, self.statements, self.conditions = set(), [], []
        self._file()
        self.expressions -= self._messages() | self._sizes()

    def word(self, i):
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def _after(self, i):
        """The token behind this one, or behind the bracket's partner."""
        return self.partner.get(i, i) + 1 if self.word(i) in ("(", "[", "{") else i + 1

    def _find(self, i, end, words):
        while i < end and self.word(i) not in words:
            i = self._after(i)
        return i

    def _file(self):
        i, end = 0, len(self.tokens)
        while i < end:
            stop = self._find(i, end, {";", "{", "="})
            if self.word(stop) == "{" and self.word(stop - 1) == ")":
                self._block(stop + 1, self.partner.get(stop, end))
                i = self.partner.get(stop, end) + 1
            else:
                i = self._declaration(i, end)

    def _declaration(self, i, end):
        """Up to its semicolon: what stands behind each '='; a type's own braces are its names, but an enum's values."""
        while i < end and self.word(i) != ";":
            if self.word(i) == "=":
                stop = self._find(i + 1, end, {";", ","})
                self.expressions.update(range(i + 1, stop))
                i = stop
            elif self.word(i) == "{":
                close = self.partner.get(i, end)
                if "enum" in (self.word(i - 1), self.word(i - 2)):
                    self._declaration(i + 1, close)
                i = close + 1
            else:
                i = self._after(i)
        return i + 1

    def _declares(self, i):
        if self.word(i) in TYPE_WORDS:
            return True
        if self.tokens[i].kind != "name" or i + 1 >= len(self.tokens):
            return False
        stars = i + 1
        while self.word(stars) == "*":
            stars += 1
        return self.tokens[stars].kind == "name" and self.word(stars + 1) in ("=", ";", ",", "[")

    def _block(self, i, end):
        while i < end:
            word = self.word(i)
            if word == "{":
                self._block(i + 1, self.partner.get(i, end))
                i = self.partner.get(i, end) + 1
            elif word in HEADS and self.word(i + 1) == "(":
                i = self._head(i)
            elif word in ("case", "default") or (self.word(i + 1) == ":" and self.tokens[i].kind == "name"):
                i = self._find(i, end, {":"}) + 1
            elif word in ("else", "do", ";", "}"):
                i += 1
            elif word in LEAVING:
                i = self._find(i, end, {";"}) + 1
            elif word == "return" or not self._declares(i):
                stop = self._find(i, end, {";"})
                self.expressions.update(range(i, stop))
                if word != "return":
                    self._statement(i, stop)
                i = stop + 1
            else:
                i = self._declaration(i, end)

    def _head(self, i):
        first, close = i + 2, self.partner.get(i + 1, len(self.tokens) - 1)
        if self.word(i) == "for" and self._declares(first):
            first = self._declaration(first, close)
        self.expressions.update(range(first, close))
        if self.word(i) in ("if", "while"):
            self.conditions.append((first, close - 1))
        return close + 1

    def _statement(self, first, stop):
        """Assignments and calls; what only tells or releases is left to the tests of messages and to ASan."""
        if self.tokens[first].kind != "name" and self.word(first) != "*":
            return
        depth_0, i = [], first
        while i < stop:
            depth_0.append(self.word(i))
            i = self._after(i)
        assigns = any(w in ("++", "--") or (w.endswith("=") and w not in ("==", "!=", "<=", ">=")) for w in depth_0)
        calls = self.word(stop - 1) == ")" and self.word(first + 1) == "("
        quiet = not (MESSENGER.search(self.word(first)) or RELEASER.search(self.word(first)))
        if assigns or (calls and quiet):
            self.statements.append((first, stop - 1))

    def calls(self):
        """(open, close) of every call's brackets."""
        for i, token in enumerate(self.tokens):
            if token.text == "(" and i and self.tokens[i - 1].kind == "name" and i in self.partner:
                if self.word(i - 1) not in HEADS | {"sizeof", "return"}:
                    yield i, self.partner[i]

    def _messages(self):
        """What stands in a call next to text of several words."""
        inside = set()
        for first, close in self.calls():
            if any(t.kind == "text" and " " in t.text for t in self.tokens[first:close]):
                inside.update(range(first, close))
        return inside

    def _sizes(self):
        """Of memory that is asked for: more of it shows nowhere, and less is for ASan."""
        inside = set()
        for first, close in self.calls():
            if self.word(first - 1) in ("malloc", "calloc", "realloc"):
                inside.update(range(first, close))
        return inside
