-- Points that were executed: run for real over MPI, beside the same points as simulated (measure). An execution that has no end was
-- killed together with its program.

CREATE TABLE execution (          -- a point that began to be executed
  id       INTEGER PRIMARY KEY,
  run_id   INTEGER NOT NULL REFERENCES run,
  position INTEGER NOT NULL CHECK (position >= 0),     -- place in the scenario
  point_id INTEGER NOT NULL REFERENCES point,          -- the same point, simulated before it was executed
  setting  TEXT    NOT NULL,                           -- how: all that a second execution must share to be the same
  begun_ns INTEGER NOT NULL CHECK (begun_ns > 0)       -- Unix time, nanoseconds
) STRICT;

CREATE INDEX execution_by_point ON execution(point_id, setting);

CREATE TABLE execution_end (
  execution_id INTEGER PRIMARY KEY REFERENCES execution,
  ended_ns     INTEGER NOT NULL CHECK (ended_ns > 0),  -- Unix time, nanoseconds
  outcome      TEXT    NOT NULL CHECK (outcome IN ('done', 'failed')),
  rank         INTEGER CHECK (rank >= 0),              -- the one that failed, where it is known
  reason       TEXT    NOT NULL                        -- '' if done
) STRICT;

CREATE TABLE executed_point (
  execution_id   INTEGER PRIMARY KEY REFERENCES execution,
  ranks          INTEGER NOT NULL CHECK (ranks > 0),
  compute        TEXT    NOT NULL CHECK (compute IN ('model', 'real')),
  collective     TEXT    NOT NULL CHECK (collective IN ('own', 'native')),
  library        TEXT    NOT NULL,                     -- MPI's name and version
  parameters     TEXT    NOT NULL,                     -- what was set for it: MCA and the like
  network        TEXT    NOT NULL,                     -- the lab's links as they were shaped; '' outside of one
  simulated_ns   INTEGER NOT NULL CHECK (simulated_ns >= 0),  -- a step, between the same marks
  clock_error_ns INTEGER NOT NULL CHECK (clock_error_ns >= 0),  -- between ranks, at most; 0: they share one clock
  wrong          INTEGER CHECK (wrong >= 0),           -- values of the result that are not what they must be; NULL: lossy
  load_before    REAL    NOT NULL,                     -- of the machine of rank 0, one-minute average
  load_after     REAL    NOT NULL
) STRICT;

CREATE TABLE executed_step (
  execution_id INTEGER NOT NULL REFERENCES execution,
  repetition   INTEGER NOT NULL CHECK (repetition >= 0),
  step_ns      INTEGER NOT NULL CHECK (step_ns > 0),   -- mean over the steps that count
  PRIMARY KEY (execution_id, repetition)
) STRICT, WITHOUT ROWID;

CREATE TABLE executed_rank (
  execution_id        INTEGER NOT NULL REFERENCES execution,
  repetition          INTEGER NOT NULL CHECK (repetition >= 0),
  rank                INTEGER NOT NULL CHECK (rank >= 0),
  role                TEXT    NOT NULL CHECK (role IN ('worker', 'server', 'machine')),
  host                TEXT    NOT NULL,
  end_ns              INTEGER NOT NULL CHECK (end_ns >= 0),              -- its last task, since the start
  sent_bytes          INTEGER NOT NULL CHECK (sent_bytes >= 0),          -- payloads
  link_sent_bytes     INTEGER NOT NULL CHECK (link_sent_bytes >= 0),     -- of its host's links, as the kernel counted:
  link_received_bytes INTEGER NOT NULL CHECK (link_received_bytes >= 0), -- headers and acknowledgements included
  PRIMARY KEY (execution_id, repetition, rank)
) STRICT, WITHOUT ROWID;
