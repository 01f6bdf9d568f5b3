-- What tells a prediction from a replay and from a choice.

CREATE TABLE assumption (       -- a published cell with an eye on which the scenario chose something
  run_id     INTEGER NOT NULL REFERENCES run,
  paper      TEXT    NOT NULL CHECK (paper <> ''),
  table_id   TEXT    NOT NULL CHECK (table_id <> ''),
  row_key    TEXT    NOT NULL,
  column_key TEXT    NOT NULL,
  what       TEXT    NOT NULL CHECK (what <> ''),    -- the assumption
  PRIMARY KEY (run_id, paper, table_id, row_key, column_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX assumption_by_place ON assumption(paper, table_id, row_key, column_key, run_id);

CREATE TABLE refit (            -- a fit made again without one of its cells
  run_id     INTEGER NOT NULL REFERENCES run,
  place      INTEGER NOT NULL CHECK (place >= 0),    -- among those of the run
  platform   TEXT    NOT NULL CHECK (platform <> ''),
  paper      TEXT    NOT NULL CHECK (paper <> ''),   -- the cell that was left out
  table_id   TEXT    NOT NULL CHECK (table_id <> ''),
  row_key    TEXT    NOT NULL,
  column_key TEXT    NOT NULL,
  PRIMARY KEY (run_id, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE refit_constant (   -- the constants that it gives
  run_id   INTEGER NOT NULL,
  place    INTEGER NOT NULL,
  constant TEXT    NOT NULL CHECK (constant <> ''),  -- full path of the key
  value    REAL    NOT NULL CHECK (abs(value) <= 1.7976931348623157e308),  -- base units
  PRIMARY KEY (run_id, place, constant),
  FOREIGN KEY (run_id, place) REFERENCES refit
) STRICT, WITHOUT ROWID;

CREATE TABLE refit_cell (       -- what then comes out for a cell, in the unit of its measure
  run_id     INTEGER NOT NULL,
  place      INTEGER NOT NULL,
  position   INTEGER NOT NULL,
  paper      TEXT    NOT NULL CHECK (paper <> ''),
  table_id   TEXT    NOT NULL CHECK (table_id <> ''),
  row_key    TEXT    NOT NULL,
  column_key TEXT    NOT NULL,
  ours       REAL    NOT NULL CHECK (abs(ours) <= 1.7976931348623157e308),
  PRIMARY KEY (run_id, place, position, paper, table_id, row_key, column_key),
  FOREIGN KEY (run_id, place) REFERENCES refit
) STRICT, WITHOUT ROWID;
CREATE INDEX refit_cell_by_place ON refit_cell(paper, table_id, row_key, column_key, run_id);
