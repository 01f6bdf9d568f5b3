-- How fast the trainer is, beside others.

CREATE TABLE train_case (          -- one network on one side: a program, or one way to train
  run_id  INTEGER NOT NULL REFERENCES run,
  name    TEXT    NOT NULL CHECK (name <> ''),            -- resnet-20, resnet-20-3lc-4, ...
  threads INTEGER NOT NULL CHECK (threads > 0),
  side    TEXT    NOT NULL CHECK (side <> ''),            -- 'narrows', a peer with its version; 'plain', '3lc, traces'
  against TEXT    NOT NULL CHECK (against <> side),       -- the side of the same name and threads it is compared with; '': none
  place   INTEGER NOT NULL CHECK (place >= 0),            -- in the order of timing, from 0
  workers INTEGER NOT NULL CHECK (workers > 0),
  samples INTEGER NOT NULL CHECK (samples > 0),           -- of one step, all workers'
  steps   INTEGER NOT NULL CHECK (steps > 0),             -- of one repetition, the same on both sides
  PRIMARY KEY (run_id, name, threads, side)
) STRICT, WITHOUT ROWID;

CREATE TABLE train_sample (        -- one repetition: of both sides the one right after the other
  run_id     INTEGER NOT NULL,
  name       TEXT    NOT NULL,
  threads    INTEGER NOT NULL,
  side       TEXT    NOT NULL,
  rep        INTEGER NOT NULL CHECK (rep >= 0),
  elapsed_ns INTEGER NOT NULL CHECK (elapsed_ns > 0),
  PRIMARY KEY (run_id, name, threads, side, rep),
  FOREIGN KEY (run_id, name, threads, side) REFERENCES train_case
) STRICT, WITHOUT ROWID;
