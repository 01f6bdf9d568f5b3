-- Which runs they are, and the size that reports lead with. network: a row of Table 1.
CREATE VIEW dynprec_run AS
SELECT size, run_id, CASE WHEN scenario LIKE '%-alexnet' THEN 'AlexNet' WHEN scenario LIKE '%-inception'
    THEN 'Inception' ELSE 'ResNet-50' END AS network
  FROM chosen_run
 WHERE (scenario LIKE 'dynprec-small-%' OR scenario LIKE 'dynprec-paper-%') AND scenario NOT LIKE '%ablation%';

CREATE VIEW dynprec_size AS
SELECT size, label FROM training_size WHERE size IN (SELECT size FROM dynprec_run) ORDER BY place LIMIT 1;

CREATE VIEW dynprec_point AS
SELECT l.size, l.network, w.place, w.label, l.variant, l.point_id, t.model, t.data, t.real_data, t.seed, t.batch,
    t.steps
  FROM (SELECT DISTINCT r.size, r.network, p.variant, p.point_id FROM dynprec_run r JOIN run_point p USING (run_id)) l
  JOIN training t USING (point_id)
  JOIN paper_row w ON w.paper = 'dynprec' AND w.table_id = '1' AND w.row_key = l.network;

-- A measure over the seeds. deviation: of the sample; NULL for a single seed.
CREATE VIEW dynprec_spread AS
WITH value AS (
  SELECT p.*, m.name, m.value, avg(m.value) OVER (PARTITION BY p.size, p.network, p.variant, m.name) AS mean
    FROM dynprec_point p JOIN measure m USING (point_id))
SELECT size, network, place, label, variant, name, count(*) AS n, mean,
       sqrt(sum((value - mean) * (value - mean)) / nullif(count(*) - 1, 0)) AS deviation, min(real_data) AS real_data
  FROM value
 GROUP BY size, network, variant, name;

-- Of two precisions, over the seeds that both have: training runs of a seed begin with the same weights and see the
-- same samples in the same order, so each is compared with its like. standard_error: of the mean of these differences;
-- NULL for a single seed.
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

-- Table 1 next to ours, of the size that reports lead with: 'top-1', 'top-5' and 'FMAs' (%), the accuracies with their
-- differences from FP32.
CREATE VIEW dynprec_table1 AS
SELECT s.network, s.place, s.label, s.variant, instr('FP32    MP      Dynamic BF16', s.variant) AS variant_place,
    c.column_key AS what,
       c.place AS what_place, p.row_key, p.column_key, p.published, p.published - q.published AS published_difference,
           s.mean, s.deviation, s.n,
       iif(s.real_data, 'predicted', 'scaled') AS kind, d.difference, d.standard_error
  FROM (SELECT 1 AS place, 'top-1' AS column_key, 'accuracy' AS name UNION ALL SELECT 2, 'top-5', 'top5'
      UNION ALL SELECT 3, 'FMAs', 'bf16_fma_pct') c
  JOIN dynprec_spread s USING (name)
  JOIN paper_value p ON p.paper = 'dynprec' AND p.table_id = '1' AND p.row_key = s.network AND p.column_key = s.variant
      || ' ' || c.column_key
  LEFT JOIN paper_value q ON q.paper = 'dynprec' AND q.table_id = '1' AND q.row_key = s.network AND q.column_key =
      'FP32 ' || c.column_key
                         AND s.variant <> 'FP32'
  LEFT JOIN dynprec_difference d ON d.size = s.size AND d.network = s.network AND d.name = s.name AND d.variant =
      s.variant AND d.other = 'FP32'
                                AND c.column_key <> 'FMAs'
 WHERE s.size = (SELECT size FROM dynprec_size);

-- Dynamic precision: what each step was computed in, and the average that was looked at.
CREATE VIEW dynprec_step AS
SELECT p.size, p.network, p.place, p.label, p.point_id, p.seed, p.steps, s.step, s.ema, s.precision,
       s.precision <> lag(s.precision) OVER (PARTITION BY p.point_id ORDER BY s.step) AS switched
  FROM dynprec_point p JOIN trace_step s USING (point_id)
 WHERE p.variant = 'Dynamic';

-- What became of each seed: switches, steps in mixed precision, and how many of them lie in the first half of the
-- training.
CREATE VIEW dynprec_switching AS
SELECT size, network, place, label, seed, steps, sum(coalesce(switched, 0)) AS switches,
    sum(precision = 'mp') AS mp_steps,
       sum(precision = 'mp' AND 2 * step < steps) AS mp_first_half,
           min(step) FILTER (WHERE precision = 'bf16') AS first_bf16
  FROM dynprec_step
 GROUP BY size, point_id;

-- Multiply-adds of a step by what they are for. Of the paper's own networks, which were given one image: scaled to the
-- paper's batch; and of what was trained scaled down. part: 1 forward, 2 errors, 3 gradients of weights, 4 batch norms,
-- 5 the update, of which there is one a step.
CREATE VIEW dynprec_mix AS
WITH part(part, part_label, name) AS (VALUES
  (1, 'forward', 'fma_forward'), (2, 'backward, errors', 'fma_backward_data'),
      (3, 'backward, gradients', 'fma_backward_weights'),
  (4, 'batch norm', 'fma_norms'), (5, 'weight update', 'fma_update')),
whole AS (
  SELECT 'paper' AS size, p.variant AS network, r.place, r.label, b.published AS batch, a.part, a.part_label,
         m.value * iif(a.part = 5, 1, b.published / t.batch) AS fmas
    FROM chosen_run c JOIN run_point p USING (run_id) JOIN training t USING (point_id) JOIN measure m USING (point_id)
        JOIN part a USING (name)
    JOIN paper_value b ON b.paper = 'dynprec' AND b.table_id = 'fig2a' AND b.row_key = p.variant AND b.column_key =
        'batch'
    JOIN paper_row r USING (paper, table_id, row_key)
   WHERE c.scenario = 'dynprec-mix'
  UNION ALL
  SELECT size, network, place, label, NULL, part, part_label, mean FROM dynprec_spread JOIN part USING (name)
      WHERE variant = 'FP32' AND size = 'small')
SELECT *, 100.0 * fmas / sum(fmas) OVER (PARTITION BY size, network) AS pct FROM whole;

-- What stays in FP32 when all else is BF16, next to what Table 1 leaves.
CREATE VIEW dynprec_fp32 AS
SELECT m.size, m.network, m.place, m.label, 100 - p.published AS published, sum(m.pct) AS ours
  FROM dynprec_mix m
  JOIN paper_value p ON p.paper = 'dynprec' AND p.table_id = '1' AND p.row_key = m.network AND p.column_key =
      'BF16 FMAs'
 WHERE m.part >= 4
 GROUP BY m.size, m.network;
