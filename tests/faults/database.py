"""What a results database says, to be compared."""

import pathlib
import sqlite3

TABLES = """
    SELECT 'param', position, path, text, value, unit FROM point_param
     WHERE run_id = (SELECT max(id) FROM run WHERE scenario = ?) ORDER BY position, path;
    SELECT 'point', r.position, r.combination, r.variant, p.key FROM run_point r JOIN point p ON p.id = r.point_id
     WHERE r.run_id = (SELECT max(id) FROM run WHERE scenario = ?) ORDER BY r.position;
    SELECT 'measure', p.key, m.name, m.value, m.unit FROM run_point r JOIN point p ON p.id = r.point_id
      JOIN measure m ON m.point_id = p.id
     WHERE r.run_id = (SELECT max(id) FROM run WHERE scenario = ?) ORDER BY p.key, m.name"""


def table(path, scenario):
    """All of the scenario's newest run: places, parameters, and every measure with all of its bits."""
    with sqlite3.connect(path) as db:
        return [row for query in TABLES.split(";") for row in db.execute(query, (scenario,))]


def training(path):
    """What the newest run's training runs have left, without what names a run."""
    with sqlite3.connect(path) as db:
        return db.execute(f"""WITH p AS (SELECT variant, position, point_id FROM run_point
                WHERE run_id = (SELECT max(id) FROM run))
            SELECT position, 'measure', name, value, NULL FROM p JOIN measure USING (point_id)
            UNION ALL SELECT position, 'step', step, loss, pushed_bytes + pulled_bytes
                FROM p JOIN trace_step USING (point_id)
            UNION ALL SELECT position, 'evaluation', after_steps, loss, top1
                FROM p JOIN trace_evaluation USING (point_id)
            ORDER BY 1, 2, 3""").fetchall()


def predictions(path):
    """Of every validation's newest run, whatever its number."""
    with sqlite3.connect(path) as db:
        return db.execute("""SELECT scenario, row_key, predicted, measured FROM measured_row
            JOIN (SELECT scenario, max(id) AS run_id FROM run GROUP BY 1) USING (run_id) ORDER BY 1, 2""").fetchall()


def points_by_key(path):
    """Every point that was computed or imported, with its number of measures."""
    with sqlite3.connect(path) as db:
        return db.execute("""SELECT key, count(m.name) FROM point p LEFT JOIN measure m ON m.point_id = p.id
            GROUP BY p.id ORDER BY 1""").fetchall()


def points(path):
    """How many are stored; 0 where there is no database yet."""
    if not pathlib.Path(path).exists():
        return 0
    with sqlite3.connect(path, timeout=30) as db:
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'point'").fetchone():
            return 0
        return db.execute("SELECT count(*) FROM point").fetchone()[0]


def whole(path):
    with sqlite3.connect(path) as db:
        return db.execute("PRAGMA integrity_check").fetchone()[0]


def remove(path):
    for end in ("", "-wal", "-shm", "-journal"):
        pathlib.Path(f"{path}{end}").unlink(missing_ok=True)
