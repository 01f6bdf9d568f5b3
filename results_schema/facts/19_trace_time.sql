-- How long trained steps would take on a machine: the trace of a training, played by the simulator with the bytes that each step sent.

CREATE TABLE trace_timing (       -- one training on one machine
  id        INTEGER PRIMARY KEY,
  run_id    INTEGER NOT NULL REFERENCES run,      -- the run that asked for it
  point_id  INTEGER NOT NULL REFERENCES training,
  label     TEXT    NOT NULL,                     -- '10 Mbit/s', 'x86'
  simulated TEXT    NOT NULL CHECK (simulated <> ''),  -- name of the scenario that says what the machine is
  key       TEXT    NOT NULL UNIQUE               -- hash of what the times depend on
            CHECK (length(key) = 32 AND key NOT GLOB '*[^0-9a-f]*')
) STRICT;

CREATE INDEX trace_timing_by_point ON trace_timing(point_id, label);

CREATE TABLE trace_timing_step (
  timing_id INTEGER NOT NULL REFERENCES trace_timing,
  steps     INTEGER NOT NULL CHECK (steps > 0),   -- done by then
  seconds   REAL    NOT NULL CHECK (seconds > 0 AND seconds <= 1.7976931348623157e308),  -- simulated, since the beginning
  PRIMARY KEY (timing_id, steps)
) STRICT, WITHOUT ROWID;
