-- One line for each size of a pattern: medians over repetitions of the slowest flow. MBps counts 1e6 payload bytes a
-- second of each flow.
CREATE VIEW network_median AS
WITH slowest AS (
  SELECT run_id, pattern, ranks, peer, bytes, message_bytes, repetition, max(elapsed_ns) AS ns, max(wrong) AS wrong,
         count(*) AS flows
    FROM network_sample
   GROUP BY run_id, pattern, ranks, peer, bytes, message_bytes, repetition),
ranked AS (
  SELECT *, count(*) OVER same AS n, row_number() OVER (same ORDER BY ns) AS i
    FROM slowest
  WINDOW same AS (PARTITION BY run_id, pattern, ranks, peer, bytes, message_bytes))
SELECT run_id, pattern, ranks, peer, bytes, message_bytes, max(flows) AS flows, max(n) AS reps,
       1e-3 * avg(ns) FILTER (WHERE i IN ((n + 1) / 2, (n + 2) / 2)) AS median_us,
       1e-3 * min(ns) AS min_us, 1e-3 * max(ns) AS max_us,
       CASE WHEN bytes > 0 AND pattern <> 'barrier'
            THEN 1e3 * bytes / avg(ns) FILTER (WHERE i IN ((n + 1) / 2, (n + 2) / 2)) END AS MBps,
       max(wrong) AS wrong
  FROM ranked
 GROUP BY run_id, pattern, ranks, peer, bytes, message_bytes;
