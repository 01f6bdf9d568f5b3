-- Runs whose points are a set of predictions to be held against measurements.
CREATE TABLE validation_run (
  run_id   INTEGER PRIMARY KEY REFERENCES run,
  set_name TEXT    NOT NULL CHECK (set_name <> '')     -- 'shaped': executed on shaped links
) STRICT;
