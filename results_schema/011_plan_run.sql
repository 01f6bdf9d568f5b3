-- 011_plan_run.sql - runs of memory plans, point by point: a batch is what they gain, and time what they pay for it.

-- Runs all of whose points are memory plans.
CREATE VIEW plan_run AS
SELECT r.id AS run_id, r.scenario
  FROM run r
 WHERE EXISTS (SELECT 1 FROM run_point p WHERE p.run_id = r.id)
   AND NOT EXISTS (SELECT 1 FROM run_point p
                    WHERE p.run_id = r.id
                      AND NOT EXISTS (SELECT 1 FROM measure m WHERE m.point_id = p.point_id AND m.name = 'peak_bytes'));

-- What each plan comes to. GB = 1e9 bytes. fits: 0 where the device is too small for it; then nothing ran at that speed.
CREATE VIEW plan_point AS
SELECT p.run_id, p.position, p.combination, p.variant, p.variant = r.baseline AS is_baseline,
       coalesce((SELECT group_concat(q.last || ' ' || q.text, ', ') FROM
         (SELECT replace(path, rtrim(path, replace(path, '.', '')), '') AS last, text FROM point_param a
           WHERE a.run_id = p.run_id AND a.position = p.position ORDER BY path) q), '') AS place,   -- 'bandwidth 6.7 GB/s'
       n.value AS batch, l.value AS largest_batch,       -- samples of one GPU's step; the largest that fits, where asked for
       s.value AS samples_per_s,
       100.0 * (1.0 - s.value / b.value) AS loss_pct,    -- of the baseline's throughput; NULL without one
       1e-9 * k.value AS pool_GB,                        -- the device's general pool
       w.value AS stall_ms,                              -- that the device waits for copies
       t.value AS step_ms, f.value AS fits
  FROM run_point p
  JOIN run r ON r.id = p.run_id
  JOIN measure k ON k.point_id = p.point_id AND k.name = 'peak_bytes'
  LEFT JOIN measure n ON n.point_id = p.point_id AND n.name = 'batch'
  LEFT JOIN measure l ON l.point_id = p.point_id AND l.name = 'largest_batch'
  LEFT JOIN measure s ON s.point_id = p.point_id AND s.name = 'samples_per_s'
  LEFT JOIN measure w ON w.point_id = p.point_id AND w.name = 'stall_ms'
  LEFT JOIN measure t ON t.point_id = p.point_id AND t.name = 'step_ms'
  LEFT JOIN measure f ON f.point_id = p.point_id AND f.name = 'fits'
  LEFT JOIN run_point o ON o.run_id = p.run_id AND o.combination = p.combination AND o.variant = r.baseline
                       AND r.baseline <> ''
  LEFT JOIN measure b ON b.point_id = o.point_id AND b.name = 'samples_per_s';
