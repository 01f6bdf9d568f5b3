-- How fast the simulator is: what was timed, and every repetition.

CREATE TABLE sim_case (            -- one thing timed on one program
  run_id     INTEGER NOT NULL REFERENCES run,
  kind       TEXT    NOT NULL CHECK (kind <> ''),         -- ring, loop, burst, ...
  size       INTEGER NOT NULL CHECK (size > 0),           -- of it, in size_unit
  program    TEXT    NOT NULL CHECK (program <> ''),      -- 'narrows', or a peer with its version
  place      INTEGER NOT NULL CHECK (place >= 0),         -- in the order of timing, from 0
  size_unit  TEXT    NOT NULL,                            -- ranks, flows, ...
  event      TEXT    NOT NULL CHECK (event <> ''),        -- what 'events' counts: flow, iteration, point, answer
  events     INTEGER NOT NULL CHECK (events > 0),         -- in one repetition
  growth     INTEGER NOT NULL CHECK (growth IN (0, 1)),   -- 1: part of the figure of cost against size
  end_s      REAL    NOT NULL CHECK (end_s >= 0),         -- simulated time at the end, 0: not simulated to one end
  expected_s REAL    NOT NULL CHECK (expected_s >= 0),    -- the same in closed form, 0: there is none
  PRIMARY KEY (run_id, kind, size, program)
) STRICT, WITHOUT ROWID;

CREATE TABLE sim_sample (          -- one repetition, in a process of its own
  run_id     INTEGER NOT NULL,
  kind       TEXT    NOT NULL,
  size       INTEGER NOT NULL,
  program    TEXT    NOT NULL,
  rep        INTEGER NOT NULL CHECK (rep >= 0),
  elapsed_ns INTEGER NOT NULL CHECK (elapsed_ns > 0),
  peak_bytes INTEGER NOT NULL CHECK (peak_bytes >= 0),    -- most that was resident, program and libraries included; 0: unknown
  idle_bytes INTEGER NOT NULL CHECK (idle_bytes >= 0),    -- of it before the repetition began; 0: unknown
  PRIMARY KEY (run_id, kind, size, program, rep),
  FOREIGN KEY (run_id, kind, size, program) REFERENCES sim_case
) STRICT, WITHOUT ROWID;
