-- 007_cluster.sql - what the reports of the cluster papers draw and print.

-- A closed form beside the event simulation: the speedup per sample that closed_form_ms gives over the run's baseline.
CREATE VIEW closed_form AS
SELECT r.id AS run_id, r.scenario, v.position, v.combination, v.variant, c.value AS closed_form_ms, t.value AS step_ms,
       (bc.value * bu.value / bt.value) / (c.value * u.value / t.value) AS speedup
  FROM run r
  JOIN run_point v ON v.run_id = r.id
  JOIN run_point o ON o.run_id = r.id AND o.combination = v.combination AND o.variant = r.baseline
  JOIN measure c ON c.point_id = v.point_id AND c.name = 'closed_form_ms'
  JOIN measure t ON t.point_id = v.point_id AND t.name = 'step_ms'
  JOIN measure u ON u.point_id = v.point_id AND u.name = 'sample_us'
  JOIN measure bc ON bc.point_id = o.point_id AND bc.name = 'closed_form_ms'
  JOIN measure bt ON bt.point_id = o.point_id AND bt.name = 'step_ms'
  JOIN measure bu ON bu.point_id = o.point_id AND bu.name = 'sample_us'
 WHERE r.baseline <> '';

-- The newest run of each scenario that was not changed from the command line.
CREATE VIEW newest_run AS
SELECT scenario, max(id) AS run_id FROM run WHERE scenario <> '' AND scenario NOT LIKE '%+changes' GROUP BY scenario;

-- The variants of a run in the scenario's order. Of a killed run, those that it got to.
CREATE VIEW run_variant AS
SELECT p.run_id, p.variant, p.variant = r.baseline AS is_baseline,
       row_number() OVER (PARTITION BY p.run_id ORDER BY min(p.position)) AS place  -- from 1
  FROM run_point p JOIN run r ON r.id = p.run_id
 GROUP BY p.run_id, p.variant;

-- What a run sweeps: every key that takes more than one value. Keys that advance together ('zip') have one stride, those
-- that the scenario lists first the greatest; 'numbers' where all values are.
CREATE VIEW run_axis AS
WITH first AS (
  SELECT run_id, path, text FROM (
    SELECT q.run_id, q.path, q.text,
           row_number() OVER (PARTITION BY q.run_id, q.path ORDER BY p.combination) AS i
      FROM point_param q JOIN run_point p USING (run_id, position))
   WHERE i = 1)
SELECT q.run_id, q.path, min(p.combination) FILTER (WHERE q.text <> f.text) AS stride,
       count(DISTINCT q.text) AS nvalues, min(q.value IS NOT NULL) AS numbers,
       min(q.value) AS least, max(q.value) AS greatest, max(q.unit) AS unit,
       max(instr(q.text, 'bit')) > 0 AS in_bits                -- as the scenario writes it
  FROM point_param q JOIN run_point p USING (run_id, position) JOIN first f USING (run_id, path)
 GROUP BY q.run_id, q.path
HAVING count(DISTINCT q.text) > 1;

-- Published cells in the order in which they are printed, ours beside them where there are any.
CREATE VIEW figure_cell AS
SELECT p.paper, p.table_id, w.place, p.row_key, w.label, p.column_key, p.published, c.ours, c.kind
  FROM paper_value p
  JOIN paper_row w USING (paper, table_id, row_key)
  LEFT JOIN comparison c USING (paper, table_id, row_key, column_key);

-- A measure of the newest run of a scenario, at each of its places.
CREATE VIEW newest_measure AS
SELECT n.scenario, n.run_id, p.position, p.combination, p.variant, m.name, m.value
  FROM newest_run n
  JOIN run_point p ON p.run_id = n.run_id
  JOIN measure m ON m.point_id = p.point_id;

-- 3LC: how much of a step each design computes, and how long its codec is at work (s); at each bandwidth (B/s).
CREATE VIEW figure_step AS
SELECT t.scenario, t.combination, v.place, t.variant, q.text AS bandwidth, q.value AS bandwidth_Bps,
       1e-3 * t.value AS step_s,
       1.0 - x.value / t.value AS computing, x.value / t.value AS exposed,   -- shares of the step
       (e.value + d.value) / t.value AS coding                               -- the same; beside the others
  FROM newest_measure t
  JOIN run_variant v ON v.run_id = t.run_id AND v.variant = t.variant
  JOIN point_param q ON q.run_id = t.run_id AND q.position = t.position AND q.path LIKE '%.bandwidth'
  JOIN newest_measure x ON x.run_id = t.run_id AND x.position = t.position AND x.name = 'exposed_ms'
  JOIN newest_measure e ON e.run_id = t.run_id AND e.position = t.position AND e.name = 'encode_ms'
  JOIN newest_measure d ON d.run_id = t.run_id AND d.position = t.position AND d.name = 'decode_ms'
 WHERE t.name = 'step_ms';

-- The gain of the newest run of a scenario against the one number that it sweeps.
CREATE VIEW figure_curve AS
SELECT n.scenario, g.position, g.variant, q.text, q.value AS x, g.speedup, g.gain_pct
  FROM newest_run n
  JOIN run r ON r.id = n.run_id
  JOIN gain g ON g.run_id = n.run_id AND g.variant <> r.baseline
  JOIN point_param q ON q.run_id = n.run_id AND q.position = g.position
  JOIN run_axis a ON a.run_id = n.run_id AND a.path = q.path AND a.numbers;

-- The same by the closed form.
CREATE VIEW figure_closed_form AS
SELECT n.scenario, c.position, c.variant, q.text, q.value AS x, c.speedup
  FROM newest_run n
  JOIN run r ON r.id = n.run_id
  JOIN closed_form c ON c.run_id = n.run_id AND c.variant <> r.baseline
  JOIN point_param q ON q.run_id = n.run_id AND q.position = c.position
  JOIN run_axis a ON a.run_id = n.run_id AND a.path = q.path AND a.numbers;
