-- What happened. Rows are inserted once and never updated or deleted; everything that follows from them is a view. The number of a
-- file is the user_version to which it brings a database: one that has been released is never edited, a correction is a new one.

CREATE TABLE run (              -- one invocation of the program: enough to run it again
  id         INTEGER PRIMARY KEY,               -- grows with time: the newest run has the greatest id
  started_ns INTEGER NOT NULL CHECK (started_ns > 0),  -- Unix time, nanoseconds
  command    TEXT    NOT NULL,                  -- argv, joined by blanks
  scenario   TEXT    NOT NULL,                  -- its name, '' for a bench
  title      TEXT    NOT NULL,
  notes      TEXT    NOT NULL,
  baseline   TEXT    NOT NULL,                  -- variant that gains are counted from, '' if none
  figure     TEXT    NOT NULL,                  -- template in plots/ that draws it, '' if none
  file       TEXT    NOT NULL,                  -- scenario file, as given
  revision   TEXT    NOT NULL,                  -- commit of the program, '-dirty' appended where it was
  build      TEXT    NOT NULL,                  -- compiler and flags
  machine    TEXT    NOT NULL,                  -- CPU model, cores, memory, GPU
  seed       INTEGER NOT NULL,
  npoints    INTEGER NOT NULL CHECK (npoints >= 0)     -- how many the scenario has
) STRICT;

CREATE INDEX run_by_scenario ON run(scenario, id);

CREATE TABLE run_end (          -- absent for a run that was killed
  run_id   INTEGER PRIMARY KEY REFERENCES run,
  ended_ns INTEGER NOT NULL CHECK (ended_ns > 0)       -- Unix time, nanoseconds
) STRICT;

CREATE TABLE point (            -- one simulated combination, stored once however many runs list it
  id     INTEGER PRIMARY KEY,
  key    TEXT    NOT NULL UNIQUE                -- hash of everything the result depends on
         CHECK (length(key) = 32 AND key NOT GLOB '*[^0-9a-f]*'),
  run_id INTEGER NOT NULL REFERENCES run        -- the run that computed it
) STRICT;

CREATE TABLE measure (          -- one figure of a point
  point_id INTEGER NOT NULL REFERENCES point,
  name     TEXT    NOT NULL CHECK (name <> ''),
  value    REAL    NOT NULL CHECK (abs(value) <= 1.7976931348623157e308),  -- finite, in 'unit'
  unit     TEXT    NOT NULL,                    -- ms, B, B/kFLOP, GB/s (1e9), share, ...
  PRIMARY KEY (point_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_point (        -- which points a run covers: those it computed and those that were there already
  run_id      INTEGER NOT NULL REFERENCES run,
  position    INTEGER NOT NULL CHECK (position >= 0),     -- place in the scenario
  combination INTEGER NOT NULL CHECK (combination >= 0),  -- place among the axes alone: equal for all variants
  variant     TEXT    NOT NULL,                 -- '' if the scenario has none
  point_id    INTEGER NOT NULL REFERENCES point,
  PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX run_point_by_combination ON run_point(run_id, combination, variant);

CREATE TABLE point_param (      -- where on the scenario's axes a covered point lies
  run_id   INTEGER NOT NULL,
  position INTEGER NOT NULL,
  path     TEXT    NOT NULL CHECK (path <> ''), -- full path of the swept key
  text     TEXT    NOT NULL,                    -- as the scenario writes it
  value    REAL    CHECK (abs(value) <= 1.7976931348623157e308),  -- base units; NULL for a word
  unit     TEXT    NOT NULL,                    -- B, B/s, FLOP/s, s, '' for a bare number or a word
  PRIMARY KEY (run_id, position, path),
  FOREIGN KEY (run_id, position) REFERENCES run_point
) STRICT, WITHOUT ROWID;

CREATE TABLE cell (             -- which cell of a published table a covered point speaks to
  run_id     INTEGER NOT NULL,
  position   INTEGER NOT NULL,
  paper      TEXT    NOT NULL CHECK (paper <> ''),
  table_id   TEXT    NOT NULL CHECK (table_id <> ''),
  row_key    TEXT    NOT NULL,
  column_key TEXT    NOT NULL,
  measure    TEXT    NOT NULL CHECK (measure <> ''),  -- measure.name, or gain_pct or speedup of the view gain
  PRIMARY KEY (run_id, position, paper, table_id, row_key, column_key),
  FOREIGN KEY (run_id, position) REFERENCES run_point
) STRICT, WITHOUT ROWID;

CREATE INDEX cell_by_place ON cell(paper, table_id, row_key, column_key, run_id);

CREATE TABLE calibration (      -- a fitted constant, and the observation that it therefore cannot predict
  run_id      INTEGER NOT NULL REFERENCES run,
  platform    TEXT    NOT NULL CHECK (platform <> ''),
  constant    TEXT    NOT NULL CHECK (constant <> ''),  -- full path of the key
  value       REAL    NOT NULL CHECK (abs(value) <= 1.7976931348623157e308),
  unit        TEXT    NOT NULL,                 -- '' for a share
  scenario    TEXT    NOT NULL,                 -- the scenario that fitted it
  paper       TEXT    NOT NULL,                 -- the observation; '' throughout for one measured here
  table_id    TEXT    NOT NULL,
  row_key     TEXT    NOT NULL,
  column_key  TEXT    NOT NULL,
  measure     TEXT    NOT NULL,
  observed    REAL    NOT NULL,                 -- published or measured, in the unit of 'measure'
  reached     REAL    NOT NULL,                 -- simulated with the fitted value, same unit
  measured_on TEXT    NOT NULL,                 -- '' for a paper's observation, else run.machine
  PRIMARY KEY (run_id, platform, constant, paper, table_id, row_key, column_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX calibration_by_place ON calibration(paper, table_id, row_key, column_key);

CREATE TABLE sample (           -- one timed repetition of a kernel, warm-up excluded; no averages here
  run_id       INTEGER NOT NULL REFERENCES run,
  kernel       TEXT    NOT NULL CHECK (kernel <> ''),
  impl         TEXT    NOT NULL CHECK (impl <> ''),        -- implementation, or the anchor's name
  variant      TEXT    NOT NULL,                           -- 'bytes=3 threads=1'
  nvalues      INTEGER NOT NULL CHECK (nvalues > 0),       -- floats
  bytes_moved  INTEGER NOT NULL CHECK (bytes_moved > 0),   -- that must move: read + written
  rep          INTEGER NOT NULL CHECK (rep >= 0),
  elapsed_ns   INTEGER NOT NULL CHECK (elapsed_ns > 0),
  anchor_ns    INTEGER NOT NULL CHECK (anchor_ns >= 0),    -- the anchor's paired repetition; 0 in its own rows
  anchor_bytes INTEGER NOT NULL CHECK (anchor_bytes >= 0),
  PRIMARY KEY (run_id, kernel, impl, variant, nvalues, rep)
) STRICT, WITHOUT ROWID;
