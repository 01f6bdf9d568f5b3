-- Predictions held against rows that others measured and published, or a user on machines of her own.

CREATE TABLE measured_validation ( -- a run that predicted them
  run_id         INTEGER PRIMARY KEY REFERENCES run,
  source         TEXT NOT NULL,    -- of the rows
  closed_form    TEXT NOT NULL,    -- what its values are; '': none
  baseline_least REAL NOT NULL     -- share by which a row has to differ from its baseline to count
) STRICT;

CREATE TABLE measured_set (        -- a class of rows. Bars in %; NULL: none
  run_id   INTEGER NOT NULL REFERENCES run,
  place    INTEGER NOT NULL,
  set_name TEXT    NOT NULL,
  mean     REAL,
  median   REAL,
  p95      REAL,
  PRIMARY KEY (run_id, set_name)
) STRICT, WITHOUT ROWID;

CREATE TABLE measured_peer (       -- errors of others on the same rows, in %; NULL: not said
  run_id   INTEGER NOT NULL REFERENCES run,
  set_name TEXT    NOT NULL,
  name     TEXT    NOT NULL,
  mean     REAL,
  median   REAL,
  p95      REAL,
  source   TEXT    NOT NULL,
  PRIMARY KEY (run_id, set_name, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE measured_row (
  run_id       INTEGER NOT NULL REFERENCES run,
  place        INTEGER NOT NULL,
  row_key      TEXT    NOT NULL,
  set_name     TEXT    NOT NULL,
  kind         TEXT    NOT NULL CHECK (kind IN ('predicted', 'calibrated', 'refused')),
  measured     REAL    NOT NULL,
  spread       REAL,               -- standard deviation; NULL: unknown
  unit         TEXT    NOT NULL,
  predicted    REAL,               -- NULL: refused
  closed_form  REAL,               -- NULL: it has no value there
  baseline_key TEXT,               -- the row that this one is faster or slower than; NULL: none
  reason       TEXT    NOT NULL,   -- why it may be missed, or was refused; '': nothing known
  PRIMARY KEY (run_id, row_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE measured_fit (        -- a constant, fitted to the rows of one group
  run_id     INTEGER NOT NULL REFERENCES run,
  constant   TEXT    NOT NULL,     -- path in the scenario
  group_name TEXT    NOT NULL,
  value      REAL    NOT NULL,
  nrows      INTEGER NOT NULL,     -- that it was fitted to, with the other constants of its fit
  nconstants INTEGER NOT NULL,
  off        REAL    NOT NULL,     -- share by which the worst of these rows is missed
  PRIMARY KEY (run_id, constant, group_name)
) STRICT, WITHOUT ROWID;

CREATE TABLE measured_without (    -- the mean error of a set where a calibrating row was left out
  run_id     INTEGER NOT NULL REFERENCES run,
  constants  TEXT    NOT NULL,
  group_name TEXT    NOT NULL,
  left_key   TEXT    NOT NULL,     -- the row
  set_name   TEXT    NOT NULL,
  mean       REAL    NOT NULL,     -- %
  PRIMARY KEY (run_id, constants, group_name, left_key, set_name)
) STRICT, WITHOUT ROWID;
