-- What the paper concludes from its training runs, and whether ours bear it out. What a claim takes to hold was settled
-- before anything was trained. SE: the standard error of the difference of two means over seeds.

CREATE VIEW threelc_claim AS
WITH asked(place, says, criterion) AS (VALUES
  (1, '3LC (s=1.00) is as accurate as 32-bit float', 'a difference of at most 2 SE'),
  (2, '3LC (s=1.50) and (s=1.75) are as accurate as 32-bit float', 'the same for both'),
  (3, '3LC (s=1.90) is less accurate than (s=1.00)', 'more than 2 SE below'),
  (4, 'Stochastic quantization is less accurate than 3LC (s=1.00)', 'more than 2 SE below'),
  (5, 'Stochastic quantization is less accurate than every design with error feedback',
      'more than 2 SE below each of the seven'),
  (6, '2 local steps are less accurate than 32-bit float', 'more than 2 SE below'),
  (7, 'With a quarter of the steps 3LC (s=1.75) is less accurate than (s=1.00)', 'more than 2 SE below'),
  (8, 'The training loss of 3LC (s=1.00) is close to that of 32-bit float, others'' is higher',
      'a smaller difference of the final loss than for Stoch 3-value + QE, 5% sparsification and 2 local steps'),
  (9, printf('3LC (s=1.00) sends far less than 32-bit float (paper: %.1f times)',
             (SELECT published FROM paper_value WHERE paper = '3lc' AND table_id = '2' AND row_key = '1.00'
                 AND column_key = 'ratio')),
      'a ratio of 30 at least'),
  (10, 'The ratio rises with s', 'each above the one before, starting without zero-run encoding'),
  (11, 'Zero-run encoding halves what 3LC (s=1.00) sends', '45 to 55 % of the bits'),
  (12, 'Zero-run encoding loses nothing', 'the same loss in every step, with and without it'),
  (13, printf('Pushes are smaller than pulls in the first %.0f %% of the steps',
      (SELECT published FROM paper_value WHERE paper = '3lc' AND table_id = 'fig9')),
       'on average over those, for s=1.00 and s=1.75'),
  (14, 'Pushes are larger than pulls in the rest of the steps', 'the same for those steps'),
  (15, '3LC is fastest at every bandwidth', 'the least simulated time, at each')),
-- Two designs a row, of which 'variant' is to be as accurate as 'other', or below it.
pair(place, below, steps_pct, variant, other, label) AS (VALUES
  (1, 0, 100, '3LC (s=1.00)', '32-bit float', ''), (2, 0, 100, '3LC (s=1.50)', '32-bit float', 's=1.50: '),
  (2, 0, 100, '3LC (s=1.75)', '32-bit float', 's=1.75: '), (3, 1, 100, '3LC (s=1.90)', '3LC (s=1.00)', ''),
  (4, 1, 100, 'Stoch 3-value + QE', '3LC (s=1.00)', ''), (6, 1, 100, '2 local steps', '32-bit float', ''),
  (7, 1, 25, '3LC (s=1.75)', '3LC (s=1.00)', ''), (5, 1, 100, 'Stoch 3-value + QE', 'MQE 1-bit int', ''),
  (5, 1, 100, 'Stoch 3-value + QE', '25% sparsification', ''), (5, 1, 100, 'Stoch 3-value + QE', '5% '
      || 'sparsification', ''),
  (5, 1, 100, 'Stoch 3-value + QE', '3LC (s=1.00)', ''), (5, 1, 100, 'Stoch 3-value + QE', '3LC (s=1.50)', ''),
  (5, 1, 100, 'Stoch 3-value + QE', '3LC (s=1.75)', ''), (5, 1, 100, 'Stoch 3-value + QE', '3LC (s=1.90)', '')),
design AS MATERIALIZED (SELECT * FROM threelc_design),
difference AS MATERIALIZED (SELECT * FROM threelc_difference),
compared AS (
  SELECT p.place, d.size, p.other, d.n, p.label || printf('%+.2f (2 SE %.2f)', d.difference, 2 *
      d.standard_error) AS shown,
         CASE WHEN p.below THEN d.difference < -2 * d.standard_error ELSE abs(d.difference) <= 2 * d.standard_error
             END AS holds
    FROM pair p JOIN difference d USING (steps_pct, variant, other)
   WHERE d.name = 'accuracy' AND d.standard_error IS NOT NULL),
zre AS (  -- with zero-run encoding, and without
  SELECT a.*, b.mean AS encoded, b.n AS encoded_n FROM design a JOIN design b USING (size, name)
   WHERE a.variant = '3LC (no ZRE)' AND b.variant = '3LC (s=1.00)' AND b.steps_pct = 100),
bits AS MATERIALIZED (
  SELECT size, variant, count(DISTINCT seed) AS n, 100 * step >= steps *
      (SELECT published FROM paper_value WHERE paper = '3lc' AND table_id = 'fig9') AS late,
         avg(push_bits) AS push, avg(pull_bits) AS pull
    FROM threelc_bits WHERE steps = standard_steps AND variant IN ('3LC (s=1.00)', '3LC (s=1.75)')
   GROUP BY size, variant, late),
answer(place, size, outcome, holds, n) AS (
  SELECT place, size, CASE place WHEN 5 THEN sum(holds) || ' of ' || count(*)
      || coalesce('; not below ' || group_concat(CASE WHEN NOT holds THEN other || ' ' || shown END, ', '), '')
                                 ELSE group_concat(shown, '; ') || ' points' END, min(holds), min(n)
    FROM compared c GROUP BY place, size HAVING count(*) = (SELECT count(*) FROM pair p WHERE p.place = c.place)
   UNION ALL
  SELECT 8, size, group_concat(variant || ' ' || printf('%+.3f', difference), ', '),
         max(abs(difference)) FILTER (WHERE variant = '3LC (s=1.00)') <
             min(difference) FILTER (WHERE variant <> '3LC (s=1.00)'), min(n)
    FROM difference
   WHERE steps_pct = 100 AND name = 'loss' AND other = '32-bit float' AND variant IN ('3LC (s=1.00)', 'Stoch 3-value '
       || '+ QE', '5% sparsification', '2 local steps')
   GROUP BY size HAVING count(*) = 4
   UNION ALL
  SELECT 9, size, printf('%.1f', mean), mean >= 30, n FROM design WHERE steps_pct = 100 AND name = 'compression_ratio'
      AND variant = '3LC (s=1.00)'
   UNION ALL
  SELECT 10, size, group_concat(printf('%.1f', mean), ', '), min(mean > before), min(n)
    FROM (SELECT size, mean, n, coalesce(lag(mean) OVER (PARTITION BY size ORDER BY replace(variant, 'no', ' ')),
        0) AS before FROM design
           WHERE name = 'compression_ratio' AND (steps_pct = 100 AND variant LIKE '3LC (s=%' OR variant =
               '3LC (no ZRE)'))
   GROUP BY size HAVING count(*) = 5
   UNION ALL
  SELECT 11, size, printf('%.1f %%', 100 * encoded / mean), encoded / mean BETWEEN 0.45 AND 0.55, min(n, encoded_n)
      FROM zre WHERE name = 'bits_per_value'
   UNION ALL
  SELECT 12, a.size, printf('%d losses, %d of them differ', count(*), sum(x.loss <> y.loss)), sum(x.loss <> y.loss) =
      0, count(DISTINCT a.seed)
    FROM threelc_point a JOIN threelc_point b USING (size, seed, steps)
    JOIN trace_step x ON x.point_id = a.point_id JOIN trace_step y ON y.point_id = b.point_id AND y.step = x.step
   WHERE a.variant = '3LC (no ZRE)' AND b.variant = '3LC (s=1.00)' GROUP BY a.size
   UNION ALL
  SELECT 13 + late, size, group_concat(printf('%s %.3f and %.3f bits', substr(variant, 6, 6), push, pull), '; '),
         min(CASE WHEN late THEN push > pull ELSE push < pull END), min(n)
    FROM bits GROUP BY size, late HAVING count(*) = 2
   UNION ALL
  SELECT 15, size, group_concat(substr(name, 9) || ' ' || variant, ', '), min(variant LIKE '3LC (s=%'), min(n)
    FROM (SELECT size, name, variant, n, min(mean) FROM design WHERE steps_pct = 100 AND name LIKE 'seconds %'
        GROUP BY size, name)
   GROUP BY size HAVING count(*) = 3)
SELECT '3lc' AS paper, q.place, z.size, q.says, q.criterion, coalesce(a.outcome,
    'not trained, or with one seed only') AS outcome,
       CASE a.holds WHEN 1 THEN 'holds' WHEN 0 THEN 'does not hold' ELSE 'open' END AS verdict, coalesce(a.n, 0) AS n
  FROM (SELECT DISTINCT size FROM threelc_run) z JOIN asked q LEFT JOIN answer a ON a.place = q.place AND a.size =
      z.size;
