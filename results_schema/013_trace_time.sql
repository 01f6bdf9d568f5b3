-- 013_trace_time.sql - how long trained steps would take on a machine: the trace of a training, played by the simulator with the bytes that
-- each step sent.

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

-- The newest timing of each training and machine.
CREATE VIEW trace_time AS
SELECT t.point_id, t.label, t.simulated, s.steps, s.seconds
  FROM trace_timing t
  JOIN trace_timing_step s ON s.timing_id = t.id
 WHERE t.id = (SELECT max(n.id) FROM trace_timing n WHERE n.point_id = t.point_id AND n.label = t.label);

-- Accuracy and loss against simulated time: evaluations of every training, at the time of the last simulated step before or at them,
-- and between two simulated steps by their share.
CREATE VIEW trace_time_evaluation AS
SELECT t.point_id, t.label, e.after_steps, e.loss AS test_loss, 100.0 * e.top1 AS top1_pct, 100.0 * e.top5 AS top5_pct, e.other,
       coalesce(b.seconds, 0)
         + (a.seconds - coalesce(b.seconds, 0)) * (e.after_steps - coalesce(b.steps, 0)) / (a.steps - coalesce(b.steps, 0)) AS seconds
  FROM (SELECT DISTINCT point_id, label FROM trace_timing) t
  JOIN trace_evaluation e ON e.point_id = t.point_id AND e.after_steps > 0
  JOIN trace_time a ON a.point_id = t.point_id AND a.label = t.label
   AND a.steps = (SELECT min(steps) FROM trace_time x WHERE x.point_id = t.point_id AND x.label = t.label AND x.steps >= e.after_steps)
  LEFT JOIN trace_time b ON b.point_id = t.point_id AND b.label = t.label
   AND b.steps = (SELECT max(steps) FROM trace_time x WHERE x.point_id = t.point_id AND x.label = t.label AND x.steps < a.steps);
