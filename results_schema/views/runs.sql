-- Where a run comes from. size: of training_size, by the scenario's name; NULL of what trains nothing of that name.
-- recorded: trained elsewhere and imported.
CREATE VIEW run_source AS
SELECT r.id AS run_id, r.scenario, (SELECT size FROM training_size WHERE r.scenario || '-' LIKE '%-' || size
    || '-%') AS size,
       EXISTS (SELECT 1 FROM run_record k WHERE k.run_id = r.id) AS recorded
  FROM run r;

-- Each variant against its run's baseline, at the same place on the axes; the baseline itself is listed with gain 0.
-- Time is sample_us where both have it, since variants may take batches of different size, else step_ms.
-- Without INDEXED BY, wherever a baseline is looked up, SQLite 3.40 reads the whole run for each of its places.
CREATE VIEW gain AS
WITH timed AS (
  SELECT r.id AS run_id, r.scenario, r.figure, v.position, v.combination, v.variant,
         t.value AS step_ms, b.value AS baseline_ms,
         CASE WHEN tu.value > 0 AND bu.value > 0 THEN tu.value ELSE t.value END AS ours,
         CASE WHEN tu.value > 0 AND bu.value > 0 THEN bu.value ELSE b.value END AS baselines
    FROM run r
    JOIN run_point v ON v.run_id = r.id
    JOIN run_point o INDEXED BY run_point_by_combination
      ON o.run_id = r.id AND o.combination = v.combination AND o.variant = r.baseline
    JOIN measure t ON t.point_id = v.point_id AND t.name = 'step_ms'
    JOIN measure b ON b.point_id = o.point_id AND b.name = 'step_ms'
    LEFT JOIN measure tu ON tu.point_id = v.point_id AND tu.name = 'sample_us'
    LEFT JOIN measure bu ON bu.point_id = o.point_id AND bu.name = 'sample_us'
   WHERE r.baseline <> '')
SELECT run_id, scenario, figure, position, combination, variant, step_ms, baseline_ms,
       baselines / ours AS speedup,                         -- x
       100.0 * (1.0 - ours / baselines) AS gain_pct         -- % of the baseline's time saved
  FROM timed;

-- A closed form next to the event simulation: the speedup per sample that closed_form_ms gives over the run's baseline.
CREATE VIEW closed_form AS
SELECT r.id AS run_id, r.scenario, v.position, v.combination, v.variant, c.value AS closed_form_ms, t.value AS step_ms,
       (bc.value * bu.value / bt.value) / (c.value * u.value / t.value) AS speedup
  FROM run r
  JOIN run_point v ON v.run_id = r.id
  JOIN run_point o INDEXED BY run_point_by_combination
    ON o.run_id = r.id AND o.combination = v.combination AND o.variant = r.baseline
  JOIN measure c ON c.point_id = v.point_id AND c.name = 'closed_form_ms'
  JOIN measure t ON t.point_id = v.point_id AND t.name = 'step_ms'
  JOIN measure u ON u.point_id = v.point_id AND u.name = 'sample_us'
  JOIN measure bc ON bc.point_id = o.point_id AND bc.name = 'closed_form_ms'
  JOIN measure bt ON bt.point_id = o.point_id AND bt.name = 'step_ms'
  JOIN measure bu ON bu.point_id = o.point_id AND bu.name = 'sample_us'
 WHERE r.baseline <> '';

-- The variants of a run in the scenario's order. Of a killed run, those that it got to.
CREATE VIEW run_variant AS
SELECT p.run_id, p.variant, p.variant = r.baseline AS is_baseline,
       row_number() OVER (PARTITION BY p.run_id ORDER BY min(p.position)) AS place  -- from 1
  FROM run_point p JOIN run r ON r.id = p.run_id
 GROUP BY p.run_id, p.variant;

-- What a run sweeps: every key that takes more than one value. Keys that advance together ('zip') have one stride,
-- those that the scenario lists first the largest; 'numbers' where all values are.
CREATE VIEW run_axis AS
WITH first AS (
  SELECT run_id, path, text FROM (
    SELECT q.run_id, q.path, q.text,
           row_number() OVER (PARTITION BY q.run_id, q.path ORDER BY p.combination) AS i
      FROM point_param q JOIN run_point p USING (run_id, position))
   WHERE i = 1)
SELECT q.run_id, q.path, min(p.combination) FILTER (WHERE q.text <> f.text) AS stride,
       count(DISTINCT q.text) AS nvalues, min(q.value IS NOT NULL) AS numbers,
       min(q.value) AS least, max(q.value) AS largest, max(q.unit) AS unit,
       max(instr(q.text, 'bit')) > 0 AS in_bits                -- as the scenario writes it
  FROM point_param q JOIN run_point p USING (run_id, position) JOIN first f USING (run_id, path)
 GROUP BY q.run_id, q.path
HAVING count(DISTINCT q.text) > 1;

-- A measure of the newest run of a scenario, at each of its places.
CREATE VIEW newest_measure AS
SELECT n.scenario, n.run_id, p.position, p.combination, p.variant, m.name, m.value
  FROM newest_run n
  JOIN run_point p ON p.run_id = n.run_id
  JOIN measure m ON m.point_id = p.point_id;

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

-- How many times the baseline's largest batch a variant can train.
CREATE VIEW batch_gain AS
SELECT r.id AS run_id, r.scenario, v.position, v.combination, v.variant, b.value AS largest_batch,
       o.value AS baseline_batch, b.value / nullif(o.value, 0) AS batch_ratio
  FROM run r
  JOIN run_point v ON v.run_id = r.id AND v.variant <> r.baseline
  JOIN run_point w INDEXED BY run_point_by_combination
    ON w.run_id = r.id AND w.combination = v.combination AND w.variant = r.baseline
  JOIN measure b ON b.point_id = v.point_id AND b.name = 'largest_batch'
  JOIN measure o ON o.point_id = w.point_id AND o.name = 'largest_batch'
 WHERE r.baseline <> '';
