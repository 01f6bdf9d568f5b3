-- Fits that need not be made again.

CREATE TABLE fit (                 -- a row of a scenario's 'calibrate' section, as it was fitted
  key     TEXT    NOT NULL CHECK (length(key) = 32),  -- hash of the points, cells and published values it looked at, and of
                                                      -- the simulator
  place   INTEGER NOT NULL CHECK (place >= 0),        -- of the row
  value   REAL,                                       -- of its constant, base units; NULL for a row without one
  reached REAL    NOT NULL,                           -- the measure with all constants fitted
  PRIMARY KEY (key, place)
) STRICT, WITHOUT ROWID;
