-- What the paper claims of its training runs, held to ours. What a claim takes to hold was written down before any
-- training was looked at.

-- Means over training runs that are alike but for what is asked, with the standard error of the mean. missed: of those
-- whose time or bytes until the error are asked for, how many never reached it; theirs would be more than is counted.
CREATE VIEW a2dtwp_estimate AS
WITH against AS MATERIALIZED (SELECT * FROM a2dtwp_against),
awp AS (SELECT * FROM against WHERE variant = 'A2DTWP'),
oracle AS MATERIALIZED (SELECT network, batch, system, variant FROM a2dtwp_policy WHERE oracle),
sample AS MATERIALIZED (
  SELECT * FROM a2dtwp_sample WHERE system_place = 1 AND 8 * after_steps <= steps
      AND variant IN ('A2DTWP', '32-bit FP')),
value(name, x, missed) AS (
  SELECT 'error at the end, A2DTWP - 32-bit FP (points)', difference, 0 FROM a2dtwp_end WHERE variant = 'A2DTWP'
  UNION ALL
  SELECT 'bytes to the error, A2DTWP / 32-bit FP', bytes_ratio, NOT reached FROM awp WHERE system_place = 1
  UNION ALL
  SELECT 'time saved on ' || system || ' (%)', 100.0 * (1.0 - time_ratio), NOT reached FROM awp
  UNION ALL
  SELECT 'saved on POWER - on x86 (points)', 100.0 * (a.time_ratio - b.time_ratio), NOT a.reached
    FROM awp a JOIN awp b ON b.point_id = a.point_id AND b.system_place = 2
   WHERE a.system_place = 1
  UNION ALL
  SELECT 'time, A2DTWP - oracle (% of the baseline''s)', 100.0 * (a.time_ratio - b.time_ratio), NOT a.reached
    FROM awp a JOIN oracle o USING (network, batch, system)
    JOIN against b ON b.network = a.network AND b.batch = a.batch AND b.system = a.system AND b.seed = a.seed
        AND b.variant = o.variant
  UNION ALL
  SELECT 'error in the first eighth, A2DTWP - 32-bit FP (points)', avg(a.error_pct - b.error_pct), 0
    FROM sample a JOIN sample b ON b.network = a.network AND b.batch = a.batch AND b.seed = a.seed AND b.after_steps =
        a.after_steps
                               AND b.variant = '32-bit FP'
   WHERE a.variant = 'A2DTWP'
   GROUP BY a.point_id),
spread AS (SELECT *, avg(x) OVER (PARTITION BY name) AS mean FROM value)
SELECT name, count(*) AS n, mean, sqrt(sum((x - mean) * (x - mean)) / nullif(count(*) - 1, 0) / count(*)) AS error,
    sum(missed) AS missed
  FROM spread
 GROUP BY name;

-- With m the mean and e its standard error: 'not above' takes m <= bound + 2 e (not worse, as far as we can tell),
-- 'below' m < bound - 2 e, 'above' m > bound + 2 e. What is asked of the way to the error does not hold where that is
-- not reached.
CREATE VIEW a2dtwp_claim AS
WITH asked(place, says, name, takes, bound, figures) AS (VALUES
  (1, '"Without any deterioration on the learning capacity" (section VII)',
      'error at the end, A2DTWP - 32-bit FP (points)', 'not above', 0, '%+.2f'),
  (2, 'AWP reaches the baseline''s error with fewer bytes', 'bytes to the error, A2DTWP / 32-bit FP', 'below', 1,
      '%.3f'),
  (3, 'A2DTWP saves time on x86 (section V-E)', 'time saved on x86-k80 (%)', 'above', 0, '%+.2f'),
  (4, 'A2DTWP saves time on POWER (section V-E)', 'time saved on power9-v100 (%)', 'above', 0, '%+.2f'),
  (5, 'It saves more on POWER than on x86 (sections V-B to V-E)', 'saved on POWER - on x86 (points)', 'above', 0,
      '%+.2f'),
  (6, 'A2DTWP is close to the oracle: within the larger of Figure 3''s two distances (section V-B)',
      'time, A2DTWP - oracle (% of the baseline''s)',
   'not above', (SELECT max(o.published - a.published) FROM paper_value o
                   JOIN paper_value a ON a.paper = o.paper AND a.table_id = o.table_id AND a.row_key =
                       replace(o.row_key, 'oracle', 'A2DTWP')
                  WHERE o.paper = 'a2dtwp' AND o.table_id = 'fig3' AND o.row_key LIKE 'oracle %'), '%+.2f'),
  (7, 'The initial 8 bits hurt at the beginning (section V-B, batch 64)',
      'error in the first eighth, A2DTWP - 32-bit FP (points)', 'above', 0, '%+.2f'))
SELECT 'a2dtwp' AS paper, q.place, z.size, q.says,
       q.name || printf(': %s %g by more than 2 errors', q.takes, q.bound) AS criterion,
       CASE WHEN e.mean IS NULL THEN 'not trained'
            ELSE printf(q.figures, e.mean) || iif(e.error IS NULL, ', from one training run',
                printf(' ± %.2g', e.error))
                 || iif(e.missed, printf('; %d of them never reached the error and are counted as if they had at '
                     || 'their end', e.missed), '') END AS outcome,
       CASE WHEN e.error IS NULL THEN 'open'
            WHEN NOT e.missed AND CASE q.takes WHEN 'below' THEN e.mean < q.bound - 2 * e.error WHEN 'above'
                THEN e.mean > q.bound + 2 * e.error
                                               ELSE e.mean <= q.bound + 2 * e.error END THEN 'holds'
            ELSE 'does not hold' END AS verdict,
       coalesce(e.n, 0) AS n
  FROM (SELECT DISTINCT size FROM a2dtwp_point WHERE reaches) z JOIN asked q LEFT JOIN a2dtwp_estimate e USING (name);
