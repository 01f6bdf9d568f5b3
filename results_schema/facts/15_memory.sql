-- Memory plans operation by operation.

CREATE TABLE plan_step (          -- one operation of a planned training step
  point_id          INTEGER NOT NULL REFERENCES point,
  step              INTEGER NOT NULL CHECK (step >= 0),               -- in the order in which they run, from 0
  name              TEXT    NOT NULL CHECK (name <> ''),              -- 'conv3_1 [1,0] backward'
  layer             TEXT    NOT NULL,                                 -- of the model; '' for what no layer does
  backward          INTEGER NOT NULL CHECK (backward IN (0, 1)),
  duration_ps       INTEGER NOT NULL CHECK (duration_ps >= 0),        -- by the profile, nothing waiting
  generated_bytes   INTEGER NOT NULL CHECK (generated_bytes >= 0),    -- that it writes and backward will need
  offloadable_bytes INTEGER NOT NULL CHECK (offloadable_bytes >= 0),  -- that the link carries to the host meanwhile; backward: 0
  offloaded_bytes   INTEGER NOT NULL CHECK (offloaded_bytes >= 0),    -- of the generated ones, by the plan
  live_bytes        INTEGER NOT NULL CHECK (live_bytes >= 0),         -- in the device's general pool while it runs
  PRIMARY KEY (point_id, step)
) STRICT, WITHOUT ROWID;
