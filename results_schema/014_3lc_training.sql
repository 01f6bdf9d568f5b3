-- 014_3lc_training.sql - 3LC's designs trained for real: accuracy over the seeds, differences from each other, bits step by step.

-- Which runs they are, of each scenario the newest. size: 1 as the paper has them, 2 in the small, 3 a quick look.
CREATE VIEW threelc_run AS
SELECT CASE WHEN scenario = '3lc-quick' THEN 3 WHEN scenario LIKE '3lc-small-%' THEN 2 ELSE 1 END AS size, max(id) AS run_id
  FROM run
 WHERE (scenario = '3lc-quick' OR scenario LIKE '3lc-small-%' OR scenario LIKE '3lc-paper-%') AND scenario NOT LIKE '%+changes'
 GROUP BY scenario;

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
