"""The results database: tables and views by name, read only."""

import sqlite3
from collections.abc import Mapping
from pathlib import Path

from narrows._table import table


class Results(Mapping):
    """``results(db)["gain"]`` is a view's rows; names are those of docs/METRICS.md and ``narrows
    report``.
    """

    def __init__(self, db):
        path = Path(db)
        if not path.is_file():
            raise FileNotFoundError(f"{path}: there is no such database")
        self.path = path
        found = self.query(
            "SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name"
        )
        self._names = tuple(self._column(found, "name"))

    @staticmethod
    def _column(rows, name: str) -> list:
        return [row[name] for row in rows] if isinstance(rows, list) else list(rows[name])

    def query(self, sql: str, parameters=()):
        """The rows of a query: a pandas.DataFrame, or a list of dicts without pandas."""
        connection = sqlite3.connect(self.path.resolve().as_uri() + "?mode=ro", uri=True)
        try:
            cursor = connection.execute(sql, parameters)
            columns = [column[0] for column in cursor.description]
            return table([dict(zip(columns, row)) for row in cursor], columns)
        except sqlite3.DatabaseError as e:
            raise ValueError(f"{self.path}: {e}") from None
        finally:
            connection.close()

    def __getitem__(self, name: str):
        if name not in self._names:
            raise KeyError(f"{self.path} has no table or view '{name}'")
        quoted = name.replace('"', '""')
        return self.query(f'SELECT * FROM "{quoted}"')

    def __iter__(self):
        return iter(self._names)

    def __len__(self):
        return len(self._names)


def results(db="out/narrows.db") -> Results:
    """The results that the program stored: ``results("out/narrows.db")["answer"]``."""
    return Results(db)
