-- 006_gain_per_sample.sql - gains count time per sample: variants of one scenario may take batches of different size.

-- Each variant against its run's baseline, at the same place on the axes. The baseline itself is listed with gain 0.
-- Time is sample_us where both have it, else step_ms, which says the same of batches of one size.
DROP VIEW gain;
CREATE VIEW gain AS
WITH timed AS (
  SELECT r.id AS run_id, r.scenario, r.figure, v.position, v.combination, v.variant,
         t.value AS step_ms, b.value AS baseline_ms,
         CASE WHEN tu.value > 0 AND bu.value > 0 THEN tu.value ELSE t.value END AS ours,
         CASE WHEN tu.value > 0 AND bu.value > 0 THEN bu.value ELSE b.value END AS baselines
    FROM run r
    JOIN run_point v ON v.run_id = r.id
    JOIN run_point o ON o.run_id = r.id AND o.combination = v.combination AND o.variant = r.baseline
    JOIN measure t ON t.point_id = v.point_id AND t.name = 'step_ms'
    JOIN measure b ON b.point_id = o.point_id AND b.name = 'step_ms'
    LEFT JOIN measure tu ON tu.point_id = v.point_id AND tu.name = 'sample_us'
    LEFT JOIN measure bu ON bu.point_id = o.point_id AND bu.name = 'sample_us'
   WHERE r.baseline <> '')
SELECT run_id, scenario, figure, position, combination, variant, step_ms, baseline_ms,
       baselines / ours AS speedup,                         -- x
       100.0 * (1.0 - ours / baselines) AS gain_pct         -- % of the baseline's time saved
  FROM timed;

-- What every run says about every cell it names; NULL where its point lacks the measure or its baseline is missing, and
-- for a baseline's gain over itself, which is no prediction.
DROP VIEW cell_value;
CREATE VIEW cell_value AS
WITH gained AS (
  SELECT g.* FROM gain g JOIN run r ON r.id = g.run_id WHERE g.variant <> r.baseline)
SELECT c.paper, c.table_id, c.row_key, c.column_key, c.run_id, c.position, c.measure,
       CASE c.measure
         WHEN 'gain_pct' THEN (SELECT g.gain_pct FROM gained g WHERE g.run_id = c.run_id AND g.position = c.position)
         WHEN 'speedup' THEN (SELECT g.speedup FROM gained g WHERE g.run_id = c.run_id AND g.position = c.position)
         ELSE m.value END AS ours,
       CASE c.measure WHEN 'gain_pct' THEN '%' WHEN 'speedup' THEN 'x' ELSE m.unit END AS unit
  FROM cell c
  JOIN run_point p ON p.run_id = c.run_id AND p.position = c.position
  LEFT JOIN measure m ON m.point_id = p.point_id AND m.name = c.measure;
