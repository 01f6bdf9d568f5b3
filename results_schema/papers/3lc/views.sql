-- Which runs are 3LC's training runs. A quick look covers nothing that the paper says.
CREATE VIEW threelc_run AS
SELECT size, run_id FROM chosen_run 
 WHERE (scenario GLOB '3lc-small-*' OR scenario GLOB '3lc-paper-*') AND scenario NOT GLOB '*ablation*';

-- The size that tables and figures lead with.
CREATE VIEW threelc_size AS
SELECT size, label FROM training_size WHERE size IN (SELECT size FROM threelc_run) ORDER BY place LIMIT 1;

-- standard_steps: most steps that any of that size has.
CREATE VIEW threelc_point AS
SELECT l.size, l.variant, l.point_id, t.model, t.data, t.real_data, t.seed, t.workers, t.batch, t.steps,
       max(t.steps) OVER (PARTITION BY l.size) AS standard_steps
  FROM (SELECT DISTINCT r.size, p.variant, p.point_id FROM threelc_run r JOIN run_point p USING (run_id)) l
  JOIN training t USING (point_id);

-- Those of the leading size, with the place of the design in Table 1.
CREATE VIEW threelc_lead AS
SELECT p.*, w.place FROM threelc_point p JOIN paper_row w ON w.paper = '3lc' AND w.table_id = '1' AND w.row_key =
    p.variant
 WHERE p.size = (SELECT size FROM threelc_size);

-- A measure over the seeds; 'seconds 10 Mbit/s' and so on are simulated. deviation: of the sample; NULL for a single
-- seed.
CREATE VIEW threelc_design AS
WITH point AS MATERIALIZED (SELECT * FROM threelc_point),
value AS (
  SELECT p.size, p.variant, p.steps, p.standard_steps, m.name, m.value FROM point p JOIN measure m USING (point_id)
   UNION ALL
  SELECT p.size, p.variant, p.steps, p.standard_steps, 'seconds ' || t.label, t.seconds FROM point p
      JOIN trace_time t USING (point_id, steps))
SELECT size, variant, steps, 100.0 * steps / standard_steps AS steps_pct, name, count(*) AS n, mean,
       sqrt(sum((value - mean) * (value - mean)) / nullif(count(*) - 1, 0)) AS deviation
  FROM (SELECT *, avg(value) OVER (PARTITION BY size, variant, steps, name) AS mean FROM value)
 GROUP BY size, variant, steps, name;

-- Of the means of two designs after as many steps, with its standard error; n: seeds of the one that has fewer.
CREATE VIEW threelc_difference AS
WITH design AS MATERIALIZED (SELECT * FROM threelc_design WHERE name IN ('accuracy', 'loss'))
SELECT a.size, a.steps, a.steps_pct, a.name, a.variant, b.variant AS other, a.mean - b.mean AS difference,
       sqrt(a.deviation * a.deviation / a.n + b.deviation * b.deviation / b.n) AS standard_error, min(a.n, b.n) AS n
  FROM design a JOIN design b USING (size, steps, name);

-- Bits of each value that goes through a codec, step by step.
CREATE VIEW threelc_bits AS
SELECT p.size, p.variant, p.seed, p.steps, p.standard_steps, s.step,
       8.0 * (1.0 * s.pushed_bytes / p.workers - w.plain_bytes) / w.coded AS push_bits,
       8.0 * (1.0 * s.pulled_bytes / p.workers - w.plain_bytes) / w.coded AS pull_bits
  FROM threelc_point p
  JOIN (SELECT point_id, sum(nvalues * compressed) AS coded, 4 * sum(nvalues * (1 - compressed)) AS plain_bytes
          FROM trace_tensor GROUP BY point_id HAVING coded > 0) w USING (point_id)
  JOIN trace_step s USING (point_id);

-- Table 1's accuracies next to ours, of the leading size: differences from 32-bit float, places from the best down.
CREATE VIEW threelc_accuracy AS
WITH design AS MATERIALIZED (
  SELECT * FROM threelc_design WHERE size = (SELECT size FROM threelc_size) AND name = 'accuracy' AND steps_pct = 100)
SELECT w.place, d.variant, p.published, q.published AS published_difference,
    rank() OVER (ORDER BY p.published DESC) AS published_place,
       d.mean, d.deviation, d.n, d.mean - b.mean AS difference, rank() OVER (ORDER BY d.mean DESC) AS mean_place,
       sqrt(d.deviation * d.deviation / d.n + b.deviation * b.deviation / b.n) AS standard_error
  FROM design d
  JOIN paper_value p ON p.paper = '3lc' AND p.table_id = '1' AND p.row_key = d.variant AND p.column_key = 'Accuracy'
  JOIN paper_row w USING (paper, table_id, row_key)
  LEFT JOIN paper_value q ON q.paper = '3lc' AND q.table_id = '1' AND q.row_key = d.variant AND q.column_key =
      'Difference'
  LEFT JOIN design b ON b.variant = '32-bit float' AND d.variant <> b.variant;

-- What follows from trained cells: differences in accuracy; and what is sent without zero-run encoding, which is the
-- same in every step, so that training runs of any length tell.
CREATE VIEW threelc_derived AS
SELECT '3lc' AS paper, '1' AS table_id, variant AS row_key, 'Difference' AS column_key,
    published_difference AS published,
       difference AS ours, 'points' AS unit, (SELECT CASE max(real_data) WHEN 1 THEN 'predicted' ELSE 'scaled' END
           FROM threelc_lead) AS kind
  FROM threelc_accuracy WHERE difference IS NOT NULL
 UNION ALL
SELECT p.paper, p.table_id, p.row_key, p.column_key, p.published, avg(m.value), p.unit, CASE max(t.real_data) WHEN 1
    THEN 'predicted' ELSE 'scaled' END
  FROM paper_value p
  JOIN threelc_point t ON t.variant = '3LC (no ZRE)' AND t.size = (SELECT size FROM threelc_size)
  JOIN measure m ON m.point_id = t.point_id AND m.name = CASE p.column_key WHEN 'bits' THEN 'bits_per_value'
      ELSE 'compression_ratio' END
 WHERE p.paper = '3lc' AND p.table_id = '2' AND p.row_key = 'No ZRE'
 GROUP BY p.column_key;

-- Time and accuracy after a share of the steps, for Figures 4 to 6 and 8.
CREATE VIEW threelc_time AS
SELECT substr(t.name, 9) AS bandwidth, w.place, a.variant, a.steps, t.mean / 60 AS minutes, a.mean AS accuracy,
    a.deviation
  FROM (SELECT * FROM threelc_design WHERE name = 'accuracy' AND size = (SELECT size FROM threelc_size)) a
  JOIN (SELECT * FROM threelc_design WHERE name LIKE 'seconds %' AND size =
      (SELECT size FROM threelc_size)) t USING (variant, steps)
  JOIN paper_row w ON w.paper = '3lc' AND w.table_id = '1' AND w.row_key = a.variant
 ORDER BY w.place, a.steps;
