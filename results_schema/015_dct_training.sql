-- 015_dct_training.sql - what the report of DCT prints and draws of what was trained, and which of the paper's statements it holds it to.
-- Differences are between trainings of one run and seed, so of the same first weights, samples and order: pairs.

CREATE TABLE trace_threshold (    -- of every k-th step: from which magnitude on activations would be kept
  point_id  INTEGER NOT NULL,
  step      INTEGER NOT NULL,
  layer     TEXT    NOT NULL CHECK (layer <> ''),                   -- after which the network is cut
  dropped   REAL    NOT NULL CHECK (dropped > 0 AND dropped < 1),   -- were this share of a row dropped
  threshold REAL    CHECK (abs(threshold) <= 1.7976931348623157e308),   -- mean over the rows; NULL: no finite number
  PRIMARY KEY (point_id, step, layer, dropped),
  FOREIGN KEY (point_id, step) REFERENCES trace_step
) STRICT, WITHOUT ROWID;
