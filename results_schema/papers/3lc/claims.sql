-- What the paper concludes from its trainings, and whether ours bear it out. What a claim takes to hold was settled before anything was
-- trained. SE: the standard error of the difference of two means over seeds.

CREATE VIEW threelc_claim AS
WITH asked(place, says, criterion) AS (VALUES
  (1, '3LC (s=1.00) is as accurate as 32-bit float', 'a difference of at most 2 SE')),
answer(place, size, outcome, holds, n) AS (
  SELECT 1, size, printf('%+.2f (2 SE %.2f) points', difference, 2 * standard_error), abs(difference) <= 2 * standard_error, n
    FROM threelc_difference JOIN threelc_design USING (size, steps, name, variant)
   WHERE threelc_difference.steps_pct = 100 AND name = 'accuracy' AND variant = '3LC (s=1.00)' AND other = '32-bit float')
SELECT '3lc' AS paper, q.place, z.size, q.says, q.criterion, coalesce(a.outcome, 'not trained, or with one seed alone') AS outcome,
       CASE a.holds WHEN 1 THEN 'holds' WHEN 0 THEN 'does not hold' ELSE 'open' END AS verdict, coalesce(a.n, 0) AS n
  FROM threelc_size z JOIN asked q LEFT JOIN answer a ON a.place = q.place AND a.size = z.size;
