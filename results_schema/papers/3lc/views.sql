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

-- Which runs they are. A size is told where it has a run; size 'quick' speaks to nothing that the paper says.
CREATE VIEW threelc_run AS
SELECT size, run_id FROM chosen_run WHERE scenario GLOB '3lc-small-*' OR scenario GLOB '3lc-paper-*';

-- The size that reports lead with.
CREATE VIEW threelc_size AS
SELECT size, label FROM training_size WHERE size IN (SELECT size FROM threelc_run) ORDER BY place LIMIT 1;

-- standard_steps: most steps that any of that size has.
CREATE VIEW threelc_point AS
SELECT l.size, l.variant, l.point_id, t.model, t.data, t.real_data, t.seed, t.workers, t.batch, t.steps,
       max(t.steps) OVER (PARTITION BY l.size) AS standard_steps
  FROM (SELECT DISTINCT r.size, p.variant, p.point_id FROM threelc_run r JOIN run_point p USING (run_id)) l
  JOIN training t USING (point_id);

-- A measure over the seeds; 'seconds 10 Mbit/s' and so on are simulated. deviation: of the sample; NULL for a single seed.
CREATE VIEW threelc_design AS
WITH value AS (
  SELECT point_id, name, value FROM measure
   UNION ALL
  SELECT point_id, 'seconds ' || label, seconds FROM trace_time JOIN training USING (point_id, steps)),
spread AS (
  SELECT p.size, p.variant, p.steps, p.standard_steps, v.name, v.value,
         avg(v.value) OVER (PARTITION BY p.size, p.variant, p.steps, v.name) AS mean
    FROM threelc_point p JOIN value v USING (point_id))
SELECT size, variant, steps, 100.0 * steps / standard_steps AS steps_pct, name, count(*) AS n, mean,
       sqrt(sum((value - mean) * (value - mean)) / nullif(count(*) - 1, 0)) AS deviation
  FROM spread
 GROUP BY size, variant, steps, name;

-- Of the means of two designs after as many steps, with its standard error.
CREATE VIEW threelc_difference AS
SELECT a.size, a.steps, a.steps_pct, a.name, a.variant, b.variant AS other, a.mean - b.mean AS difference,
       sqrt(a.deviation * a.deviation / a.n + b.deviation * b.deviation / b.n) AS standard_error
  FROM threelc_design a
  JOIN threelc_design b USING (size, steps, name);

-- Bits of each value that goes through a codec, step by step.
CREATE VIEW threelc_bits AS
SELECT p.size, p.variant, p.seed, p.steps, p.standard_steps, s.step,
       8.0 * (1.0 * s.pushed_bytes / p.workers - w.plain_bytes) / w.coded AS push_bits,
       8.0 * (1.0 * s.pulled_bytes / p.workers - w.plain_bytes) / w.coded AS pull_bits
  FROM threelc_point p
  JOIN (SELECT point_id, sum(nvalues * compressed) AS coded, 4 * sum(nvalues * (1 - compressed)) AS plain_bytes
          FROM trace_tensor GROUP BY point_id HAVING coded > 0) w USING (point_id)
  JOIN trace_step s USING (point_id);

-- Table 1's accuracies beside ours: differences from 32-bit float, places from the best down.
CREATE VIEW threelc_accuracy AS
SELECT d.size, w.place, d.variant, p.published, q.published AS published_difference,
       rank() OVER (PARTITION BY d.size ORDER BY p.published DESC) AS published_place,
       d.mean, d.deviation, d.n, f.difference, f.standard_error,
       rank() OVER (PARTITION BY d.size ORDER BY d.mean DESC) AS mean_place
  FROM threelc_design d
  JOIN paper_value p ON p.paper = '3lc' AND p.table_id = '1' AND p.row_key = d.variant AND p.column_key = 'Accuracy'
  JOIN paper_row w ON w.paper = '3lc' AND w.table_id = '1' AND w.row_key = d.variant
  LEFT JOIN paper_value q ON q.paper = '3lc' AND q.table_id = '1' AND q.row_key = d.variant AND q.column_key = 'Difference'
  LEFT JOIN threelc_difference f ON f.size = d.size AND f.steps = d.steps AND f.name = d.name AND f.variant = d.variant
                                AND f.other = '32-bit float' AND f.other <> f.variant
 WHERE d.name = 'accuracy' AND d.steps_pct = 100;
