"""Tokens of C and of SQL: what a compiler sees, without blanks, comments and preprocessor lines."""
import re
from collections import namedtuple

# kind: "name", "number", "text" (a string or character) or "sign". at: its offset in the file.
Token = namedtuple("Token", "kind text at")

C = re.compile(
    r"""(?P<skip>\s+|//(?:[^\n\\]|\\.)*|/\*.*?\*/|\#(?:[^\n\\]|\\.)*)
      | (?P<text>(?:u8|[LuU])?"(?:[^"\\]|\\.)*"|[LuU]?'(?:[^'\\]|\\.)*')
      | (?P<number>\.?[0-9](?:[eEpP][-+]|[\w.])*)
      | (?P<name>[A-Za-z_]\w*)
      | (?P<sign><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|[<>=!]=|&&|\|\||[-+*/%&|^]=|.)""",
    re.DOTALL | re.VERBOSE,
)
SQL = re.compile(
    r"""(?P<skip>\s+|--[^\n]*|/\*.*?\*/)
      | (?P<text>'(?:[^']|'')*')
      | (?P<number>[0-9][0-9.]*(?:[eE][-+]?[0-9]+)?)
      | (?P<name>[A-Za-z_]\w*|"[^"]*")
      | (?P<sign><>|[<>=!]=|\|\||.)""",
    re.DOTALL | re.VERBOSE,
)


def tokens_of(pattern, text):
    return [
        Token(m.lastgroup, m.group(), m.start())
        for m in pattern.finditer(text)
        if m.lastgroup != "skip"
    ]


def pairs_of(tokens):
    """For the index of each bracket that of its partner."""
    partner, open_ones = {}, []
    for i, token in enumerate(tokens):
        if token.kind != "sign":
            continue
        if token.text in "([{":
            open_ones.append(i)
        elif token.text in ")]}" and open_ones:
            partner[i] = open_ones.pop()
            partner[partner[i]] = i
    return partner
