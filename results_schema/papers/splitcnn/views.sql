-- The training runs of networks on patches: accuracies over the seeds, and how they differ from the unsplit network's.
-- Points of one size and network that have the same seed began with the same weights and saw the same samples in the
-- same order, so they are compared seed by seed: a standard error is that of the mean of such differences.

CREATE VIEW splitcnn_run AS      -- row_key: in Table 1
SELECT c.size, w.row_key, w.label AS network, w.place, c.run_id
  FROM chosen_run c
  JOIN paper_row w ON w.paper = 'splitcnn' AND w.table_id = '1' AND c.scenario = 'splitcnn-' || c.size || '-'
      || lower(w.label)
 WHERE c.size <> 'quick';

-- The size that tables and figures lead with; what was trained longer has tables of its own.
CREATE VIEW splitcnn_size AS
SELECT size, label FROM training_size WHERE size <> 'longer' AND size IN (SELECT size FROM splitcnn_run)
    ORDER BY place LIMIT 1;

-- kind: unsplit; split; crossed (on even patches, evaluated in one piece); stochastic. asked_pct, patches: as the
-- variant's name has them ('25 %, 6 patches'); depth_pct: the share of the convolutions that comes to.
CREATE VIEW splitcnn_point AS
SELECT DISTINCT r.size, r.row_key, r.network, r.place, p.variant, t.model, t.data, t.real_data, t.steps, t.seed,
    p.point_id,
       CASE WHEN p.variant = 'unsplit' THEN 'unsplit' WHEN p.variant LIKE '%, evaluated unsplit' THEN 'crossed'
            WHEN p.variant LIKE '%, stochastic' THEN 'stochastic' ELSE 'split' END AS kind,
       CAST(p.variant AS REAL) AS asked_pct,
       coalesce((SELECT value FROM measure m WHERE m.point_id = p.point_id AND m.name = 'split_pct'), 0) AS depth_pct,
       CASE WHEN p.variant = 'unsplit' THEN 1 WHEN p.variant LIKE '% patches'
           THEN CAST(substr(p.variant, instr(p.variant, ',') + 1) AS INTEGER)
            ELSE 4 END AS patches,
       (SELECT min(q.position) FROM run_point q WHERE q.run_id = p.run_id AND q.variant = p.variant) AS variant_place
  FROM splitcnn_run r
  JOIN run_point p ON p.run_id = r.run_id
  JOIN training t ON t.point_id = p.point_id;

-- Points of per cent, seed by seed, of any two variants of a network.
CREATE VIEW splitcnn_pair AS
WITH value AS MATERIALIZED (
  SELECT p.size, p.row_key, p.seed, p.variant, m.value FROM splitcnn_point p JOIN measure m ON m.point_id = p.point_id
      AND m.name = 'accuracy')
SELECT a.size, a.row_key, a.seed, a.variant, b.variant AS other, a.value AS accuracy_pct, a.value -
    b.value AS difference
  FROM value a JOIN value b ON b.size = a.size AND b.row_key = a.row_key AND b.seed = a.seed;

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
SELECT DISTINCT p.size, p.row_key, p.network, p.place, p.variant, p.variant_place, p.kind, p.asked_pct, p.depth_pct,
    p.patches,
       p.real_data, d.n, d.mean_pct, d.deviation, CASE WHEN p.kind <> 'unsplit' THEN d.difference END AS difference,
       CASE WHEN p.kind <> 'unsplit' THEN d.standard_error END AS standard_error
  FROM splitcnn_point p
  JOIN splitcnn_difference d ON d.size = p.size AND d.row_key = p.row_key AND d.variant = p.variant AND d.other =
      'unsplit';

-- Table 1: the deepest splits that are evaluated in patches, and the same stochastic; differences from the baseline, in
-- points.
CREATE VIEW splitcnn_table1 AS
SELECT a.size, a.row_key, a.network, a.place, c.column_key, a.real_data, a.n, a.difference, a.standard_error,
       p.published - b.published AS published_difference
  FROM splitcnn_accuracy a
  JOIN (SELECT 'split' AS kind, 'SCNN' AS column_key UNION ALL SELECT 'stochastic', 'SSCNN') c USING (kind)
  JOIN paper_value d ON d.paper = 'splitcnn' AND d.table_id = '1' AND d.row_key = a.row_key AND d.column_key = 'depth'
                    AND d.published = a.asked_pct
  JOIN paper_value p ON p.paper = 'splitcnn' AND p.table_id = '1' AND p.row_key = a.row_key AND p.column_key =
      c.column_key
  JOIN paper_value b ON b.paper = 'splitcnn' AND b.table_id = '1' AND b.row_key = a.row_key AND b.column_key =
      'Baseline'
 WHERE a.patches = 4;

-- What Figures 4 and 5 are drawn from; x: the share of the convolutions in %, patches.
CREATE VIEW splitcnn_curve AS
SELECT 4 AS figure, *, depth_pct AS x FROM splitcnn_accuracy
 WHERE kind IN ('unsplit', 'split') AND patches IN (1, 4) AND row_key IN ('VGG19', 'ResNet18')
UNION ALL
SELECT 5, *, patches FROM splitcnn_accuracy
 WHERE (kind = 'unsplit' OR kind = 'split' AND asked_pct = 25) AND row_key IN ('VGG19', 'ResNet18');
