-- Runs that were made elsewhere and imported as what they are: facts of that machine and that day, none of this one's.
-- Their points have keys of their own, so that nothing here takes them for computed.

CREATE TABLE record (             -- a file that was imported
  id          INTEGER PRIMARY KEY,
  digest      TEXT    NOT NULL UNIQUE          -- of what it holds: the same is imported once
              CHECK (length(digest) = 32 AND digest NOT GLOB '*[^0-9a-f]*'),
  file        TEXT    NOT NULL,                -- its name, without folders
  bytes       INTEGER NOT NULL CHECK (bytes > 0),
  trainer     TEXT    NOT NULL CHECK (trainer <> ''),    -- digests of the sources that trained, and of those that simulated
  simulator   TEXT    NOT NULL CHECK (simulator <> ''),  -- how long it would take: cmake/build_info.cmake
  imported_ns INTEGER NOT NULL CHECK (imported_ns > 0)   -- Unix time, nanoseconds
) STRICT;

CREATE TABLE run_record (         -- a run that came with it; machine, commit and day are the run's own
  run_id    INTEGER NOT NULL PRIMARY KEY REFERENCES run,
  record_id INTEGER NOT NULL REFERENCES record
) STRICT, WITHOUT ROWID;
CREATE INDEX run_record_by_record ON run_record(record_id, run_id);

-- Digests of the sources of the program that last opened this file. No fact: the one table whose rows are replaced.
CREATE TABLE program (
  name  TEXT NOT NULL PRIMARY KEY CHECK (name IN ('trainer', 'simulator')),
  value TEXT NOT NULL CHECK (value <> '')
) STRICT, WITHOUT ROWID;
