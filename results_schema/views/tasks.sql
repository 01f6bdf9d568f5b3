-- What each track of a stored timeline did, ms. busy_ms: at least one task ran; task_ms: the sum of their times, which
-- is more where several ran at once. Of a timeline that left tasks out it speaks only for those that it kept.
CREATE VIEW task_track AS
WITH seen AS (
  SELECT *, max(end_ps) OVER (PARTITION BY point_id, track ORDER BY start_ps, place
                              ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS until_ps
    FROM task)
SELECT point_id, track, count(*) AS tasks, 1e-9 * min(start_ps) AS first_ms, 1e-9 * max(end_ps) AS last_ms,
       sum(1e-9 * (end_ps - start_ps)) AS task_ms,
       sum(1e-9 * (end_ps - min(end_ps, max(start_ps, coalesce(until_ps, start_ps))))) AS busy_ms,
       sum(1.0 * bytes) AS bytes
  FROM seen
 GROUP BY point_id, track;

-- Every stored transfer with the rate that it reached on average, its latency included; NULL where it took no time.
CREATE VIEW task_transfer AS
SELECT point_id, place, id, name, track, bytes, 1e-9 * start_ps AS start_ms, 1e-9 * end_ps AS end_ms,
       1e-9 * (end_ps - start_ps) AS took_ms, 1e3 * bytes / nullif(end_ps - start_ps, 0) AS GBps
  FROM task
 WHERE bytes IS NOT NULL;
