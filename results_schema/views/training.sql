-- Where a run lists trained points. Points of one run, variant and place differ by their seed alone.
CREATE VIEW training_place AS
SELECT r.id AS run_id, r.scenario, p.position, p.combination, p.variant, p.point_id, t.seed, t.real_data,
       coalesce((SELECT group_concat(q.path || ' ' || q.text, ', ') FROM
         (SELECT path, text FROM point_param a WHERE a.run_id = p.run_id AND a.position = p.position
             AND a.path <> 'training.seed' ORDER BY path) q), '') AS place
  FROM run_point p
  JOIN training t ON t.point_id = p.point_id
  JOIN run r ON r.id = p.run_id;

-- The curve of each run, variant and seed; sums run from the first step. Accuracies are in %, of the network as the
-- step left it.
CREATE VIEW trace_run AS
SELECT a.run_id, a.scenario, a.position, a.combination, a.variant, a.place, a.seed, a.real_data,
       s.step, s.epoch, s.samples, s.loss, s.learning_rate, s.precision, s.pushed_bytes, s.pulled_bytes,
       sum(s.samples) OVER upto AS samples_so_far,
       1e-9 * sum(s.pushed_bytes + s.pulled_bytes) OVER upto AS sent_so_far_GB,        -- 1e9 bytes
       e.loss AS test_loss, 100.0 * e.top1 AS top1_pct, 100.0 * e.top5 AS top5_pct, e.other, t.metric
  FROM training_place a
  JOIN training t ON t.point_id = a.point_id
  JOIN trace_step s ON s.point_id = a.point_id
  LEFT JOIN trace_evaluation e ON e.point_id = s.point_id AND e.after_steps = s.step + 1
WINDOW upto AS (PARTITION BY a.run_id, a.position ORDER BY s.step);

-- What each trained point sent in all. fp32_bytes: had every tensor crossed as floats in every step, one way.
CREATE VIEW trace_traffic AS
WITH sent AS (
  SELECT point_id, count(*) AS steps, sum(samples) AS samples, sum(pushed_bytes) AS pushed_bytes,
      sum(pulled_bytes) AS pulled_bytes
    FROM trace_step GROUP BY point_id),
whole AS (
  SELECT point_id, sum(nvalues) AS nvalues, sum(nvalues * compressed) AS compressed_values FROM trace_tensor
      GROUP BY point_id),
base AS (
  SELECT s.*, t.workers, w.nvalues, w.compressed_values, 4.0 * w.nvalues * t.workers * s.steps AS fp32_bytes
    FROM sent s JOIN training t USING (point_id) JOIN whole w USING (point_id))
SELECT point_id, workers, steps, samples, nvalues, compressed_values, pushed_bytes, pulled_bytes, fp32_bytes,
       fp32_bytes / nullif(pushed_bytes, 0) AS push_ratio, fp32_bytes / nullif(pulled_bytes, 0) AS pull_ratio,  -- x
       2 * fp32_bytes / nullif(pushed_bytes + pulled_bytes, 0) AS ratio,                                       -- x
       32.0 * pushed_bytes / fp32_bytes AS push_bits_per_value, 32.0 * pulled_bytes / fp32_bytes AS pull_bits_per_value,
       16.0 * (pushed_bytes + pulled_bytes) / fp32_bytes AS bits_per_value
  FROM base;

-- A tensor in one direction, of the steps in which it was looked at. Shares are of its values.
CREATE VIEW trace_coding AS
SELECT x.point_id, x.tensor, n.name, n.nvalues, n.compressed, x.pull, count(*) AS steps, sum(x.bytes) AS bytes,
       4.0 * n.nvalues * t.workers * count(*) / nullif(sum(x.bytes), 0) AS ratio,         -- x
       8.0 * sum(x.bytes) / (1.0 * n.nvalues * t.workers * count(*)) AS bits_per_value,
       avg(x.zeros) / (1.0 * n.nvalues * t.workers) AS zeros_share, avg(x.threshold) AS threshold
  FROM trace_exchange x
  JOIN trace_tensor n USING (point_id, tensor)
  JOIN training t USING (point_id)
 GROUP BY x.point_id, x.tensor, x.pull;

-- How long a tensor's weights had how many bits, and the bytes that hold them.
CREATE VIEW trace_width AS
SELECT b.point_id, b.tensor, n.name, n.nvalues, b.step AS from_step,
       -- the first without
       coalesce(lead(b.step) OVER (PARTITION BY b.point_id, b.tensor ORDER BY b.step), t.steps) AS to_step,
       b.bits, (b.bits + 7) / 8 AS bytes_per_weight
  FROM trace_bits b
  JOIN trace_tensor n USING (point_id, tensor)
  JOIN training t USING (point_id);

-- The share of steps, and of multiply-adds where they were counted, that a point did in each precision.
CREATE VIEW trace_precision AS
SELECT s.point_id, s.precision, count(*) AS steps, 1.0 * count(*) / t.steps AS step_share,
       sum(s.precision_share) / t.steps AS multiply_add_share   -- all steps compute the same number of them
  FROM trace_step s JOIN training t USING (point_id)
 GROUP BY s.point_id, s.precision;

-- How well each trained point did in the end.
CREATE VIEW training_final AS
WITH last AS (
  SELECT e.*, t.metric, row_number() OVER (PARTITION BY e.point_id ORDER BY e.after_steps DESC) AS age
    FROM trace_evaluation e JOIN training t USING (point_id))
SELECT point_id, after_steps, 'test_loss' AS name, loss AS value, '' AS unit FROM last WHERE age = 1
    AND loss IS NOT NULL
UNION ALL
SELECT point_id, after_steps, 'top1_pct', 100.0 * top1, '%' FROM last WHERE age = 1 AND top1 IS NOT NULL
UNION ALL
SELECT point_id, after_steps, 'top5_pct', 100.0 * top5, '%' FROM last WHERE age = 1 AND top5 IS NOT NULL
UNION ALL
SELECT point_id, after_steps, metric, other, '' FROM last WHERE age = 1 AND other IS NOT NULL AND metric <> '';

-- The same over the seeds of each variant and place. deviation: of the sample (n - 1); NULL for a single seed.
CREATE VIEW training_spread AS
WITH value AS (
  SELECT a.run_id, a.scenario, a.variant, a.place, f.name, f.unit, f.value,
         avg(f.value) OVER (PARTITION BY a.run_id, a.variant, a.place, f.name) AS mean
    FROM training_place a JOIN training_final f ON f.point_id = a.point_id)
SELECT run_id, scenario, variant, place, name, unit, count(*) AS n, mean,
       sqrt(sum((value - mean) * (value - mean)) / nullif(count(*) - 1, 0)) AS deviation,
       min(value) AS least, max(value) AS largest
  FROM value
 GROUP BY run_id, variant, place, name;

-- The newest timing of each training and machine.
CREATE VIEW trace_time AS
SELECT t.point_id, t.label, t.simulated, s.steps, s.seconds
  FROM trace_timing t
  JOIN trace_timing_step s ON s.timing_id = t.id
 WHERE t.id = (SELECT max(n.id) FROM trace_timing n WHERE n.point_id = t.point_id AND n.label = t.label);

-- Accuracy and loss against simulated time: evaluations of every training, at the time of the last simulated step
-- before or at them, and between two simulated steps by their share.
CREATE VIEW trace_time_evaluation AS
SELECT t.point_id, t.label, e.after_steps, e.loss AS test_loss, 100.0 * e.top1 AS top1_pct, 100.0 * e.top5 AS top5_pct,
    e.other,
       coalesce(b.seconds, 0)
         + (a.seconds - coalesce(b.seconds, 0)) * (e.after_steps - coalesce(b.steps, 0)) /
             (a.steps - coalesce(b.steps, 0)) AS seconds
  FROM (SELECT max(id) AS id, point_id, label FROM trace_timing GROUP BY point_id, label) t
  JOIN trace_evaluation e ON e.point_id = t.point_id AND e.after_steps > 0
  JOIN trace_timing_step a ON a.timing_id = t.id
   AND a.steps = (SELECT min(steps) FROM trace_timing_step x WHERE x.timing_id = t.id AND x.steps >= e.after_steps)
  LEFT JOIN trace_timing_step b ON b.timing_id = t.id
   AND b.steps = (SELECT max(steps) FROM trace_timing_step x WHERE x.timing_id = t.id AND x.steps < a.steps);

-- Where the time of a training went that was spread over ranks, for each of them: milliseconds of a step, as the mean
-- over those that were timed. A rank that waits for another waits in push or pull. bytes: in messages, of a step.
CREATE VIEW training_rank AS
SELECT t.point_id, t.rank, count(*) AS steps,
       1e-6 * avg(compute_ns + encode_ns + push_ns + update_ns + pull_ns + decode_ns) AS step_ms,
       1e-6 * avg(compute_ns) AS compute_ms, 1e-6 * avg(encode_ns) AS encode_ms, 1e-6 * avg(push_ns) AS push_ms,
       1e-6 * avg(update_ns) AS update_ms, 1e-6 * avg(pull_ns) AS pull_ms, 1e-6 * avg(decode_ns) AS decode_ms,
       avg(sent_bytes) AS sent_bytes, avg(received_bytes) AS received_bytes
  FROM training_rank_time t
 GROUP BY t.point_id, t.rank;

-- How long these steps took, evaluations and checkpoints left out, next to what the same steps were predicted to take
-- on each machine that 'time:' names: a prediction is cut to the steps that were timed, by their share of its last one.
CREATE VIEW training_time AS
WITH took AS (
  SELECT point_id, count(DISTINCT rank) AS ranks, count(DISTINCT step) AS steps,
         1e-9 * sum(compute_ns + encode_ns + push_ns + update_ns + pull_ns + decode_ns) FILTER (WHERE rank = 0)
           AS seconds
    FROM training_rank_time GROUP BY point_id),
predicted AS (
  SELECT point_id, label, max(steps) AS steps, max(seconds) AS seconds FROM trace_time GROUP BY point_id, label)
SELECT m.point_id, m.ranks, m.steps, m.seconds AS executed_s, p.label, p.seconds * m.steps / p.steps AS predicted_s,
       100 * (p.seconds * m.steps / p.steps / m.seconds - 1) AS error_pct
  FROM took m LEFT JOIN predicted p USING (point_id);
