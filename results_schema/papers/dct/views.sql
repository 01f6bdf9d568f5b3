-- The trainings that Figures 2, 5 and 7b are drawn from: of the paper's size if there are any, else small ones, else a
-- quick look.
CREATE VIEW dct_figure_run AS
WITH source(figure, scenario, rank) AS (VALUES
  ('fig2', 'dct-paper-figure-2', 1), ('fig2', 'dct-small-figure-2', 2), ('fig2', 'dct-quick', 3),
  ('fig5', 'dct-paper-table-1', 1), ('fig5', 'dct-small-table-1', 2), ('fig5', 'dct-quick', 3),
  ('fig7b', 'dct-paper-figure-7b', 1), ('fig7b', 'dct-small-figure-7b', 2))
SELECT figure, scenario, run_id FROM (
  SELECT s.figure, s.scenario, n.run_id, row_number() OVER (PARTITION BY s.figure ORDER BY s.rank) AS place
    FROM source s JOIN newest_run n USING (scenario)
   WHERE EXISTS (SELECT 1 FROM run_point p JOIN training t USING (point_id) WHERE p.run_id = n.run_id))
 WHERE place = 1;

-- Figure 2: a layer's threshold in every traced step, and the mean of those so far; %.
CREATE VIEW dct_figure_2 AS
SELECT f.scenario, a.variant, CAST(replace(substr(a.variant, 4), '%', '') AS REAL) AS dropped_pct, a.seed, n.tensor,
       n.name, n.nvalues, x.step, x.threshold, avg(x.threshold) OVER upto AS running_mean,
       100.0 * (x.threshold / avg(x.threshold) OVER upto - 1) AS deviation_pct
  FROM dct_figure_run f
  JOIN training_place a ON a.run_id = f.run_id AND a.variant LIKE 'DP %'
  JOIN trace_tensor n ON n.point_id = a.point_id AND n.compressed
  JOIN trace_exchange x ON x.point_id = a.point_id AND x.tensor = n.tensor AND NOT x.pull
 WHERE f.figure = 'fig2'
WINDOW upto AS (PARTITION BY a.point_id, x.tensor ORDER BY x.step);

-- By how much it differs at most, of each layer: over all steps, and over the second half of them.
CREATE VIEW dct_deviation AS
SELECT variant, dropped_pct, seed, tensor, name, nvalues, max(abs(deviation_pct)) AS most_pct,
       max(abs(deviation_pct)) FILTER (WHERE 2 * step >= last) AS most_late_pct, max(step) AS last_step
  FROM (SELECT *, max(step) OVER (PARTITION BY variant, seed) AS last FROM dct_figure_2)
 GROUP BY variant, seed, tensor;

-- Figure 5: activations of one layer, dropped or not.
CREATE VIEW dct_figure_5 AS
SELECT f.scenario, f.run_id, t.step, t.layer, 100 * t.dropped AS dropped_pct, a.variant <> 'baseline' AS applied,
       a.seed, t.threshold, max(t.step) OVER (PARTITION BY a.point_id) AS last
  FROM dct_figure_run f
  JOIN training_place a ON a.run_id = f.run_id
  JOIN trace_threshold t ON t.point_id = a.point_id
 WHERE f.figure = 'fig5'
   AND (a.variant = 'baseline' OR a.variant = '2 workers ' || CAST(round(100 * t.dropped) AS INTEGER) || '%');

-- What each seed came to: cells of Tables 1 to 4, losses of Figure 7b, thresholds of Figure 5's last tenth of steps.
CREATE VIEW dct_seed AS
SELECT s.table_id, s.row_key, s.column_key, s.unit, s.run_id, s.real_data, c.seed, c.ours
  FROM speaking s
  JOIN cell_seed c ON c.paper = s.paper AND c.table_id = s.table_id AND c.row_key = s.row_key
                  AND c.column_key = s.column_key AND c.run_id = s.run_id AND c.of_position = s.position AND c.unit = s.unit
 WHERE s.paper = 'dct' AND s.real_data IS NOT NULL
UNION ALL
SELECT 'fig7b', a.variant, CASE m.name WHEN 'test_loss' THEN 'test loss' ELSE 'train loss' END, m.unit, a.run_id,
       a.real_data, a.seed, m.value
  FROM dct_figure_run f
  JOIN training_place a ON a.run_id = f.run_id
  JOIN measure m ON m.point_id = a.point_id AND m.name IN ('test_loss', 'train_loss')
 WHERE f.figure = 'fig7b'
UNION ALL
SELECT 'fig5', CAST(round(dropped_pct) AS INTEGER) || '%' || CASE WHEN applied THEN ' applied' ELSE '' END, 'threshold',
       '', run_id, 0, seed, avg(threshold)
  FROM dct_figure_5
 WHERE 10 * step >= 9 * last
 GROUP BY dropped_pct, applied, seed;

-- Each row of a table against the others: the mean difference over the seeds, its standard error, and half
-- of the width of its 95 % interval (NULL of one seed).
CREATE VIEW dct_difference AS
WITH seed AS MATERIALIZED (SELECT * FROM dct_seed),
pair AS (
  SELECT a.table_id, a.column_key, a.row_key, b.row_key AS against, a.unit, a.real_data, a.run_id, a.ours,
         b.ours AS other, a.ours - b.ours AS difference,
         avg(a.ours - b.ours) OVER (PARTITION BY a.table_id, a.column_key, a.row_key, b.row_key) AS mean
    FROM seed a
    JOIN seed b ON b.table_id = a.table_id AND b.column_key = a.column_key AND b.run_id = a.run_id AND b.seed = a.seed
               AND b.row_key <> a.row_key)
SELECT g.*, g.error * (SELECT s.t FROM dct_student s WHERE s.n <= g.n ORDER BY s.n DESC LIMIT 1) AS half
  FROM (SELECT table_id, column_key, row_key, against, unit, real_data, run_id, count(*) AS n, avg(ours) AS ours,
               avg(other) AS other, avg(difference) AS difference,
               sqrt(sum((difference - mean) * (difference - mean)) / nullif(count(*) - 1, 0) / count(*)) AS error
          FROM pair
         GROUP BY table_id, column_key, row_key, against) g;

-- Did it come out? Of claims of which every part was trained with two seeds or more. 'open': neither it nor its
-- contrary.
CREATE VIEW dct_verdict AS
WITH difference AS MATERIALIZED (SELECT * FROM dct_difference),
part AS MATERIALIZED (
  SELECT p.place, p.part, d.n, p.bad * d.difference AS worse, d.half,
         printf(CASE d.unit WHEN '%' THEN '%s: %+.2f ± %.2f' ELSE '%s: %+.4f ± %.4f' END, p.label, d.difference, d.half)
           AS came
    FROM dct_claim_part p
    LEFT JOIN difference d ON d.table_id = p.table_id AND d.column_key = p.column_key AND d.row_key = p.row_key
      AND d.against = p.against)
SELECT c.place, c.source, c.claim, c.takes, min(p.n) AS least_n,
       (SELECT group_concat(o.came, '; ') FROM (SELECT came FROM part i WHERE i.place = c.place ORDER BY i.part) o) AS came,
       CASE c.takes
         WHEN 'no worse' THEN CASE WHEN min(p.worse - p.half <= 0) THEN 'holds' ELSE 'does not hold' END
         WHEN 'worse' THEN CASE WHEN min(p.worse - p.half > 0) THEN 'holds'
                                WHEN max(p.worse + p.half < 0) THEN 'does not hold' ELSE 'open' END
         WHEN 'better' THEN CASE WHEN min(p.worse + p.half < 0) THEN 'holds'
                                 WHEN max(p.worse - p.half > 0) THEN 'does not hold' ELSE 'open' END END AS verdict
  FROM dct_claim c JOIN part p USING (place)
 GROUP BY c.place
HAVING count(p.half) = count(*);

-- What Figure 2 says of thresholds, likewise: of every layer, in every step that was traced.
CREATE VIEW dct_threshold_verdict AS
WITH layer AS MATERIALIZED (SELECT * FROM dct_deviation WHERE dropped_pct = 95),
most AS (SELECT published FROM paper_value WHERE paper = 'dct' AND table_id = 'fig2' AND row_key = '95%'
  AND column_key = 'deviation'),
step AS MATERIALIZED (
  SELECT seed, tensor, step, dropped_pct, threshold,
         lag(threshold) OVER (PARTITION BY seed, tensor, step ORDER BY dropped_pct) AS lesser
    FROM dct_figure_2)
SELECT 16 AS place, 'Figure 2' AS source,
       printf('With 95 %% dropped, a threshold differs by at most %.0f %% from its running mean.', published) AS claim,
       'every layer' AS takes, 1 AS least_n,
       printf('%d of %d layers over all %d steps, at most %.0f to %.0f %%; %d over their second half, at most '
              || '%.0f to %.0f %%',
              sum(most_pct <= published), count(*), max(last_step) + 1, min(most_pct), max(most_pct),
              sum(most_late_pct <= published), min(most_late_pct), max(most_late_pct)) AS came,
       CASE WHEN max(most_pct) <= published THEN 'holds' ELSE 'does not hold' END AS verdict
  FROM layer, most
HAVING count(*) > 0
UNION ALL
SELECT 17, 'Figure 2', 'The more is dropped, the higher the threshold.', 'mean of every layer', 1,
       printf('%d of %d means above the next smaller share''s, %d of %d single steps', sum(mean > lesser), count(*),
         sum(above), sum(steps)),
       CASE WHEN min(mean > lesser) THEN 'holds' ELSE 'does not hold' END
  FROM (SELECT avg(threshold) AS mean, avg(lesser) AS lesser, sum(threshold > lesser) AS above, count(*) AS steps
          FROM step WHERE lesser IS NOT NULL GROUP BY seed, tensor, dropped_pct)
HAVING count(*) > 0;

-- Tables 1 to 4: each row's difference from the baseline's, as printed and as trained; the baseline itself as it is.
CREATE VIEW dct_table AS
WITH difference AS MATERIALIZED (SELECT * FROM dct_difference WHERE against = 'baseline')
SELECT w.table_id, w.place, w.row_key, w.label, p.column_key, p.unit, 0 AS is_baseline,
       p.published - b.published AS published, d.difference AS ours, d.half, d.n
  FROM paper_row w
  JOIN paper_value p USING (paper, table_id, row_key)
  JOIN paper_value b ON b.paper = p.paper AND b.table_id = p.table_id AND b.column_key = p.column_key
    AND b.row_key = 'baseline'
  LEFT JOIN difference d ON d.table_id = p.table_id AND d.row_key = p.row_key AND d.column_key = p.column_key
 WHERE w.paper = 'dct' AND w.row_key <> 'baseline'
UNION ALL
SELECT w.table_id, w.place, w.row_key, w.label, p.column_key, p.unit, 1, p.published,
       (SELECT max(d.other) FROM difference d WHERE d.table_id = p.table_id AND d.column_key = p.column_key), NULL,
       (SELECT max(d.n) FROM difference d WHERE d.table_id = p.table_id AND d.column_key = p.column_key)
  FROM paper_row w
  JOIN paper_value p USING (paper, table_id, row_key)
 WHERE w.paper = 'dct' AND w.row_key = 'baseline';

-- Of the pairs of a table's rows that the paper tells apart, the baseline among them: how many ours have in the same
-- order.
CREATE VIEW dct_order AS
WITH value AS MATERIALIZED (
  SELECT table_id, column_key, place, CASE WHEN is_baseline THEN 0 ELSE published END AS published,
         CASE WHEN is_baseline THEN 0 ELSE ours END AS ours
    FROM dct_table
   WHERE ours IS NOT NULL)
SELECT a.table_id, a.column_key, count(*) AS pairs, sum((a.published - b.published) * (a.ours - b.ours) > 0) AS alike
  FROM value a
  JOIN value b ON b.table_id = a.table_id AND b.column_key = a.column_key AND b.place > a.place
    AND abs(b.published - a.published) > 1e-9
 GROUP BY a.table_id, a.column_key;

-- What figures draw as panels, the paper's beside ours: losses of Tables 1 to 3 and what Table 4 has, against the share
-- that is dropped; the losses of Figure 7b, of which the paper prints no values. half: 0 where there is no interval.
CREATE VIEW dct_panel AS
WITH cell AS MATERIALIZED (
  SELECT *, CAST(substr(row_key, 1, 1) AS INTEGER) - 1 AS splits,
         replace(substr(row_key, CASE WHEN row_key LIKE '_ workers%' THEN 11 ELSE 1 END), '%', '') AS share
    FROM dct_table
   WHERE NOT is_baseline AND ours IS NOT NULL),
value AS MATERIALIZED (
  SELECT 'loss' AS figure, '' AS measure, CASE table_id WHEN '1' THEN splits WHEN '2' THEN 3 ELSE 4 END AS place,
         CASE table_id WHEN '1' THEN 'activations, ' || CASE splits WHEN 1 THEN 'one split' ELSE 'two splits' END
                       WHEN '2' THEN 'gradients' ELSE 'both, two splits' END AS series,
         CAST(share AS REAL) AS x, share || ' %' AS x_text, published, ours, half, n
    FROM cell WHERE table_id IN ('1', '2', '3') AND column_key = 'test loss'
  UNION ALL
  SELECT 'translation', column_key || ', ', splits,
         CASE splits WHEN 1 THEN 'one split' WHEN 2 THEN 'two splits' ELSE 'four splits' END,
         CAST(share AS REAL), share || ' %', published, ours, half, n
    FROM cell WHERE table_id = '4' AND column_key IN ('test loss', 'BLEU')
  UNION ALL
  SELECT 'fig7b', '', column_key = 'train loss', column_key, CAST(substr(row_key, 3) AS REAL), substr(row_key, 3), NULL,
         difference, half, n
    FROM dct_difference WHERE table_id = 'fig7b' AND against = 'baseline'),
seeds AS (
  SELECT figure, CASE WHEN min(n) < max(n) THEN min(n) || ' to ' || max(n) || ' seeds'
         WHEN min(n) = 1 THEN 'one seed' ELSE min(n) || ' seeds' END AS text
    FROM value GROUP BY figure)
SELECT figure, measure = 'BLEU, ' AS panel_place, 1 AS side, measure || 'the paper' AS panel, place, series, x, x_text,
       published AS value, 0.0 AS half
  FROM value WHERE published IS NOT NULL
UNION ALL
SELECT figure, measure = 'BLEU, ', 2, measure || 'ours, ' || text, place, series, x, x_text, ours, coalesce(half, 0.0)
  FROM value JOIN seeds USING (figure);
