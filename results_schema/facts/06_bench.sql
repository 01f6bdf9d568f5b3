-- What a timed kernel is compared with and what it leaves on the wire.

CREATE TABLE bench_work (          -- one kernel timed at one size; its repetitions are in sample
  run_id         INTEGER NOT NULL REFERENCES run,
  kernel         TEXT    NOT NULL,                -- these five as in sample
  impl           TEXT    NOT NULL,
  variant        TEXT    NOT NULL,
  nvalues        INTEGER NOT NULL,
  place          INTEGER NOT NULL CHECK (place >= 0),     -- in the order of timing, from 0
  kind           TEXT    NOT NULL,                -- the group that it was timed in
  option         TEXT    NOT NULL,                -- 'keep=3', 'density=5%', '' for none: variant without the threads
  threads        INTEGER NOT NULL CHECK (threads >= 0),   -- 0: on a device
  anchor         TEXT    NOT NULL,                -- kernel that it is compared with, '' for an anchor itself
  anchor_impl    TEXT    NOT NULL,
  flops          REAL    NOT NULL CHECK (flops >= 0),     -- FLOP a repetition; 0: the rate is one of bytes
  bits_per_value REAL    NOT NULL CHECK (bits_per_value >= 0),  -- on the wire; 0: nothing is sent
  PRIMARY KEY (run_id, kernel, impl, variant, nvalues)
) STRICT, WITHOUT ROWID;
