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

CREATE VIEW cell_error AS        -- error_pct: signed, % of the published value
SELECT *, 100.0 * (ours / published - 1.0) AS error_pct FROM comparison;

-- What every run says about every cell it names; NULL where its point lacks the measure or its baseline is missing, and
-- for a baseline's gain over itself, which is no prediction.
CREATE VIEW cell_value AS
WITH gained AS (
  SELECT g.* FROM gain g JOIN run r ON r.id = g.run_id WHERE g.variant <> r.baseline)
SELECT c.paper, c.table_id, c.row_key, c.column_key, c.run_id, c.position, c.measure,
       CASE
         WHEN c.measure IN ('gain_pct', 'speedup', 'loss_pct')
           THEN (SELECT CASE c.measure WHEN 'gain_pct' THEN g.gain_pct WHEN 'speedup' THEN g.speedup
                                       ELSE 100.0 * (1.0 - g.speedup) END
                   FROM gained g WHERE g.run_id = c.run_id AND g.position = c.position)
         WHEN c.measure = 'batch_ratio'
           THEN (SELECT b.batch_ratio FROM batch_gain b WHERE b.run_id = c.run_id AND b.position = c.position)
         ELSE m.value END AS ours,
       CASE c.measure WHEN 'gain_pct' THEN '%' WHEN 'speedup' THEN 'x' WHEN 'loss_pct' THEN '%' WHEN 'batch_ratio'
           THEN 'x'
                      ELSE m.unit END AS unit
  FROM cell c
  JOIN run_point p ON p.run_id = c.run_id AND p.position = c.position
  LEFT JOIN measure m ON m.point_id = p.point_id AND m.name = c.measure;

-- Measures that are counted: they follow from a network's shapes and a datasheet's figures alone, without a model of
-- how long anything takes.
CREATE VIEW counted_measure(name) AS VALUES ('bytes_per_kflop'), ('parameter_bytes'), ('sample_gfma');

-- The point that covers a published cell: the first of the newest run here that does, else of the newest record. A
-- quick look at training covers none. real_data: NULL if it was not trained, and of what depends on a network's shapes
-- alone.
CREATE VIEW speaking AS
SELECT v.paper, v.table_id, v.row_key, v.column_key, p.published, v.ours, p.unit, v.run_id, v.position, v.recorded,
       v.measure, v.measure IN (SELECT name FROM counted_measure) AS counted,
       (SELECT t.real_data FROM run_point o JOIN training t ON t.point_id = o.point_id
         WHERE o.run_id = v.run_id AND o.position = v.position
           AND v.measure NOT IN (SELECT name FROM counted_measure)) AS real_data
  FROM (SELECT c.*, s.recorded, row_number() OVER (PARTITION BY c.paper, c.table_id, c.row_key, c.column_key
                                                   ORDER BY s.recorded, c.run_id DESC, c.position) AS age
          FROM cell_value c
          JOIN run_source s ON s.run_id = c.run_id AND s.size IS NOT 'quick'
         WHERE c.ours IS NOT NULL
           AND EXISTS (SELECT 1 FROM paper_value q
                        WHERE q.paper = c.paper AND q.table_id = c.table_id AND q.row_key = c.row_key
                          AND q.column_key = c.column_key AND q.unit = c.unit)) v
  JOIN paper_value p USING (paper, table_id, row_key, column_key)
 WHERE v.age = 1 AND v.row_key <> 'average';

-- What a trained point says to a cell, and in the same run all that differ from it by their seed alone: a row for each
-- pair, so that one point's rows are its seeds'.
CREATE VIEW cell_seed AS
SELECT w.paper, w.table_id, w.row_key, w.column_key, w.unit, w.run_id, a.position AS of_position, b.position, b.seed,
    w.ours
  FROM cell_value w
  JOIN training_place b ON b.run_id = w.run_id AND b.position = w.position
  JOIN training_place a ON a.run_id = b.run_id AND a.variant = b.variant AND a.place = b.place
 WHERE w.ours IS NOT NULL;

-- What a run says to the cells that constants were fitted to.
CREATE VIEW fitted_value AS
SELECT v.run_id, v.measure, v.ours
  FROM cell_value v
 WHERE v.ours IS NOT NULL
   AND EXISTS (SELECT 1 FROM calibration k WHERE k.paper = v.paper AND k.table_id = v.table_id
                  AND k.row_key = v.row_key AND k.column_key = v.column_key);

-- What our runs say to a published cell, of trained points the mean over their seeds. 'calibrated': a constant was
-- fitted to it; 'assumed': its scenario chose something with it in view; 'replayed': to a thousandth, the same run says
-- the same by the same measure to a calibrated cell, so that it says again what was fitted; 'computed': counted;
-- 'scaled': trained on other data than the paper's. What was fitted or chosen stays so: that it agrees means nothing,
-- on whichever data.
CREATE VIEW spoken AS
SELECT s.paper, s.table_id, s.row_key, s.column_key, s.published,
       CASE WHEN s.real_data IS NULL THEN s.ours ELSE
         (SELECT avg(c.ours) FROM cell_seed c
           WHERE c.paper = s.paper AND c.table_id = s.table_id AND c.row_key = s.row_key AND c.column_key = s.column_key
             AND c.run_id = s.run_id AND c.of_position = s.position AND c.unit = s.unit) END AS ours,
       s.unit,
       CASE WHEN EXISTS (SELECT 1 FROM calibration k
                          WHERE k.paper = s.paper AND k.table_id = s.table_id
                            AND k.row_key = s.row_key AND k.column_key = s.column_key) THEN 'calibrated'
            WHEN EXISTS (SELECT 1 FROM assumption k
                          WHERE k.paper = s.paper AND k.table_id = s.table_id AND k.row_key = s.row_key
                            AND k.column_key = s.column_key AND k.run_id = s.run_id) THEN 'assumed'
            WHEN EXISTS (SELECT 1 FROM fitted_value f
                          WHERE f.run_id = s.run_id AND f.measure = s.measure
                            AND abs(f.ours - s.ours) <= 1e-3 * abs(f.ours)) THEN 'replayed'
            WHEN s.counted THEN 'computed'
            WHEN s.real_data = 0 THEN 'scaled' ELSE 'predicted' END AS kind
  FROM speaking s;

-- Next to 'comparison': how far the seeds lie apart, for each cell that trained points cover.
CREATE VIEW comparison_spread AS
WITH value AS (
  SELECT s.paper, s.table_id, s.row_key, s.column_key, s.published, s.unit, s.real_data, c.ours,
         avg(c.ours) OVER (PARTITION BY s.paper, s.table_id, s.row_key, s.column_key) AS mean
    FROM speaking s
    JOIN cell_seed c ON c.paper = s.paper AND c.table_id = s.table_id AND c.row_key = s.row_key AND c.column_key =
        s.column_key
                    AND c.run_id = s.run_id AND c.of_position = s.position AND c.unit = s.unit
   WHERE s.real_data IS NOT NULL)
SELECT paper, table_id, row_key, column_key, published, unit, real_data, count(*) AS n, mean,
       sqrt(sum((ours - mean) * (ours - mean)) / nullif(count(*) - 1, 0)) AS deviation,
       min(ours) AS least, max(ours) AS largest
  FROM value
 GROUP BY paper, table_id, row_key, column_key;

-- A published average, where all that it is of are there.
CREATE VIEW average_derived AS
SELECT p.paper, p.table_id, p.row_key, p.column_key, p.published, avg(s.ours) AS ours, p.unit,
       CASE WHEN max(s.kind = 'scaled') THEN 'scaled' ELSE 'predicted' END AS kind
  FROM paper_value p
  JOIN spoken s ON s.paper = p.paper AND s.table_id = p.table_id AND s.column_key = p.column_key
 WHERE p.row_key = 'average'
 GROUP BY p.paper, p.table_id, p.column_key
HAVING count(*) = (SELECT count(*) FROM paper_value q
                    WHERE q.paper = p.paper AND q.table_id = p.table_id AND q.column_key = p.column_key
                      AND q.row_key <> 'average');

-- Next to the papers: one row per published cell that a run covers.
CREATE VIEW comparison(paper, table_id, row_key, column_key, published, ours, unit, kind) AS
WITH said AS MATERIALIZED (SELECT * FROM spoken)
SELECT paper, table_id, row_key, column_key, published, ours, unit, kind FROM said
UNION ALL
SELECT paper, table_id, row_key, column_key, published, ours, unit, kind FROM derived d
 WHERE NOT EXISTS (SELECT 1 FROM said s WHERE s.paper = d.paper AND s.table_id = d.table_id
                      AND s.row_key = d.row_key AND s.column_key = d.column_key);

-- Every published cell that something is to come out for, ours or not. error: signed, in % of the published value; for
-- percentages and shares in points, since per cent of a percentage would mislead.
CREATE VIEW paper_cell AS
SELECT p.paper, p.table_id, p.row_key, p.column_key, p.published, c.ours, p.unit, p.source,
    coalesce(c.kind, 'missing') AS kind,
       CASE WHEN p.unit IN ('%', 'share') THEN 'points' ELSE '%' END AS error_unit,
       CASE p.unit WHEN '%' THEN c.ours - p.published WHEN 'share' THEN 100.0 * (c.ours - p.published)
                   ELSE 100.0 * (c.ours / p.published - 1.0) END AS error
  FROM paper_value p
  LEFT JOIN comparison c USING (paper, table_id, row_key, column_key)
 WHERE NOT EXISTS (SELECT 1 FROM paper_input i
                    WHERE i.paper = p.paper AND i.table_id = p.table_id AND i.row_key IN ('*', p.row_key)
                      AND i.column_key IN ('*', p.column_key));

-- A paper in a line: its cells. The errors that lead are of what is predicted, and nothing else; worst: the cell of the
-- largest. 'compared': all that was simulated or counted and not fitted, so with what is replayed, assumed or computed.
CREATE VIEW score_cells AS
WITH cell AS MATERIALIZED (
  SELECT *, kind = 'predicted' AS predicted, kind IN ('predicted', 'replayed', 'assumed', 'computed') AS compared
    FROM paper_cell),
ranked AS (
  SELECT paper, error_unit, error, table_id || ', ' || row_key || ', ' || column_key AS name,
         row_number() OVER (PARTITION BY paper, error_unit ORDER BY abs(error)) AS i,
         row_number() OVER (PARTITION BY paper, error_unit ORDER BY abs(error) DESC, table_id, row_key,
             column_key) AS last,
         count(*) OVER (PARTITION BY paper, error_unit) AS n
    FROM cell WHERE predicted),
predicted AS (
  SELECT paper, error_unit, count(*) AS n, avg(abs(error)) AS mean,
      avg(abs(error)) FILTER (WHERE i IN ((n + 1) / 2, (n + 2) / 2)) AS median,
         max(error) FILTER (WHERE last = 1) AS worst, max(name) FILTER (WHERE last = 1) AS worst_cell
    FROM ranked GROUP BY paper, error_unit)
SELECT p.paper, p.place, p.label, count(*) FILTER (WHERE c.predicted) AS predicted,
       coalesce(a.n, 0) AS predicted_pct, a.mean AS mean_error_pct, a.median AS median_error_pct, a.worst AS worst_pct,
           a.worst_cell AS worst_pct_cell,
       coalesce(b.n, 0) AS predicted_points, b.mean AS mean_error_points, b.worst AS worst_points,
           b.worst_cell AS worst_points_cell,
       count(*) FILTER (WHERE c.compared AND c.error_unit = '%') AS compared_pct,
       avg(abs(c.error)) FILTER (WHERE c.compared AND c.error_unit = '%') AS compared_mean_pct,
       count(*) FILTER (WHERE c.compared AND c.error_unit = 'points') AS compared_points,
       avg(abs(c.error)) FILTER (WHERE c.compared AND c.error_unit = 'points') AS compared_mean_points,
       count(*) FILTER (WHERE c.kind = 'calibrated') AS calibrated,
       count(*) FILTER (WHERE c.kind = 'replayed') AS replayed,
       count(*) FILTER (WHERE c.kind = 'assumed') AS assumed,
       count(*) FILTER (WHERE c.kind = 'computed') AS computed,
       count(*) FILTER (WHERE c.kind = 'scaled') AS scaled, count(*) FILTER (WHERE c.kind = 'missing') AS missing,
       (SELECT count(*) FROM paper_value v WHERE v.paper = p.paper
           AND EXISTS (SELECT 1 FROM paper_input i WHERE i.paper = v.paper AND i.table_id = v.table_id
                          AND i.row_key IN ('*', v.row_key) AND i.column_key IN ('*', v.column_key))) AS input
  FROM paper p
  LEFT JOIN cell c USING (paper)
  LEFT JOIN predicted a ON a.paper = p.paper AND a.error_unit = '%'
  LEFT JOIN predicted b ON b.paper = p.paper AND b.error_unit = 'points'
 GROUP BY p.paper;

-- What comes out for a spoken cell with the constants that are fitted without another one, 'left_out'.
CREATE VIEW cell_refit AS
SELECT s.paper, s.table_id, s.row_key, s.column_key,
    f.table_id || ', ' || f.row_key || ', ' || f.column_key AS left_out, c.ours
  FROM speaking s
  JOIN refit_cell c ON c.run_id = s.run_id AND c.position = s.position AND c.paper = s.paper AND c.table_id = s.table_id
                   AND c.row_key = s.row_key AND c.column_key = s.column_key
  JOIN refit f ON f.run_id = c.run_id AND f.place = c.place;

-- From where to where that is, what all cells together give among them.
CREATE VIEW cell_range AS
SELECT r.paper, r.table_id, r.row_key, r.column_key, count(*) AS refits, min(min(r.ours), s.ours) AS least,
    max(max(r.ours), s.ours) AS largest
  FROM cell_refit r JOIN speaking s USING (paper, table_id, row_key, column_key)
 GROUP BY r.paper, r.table_id, r.row_key, r.column_key;

-- From where to where that moves a paper's mean error over what is predicted.
CREATE VIEW score_range AS
WITH cell AS MATERIALIZED (SELECT * FROM paper_cell WHERE kind = 'predicted'),
again AS MATERIALIZED (SELECT * FROM cell_refit),
left_out AS (SELECT DISTINCT paper, left_out FROM again),
value AS (
  SELECT c.paper, c.error_unit, c.unit, c.published, l.left_out, coalesce(a.ours, c.ours) AS ours
    FROM cell c
    JOIN left_out l USING (paper)
    LEFT JOIN again a ON a.paper = c.paper AND a.table_id = c.table_id AND a.row_key = c.row_key
                     AND a.column_key = c.column_key AND a.left_out = l.left_out),
refit AS (
  SELECT paper, error_unit, left_out,
         avg(abs(CASE unit WHEN '%' THEN ours - published WHEN 'share' THEN 100.0 * (ours - published)
                           ELSE 100.0 * (ours / published - 1.0) END)) AS mean
    FROM value GROUP BY paper, error_unit, left_out)
SELECT r.paper, r.error_unit, count(*) AS refits, min(min(r.mean), m.mean) AS least, max(max(r.mean), m.mean) AS largest
  FROM refit r
  JOIN (SELECT paper, error_unit, avg(abs(error)) AS mean FROM cell GROUP BY paper, error_unit) m
      USING (paper, error_unit)
 GROUP BY r.paper, r.error_unit;

-- And its claims, each counted once, by its largest training runs; those that nothing was trained for are left out.
CREATE VIEW scoreboard AS
SELECT s.*, count(t.paper) AS claims, count(*) FILTER (WHERE t.verdict = 'holds') AS hold,
       count(*) FILTER (WHERE t.verdict = 'does not hold') AS fail,
       count(*) FILTER (WHERE t.verdict IN ('undecided', 'not testable here')) AS open
  FROM score_cells s LEFT JOIN claim_told t ON t.paper = s.paper AND t.verdict <> 'not run' AND t.n > 0
 GROUP BY s.paper;

-- The cells of a paper's table as a report prints them, in the order of its rows; columns are to be chosen and ordered
-- by the query.
CREATE VIEW report_cell AS
WITH ours AS MATERIALIZED (SELECT * FROM comparison), spread AS MATERIALIZED (SELECT * FROM comparison_spread),
range AS MATERIALIZED (SELECT * FROM cell_range)
SELECT p.paper, p.table_id, w.place, p.row_key, w.label AS row_label, p.column_key, p.column_key AS column_label,
    p.published, c.ours,
       c.kind, p.unit, s.n, s.deviation, g.least, g.largest, lower(w.label) = 'average' AS rule
  FROM paper_value p
  JOIN paper_row w USING (paper, table_id, row_key)
  LEFT JOIN ours c USING (paper, table_id, row_key, column_key)
  LEFT JOIN spread s USING (paper, table_id, row_key, column_key)
  LEFT JOIN range g USING (paper, table_id, row_key, column_key);

-- Those that runs cover, without what is derived and how seeds spread: in a fraction of the time.
CREATE VIEW report_spoken AS
WITH range AS MATERIALIZED (SELECT * FROM cell_range)
SELECT p.paper, p.table_id, w.place, p.row_key, w.label AS row_label, p.column_key, p.column_key AS column_label,
    p.published, s.ours, s.kind, p.unit, g.least, g.largest
  FROM paper_value p
  JOIN paper_row w USING (paper, table_id, row_key)
  LEFT JOIN spoken s USING (paper, table_id, row_key, column_key)
  LEFT JOIN range g USING (paper, table_id, row_key, column_key);

-- What computes a cell again. Paths are as a checkout has them; what was derived follows from other cells of its table.
CREATE VIEW cell_command AS
SELECT s.paper, s.table_id, s.row_key, s.column_key, s.run_id, s.position, s.recorded, r.revision, r.machine,
    r.started_ns,
       'narrows run ' || CASE WHEN instr(r.file, 'scenarios/') THEN substr(r.file, instr(r.file, 'scenarios/'))
           ELSE r.file END
       || CASE WHEN r.npoints > 1 AND s.real_data IS NULL THEN ' --point ' || s.position ELSE '' END AS command
  FROM speaking s JOIN run r ON r.id = s.run_id;
