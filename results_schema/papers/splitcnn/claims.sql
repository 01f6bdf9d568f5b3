-- What the paper concludes from its training runs, and whether ours bear it out. Effects are those of its Table 1. What
-- is to be as good may lose 1 point, what Table 1 leaves of ResNet-50 on stochastic splits.
INSERT INTO paper_claim(paper, place, says, section, form, sense, effect, margin, unit, digits, parts, why, untestable,
                        size) VALUES
  ('splitcnn', 1, 'Accuracy falls with the depth of the split', 'section 5.2.1, Figure 4', 'order', -1, NULL, 0,
      'points', '%+.3f', 2, 'a least-squares slope per percent of the convolutions; Table 1''s loss over its depth', '',
      ''),
  ('splitcnn', 2, 'and about linearly', 'section 5.2.1, Figure 4', 'ratio', 1, 1, 0.9, '', '%.2f', 2,
      'the share of the accuracies'' variance that a falling line explains, of every seed; rising ones count less than '
      || '0', '', ''),
  ('splitcnn', 3, 'Accuracy falls with the number of patches', 'section 5.2.2, Figure 5', 'order', -1, NULL, 0,
      'points', '%+.3f', 2, 'a slope per patch; the paper prints no number', '', ''),
  ('splitcnn', 4, 'but slowly', 'section 5.2.2, Figure 5', 'no worse', 1, NULL, 0.5, 'points', '%+.2f', 2,
      'nine patches at 25 % less four at 50 %; the smallest loss of four in Table 1', '', ''),
  ('splitcnn', 5, 'ResNet-18 is less sensitive to their number than VGG-19', 'section 5.2.2, Figure 5', 'difference',
      1, NULL, 0,
      'points', '%+.3f', 1, 'its slope per patch less VGG-19''s; the paper prints no number', '', ''),
  ('splitcnn', 6, 'Stochastic splitting, evaluated in one piece, is very competitive with the unsplit network',
      'section 5.2.3, Figure 6', 'no worse', 1, NULL, 1.0, 'points', '%+.2f', 2,
      'VGG-19 and ResNet-18; what Table 1 leaves of ResNet-50 on stochastic splits', '', 'longer'),
  ('splitcnn', 7, 'It closes the gap that splitting leaves', 'section 5.3, Table 1', 'order', 1, NULL, 0, 'points',
      '%+.2f', 3, 'stochastic less even patches; effects of Table 1', '', 'longer'),
  ('splitcnn', 8, 'It is what lets a network do without the split', 'section 3.3', 'order', 1, NULL, 0, 'points',
      '%+.2f', 2, 'evaluated in one piece, less one trained on even patches; the paper prints no number', '', ''),
  ('splitcnn', 9, 'Even deep splits cost at most 2 points', 'section 5.3, Table 1', 'no worse', 1, NULL, 2, 'points',
      '%+.2f',
      3, 'even patches less unsplit; the paper''s own bound', '', '');

INSERT INTO claim_ablation(paper, place, ablation, what, scenario, variant, other, measure, at) VALUES
  ('splitcnn', 4, 1, 'VGG-19, on images of 32x32', 'splitcnn-ablation-images', '25 %, 9 patches', '50 %', 'accuracy',
      '%'),
  ('splitcnn', 6, 1, 'VGG-19, in a tenth of the epochs', 'splitcnn-small-vgg-19', '50 %, stochastic', 'unsplit',
      'accuracy', '%'),
  ('splitcnn', 6, 2, 'ResNet-18, in a tenth of the epochs', 'splitcnn-small-resnet-18', '50 %, stochastic', 'unsplit',
      'accuracy', '%');

-- The slopes of Figures 4 and 5 by least squares, points for each unit of x: of every seed on its own, then the mean of
-- those; straight: the share of the means' variance that a line explains.
CREATE VIEW splitcnn_slope AS
WITH curve AS MATERIALIZED (SELECT * FROM splitcnn_curve),
of_seed AS (
  SELECT c.size, c.row_key, c.figure, p.seed, count(*) AS places,
         (count(*) * sum(c.x * p.difference) - sum(c.x) * sum(p.difference))
           / nullif(count(*) * sum(c.x * c.x) - sum(c.x) * sum(c.x), 0) AS slope
    FROM curve c
    JOIN splitcnn_pair p ON p.size = c.size AND p.row_key = c.row_key AND p.variant = c.variant AND p.other = 'unsplit'
   GROUP BY c.size, c.row_key, c.figure, p.seed),
spread AS (
  SELECT *, avg(slope) OVER (PARTITION BY size, row_key, figure) AS mean FROM of_seed WHERE places >= 5),
line AS (
  SELECT size, row_key, network, place, figure, count(*) * sum(x * mean_pct) - sum(x) * sum(mean_pct) AS together,
         count(*) * sum(x * x) - sum(x) * sum(x) AS across,
         count(*) * sum(mean_pct * mean_pct) - sum(mean_pct) * sum(mean_pct) AS up
    FROM curve GROUP BY size, row_key, figure)
SELECT s.size, s.row_key, l.network, l.place, s.figure, count(*) AS n, s.mean AS slope,
       sqrt(sum((s.slope - s.mean) * (s.slope - s.mean)) / nullif(count(*) - 1, 0) / count(*)) AS standard_error,
       l.together * l.together / nullif(l.across * l.up, 0) AS straight
  FROM spread s
  JOIN line l USING (size, row_key, figure)
 GROUP BY s.size, s.row_key, s.figure;


-- How much of the variance of Figure 4's means a falling line explains, less than 0 where the line rises; its error by
-- leaving each seed out in turn (jackknife).
CREATE VIEW splitcnn_straight AS
WITH point AS MATERIALIZED (
  SELECT c.size, c.row_key, c.network, c.place, c.x, p.seed, p.accuracy_pct AS y
    FROM splitcnn_curve c
    JOIN splitcnn_pair p ON p.size = c.size AND p.row_key = c.row_key AND p.variant = c.variant AND p.other = 'unsplit'
   WHERE c.figure = 4),
mean AS (
  SELECT s.size, s.row_key, s.network, s.place, s.out, p.x, avg(p.y) AS y
    FROM (SELECT DISTINCT size, row_key, network, place, seed AS out FROM point
          UNION SELECT DISTINCT size, row_key, network, place, NULL FROM point) s
    JOIN point p ON p.size = s.size AND p.row_key = s.row_key AND p.seed IS NOT s.out
   GROUP BY s.size, s.row_key, s.out, p.x),
line AS (
  SELECT size, row_key, network, place, out, count(*) * sum(x * y) - sum(x) * sum(y) AS together,
         count(*) * sum(x * x) - sum(x) * sum(x) AS across, count(*) * sum(y * y) - sum(y) * sum(y) AS up
    FROM mean GROUP BY size, row_key, out HAVING count(*) >= 5),
share AS (
  SELECT *, coalesce(-sign(together) * together * together / nullif(across * up, 0), 0) AS r2 FROM line),
seed AS (SELECT *, avg(r2) OVER (PARTITION BY size, row_key) AS mean FROM share WHERE out IS NOT NULL)
SELECT w.size, w.row_key, w.network, w.place, w.r2, count(*) AS n,
       CASE WHEN count(*) > 1 THEN sqrt((count(*) - 1.0) / count(*) * sum((s.r2 - s.mean) * (s.r2 - s.mean)))
         END AS error
  FROM share w JOIN seed s USING (size, row_key) WHERE w.out IS NULL GROUP BY w.size, w.row_key;

CREATE VIEW splitcnn_claim_part AS
WITH slope AS MATERIALIZED (SELECT * FROM splitcnn_slope),
accuracy AS MATERIALIZED (SELECT * FROM splitcnn_accuracy),
difference AS MATERIALIZED (SELECT * FROM splitcnn_difference),
printed AS (
  SELECT w.label AS network, w.row_key, max(p.published) FILTER (WHERE p.column_key = 'Baseline') AS unsplit,
         max(p.published) FILTER (WHERE p.column_key = 'SCNN') AS split,
         max(p.published) FILTER (WHERE p.column_key = 'SSCNN') AS stochastic,
         max(p.published) FILTER (WHERE p.column_key = 'depth') AS depth, w.place
    FROM paper_row w JOIN paper_value p USING (paper, table_id, row_key) WHERE paper = 'splitcnn' AND table_id = '1'
   GROUP BY w.row_key),
-- What was done to one depth of four patches, 50 % and more of the convolutions.
contrast(place, size, network, estimate, error, n) AS (
  SELECT q.place, a.size, a.network, d.difference, d.standard_error, d.n
    FROM (SELECT 6 AS place, 'unsplit' AS kind UNION ALL SELECT 7, 'split' UNION ALL SELECT 8, 'crossed') q
    JOIN accuracy a ON a.kind = 'stochastic' AND a.patches = 4 AND a.asked_pct >= 50
    JOIN accuracy b ON b.size = a.size AND b.row_key = a.row_key AND b.kind = q.kind
                   AND (b.kind = 'unsplit' OR b.asked_pct = a.asked_pct AND b.patches = a.patches)
    JOIN difference d ON d.size = a.size AND d.row_key = a.row_key AND d.variant = a.variant AND d.other = b.variant
   WHERE q.place <> 6 OR a.row_key IN ('VGG19', 'ResNet18')
  UNION ALL
  SELECT 4, a.size, a.network, d.difference, d.standard_error, d.n
    FROM accuracy a
    JOIN accuracy b ON b.size = a.size AND b.row_key = a.row_key AND b.kind = 'split' AND b.asked_pct = 50
    JOIN difference d ON d.size = a.size AND d.row_key = a.row_key AND d.variant = a.variant AND d.other = b.variant
   WHERE a.kind = 'split' AND a.patches = 9
  UNION ALL
  SELECT 9, size, network, difference, standard_error, n FROM splitcnn_table1 WHERE column_key = 'SCNN'
  UNION ALL
  SELECT CASE figure WHEN 4 THEN 1 ELSE 3 END, size, network, slope, standard_error, n FROM slope
  UNION ALL
  SELECT 2, size, network, r2, error, n FROM splitcnn_straight)
SELECT 'splitcnn' AS paper, c.place, c.size, w.place AS part, c.network AS label, c.estimate, c.error, c.n,
       CASE c.place WHEN 1 THEN (w.split - w.unsplit) / w.depth WHEN 7 THEN w.stochastic - w.split END AS effect,
       NULL AS holds, NULL AS shown, NULL AS censored
  FROM contrast c JOIN printed w USING (network)
UNION ALL
SELECT 'splitcnn', 5, r.size, 1, '', r.slope - v.slope,
       sqrt(r.standard_error * r.standard_error + v.standard_error * v.standard_error), min(r.n, v.n), NULL, NULL, NULL,
       NULL
  FROM slope r JOIN slope v USING (size, figure)
 WHERE figure = 5 AND r.row_key = 'ResNet18' AND v.row_key = 'VGG19';
