-- What a run answers, point by point, and the newest run of each scenario whether it was changed or not.

-- The newest run of each scenario, changed from the command line or not; 'changed' tells which.
CREATE VIEW latest_run AS
SELECT name AS scenario, max(id) AS run_id, scenario <> name AS changed, file, command, started_ns
  FROM (SELECT id, scenario, file, command, started_ns,
               iif(scenario LIKE '%+changes', substr(scenario, 1, length(scenario) - 8), scenario) AS name FROM run
         WHERE scenario <> '')
 GROUP BY name;                                          -- max(): the other columns are of its row

-- A measure of that run, at each of its places.
CREATE VIEW latest_measure AS
SELECT n.scenario, n.run_id, p.position, p.combination, p.variant, m.name, m.value, m.unit
  FROM latest_run n
  JOIN run_point p ON p.run_id = n.run_id
  JOIN measure m ON m.point_id = p.point_id;

-- Each simulated point of each run. Speedup is per sample, as in gain; NULL is what the method does not say.
CREATE VIEW answer AS
SELECT p.run_id, r.scenario, p.position, p.combination, p.variant,
       p.variant = r.baseline AND r.baseline <> '' AS is_baseline,
       coalesce((SELECT group_concat(q.last || ' ' || q.text, ', ') FROM
         (SELECT replace(path, rtrim(path, replace(path, '.', '')), '') AS last, text FROM point_param a
           -- 'bandwidth 10 Gbit/s'
           WHERE a.run_id = p.run_id AND a.position = p.position ORDER BY path) q), '') AS place,
       t.value AS step_ms,
       (SELECT value FROM measure m WHERE m.point_id = p.point_id AND m.name = 'samples_per_s' AND value >
           0) AS samples_per_s,
       CASE WHEN u.value > 0 AND bu.value > 0 THEN bu.value / u.value ELSE bt.value / t.value END AS speedup,   -- x
       -- of so many single workers
       (SELECT value FROM measure m WHERE m.point_id = p.point_id AND m.name = 'scaling') AS scaling,
       (SELECT substr(name, 10) FROM measure m WHERE m.point_id = p.point_id AND m.name >= 'critical.' AND m.name <
           'critical/'
         ORDER BY value DESC, name LIMIT 1) AS bound_by,  -- what most of the step is attributed to
       (SELECT max(value) FROM measure m WHERE m.point_id = p.point_id AND m.name >= 'critical.' AND m.name <
           'critical/')
         AS bound_share,
       -- communication
       (SELECT value FROM measure m WHERE m.point_id = p.point_id AND m.name = 'exposed_ms') AS exposed_ms,
       -- of one worker: that it sends in an allreduce; that it pushes and pulls; of a trainer's iteration; over all
       -- links of a host
       (SELECT sum(value) FROM measure m WHERE m.point_id = p.point_id
           AND m.name IN ('sent_bytes', 'push_bytes', 'pull_bytes', 'activation_bytes', 'sample_bytes',
               'to_device_bytes',
                          'to_host_bytes', 'bytes')) AS wire_bytes,
       -- of one GPU
       (SELECT value FROM measure m WHERE m.point_id = p.point_id AND m.name = 'memory_bytes') AS memory_bytes,
       (SELECT value FROM measure m WHERE m.point_id = p.point_id AND m.name =
           'memory_limit_bytes') AS memory_limit_bytes,
       (SELECT value FROM measure m WHERE m.point_id = p.point_id AND m.name = 'gpus') AS gpus,
       (SELECT value FROM measure m WHERE m.point_id = p.point_id AND m.name = 'idle_gpus') AS idle_gpus
  FROM run_point p
  JOIN run r ON r.id = p.run_id
  JOIN measure t ON t.point_id = p.point_id AND t.name = 'step_ms'
  LEFT JOIN measure u ON u.point_id = p.point_id AND u.name = 'sample_us'
  LEFT JOIN run_point o INDEXED BY run_point_by_combination
    ON o.run_id = p.run_id AND o.combination = p.combination AND o.variant = r.baseline
                       AND r.baseline <> ''
  LEFT JOIN measure bt ON bt.point_id = o.point_id AND bt.name = 'step_ms'
  LEFT JOIN measure bu ON bu.point_id = o.point_id AND bu.name = 'sample_us';

-- Each collective of each run that has some, with the columns of nccl-tests. time_us is what tells them from others.
CREATE VIEW collective_point AS
SELECT a.run_id, a.position, a.combination, a.variant, a.is_baseline, a.place, b.value AS bytes, t.value AS time_us,
       g.value AS algbw_GBps, u.value AS busbw_GBps, a.speedup, a.bound_by, a.bound_share,
       (SELECT substr(name, 9) FROM measure m WHERE m.point_id = p.point_id AND m.name >= 'sent_as.' AND m.name <
           'sent_as/')
         AS sent_as -- the algorithm and protocol that NCCL's tuning chose
  FROM answer a
  JOIN run_point p ON p.run_id = a.run_id AND p.position = a.position
  JOIN measure t ON t.point_id = p.point_id AND t.name = 'time_us'
  JOIN measure b ON b.point_id = p.point_id AND b.name = 'bytes'
  JOIN measure g ON g.point_id = p.point_id AND g.name = 'algbw_GBps'
  JOIN measure u ON u.point_id = p.point_id AND u.name = 'busbw_GBps';

-- What the networks of a run came to learn: a line for each variant and place, over its seeds.
CREATE VIEW trained_answer AS
WITH value AS (
  SELECT p.run_id, p.position, p.variant, p.variant = r.baseline AND r.baseline <> '' AS is_baseline,
         coalesce((SELECT group_concat(q.last || ' ' || q.text, ', ') FROM
           (SELECT replace(path, rtrim(path, replace(path, '.', '')), '') AS last, text FROM point_param a
             WHERE a.run_id = p.run_id AND a.position = p.position AND a.path <> 'training.seed' ORDER BY path) q),
                 '') AS place,
         max(iif(v.name = 'steps', v.value, NULL)) AS steps, max(iif(v.name = 'loss', v.value, NULL)) AS loss,
         max(iif(v.name = 'test_loss', v.value, NULL)) AS test_loss,
         max(iif(v.name = 'accuracy', v.value, NULL)) AS accuracy, max(iif(v.name = 'auc', v.value, NULL)) AS auc,
         max(iif(v.name = 'bleu', v.value, NULL)) AS bleu,
         max(iif(v.name = 'compression_ratio', v.value, NULL)) AS ratio,
         max(iif(v.name = 'push_bytes', v.value, NULL)) AS push_bytes,
             max(iif(v.name = 'pull_bytes', v.value, NULL)) AS pull_bytes
    FROM run_point p JOIN run r ON r.id = p.run_id
    JOIN measure v ON v.point_id = p.point_id
   GROUP BY p.run_id, p.position
  HAVING steps IS NOT NULL)
SELECT run_id, min(position) AS position, place, variant, is_baseline, count(*) AS seeds, avg(steps) AS steps,
       avg(loss) AS loss, avg(test_loss) AS test_loss, avg(accuracy) AS accuracy, avg(auc) AS auc, avg(bleu) AS bleu,
       avg(ratio) AS ratio, avg(push_bytes) AS push_bytes, avg(pull_bytes) AS pull_bytes
  FROM value
 GROUP BY run_id, place, variant;
