-- 010_memory.sql - memory plans operation by operation, and two more ways to compare a variant with its baseline.

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

-- The plans of the newest run of each scenario. GB = 1e9 bytes; sums run from the first operation.
CREATE VIEW plan_curve AS
SELECT n.scenario, p.run_id, p.combination, p.variant, v.place AS variant_place, s.step, s.name, s.layer, s.backward,
       1e-9 * s.duration_ps AS duration_ms,
       1e-9 * sum(s.duration_ps) OVER upto AS end_ms,
       1e-9 * s.generated_bytes AS generated_GB, 1e-9 * s.offloadable_bytes AS offloadable_GB,
       1e-9 * sum(s.generated_bytes) OVER upto AS generated_so_far_GB,
       1e-9 * sum(s.offloadable_bytes) OVER upto AS offloadable_so_far_GB,
       1e-9 * s.live_bytes AS live_GB
  FROM newest_run n
  JOIN run_point p ON p.run_id = n.run_id
  JOIN run_variant v ON v.run_id = p.run_id AND v.variant = p.variant
  JOIN plan_step s ON s.point_id = p.point_id
WINDOW upto AS (PARTITION BY p.run_id, p.position ORDER BY s.step);

-- The tasks of the newest run of each scenario, where they are stored.
CREATE VIEW newest_task AS
SELECT n.scenario, p.run_id, p.combination, p.variant, v.place AS variant_place, t.place, t.name, t.track,
       1e-9 * t.start_ps AS start_ms, 1e-9 * t.end_ps AS end_ms, t.bytes
  FROM newest_run n
  JOIN run_point p ON p.run_id = n.run_id
  JOIN run_variant v ON v.run_id = p.run_id AND v.variant = p.variant
  JOIN task t ON t.point_id = p.point_id;

-- How many times the baseline's largest batch a variant can train.
CREATE VIEW batch_gain AS
SELECT r.id AS run_id, r.scenario, v.position, v.combination, v.variant, b.value AS largest_batch,
       o.value AS baseline_batch, b.value / nullif(o.value, 0) AS batch_ratio
  FROM run r
  JOIN run_point v ON v.run_id = r.id AND v.variant <> r.baseline
  JOIN run_point w ON w.run_id = r.id AND w.combination = v.combination AND w.variant = r.baseline
  JOIN measure b ON b.point_id = v.point_id AND b.name = 'largest_batch'
  JOIN measure o ON o.point_id = w.point_id AND o.name = 'largest_batch'
 WHERE r.baseline <> '';

-- As before (006_gain_per_sample.sql), and: loss_pct, the share of the baseline's throughput that is lost, and batch_ratio.
DROP VIEW cell_value;
CREATE VIEW cell_value AS
WITH gained AS (
  SELECT g.* FROM gain g JOIN run r ON r.id = g.run_id WHERE g.variant <> r.baseline)
SELECT c.paper, c.table_id, c.row_key, c.column_key, c.run_id, c.position, c.measure,
       CASE c.measure
         WHEN 'gain_pct' THEN (SELECT g.gain_pct FROM gained g WHERE g.run_id = c.run_id AND g.position = c.position)
         WHEN 'speedup' THEN (SELECT g.speedup FROM gained g WHERE g.run_id = c.run_id AND g.position = c.position)
         WHEN 'loss_pct' THEN (SELECT 100.0 * (1.0 - g.speedup) FROM gained g
                                WHERE g.run_id = c.run_id AND g.position = c.position)
         WHEN 'batch_ratio' THEN (SELECT b.batch_ratio FROM batch_gain b
                                   WHERE b.run_id = c.run_id AND b.position = c.position)
         ELSE m.value END AS ours,
       CASE c.measure WHEN 'gain_pct' THEN '%' WHEN 'speedup' THEN 'x' WHEN 'loss_pct' THEN '%' WHEN 'batch_ratio' THEN 'x'
                      ELSE m.unit END AS unit
  FROM cell c
  JOIN run_point p ON p.run_id = c.run_id AND p.position = c.position
  LEFT JOIN measure m ON m.point_id = p.point_id AND m.name = c.measure;

-- What the memory plans of the newest run of each scenario come to: a line for each point. GB = 1e9 bytes. in_place is the variant of
-- that name, where a scenario has one: the stronger of two baselines.
CREATE VIEW plan_summary AS
WITH line AS (
  SELECT scenario, run_id, position, combination, variant,
         max(value) FILTER (WHERE name = 'samples_per_s') AS samples_per_s,
         max(value) FILTER (WHERE name = 'stall_forward_ms') AS stall_forward_ms,
         max(value) FILTER (WHERE name = 'stall_turn_ms') AS stall_turn_ms,
         max(value) FILTER (WHERE name = 'stall_backward_ms') AS stall_backward_ms,
         max(value) FILTER (WHERE name = 'slowed_ms') AS slowed_ms,
         1e-9 * max(value) FILTER (WHERE name = 'generated_bytes') AS generated_GB,
         1e-9 * max(value) FILTER (WHERE name = 'offloadable_bytes') AS offloadable_GB,
         1e-9 * max(value) FILTER (WHERE name = 'offloaded_bytes') AS offloaded_GB,
         1e-9 * max(value) FILTER (WHERE name = 'live_bytes') AS live_GB,
         1e-9 * max(value) FILTER (WHERE name = 'peak_bytes') AS peak_GB,
         1e-9 * max(value) FILTER (WHERE name = 'host_bytes') AS host_GB,
         max(value) FILTER (WHERE name = 'gap_pct') AS gap_pct,
         max(value) FILTER (WHERE name = 'largest_batch') AS largest_batch
    FROM newest_measure
   GROUP BY run_id, position
  HAVING generated_GB IS NOT NULL)
SELECT l.*, 100.0 * (1.0 - l.samples_per_s / b.samples_per_s) AS loss_pct,
       100.0 * (1.0 - l.samples_per_s / i.samples_per_s) AS in_place_loss_pct,
       l.largest_batch / nullif(b.largest_batch, 0) AS batch_ratio,
       l.largest_batch / nullif(i.largest_batch, 0) AS in_place_batch_ratio
  FROM line l
  JOIN run r ON r.id = l.run_id
  LEFT JOIN line b ON b.run_id = l.run_id AND b.combination = l.combination AND b.variant = r.baseline
  LEFT JOIN line i ON i.run_id = l.run_id AND i.combination = l.combination AND i.variant = 'in place';

-- Cells that an assumption of ours was chosen by (a profile, a definition, a baseline): what comes out for them is no prediction.
CREATE TABLE paper_chosen (
  paper      TEXT NOT NULL,
  table_id   TEXT NOT NULL,
  row_key    TEXT NOT NULL,
  column_key TEXT NOT NULL,
  what       TEXT NOT NULL CHECK (what <> ''),               -- the assumption
  PRIMARY KEY (paper, table_id, row_key, column_key)
) STRICT, WITHOUT ROWID;

-- As before (002_views.sql), and such cells count as calibrated.
DROP VIEW spoken;
CREATE VIEW spoken AS
SELECT v.paper, v.table_id, v.row_key, v.column_key, p.published, v.ours, p.unit,
       CASE WHEN EXISTS (SELECT 1 FROM calibration k
                          WHERE k.paper = v.paper AND k.table_id = v.table_id
                            AND k.row_key = v.row_key AND k.column_key = v.column_key)
              OR EXISTS (SELECT 1 FROM paper_chosen k
                          WHERE k.paper = v.paper AND k.table_id = v.table_id
                            AND k.row_key = v.row_key AND k.column_key = v.column_key)
            THEN 'calibrated' ELSE 'predicted' END AS kind
  FROM (SELECT *, row_number() OVER (PARTITION BY paper, table_id, row_key, column_key
                                     ORDER BY run_id DESC, position) AS age
          FROM cell_value c
         WHERE ours IS NOT NULL
           AND EXISTS (SELECT 1 FROM paper_value q
                        WHERE q.paper = c.paper AND q.table_id = c.table_id AND q.row_key = c.row_key
                          AND q.column_key = c.column_key AND q.unit = c.unit)) v
  JOIN paper_value p USING (paper, table_id, row_key, column_key)
 WHERE v.age = 1 AND v.row_key <> 'average';
