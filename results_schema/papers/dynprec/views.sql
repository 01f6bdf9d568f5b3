-- Which runs they are, of each scenario the newest. size: 1 as the paper has them, 2 in the small, 3 a quick look.
CREATE VIEW dynprec_run AS
SELECT CASE WHEN scenario LIKE 'dynprec-paper-%' THEN 1 WHEN scenario LIKE 'dynprec-small-%' THEN 2 ELSE 3 END AS size,
       CASE WHEN scenario LIKE '%-alexnet' THEN 'AlexNet' WHEN scenario LIKE '%-inception' THEN 'Inception'
            ELSE 'ResNet-50' END AS network,                -- a row of Table 1
       max(id) AS run_id
  FROM run
 WHERE (scenario IN ('dynprec-quick') OR scenario LIKE 'dynprec-small-%' OR scenario LIKE 'dynprec-paper-%')
   AND scenario NOT LIKE '%+changes'
 GROUP BY scenario;

CREATE VIEW dynprec_point AS
SELECT l.size, l.network, w.place, w.label, l.variant, l.point_id, t.model, t.data, t.real_data, t.seed, t.batch, t.steps
  FROM (SELECT DISTINCT r.size, r.network, p.variant, p.point_id FROM dynprec_run r JOIN run_point p USING (run_id)) l
  JOIN training t USING (point_id)
  JOIN paper_row w ON w.paper = 'dynprec' AND w.table_id = '1' AND w.row_key = l.network;

-- A measure over the seeds. deviation: of the sample; NULL for a single seed.
CREATE VIEW dynprec_spread AS
WITH value AS (
  SELECT p.*, m.name, m.value, avg(m.value) OVER (PARTITION BY p.size, p.network, p.variant, m.name) AS mean
    FROM dynprec_point p JOIN measure m USING (point_id))
SELECT size, network, place, label, variant, name, count(*) AS n, mean,
       sqrt(sum((value - mean) * (value - mean)) / nullif(count(*) - 1, 0)) AS deviation, min(value) AS least
  FROM value
 GROUP BY size, network, variant, name;

-- Of two precisions, over the seeds that both have: trainings of a seed begin with the same weights and see the same samples in the same
-- order, so each is compared with its like. standard_error: of the mean of these differences; NULL for a single seed.
CREATE VIEW dynprec_difference AS
WITH pair AS (
  SELECT a.size, a.network, a.place, a.label, m.name, a.variant, b.variant AS other, m.value - o.value AS difference,
         avg(m.value - o.value) OVER (PARTITION BY a.size, a.network, m.name, a.variant, b.variant) AS mean
    FROM dynprec_point a
    JOIN dynprec_point b ON b.size = a.size AND b.network = a.network AND b.seed = a.seed AND b.variant <> a.variant
    JOIN measure m ON m.point_id = a.point_id
    JOIN measure o ON o.point_id = b.point_id AND o.name = m.name)
SELECT size, network, place, label, name, variant, other, count(*) AS n, mean AS difference,
       sqrt(sum((difference - mean) * (difference - mean)) / nullif(count(*) - 1, 0) / count(*)) AS standard_error
  FROM pair
 GROUP BY size, network, name, variant, other;

-- Table 1 beside ours: 'top-1' and 'top-5', each with its difference from FP32.
CREATE VIEW dynprec_accuracy AS
SELECT s.size, s.network, s.place, s.label, s.variant, c.column_key AS top,
       instr('FP32    MP      Dynamic BF16', s.variant) AS variant_place,
       p.published, p.published - q.published AS published_difference, s.mean, s.deviation, s.n, d.difference, d.standard_error
  FROM (SELECT 'top-1' AS column_key, 'accuracy' AS name UNION ALL SELECT 'top-5', 'top5') c
  JOIN dynprec_spread s USING (name)
  JOIN paper_value p ON p.paper = 'dynprec' AND p.table_id = '1' AND p.row_key = s.network
                    AND p.column_key = s.variant || ' ' || c.column_key
  JOIN paper_value q ON q.paper = 'dynprec' AND q.table_id = '1' AND q.row_key = s.network
                    AND q.column_key = 'FP32 ' || c.column_key
  LEFT JOIN dynprec_difference d ON d.size = s.size AND d.network = s.network AND d.name = s.name AND d.variant = s.variant
                                AND d.other = 'FP32' AND d.variant <> 'FP32';

-- Accuracy on the test samples as training goes, over the seeds. epoch: of the paper's training, as far as ours has come.
CREATE VIEW dynprec_curve AS
WITH value AS (
  SELECT p.*, e.after_steps, 100.0 * e.top1 AS top1_pct,
         avg(100.0 * e.top1) OVER (PARTITION BY p.size, p.network, p.variant, e.after_steps) AS mean
    FROM dynprec_point p JOIN trace_evaluation e USING (point_id))
SELECT v.size, v.network, v.place, v.label, v.variant, v.after_steps, x.published * v.after_steps / v.steps AS epoch,
       count(*) AS n, v.mean,
       sqrt(sum((v.top1_pct - v.mean) * (v.top1_pct - v.mean)) / nullif(count(*) - 1, 0)) AS deviation
  FROM value v
  JOIN paper_value x ON x.paper = 'dynprec' AND x.table_id = 'text' AND x.row_key = v.network AND x.column_key = 'epochs'
 GROUP BY v.size, v.network, v.variant, v.after_steps;

-- Dynamic precision: what each step was computed in, and the average that was looked at.
CREATE VIEW dynprec_step AS
SELECT p.size, p.network, p.place, p.label, p.point_id, p.seed, p.steps, s.step, s.loss, s.ema, s.precision,
       s.precision <> lag(s.precision) OVER (PARTITION BY p.point_id, p.size ORDER BY s.step) AS switched
  FROM dynprec_point p JOIN trace_step s USING (point_id)
 WHERE p.variant = 'Dynamic';

-- Its stretches in one precision: from the first step, to the first that is none of them.
CREATE VIEW dynprec_stretch AS
SELECT size, network, place, label, seed, steps, precision, step AS from_step,
       coalesce(lead(step) OVER (PARTITION BY point_id, size ORDER BY step), steps) AS to_step
  FROM dynprec_step
 WHERE switched OR step = 0;

-- What became of each seed: switches, steps in mixed precision, and how many of them lie in each half of the training.
CREATE VIEW dynprec_switching AS
SELECT size, network, place, label, seed, steps, sum(coalesce(switched, 0)) AS switches, sum(precision = 'mp') AS mp_steps,
       sum(precision = 'mp' AND 2 * step < steps) AS mp_first_half, min(step) FILTER (WHERE precision = 'bf16') AS first_bf16
  FROM dynprec_step
 GROUP BY size, network, point_id;

-- Multiply-adds of a step by what they are for. Of the paper's own networks, which were given one image: scaled to the paper's batch.
-- part: 1 forward, 2 errors, 3 gradients of weights, 4 batch norms, 5 the update, of which there is one a step.
CREATE VIEW dynprec_mix AS
WITH part AS (SELECT column1 AS part, column2 AS label, column3 AS name FROM (VALUES
  (1, 'forward', 'fma_forward'), (2, 'backward, errors', 'fma_backward_data'),
  (3, 'backward, gradients', 'fma_backward_weights'), (4, 'batch norm', 'fma_norms'), (5, 'weight update', 'fma_update'))),
whole AS (
  SELECT p.variant AS network, t.model, b.published AS batch, a.part, a.label,
         m.value * CASE a.part WHEN 5 THEN 1 ELSE b.published / t.batch END AS fmas
    FROM run_point p JOIN training t USING (point_id) JOIN measure m USING (point_id) JOIN part a USING (name)
    JOIN paper_value b ON b.paper = 'dynprec' AND b.table_id = 'fig2a' AND b.row_key = p.variant AND b.column_key = 'batch'
   WHERE p.run_id = (SELECT max(id) FROM run WHERE scenario = 'dynprec-mix'))
SELECT 1 AS size, w.network, r.place, r.label, w.model, w.batch, w.part, w.label AS part_label, w.fmas,
       100.0 * w.fmas / sum(w.fmas) OVER (PARTITION BY w.network) AS pct
  FROM whole w JOIN paper_row r ON r.paper = 'dynprec' AND r.table_id = 'fig2a' AND r.row_key = w.network
UNION ALL
SELECT s.size, s.network, s.place, s.label, (SELECT model FROM dynprec_point p WHERE p.size = s.size AND p.network = s.network), NULL,
       a.part, a.label, s.mean, 100.0 * s.mean / sum(s.mean) OVER (PARTITION BY s.size, s.network)
  FROM dynprec_spread s JOIN part a USING (name)
 WHERE s.variant = 'FP32' AND s.size = 2;

-- What stays in FP32 when all else is BF16, beside what Table 1 leaves.
CREATE VIEW dynprec_fp32 AS
SELECT m.size, m.network, m.place, m.label, 100 - p.published AS published, sum(m.pct) FILTER (WHERE m.part >= 4) AS ours,
       sum(m.pct) FILTER (WHERE m.part = 4) AS norms, sum(m.pct) FILTER (WHERE m.part = 5) AS update_pct
  FROM dynprec_mix m
  JOIN paper_value p ON p.paper = 'dynprec' AND p.table_id = '1' AND p.row_key = m.network AND p.column_key = 'BF16 FMAs'
 GROUP BY m.size, m.network;
