-- What the paper concludes from its training runs, and whether ours bear it out. What a claim takes to hold was settled
-- before the training runs were looked at. SE: the standard error of a mean over seeds of differences between training
-- runs that began alike.

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

CREATE VIEW splitcnn_claim AS
WITH asked(place, says, criterion) AS (VALUES
  (1, 'Accuracy falls with the depth of the split (Figure 4)',
      'for both networks, a least-squares slope per percent of the convolutions more than 2 SE below 0'),
  (2, 'and about linearly', 'for both, a falling line explains at least 90 % of the means'' variance'),
  (3, 'Accuracy falls with the number of patches (Figure 5)', 'for both networks, a slope per patch more than 2 SE '
      || 'below 0'),
  (4, 'but slowly', 'for both, nine patches at 25 % lose no more than four at 50 %'),
  (5, 'ResNet-18 is less sensitive to their number than VGG-19', 'a slope more than 2 SE above VGG-19''s'),
  (6, 'Stochastic splitting, evaluated in one piece, is very competitive with the unsplit network (Figure 6)',
      'for every network, no more than 2 SE below it'),
  (7, 'It closes the gap that splitting leaves (Table 1)', 'for every network, more than 2 SE above even patches'),
  (8, 'It is what lets a network do without the split (section 3.3)',
      'evaluated in one piece, for every network more than 2 SE above one trained on even patches'),
  (9, 'Even deep splits cost at most 2 points (section 5.3)',
      'for every network, a mean difference of at most 2 points')),
slope AS MATERIALIZED (SELECT * FROM splitcnn_slope ORDER BY size, figure, place),
accuracy AS MATERIALIZED (SELECT * FROM splitcnn_accuracy),
-- What was done to one depth of four patches, 50 % and more of the convolutions, against each other and the unsplit
-- network.
contrast AS (
  SELECT q.place AS claim, a.size, a.network, d.n, d.difference, d.standard_error
    FROM (SELECT 6 AS place, 'unsplit' AS kind UNION ALL SELECT 7, 'split' UNION ALL SELECT 8, 'crossed') q
    JOIN accuracy a ON a.kind = 'stochastic' AND a.patches = 4 AND a.asked_pct >= 50
    JOIN accuracy b ON b.size = a.size AND b.row_key = a.row_key AND b.kind = q.kind
                   AND (b.kind = 'unsplit' OR b.asked_pct = a.asked_pct AND b.patches = a.patches)
    JOIN splitcnn_difference d ON d.size = a.size AND d.row_key = a.row_key AND d.variant = a.variant AND d.other =
        b.variant
   WHERE d.standard_error IS NOT NULL
  UNION ALL
  SELECT 9, size, network, n, difference, standard_error FROM splitcnn_table1 WHERE column_key = 'SCNN'
      AND standard_error IS NOT NULL),
-- What came out, network by network, and whether it is what the claim takes; 'of': networks that it is about, 0: those
-- that are there.
found(claim, size, place, said, holds, n, of) AS (
  SELECT CASE figure WHEN 4 THEN 1 ELSE 3 END, size, place,
         printf('%s: %+.3f (2 SE %.3f)', network, slope, 2 * standard_error), slope < -2 * standard_error, n, 2
    FROM slope WHERE standard_error IS NOT NULL
  UNION ALL
  SELECT 2, size, place, printf('%s: %.0f %% by a line that %s', network, 100 * straight,
      iif(slope < 0, 'falls', 'rises')),
         straight >= 0.9 AND slope < 0, n, 2
    FROM slope WHERE figure = 4
  UNION ALL
  SELECT 4, a.size, a.place, printf('%s: %+.2f against %+.2f', a.network, a.difference, b.difference), a.difference >=
      b.difference, a.n, 2
    FROM accuracy a
    JOIN accuracy b ON b.size = a.size AND b.row_key = a.row_key AND b.kind = 'split' AND b.asked_pct = 50
   WHERE a.kind = 'split' AND a.patches = 9
  UNION ALL
  SELECT 5, size, 1, printf('%+.3f (2 SE %.3f)', above, 2 * error), above > 2 * error, n, 1 FROM (
    SELECT r.size, r.slope - v.slope AS above, min(r.n, v.n) AS n,
           sqrt(r.standard_error * r.standard_error + v.standard_error * v.standard_error) AS error
      FROM slope r JOIN slope v USING (size, figure) WHERE figure = 5 AND r.row_key = 'ResNet18' AND v.row_key =
          'VGG19')
   WHERE error IS NOT NULL
  UNION ALL
  SELECT c.claim, c.size, w.place, printf('%s: %+.2f (2 SE %.2f)', c.network, c.difference, 2 * c.standard_error),
         CASE c.claim WHEN 6 THEN c.difference >= -2 * c.standard_error WHEN 9 THEN -c.difference <= p.published
                      ELSE c.difference > 2 * c.standard_error END, c.n, 0
    FROM contrast c
    JOIN paper_row w ON w.paper = 'splitcnn' AND w.table_id = '1' AND w.label = c.network
    JOIN paper_value p ON p.paper = 'splitcnn' AND p.table_id = 'text' AND p.row_key = 'deep splits'),
answer AS (
  SELECT claim, size, group_concat(said, '; ') || CASE claim WHEN 2 THEN '' ELSE ' points' END AS outcome,
      min(holds) AS holds, min(n) AS n
    FROM (SELECT * FROM found ORDER BY claim, size, place) GROUP BY claim, size HAVING count(*) = max(of) OR max(of) =
        0)
SELECT 'splitcnn' AS paper, q.place, z.size, q.says, q.criterion, coalesce(a.outcome, 'not trained, or with one seed '
    || 'only') AS outcome,
       CASE a.holds WHEN 1 THEN 'holds' WHEN 0 THEN 'does not hold' ELSE 'open' END AS verdict, coalesce(a.n, 0) AS n
  FROM (SELECT DISTINCT size FROM splitcnn_run) z
  JOIN asked q ON z.size <> 'longer' OR q.place IN (6, 7)      -- those alone are about what was trained longer
  LEFT JOIN answer a ON a.claim = q.place AND a.size = z.size;
