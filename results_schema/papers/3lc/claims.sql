-- What the paper concludes from its training runs, and whether ours bear it out. Effects are those of its Table 1. What
-- is to be as accurate may lose half of what the paper calls an accuracy loss in words: 1.31 points, of stochastic
-- quantization (section 5.3). Runs of a seed begin with the same weights and see the same samples: they are compared in
-- pairs.
INSERT INTO paper_claim(paper, place, says, section, form, sense, effect, margin, unit, digits, parts, why, untestable,
                        size) VALUES
  ('3lc', 1, '3LC (s=1.00) is as accurate as 32-bit float', 'section 5.3, Table 1', 'no worse', 1, NULL, 0.655,
      'points',
      '%+.2f', 1, 'half of what the paper calls an accuracy loss, of stochastic quantization', '', ''),
  ('3lc', 2, '3LC (s=1.50) and (s=1.75) are as accurate as 32-bit float', 'section 5.3, Table 1', 'no worse', 1, NULL,
      0.655,
      'points', '%+.2f', 2, 'half of what the paper calls an accuracy loss, of stochastic quantization', '', ''),
  ('3lc', 3, '3LC (s=1.90) is less accurate than (s=1.00)', 'sections 5.3 and 5.5, Table 1', 'difference', -1, NULL,
      0, 'points',
      '%+.2f', 1, 'effect of Table 1', '', ''),
  ('3lc', 4, 'Stochastic quantization is less accurate than 3LC (s=1.00)', 'section 5.3, Table 1', 'difference', -1,
      NULL, 0,
      'points', '%+.2f', 1, 'effect of Table 1', '', ''),
  ('3lc', 5, 'Stochastic quantization is less accurate than every design with error feedback', 'section 3.1', 'order',
      -1, NULL, 0, 'points', '%+.2f', 7, 'effects of Table 1', '', ''),
  ('3lc', 6, '2 local steps are less accurate than 32-bit float', 'section 6', 'difference', -1, NULL, 0, 'points',
      '%+.2f', 1, 'effect of Table 1', '', ''),
  ('3lc', 7, 'With a quarter of the steps 3LC (s=1.75) is less accurate than (s=1.00)', 'section 5.3, Figure 6',
      'difference', -1, NULL, 0, 'points', '%+.2f', 1, 'the paper prints no number', '', ''),
  ('3lc', 8, 'The training loss of 3LC (s=1.00) is close to that of 32-bit float, others'' is higher',
      'section 5.4, Figure 7', 'order', 1, NULL, 0, '', '%+.3f', 3, 'final loss of the others, less that of 3LC '
      || '(s=1.00); the paper prints no number', '', ''),
  ('3lc', 9, '3LC (s=1.00) sends far less than 32-bit float', 'section 5.5, Table 2', 'ratio', 1, NULL, 30, 'x', '%.1f',
      1, 'three quarters of what Table 2 has', '', ''),
  ('3lc', 10, 'The ratio rises with s', 'section 5.5, Table 2', 'order', 1, NULL, 0, 'x', '%+.1f', 4,
      'each less the one before, starting without zero-run encoding', '', ''),
  ('3lc', 11, 'Zero-run encoding halves what 3LC (s=1.00) sends', 'section 5.5, Table 2', 'equivalence', 0, NULL, 5,
      'points',
      '%+.2f', 1, 'the per cent that are left, less 50', '', ''),
  ('3lc', 12, 'Zero-run encoding loses nothing', 'section 3.3', 'count', 0, NULL, 0, '', '%.0f', 1,
      'the same loss in every step, with and without it', '', ''),
  ('3lc', 13, 'Pushes are smaller than pulls in the first 70 % of the steps', 'section 5.5, Figure 9', 'order', -1,
      NULL, 0, 'bits a value', '%+.3f', 2, 'push less pull; the paper prints no number', '', ''),
  ('3lc', 14, 'Pushes are larger than pulls in the rest of the steps', 'section 5.5, Figure 9', 'order', 1, NULL, 0,
      'bits a value', '%+.3f', 2, 'push less pull; the paper prints no number', '', ''),
  ('3lc', 15, '3LC is fastest at every bandwidth', 'section 5.3, Table 1', 'order', -1, NULL, 0, '%', '%+.1f', 3,
      'simulated time of the fastest 3LC over that of the fastest other design, less 100; Table 1''s speedups', '', ''),
  ('3lc', 16, '3LC compresses 39 to 107 times (s=1.00 to 1.75)', 'abstract, Table 2', 'equivalence', 0, NULL, 25, '%',
      '%+.1f', 2, 'difference from Table 2; its neighbouring rows lie 51 % apart and more, this is half of that', '',
      ''),
  ('3lc', 17, '3LC trains 16 to 23 times as fast at 10 Mbit/s', 'abstract, Table 1', 'count', 0, NULL, 0, 'x', '%.1f',
      3, 'simulated: each of s=1.00, 1.50 and 1.90, which nothing was fitted to, within 15 % of Table 1, half of what '
      || 'lies between s=1.00 and s=1.50', '', '');

INSERT INTO claim_ablation(paper, place, ablation, what, scenario, variant, other, measure, at) VALUES
  ('3lc', 2, 1, 's=1.75, a quarter of the steps', '3lc-small-convergence', '3LC (s=1.75)', '32-bit float', 'accuracy',
      '%steps 600%'),
  ('3lc', 2, 2, 's=1.75, four times the steps', '3lc-*ablation*steps*', '3LC (s=1.75)', '32-bit float', 'accuracy',
      '%');

CREATE VIEW threelc_claim_part AS
-- Two designs a row.
WITH pair(place, part, steps_pct, variant, other, name, label) AS (VALUES
  (1, 1, 100, '3LC (s=1.00)', '32-bit float', 'accuracy', ''),
  (2, 1, 100, '3LC (s=1.50)', '32-bit float', 'accuracy', 's=1.50'),
  (2, 2, 100, '3LC (s=1.75)', '32-bit float', 'accuracy', 's=1.75'),
  (3, 1, 100, '3LC (s=1.90)', '3LC (s=1.00)', 'accuracy', ''),
  (4, 1, 100, 'Stoch 3-value + QE', '3LC (s=1.00)', 'accuracy', ''),
  (5, 1, 100, 'Stoch 3-value + QE', 'MQE 1-bit int', 'accuracy', 'MQE 1-bit int'),
  (5, 2, 100, 'Stoch 3-value + QE', '25% sparsification', 'accuracy', '25% sparsification'),
  (5, 3, 100, 'Stoch 3-value + QE', '5% sparsification', 'accuracy', '5% sparsification'),
  (5, 4, 100, 'Stoch 3-value + QE', '3LC (s=1.00)', 'accuracy', 's=1.00'),
  (5, 5, 100, 'Stoch 3-value + QE', '3LC (s=1.50)', 'accuracy', 's=1.50'),
  (5, 6, 100, 'Stoch 3-value + QE', '3LC (s=1.75)', 'accuracy', 's=1.75'),
  (5, 7, 100, 'Stoch 3-value + QE', '3LC (s=1.90)', 'accuracy', 's=1.90'),
  (6, 1, 100, '2 local steps', '32-bit float', 'accuracy', ''),
  (7, 1, 25, '3LC (s=1.75)', '3LC (s=1.00)', 'accuracy', ''),
  (8, 1, 100, 'Stoch 3-value + QE', '3LC (s=1.00)', 'loss', 'Stoch 3-value + QE'),
  (8, 2, 100, '5% sparsification', '3LC (s=1.00)', 'loss', '5% sparsification'),
  (8, 3, 100, '2 local steps', '3LC (s=1.00)', 'loss', '2 local steps'),
  (10, 1, NULL, '3LC (s=1.00)', '3LC (no ZRE)', 'compression_ratio', 's=1.00'),
  (10, 2, 100, '3LC (s=1.50)', '3LC (s=1.00)', 'compression_ratio', 's=1.50'),
  (10, 3, 100, '3LC (s=1.75)', '3LC (s=1.50)', 'compression_ratio', 's=1.75'),
  (10, 4, 100, '3LC (s=1.90)', '3LC (s=1.75)', 'compression_ratio', 's=1.90')),
point AS MATERIALIZED (SELECT *, 100.0 * steps / standard_steps AS steps_pct FROM threelc_point),
value AS MATERIALIZED (
  SELECT p.size, p.variant, p.seed, p.steps_pct, m.name, m.value
    FROM point p JOIN measure m ON m.point_id = p.point_id
     AND m.name IN ('accuracy', 'loss', 'compression_ratio', 'bits_per_value')),
printed AS (
  SELECT row_key AS variant, 'accuracy' AS name, published FROM paper_value
   WHERE paper = '3lc' AND table_id = '1' AND column_key = 'Accuracy'
  UNION ALL
  SELECT CASE row_key WHEN 'No ZRE' THEN '3LC (no ZRE)' ELSE '3LC (s=' || row_key || ')' END, 'compression_ratio',
         published FROM paper_value WHERE paper = '3lc' AND table_id = '2' AND column_key = 'ratio'),
bits AS MATERIALIZED (
  SELECT size, variant, seed, 100 * step >= steps *
      (SELECT published FROM paper_value WHERE paper = '3lc' AND table_id = 'fig9') AS late,
         avg(push_bits) - avg(pull_bits) AS above
    FROM threelc_bits WHERE steps = standard_steps AND variant IN ('3LC (s=1.00)', '3LC (s=1.75)')
   GROUP BY size, variant, seed, late),
-- The fastest 3LC and the fastest other design of a seed.
fastest AS MATERIALIZED (
  SELECT size, seed, label, 100 * (min(seconds) FILTER (WHERE variant LIKE '3LC (s=%') /
                                   min(seconds) FILTER (WHERE variant NOT LIKE '3LC (%') - 1) AS above
    FROM (SELECT p.size, p.seed, p.variant, t.label, t.seconds FROM point p
            JOIN trace_time t ON t.point_id = p.point_id AND t.steps = p.steps WHERE p.steps_pct = 100)
   GROUP BY size, seed, label HAVING count(*) > 10),
speedup AS (
  SELECT column_key AS label, 100 * (max(published) FILTER (WHERE row_key NOT LIKE '3LC (%') /
                                     max(published) FILTER (WHERE row_key LIKE '3LC (%') - 1) AS above
    FROM paper_value WHERE paper = '3lc' AND table_id = '1' AND unit = 'x' GROUP BY column_key),
seed(place, size, part, label, x, effect) AS (
  SELECT p.place, a.size, p.part, p.label, a.value - b.value,
         (SELECT published FROM printed w WHERE w.variant = p.variant AND w.name = p.name AND p.place <> 7) -
         (SELECT published FROM printed w WHERE w.variant = p.other AND w.name = p.name)
    FROM pair p
    JOIN value a ON a.variant = p.variant AND a.name = p.name AND a.steps_pct = coalesce(p.steps_pct, 100)
    JOIN value b ON b.size = a.size AND b.seed = a.seed AND b.variant = p.other AND b.name = p.name
        AND (b.steps_pct = p.steps_pct OR p.steps_pct IS NULL)
  UNION ALL
  SELECT 9, v.size, 1, '', v.value, w.published FROM value v JOIN printed w USING (variant, name)
   WHERE v.name = 'compression_ratio' AND v.variant = '3LC (s=1.00)' AND v.steps_pct = 100
  UNION ALL
  SELECT 11, a.size, 1, '', 100 * a.value / b.value - 50, NULL
    FROM value a JOIN value b ON b.size = a.size AND b.seed = a.seed AND b.variant = '3LC (no ZRE)' AND b.name = a.name
   WHERE a.name = 'bits_per_value' AND a.variant = '3LC (s=1.00)' AND a.steps_pct = 100
  UNION ALL
  SELECT 13 + late, size, variant = '3LC (s=1.75)', substr(variant, 6, 6), above, NULL FROM bits
  UNION ALL
  SELECT 15, f.size, CASE f.label WHEN '10 Mbit/s' THEN 1 WHEN '100 Mbit/s' THEN 2 ELSE 3 END, f.label, f.above, s.above
    FROM fastest f JOIN speedup s USING (label)
  UNION ALL
  SELECT 16, v.size, v.variant = '3LC (s=1.75)', substr(v.variant, 6, 6), 100 * (v.value / w.published - 1), NULL
    FROM value v JOIN printed w USING (variant, name)
   WHERE v.name = 'compression_ratio' AND v.variant IN ('3LC (s=1.00)', '3LC (s=1.75)') AND v.steps_pct = 100),
spread AS (SELECT *, avg(x) OVER (PARTITION BY place, size, part) AS mean FROM seed)
SELECT '3lc' AS paper, place, size, part, label, mean AS estimate,
       sqrt(sum((x - mean) * (x - mean)) / nullif(count(*) - 1, 0) / count(*)) AS error, count(*) AS n,
       max(effect) AS effect,
       NULL AS holds, NULL AS shown, NULL AS censored
  FROM spread GROUP BY place, size, part
UNION ALL
SELECT '3lc', 12, a.size, 1, '', NULL, NULL, count(DISTINCT a.seed), NULL, sum(x.loss <> y.loss) = 0,
       printf('%d losses, %d of them differ', count(*), sum(x.loss <> y.loss)), NULL
  FROM threelc_point a JOIN threelc_point b USING (size, seed, steps)
  JOIN trace_step x ON x.point_id = a.point_id JOIN trace_step y ON y.point_id = b.point_id AND y.step = x.step
 WHERE a.variant = '3LC (no ZRE)' AND b.variant = '3LC (s=1.00)' GROUP BY a.size
UNION ALL
SELECT '3lc', 17, '', w.place, substr(s.row_key, 6, 6), NULL, NULL, 1, NULL, abs(s.ours / s.published - 1) <= 0.15,
       printf('%.1f (paper %.1f)', s.ours, s.published), NULL
  FROM spoken s JOIN paper_row w USING (paper, table_id, row_key)
 WHERE s.paper = '3lc' AND s.table_id = '1' AND s.column_key = '10 Mbit/s'
   AND s.row_key IN ('3LC (s=1.00)', '3LC (s=1.50)', '3LC (s=1.90)');
