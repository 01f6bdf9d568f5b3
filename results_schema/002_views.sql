-- 002_views.sql - what follows from the facts.

-- Each variant against its run's baseline, at the same place on the axes. The baseline itself is listed with gain 0.
CREATE VIEW gain AS
SELECT r.id AS run_id, r.scenario, r.figure, v.position, v.combination, v.variant,
       t.value AS step_ms, b.value AS baseline_ms,
       b.value / t.value AS speedup,                        -- x
       100.0 * (1.0 - t.value / b.value) AS gain_pct        -- % of the baseline's time saved
  FROM run r
  JOIN run_point v ON v.run_id = r.id
  JOIN run_point o ON o.run_id = r.id AND o.combination = v.combination AND o.variant = r.baseline
  JOIN measure t ON t.point_id = v.point_id AND t.name = 'step_ms'
  JOIN measure b ON b.point_id = o.point_id AND b.name = 'step_ms'
 WHERE r.baseline <> '';

-- What every run says about every cell it names; NULL where its point lacks the measure or its baseline is missing.
CREATE VIEW cell_value AS
SELECT c.paper, c.table_id, c.row_key, c.column_key, c.run_id, c.position, c.measure,
       CASE c.measure
         WHEN 'gain_pct' THEN (SELECT g.gain_pct FROM gain g WHERE g.run_id = c.run_id AND g.position = c.position)
         WHEN 'speedup' THEN (SELECT g.speedup FROM gain g WHERE g.run_id = c.run_id AND g.position = c.position)
         ELSE m.value END AS ours,
       CASE c.measure WHEN 'gain_pct' THEN '%' WHEN 'speedup' THEN 'x' ELSE m.unit END AS unit
  FROM cell c
  JOIN run_point p ON p.run_id = c.run_id AND p.position = c.position
  LEFT JOIN measure m ON m.point_id = p.point_id AND m.name = c.measure;

-- The newest run that speaks to a published cell, in the paper's unit. A killed run counts for the points it lists.
CREATE VIEW spoken AS
SELECT v.paper, v.table_id, v.row_key, v.column_key, p.published, v.ours, p.unit,
       CASE WHEN EXISTS (SELECT 1 FROM calibration k
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

-- Cells that a run names and that no paper prints, or prints in another unit: a slip in a scenario.
CREATE VIEW unmatched_cell AS
SELECT v.run_id, r.scenario, v.paper, v.table_id, v.row_key, v.column_key, v.measure, v.unit, p.unit AS paper_unit
  FROM cell_value v
  JOIN run r ON r.id = v.run_id
  LEFT JOIN paper_value p USING (paper, table_id, row_key, column_key)
 WHERE p.paper IS NULL OR (v.unit IS NOT NULL AND v.unit <> p.unit);

-- The sum of a table's column, where a table is a serial chain; 'cells' printed, 'covered' by us.
CREATE VIEW column_sum AS
SELECT p.paper, p.table_id, p.column_key, sum(p.published) AS published, sum(s.ours) AS ours, p.unit,
       count(*) AS cells, count(s.ours) AS covered
  FROM paper_value p LEFT JOIN spoken s USING (paper, table_id, row_key, column_key)
 GROUP BY p.paper, p.table_id, p.column_key;

-- Published figures that follow from several of our cells. A row appears only when all of those are there.
CREATE VIEW derived AS
SELECT p.paper, p.table_id, p.row_key, p.column_key, p.published, avg(s.ours) AS ours, p.unit
  FROM paper_value p
  JOIN spoken s ON s.paper = p.paper AND s.table_id = p.table_id AND s.column_key = p.column_key
 WHERE p.row_key = 'average'
 GROUP BY p.paper, p.table_id, p.column_key
HAVING count(*) = (SELECT count(*) FROM paper_value q
                    WHERE q.paper = p.paper AND q.table_id = p.table_id AND q.column_key = p.column_key
                      AND q.row_key <> 'average')
UNION ALL
SELECT p.paper, p.table_id, p.row_key, p.column_key, p.published, b.ours / a.ours, p.unit
  FROM paper_value p
  JOIN paper_system y ON y.paper = p.paper AND y.system = p.column_key
  JOIN spoken b ON b.paper = p.paper AND b.table_id = y.table_id AND b.row_key = 'Data Transfer CPU→GPU'
               AND b.column_key = '32-bit FP'
  JOIN spoken a ON a.paper = p.paper AND a.table_id = y.table_id AND a.row_key = 'Data Transfer CPU→GPU'
               AND a.column_key = 'A2DTWP'
 WHERE p.paper = 'a2dtwp' AND p.table_id = 'text' AND p.row_key = 'CPU→GPU reduction'
UNION ALL
SELECT p.paper, p.table_id, p.row_key, p.column_key, p.published, 100.0 * sum(s.ours) / t.ours, p.unit
  FROM paper_value p
  JOIN paper_system y ON y.paper = p.paper AND y.system = p.column_key
  JOIN column_sum t ON t.paper = p.paper AND t.table_id = y.table_id AND t.column_key = 'A2DTWP'
                   AND t.covered = t.cells
  JOIN spoken s ON s.paper = p.paper AND s.table_id = y.table_id AND s.column_key = 'A2DTWP'
               AND s.row_key LIKE replace(p.row_key, ' share', '') || ' (%'
 WHERE p.paper = 'a2dtwp' AND p.table_id = 'text' AND p.row_key IN ('AWP share', 'ADT share')
 GROUP BY p.paper, p.row_key, p.column_key;

-- Beside the papers: one row per published cell that a run speaks to.
CREATE VIEW comparison(paper, table_id, row_key, column_key, published, ours, unit, kind) AS
SELECT paper, table_id, row_key, column_key, published, ours, unit, kind FROM spoken
UNION ALL
SELECT paper, table_id, row_key, column_key, published, ours, unit, 'predicted' FROM derived d
 WHERE NOT EXISTS (SELECT 1 FROM spoken s WHERE s.paper = d.paper AND s.table_id = d.table_id
                      AND s.row_key = d.row_key AND s.column_key = d.column_key);

CREATE VIEW cell_error AS        -- error_pct: signed, % of the published value
SELECT *, 100.0 * (ours / published - 1.0) AS error_pct FROM comparison;

-- Medians over repetitions. GBps counts 1e9 bytes that must move; ratio is the rate over the anchor's paired rate.
CREATE VIEW throughput AS
WITH rated AS (
  SELECT *, 1.0 * bytes_moved / elapsed_ns AS GBps,
         CASE WHEN anchor_ns > 0
              THEN 1.0 * bytes_moved / elapsed_ns / (1.0 * anchor_bytes / anchor_ns) END AS ratio
    FROM sample),
ranked AS (
  SELECT *, count(*) OVER same AS n, row_number() OVER (same ORDER BY GBps) AS i,
         row_number() OVER (same ORDER BY ratio) AS j
    FROM rated
  WINDOW same AS (PARTITION BY run_id, kernel, impl, variant, nvalues))
SELECT run_id, kernel, impl, variant, nvalues, n AS reps,
       avg(GBps) FILTER (WHERE i IN ((n + 1) / 2, (n + 2) / 2)) AS median_GBps,
       min(GBps) AS min_GBps, max(GBps) AS max_GBps,
       avg(ratio) FILTER (WHERE j IN ((n + 1) / 2, (n + 2) / 2)) AS median_ratio,
       max(anchor_ns) = 0 AS is_anchor
  FROM ranked
 GROUP BY run_id, kernel, impl, variant, nvalues;

-- Where a paper disagrees with itself: the gain that the columns of a batch's profile add up to, beside the gain that
-- the same network and batch is given in Figure 4.
CREATE VIEW a2dtwp_contradiction AS
SELECT y.system, y.place, y.label, y.table_id, 100.0 * (1.0 - a.published / b.published) AS profile_gain_pct,
       f.published AS figure_gain_pct
  FROM paper_system y
  JOIN column_sum b ON b.paper = y.paper AND b.table_id = y.table_id AND b.column_key = '32-bit FP'
  JOIN column_sum a ON a.paper = y.paper AND a.table_id = y.table_id AND a.column_key = 'A2DTWP'
  JOIN paper_value f ON f.paper = y.paper AND f.table_id = 'fig4' AND f.row_key = 'vgg-a 64'
                    AND f.column_key = y.system
 WHERE y.paper = 'a2dtwp';

-- The average a paper states beside the average of the gains it prints.
CREATE VIEW stated_average AS
SELECT p.paper, p.table_id, p.column_key, p.published AS stated, avg(q.published) AS computed, count(*) AS n
  FROM paper_value p
  JOIN paper_value q ON q.paper = p.paper AND q.table_id = p.table_id AND q.column_key = p.column_key
                    AND q.row_key <> 'average'
 WHERE p.row_key = 'average'
 GROUP BY p.paper, p.table_id, p.column_key;
