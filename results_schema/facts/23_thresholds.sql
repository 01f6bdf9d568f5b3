-- Thresholds of activations.

CREATE TABLE trace_threshold (    -- of every k-th step: from which magnitude on activations would be kept
  point_id  INTEGER NOT NULL,
  step      INTEGER NOT NULL,
  layer     TEXT    NOT NULL CHECK (layer <> ''),                   -- after which the network is cut
  dropped   REAL    NOT NULL CHECK (dropped > 0 AND dropped < 1),   -- were this share of a row dropped
  threshold REAL    CHECK (abs(threshold) <= 1.7976931348623157e308),   -- mean over the rows; NULL: no finite number
  PRIMARY KEY (point_id, step, layer, dropped),
  FOREIGN KEY (point_id, step) REFERENCES trace_step
) STRICT, WITHOUT ROWID;
