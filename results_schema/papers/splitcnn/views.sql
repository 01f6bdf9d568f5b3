-- kind: unsplit; split; crossed (on even patches, evaluated in one piece); stochastic. asked_pct, patches: as the variant's name has
-- them ('25 %, 6 patches'); depth_pct: the share of the convolutions that comes to.
CREATE VIEW splitcnn_point AS
SELECT DISTINCT r.size, r.row_key, r.network, r.place, p.variant, t.model, t.data, t.real_data, t.steps, t.seed, p.point_id,
       CASE WHEN p.variant = 'unsplit' THEN 'unsplit' WHEN p.variant LIKE '%, evaluated unsplit' THEN 'crossed'
            WHEN p.variant LIKE '%, stochastic' THEN 'stochastic' ELSE 'split' END AS kind,
       CAST(p.variant AS REAL) AS asked_pct,
       coalesce((SELECT value FROM measure m WHERE m.point_id = p.point_id AND m.name = 'split_pct'), 0) AS depth_pct,
       CASE WHEN p.variant = 'unsplit' THEN 1 WHEN p.variant LIKE '% patches' THEN CAST(substr(p.variant, instr(p.variant, ',') + 1) AS INTEGER)
            ELSE 4 END AS patches,
       (SELECT min(q.position) FROM run_point q WHERE q.run_id = p.run_id AND q.variant = p.variant) AS variant_place
  FROM splitcnn_run r
  JOIN run_point p ON p.run_id = r.run_id
  JOIN training t ON t.point_id = p.point_id;

-- Points of per cent, seed by seed, of any two variants of a network.
CREATE VIEW splitcnn_pair AS
SELECT a.size, a.row_key, a.seed, a.variant, b.variant AS other, x.value AS accuracy_pct, x.value - y.value AS difference
  FROM splitcnn_point a
  JOIN splitcnn_point b ON b.size = a.size AND b.row_key = a.row_key AND b.seed = a.seed
  JOIN measure x ON x.point_id = a.point_id AND x.name = 'accuracy'
  JOIN measure y ON y.point_id = b.point_id AND y.name = 'accuracy';

CREATE VIEW splitcnn_difference AS
WITH spread AS (
  SELECT *, avg(difference) OVER (PARTITION BY size, row_key, variant, other) AS mean,
         avg(accuracy_pct) OVER (PARTITION BY size, row_key, variant, other) AS mean_pct
    FROM splitcnn_pair)
SELECT size, row_key, variant, other, count(*) AS n, mean_pct, mean AS difference,
       sqrt(sum((accuracy_pct - mean_pct) * (accuracy_pct - mean_pct)) / nullif(count(*) - 1, 0)) AS deviation,
       sqrt(sum((difference - mean) * (difference - mean)) / nullif(count(*) - 1, 0) / count(*)) AS standard_error
  FROM spread
 GROUP BY size, row_key, variant, other;

-- Every variant against the unsplit network, which is compared with nothing.
CREATE VIEW splitcnn_accuracy AS
SELECT DISTINCT p.size, p.row_key, p.network, p.place, p.variant, p.variant_place, p.kind, p.asked_pct, p.depth_pct, p.patches,
       d.n, d.mean_pct, d.deviation, CASE WHEN p.kind <> 'unsplit' THEN d.difference END AS difference,
       CASE WHEN p.kind <> 'unsplit' THEN d.standard_error END AS standard_error
  FROM splitcnn_point p
  JOIN splitcnn_difference d ON d.size = p.size AND d.row_key = p.row_key AND d.variant = p.variant AND d.other = 'unsplit';

-- How far they were learnt: the loss of training over the last tenth of the steps, mean over the seeds.
CREATE VIEW splitcnn_fit AS
SELECT p.size, p.row_key, p.variant, avg(s.loss) AS loss
  FROM splitcnn_point p
  JOIN trace_step s ON s.point_id = p.point_id AND 10 * (s.step + 1) > 9 * p.steps
 GROUP BY p.size, p.row_key, p.variant;

-- Table 1: the deepest splits that are evaluated in patches, and the same stochastic; differences from the baseline, in points.
CREATE VIEW splitcnn_table1 AS
SELECT a.size, a.row_key, a.network, a.place, c.column_key, a.variant, a.n, a.difference, a.standard_error,
       p.published - b.published AS published_difference
  FROM splitcnn_accuracy a
  JOIN (SELECT 'split' AS kind, 'SCNN' AS column_key UNION ALL SELECT 'stochastic', 'SSCNN') c USING (kind)
  JOIN paper_value d ON d.paper = 'splitcnn' AND d.table_id = '1' AND d.row_key = a.row_key AND d.column_key = 'depth'
                    AND d.published = a.asked_pct
  JOIN paper_value p ON p.paper = 'splitcnn' AND p.table_id = '1' AND p.row_key = a.row_key AND p.column_key = c.column_key
  JOIN paper_value b ON b.paper = 'splitcnn' AND b.table_id = '1' AND b.row_key = a.row_key AND b.column_key = 'Baseline'
 WHERE a.patches = 4;

-- What Figures 4 and 5 are drawn from; x: the share of the convolutions in %, patches.
CREATE VIEW splitcnn_curve AS
SELECT 4 AS figure, *, depth_pct AS x FROM splitcnn_accuracy
 WHERE kind IN ('unsplit', 'split') AND patches IN (1, 4) AND row_key IN ('VGG19', 'ResNet18')
UNION ALL
SELECT 5, *, patches FROM splitcnn_accuracy
 WHERE (kind = 'unsplit' OR kind = 'split' AND asked_pct = 25) AND row_key IN ('VGG19', 'ResNet18');

-- Their slopes by least squares, points for each unit of x: of every seed on its own, then the mean of those; straight: the share of the
-- means' variance that a line explains.
CREATE VIEW splitcnn_slope AS
WITH of_seed AS (
  SELECT c.size, c.row_key, c.figure, p.seed, count(*) AS places,
         (count(*) * sum(c.x * p.difference) - sum(c.x) * sum(p.difference))
           / nullif(count(*) * sum(c.x * c.x) - sum(c.x) * sum(c.x), 0) AS slope
    FROM splitcnn_curve c
    JOIN splitcnn_pair p ON p.size = c.size AND p.row_key = c.row_key AND p.variant = c.variant AND p.other = 'unsplit'
   GROUP BY c.size, c.row_key, c.figure, p.seed),
spread AS (
  SELECT *, avg(slope) OVER (PARTITION BY size, row_key, figure) AS mean FROM of_seed WHERE places >= 5),
line AS (
  SELECT size, row_key, figure, count(*) * sum(x * mean_pct) - sum(x) * sum(mean_pct) AS together,
         count(*) * sum(x * x) - sum(x) * sum(x) AS across,
         count(*) * sum(mean_pct * mean_pct) - sum(mean_pct) * sum(mean_pct) AS up
    FROM splitcnn_curve GROUP BY size, row_key, figure)
SELECT s.size, s.row_key, w.label AS network, w.place, s.figure, count(*) AS n, s.mean AS slope,
       sqrt(sum((s.slope - s.mean) * (s.slope - s.mean)) / nullif(count(*) - 1, 0) / count(*)) AS standard_error,
       l.together * l.together / nullif(l.across * l.up, 0) AS straight
  FROM spread s
  JOIN line l USING (size, row_key, figure)
  JOIN paper_row w ON w.paper = 'splitcnn' AND w.table_id = '1' AND w.row_key = s.row_key
 GROUP BY s.size, s.row_key, s.figure;

-- Figures 6 and 7: test error while training, of the unsplit network and of what was done to its deepest split.
CREATE VIEW splitcnn_progress AS
WITH value AS (
  SELECT p.size, p.row_key, p.variant, p.variant_place, e.after_steps, 100.0 * (1 - e.top1) AS error,
         avg(100.0 * (1 - e.top1)) OVER (PARTITION BY p.size, p.row_key, p.variant, e.after_steps) AS mean
    FROM splitcnn_point p
    JOIN trace_evaluation e ON e.point_id = p.point_id
   WHERE p.patches IN (1, 4) AND e.after_steps > 0
     AND (p.kind = 'unsplit' OR p.asked_pct = (SELECT max(q.asked_pct) FROM splitcnn_point q WHERE q.size = p.size AND q.row_key = p.row_key)))
SELECT size, row_key, variant, variant_place, after_steps, mean AS error,
       sqrt(sum((error - mean) * (error - mean)) / nullif(count(*) - 1, 0)) AS deviation
  FROM value
 GROUP BY size, row_key, variant, after_steps;

-- What was done to one depth of four patches, 50 % and more of the convolutions, against each other and the unsplit network.
CREATE VIEW splitcnn_contrast AS
SELECT a.size, a.row_key, a.network, a.place, a.kind, b.kind AS other, d.n, d.difference, d.standard_error
  FROM splitcnn_accuracy a
  JOIN splitcnn_accuracy b ON b.size = a.size AND b.row_key = a.row_key AND b.kind <> a.kind
                          AND (b.kind = 'unsplit' OR b.asked_pct = a.asked_pct AND b.patches = a.patches)
  JOIN splitcnn_difference d ON d.size = a.size AND d.row_key = a.row_key AND d.variant = a.variant AND d.other = b.variant
 WHERE a.patches = 4 AND a.asked_pct >= 50;

CREATE VIEW splitcnn_run AS
SELECT s.size, w.row_key, w.label AS network, w.place, max(r.id) AS run_id
  FROM run r
  JOIN paper_row w ON w.paper = 'splitcnn' AND w.table_id = '1'
  JOIN (SELECT 1 AS size, 'splitcnn-paper-' AS begins UNION ALL SELECT 2, 'splitcnn-small-' UNION ALL SELECT 3, 'splitcnn-quick-'
        UNION ALL SELECT 4, 'splitcnn-longer-') s
    ON r.scenario = s.begins || lower(w.label)
 GROUP BY s.size, w.row_key;
