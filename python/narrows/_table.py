"""Rows with names: a pandas.DataFrame where pandas is there, else a list of dicts. Both have
``attrs``, a dict.
"""


class Rows(list):
    """A list of dicts, and what goes with all of them."""

    def __init__(self, rows=()):
        super().__init__(rows)
        self.attrs: dict = {}


def table(rows: list, columns=None, **attrs):
    """The rows, which are dicts of the same names."""
    try:
        import pandas
    except ImportError:
        made = Rows(rows)
    else:
        made = pandas.DataFrame(rows, columns=columns)
    made.attrs.update(attrs)
    return made
