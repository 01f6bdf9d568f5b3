-- A record whose file says that another trainer than the one that made it was checked against it: it repeated the first steps of
-- every training run, and each had the loss, bytes, precision and learning rate that are recorded, bit for bit. Later steps were
-- not compared.

CREATE TABLE record_check (
  record_id   INTEGER NOT NULL REFERENCES record,
  trainer     TEXT    NOT NULL CHECK (trainer <> ''),    -- digest of its sources: cmake/build_info.cmake
  steps       INTEGER NOT NULL CHECK (steps > 0),        -- of every training run; of those that are shorter, all
  imported_ns INTEGER NOT NULL CHECK (imported_ns > 0),  -- Unix time, nanoseconds
  PRIMARY KEY (record_id, trainer, steps)
) STRICT, WITHOUT ROWID;
