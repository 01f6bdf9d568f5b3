-- Of each table and figure the run whose training runs speak for it: of the largest size there is. A quick look speaks
-- for none.
CREATE VIEW dct_run AS
SELECT table_id, run_id, size FROM (
  SELECT *, row_number() OVER (PARTITION BY table_id ORDER BY place) AS lead
    FROM (SELECT replace(replace(replace(c.scenario, 'dct-' || c.size || '-', ''), 'table-', ''), 'figure-',
        'fig') AS table_id, c.run_id, c.size, s.place
            FROM chosen_run c JOIN training_size s USING (size) WHERE c.scenario GLOB 'dct-*' AND c.size <> 'quick'
             AND c.scenario NOT GLOB '*ablation*'))
 WHERE lead = 1;

CREATE VIEW dct_point AS
SELECT r.table_id, r.run_id, r.size, p.position, p.variant, p.point_id, t.real_data, t.seed
  FROM dct_run r JOIN run_point p USING (run_id) JOIN training t USING (point_id);

-- Figure 2: a layer's threshold in every traced step, and by how much it differs from the mean of those so far; %.
CREATE VIEW dct_figure_2 AS
SELECT a.size, a.real_data, CAST(replace(substr(a.variant, 4), '%', '') AS REAL) AS dropped_pct, a.seed, n.tensor,
    n.nvalues, x.step, x.threshold,
       100.0 * (x.threshold / avg(x.threshold) OVER (PARTITION BY a.point_id, x.tensor ORDER BY x.step) -
           1) AS deviation_pct
  FROM dct_point a
  JOIN trace_tensor n ON n.point_id = a.point_id AND n.compressed
  JOIN trace_exchange x ON x.point_id = a.point_id AND x.tensor = n.tensor AND NOT x.pull
 WHERE a.table_id = 'fig2' AND a.variant LIKE 'DP %';

-- By how much it differs at most where 95 % are dropped, layer by layer: over all steps, and over the second half of
-- them.
CREATE VIEW dct_deviation AS
SELECT size, real_data, seed, tensor, max(abs(deviation_pct)) AS most_pct,
    max(abs(deviation_pct)) FILTER (WHERE 2 * step >= last) AS most_late_pct,
       max(step) AS last_step
  FROM (SELECT *, max(step) OVER (PARTITION BY seed) AS last FROM dct_figure_2 WHERE dropped_pct = 95)
 GROUP BY seed, tensor;

-- Figure 5: activations of one layer, dropped or not.
CREATE VIEW dct_figure_5 AS
SELECT a.run_id, a.size, t.step, 100 * t.dropped AS dropped_pct, a.variant <> 'baseline' AS applied, a.seed,
    t.threshold,
       max(t.step) OVER (PARTITION BY a.point_id) AS last
  FROM dct_point a JOIN trace_threshold t USING (point_id)
 WHERE a.table_id = '1' AND (a.variant = 'baseline' OR a.variant = '2 workers '
     || CAST(round(100 * t.dropped) AS INTEGER) || '%');

-- What each seed came to: cells of Tables 1 to 4, losses of Table 5 and Figure 7b, thresholds of Figure 5's last tenth
-- of steps.
CREATE VIEW dct_seed AS
SELECT a.table_id, c.row_key, c.column_key, m.unit, a.run_id, a.size, a.real_data, a.seed, m.value AS ours
  FROM dct_point a
  JOIN cell c ON c.run_id = a.run_id AND c.position = a.position AND c.paper = 'dct' AND c.table_id = a.table_id
  JOIN measure m ON m.point_id = a.point_id AND m.name = c.measure
 UNION ALL
SELECT a.table_id, a.variant, CASE m.name WHEN 'test_loss' THEN 'test loss' ELSE 'train loss' END, m.unit, a.run_id,
    a.size, a.real_data, a.seed, m.value
  FROM dct_point a JOIN measure m ON m.point_id = a.point_id AND m.name IN ('test_loss', 'train_loss')
 WHERE a.table_id IN ('5', 'fig7b')
 UNION ALL
SELECT 'fig5', CAST(round(dropped_pct) AS INTEGER) || '%' || CASE WHEN applied THEN ' applied' ELSE '' END,
    'threshold', '', run_id, size, 0, seed, avg(threshold)
  FROM dct_figure_5
 WHERE 10 * step >= 9 * last
 GROUP BY dropped_pct, applied, seed;

-- Each row of a table against the others: the mean difference over the seeds, and half of the width of its 95 %
-- interval (NULL of one seed).
CREATE VIEW dct_difference AS
WITH seed AS MATERIALIZED (SELECT * FROM dct_seed),
pair AS (
  SELECT a.*, b.row_key AS against, b.ours AS other, a.ours - b.ours AS difference,
         avg(a.ours - b.ours) OVER (PARTITION BY a.table_id, a.column_key, a.row_key, b.row_key) AS mean
    FROM seed a
    JOIN seed b ON b.table_id = a.table_id AND b.column_key = a.column_key AND b.run_id = a.run_id AND b.seed = a.seed
               AND b.row_key <> a.row_key)
SELECT g.*, g.error * (SELECT t.two_sided_95 FROM student_range t WHERE g.n - 1 >= t.df AND g.n - 1 < t.next)
         AS half
  FROM (SELECT table_id, column_key, row_key, against, unit, real_data, size, count(*) AS n, avg(other) AS other,
      avg(difference) AS difference,
               sqrt(sum((difference - mean) * (difference - mean)) / nullif(count(*) - 1, 0) / count(*)) AS error
          FROM pair
         GROUP BY table_id, column_key, row_key, against) g;

-- Tables 1 to 4: each row's difference from the baseline's, as printed and as trained; the baseline itself as it is.
CREATE VIEW dct_table AS
WITH difference AS MATERIALIZED (SELECT * FROM dct_difference WHERE against = 'baseline'),
ours AS MATERIALIZED (
  SELECT table_id, row_key, column_key, difference AS ours, half, n, real_data FROM difference
   UNION ALL
  SELECT table_id, 'baseline', column_key, max(other), NULL, max(n), max(real_data) FROM difference GROUP BY table_id,
      column_key)
SELECT w.table_id, w.place, w.row_key, w.label, p.column_key, p.unit, w.row_key = 'baseline' AS is_baseline,
       p.published - CASE w.row_key WHEN 'baseline' THEN 0 ELSE b.published END AS published, o.ours, o.half, o.n,
       CASE o.real_data WHEN 1 THEN 'predicted' WHEN 0 THEN 'scaled' END AS kind
  FROM paper_row w
  JOIN paper_value p USING (paper, table_id, row_key)
  JOIN paper_value b ON b.paper = p.paper AND b.table_id = p.table_id AND b.column_key = p.column_key AND b.row_key =
      'baseline'
  LEFT JOIN ours o ON o.table_id = p.table_id AND o.row_key = p.row_key AND o.column_key = p.column_key
 WHERE w.paper = 'dct';

-- Table 5's losses: the gain over the baseline's, as the paper counts it, and half of its interval's width; %.
CREATE VIEW dct_loss_gain AS
SELECT w.place, w.row_key, w.label, p.column_key, p.published, p.unit, -100.0 * d.difference / d.other AS ours,
       100.0 * d.half / d.other AS half, d.n, CASE d.real_data WHEN 1 THEN 'predicted' ELSE 'scaled' END AS kind
  FROM paper_value p
  JOIN paper_row w USING (paper, table_id, row_key)
  JOIN dct_difference d ON d.table_id = p.table_id AND d.row_key = p.row_key AND d.against = 'baseline'
                       AND d.column_key = replace(p.column_key, ' gain', '')
 WHERE p.paper = 'dct' AND p.table_id = '5' AND p.column_key LIKE '%loss gain';

-- Cells that no single measure covers: of Figure 2, and of Table 5's losses.
CREATE VIEW dct_derived AS
SELECT p.paper, p.table_id, p.row_key, p.column_key, p.published, max(d.most_pct) AS ours, p.unit,
       CASE max(d.real_data) WHEN 1 THEN 'predicted' ELSE 'scaled' END AS kind
  FROM paper_value p JOIN dct_deviation d WHERE p.paper = 'dct' AND p.table_id = 'fig2' GROUP BY p.table_id
 UNION ALL
SELECT 'dct', '5', row_key, column_key, published, ours, unit, kind FROM dct_loss_gain;

-- What was trained for which tables and figures, a sentence for each kind.
CREATE VIEW dct_trainings AS
SELECT printf('%s: %s, %s; %d steps of %d samples; %s%s.', group_concat(name, ', '), model, data, steps, samples,
              CASE seeds WHEN 1 THEN 'one seed' ELSE seeds || ' seeds' END, CASE size WHEN 'paper' THEN '' ELSE ' ('
                  || label || ')' END) AS said
  FROM (SELECT CASE WHEN a.table_id LIKE 'fig%' THEN 'Figure ' || substr(a.table_id, 4) ELSE 'Table ' || a.table_id
      END AS name, a.size, t.model, t.data, t.steps,
               t.batch * t.workers AS samples, count(DISTINCT a.seed) AS seeds
          FROM dct_point a JOIN training t USING (point_id) GROUP BY a.table_id ORDER BY a.table_id LIKE 'fig%',
              a.table_id)
  JOIN training_size USING (size)
 GROUP BY size, model, data, steps, samples, seeds
 ORDER BY max(name LIKE 'Table%') DESC, min(CASE WHEN name LIKE 'Table%' THEN name END), max(name);
