-- The plans of the newest run of each scenario. GB = 1e9 bytes; sums run from the first operation.
CREATE VIEW plan_curve AS
SELECT n.scenario, p.run_id, p.combination, p.variant, v.place AS variant_place, s.step, s.name, s.layer, s.backward,
       1e-9 * s.duration_ps AS duration_ms,
       1e-9 * sum(s.duration_ps) OVER upto AS end_ms,
       1e-9 * s.generated_bytes AS generated_GB, 1e-9 * s.offloadable_bytes AS offloadable_GB,
       1e-9 * sum(s.generated_bytes) OVER upto AS generated_so_far_GB,
       1e-9 * sum(s.offloadable_bytes) OVER upto AS offloadable_so_far_GB,
       1e-9 * s.live_bytes AS live_GB
  FROM newest_run n
  JOIN run_point p ON p.run_id = n.run_id
  JOIN run_variant v ON v.run_id = p.run_id AND v.variant = p.variant
  JOIN plan_step s ON s.point_id = p.point_id
WINDOW upto AS (PARTITION BY p.run_id, p.position ORDER BY s.step);

-- The tasks of the newest run of each scenario, where they are stored.
CREATE VIEW newest_task AS
SELECT n.scenario, p.run_id, p.combination, p.variant, v.place AS variant_place, t.place, t.name, t.track,
       1e-9 * t.start_ps AS start_ms, 1e-9 * t.end_ps AS end_ms, t.bytes
  FROM newest_run n
  JOIN run_point p ON p.run_id = n.run_id
  JOIN run_variant v ON v.run_id = p.run_id AND v.variant = p.variant
  JOIN task t ON t.point_id = p.point_id;

-- What the memory plans of the newest run of each scenario come to: a line for each point. GB = 1e9 bytes. in_place is
-- the variant of that name, where a scenario has one: the stronger of two baselines.
CREATE VIEW plan_summary AS
WITH line AS (
  SELECT scenario, run_id, position, combination, variant,
         max(value) FILTER (WHERE name = 'samples_per_s') AS samples_per_s,
         max(value) FILTER (WHERE name = 'stall_forward_ms') AS stall_forward_ms,
         max(value) FILTER (WHERE name = 'stall_turn_ms') AS stall_turn_ms,
         max(value) FILTER (WHERE name = 'stall_backward_ms') AS stall_backward_ms,
         max(value) FILTER (WHERE name = 'slowed_ms') AS slowed_ms,
         1e-9 * max(value) FILTER (WHERE name = 'generated_bytes') AS generated_GB,
         1e-9 * max(value) FILTER (WHERE name = 'offloadable_bytes') AS offloadable_GB,
         1e-9 * max(value) FILTER (WHERE name = 'offloaded_bytes') AS offloaded_GB,
         1e-9 * max(value) FILTER (WHERE name = 'live_bytes') AS live_GB,
         1e-9 * max(value) FILTER (WHERE name = 'peak_bytes') AS peak_GB,
         1e-9 * max(value) FILTER (WHERE name = 'host_bytes') AS host_GB,
         max(value) FILTER (WHERE name = 'gap_pct') AS gap_pct,
         max(value) FILTER (WHERE name = 'largest_batch') AS largest_batch
    FROM newest_measure
   GROUP BY run_id, position
  HAVING generated_GB IS NOT NULL)
SELECT l.*, 100.0 * (1.0 - l.samples_per_s / b.samples_per_s) AS loss_pct,
       100.0 * (1.0 - l.samples_per_s / i.samples_per_s) AS in_place_loss_pct,
       l.largest_batch / nullif(b.largest_batch, 0) AS batch_ratio,
       l.largest_batch / nullif(i.largest_batch, 0) AS in_place_batch_ratio
  FROM line l
  JOIN run r ON r.id = l.run_id
  LEFT JOIN line b ON b.run_id = l.run_id AND b.combination = l.combination AND b.variant = r.baseline
  LEFT JOIN line i ON i.run_id = l.run_id AND i.combination = l.combination AND i.variant = 'in place';

-- Runs all of whose points are memory plans.
CREATE VIEW plan_run AS
SELECT r.id AS run_id, r.scenario
  FROM run r
 WHERE EXISTS (SELECT 1 FROM run_point p WHERE p.run_id = r.id)
   AND NOT EXISTS (SELECT 1 FROM run_point p
                    WHERE p.run_id = r.id
                      AND NOT EXISTS (SELECT 1 FROM measure m WHERE m.point_id = p.point_id AND m.name = 'peak_bytes'));

-- What each plan comes to. GB = 1e9 bytes. fits: 0 where the device is too small for it; then nothing ran at that
-- speed.
CREATE VIEW plan_point AS
SELECT p.run_id, p.position, p.combination, p.variant, p.variant = r.baseline AS is_baseline,
       coalesce((SELECT group_concat(q.last || ' ' || q.text, ', ') FROM
         (SELECT replace(path, rtrim(path, replace(path, '.', '')), '') AS last, text FROM point_param a
           -- 'bandwidth 6.7 GB/s'
           WHERE a.run_id = p.run_id AND a.position = p.position ORDER BY path) q), '') AS place,
       -- samples of one GPU's step; the largest that fits, where asked for
       n.value AS batch, l.value AS largest_batch,
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
  LEFT JOIN run_point o INDEXED BY run_point_by_combination
    ON o.run_id = p.run_id AND o.combination = p.combination AND o.variant = r.baseline
                       AND r.baseline <> ''
  LEFT JOIN measure b ON b.point_id = o.point_id AND b.name = 'samples_per_s';
