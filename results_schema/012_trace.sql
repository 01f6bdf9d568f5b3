-- 012_trace.sql - training: what each step cost and sent, how well the network did, and how far seeds lie apart.
-- Steps count from 0. Bytes are those of all workers together, so that sums are whole numbers.

CREATE TABLE training (           -- a point that was trained
  point_id  INTEGER NOT NULL PRIMARY KEY REFERENCES point,
  model     TEXT    NOT NULL CHECK (model <> ''),
  data      TEXT    NOT NULL CHECK (data <> ''),              -- 'CIFAR-10', 'generated images, 10 classes'
  real_data INTEGER NOT NULL CHECK (real_data IN (0, 1)),     -- 0: other data than the paper trained on
  seed      INTEGER NOT NULL,
  workers   INTEGER NOT NULL CHECK (workers > 0),
  batch     INTEGER NOT NULL CHECK (batch > 0),               -- samples of one worker's step
  steps     INTEGER NOT NULL CHECK (steps >= 0),
  metric    TEXT    NOT NULL                                  -- what trace_evaluation.other is: 'BLEU', 'AUC'; '' if nothing
) STRICT, WITHOUT ROWID;

CREATE TABLE trace_tensor (       -- what the workers exchange, in the network's order
  point_id   INTEGER NOT NULL REFERENCES training,
  tensor     INTEGER NOT NULL CHECK (tensor >= 0),
  name       TEXT    NOT NULL CHECK (name <> ''),             -- 'block3.conv1'
  nvalues    INTEGER NOT NULL CHECK (nvalues > 0),            -- floats
  compressed INTEGER NOT NULL CHECK (compressed IN (0, 1)),   -- 0: sent as it is, as small layers are
  PRIMARY KEY (point_id, tensor)
) STRICT, WITHOUT ROWID;

CREATE TABLE trace_step (         -- every step
  point_id        INTEGER NOT NULL REFERENCES training,
  step            INTEGER NOT NULL CHECK (step >= 0),
  epoch           INTEGER NOT NULL CHECK (epoch >= 0),
  samples         INTEGER NOT NULL CHECK (samples > 0),       -- of all workers
  loss            REAL    CHECK (abs(loss) <= 1.7976931348623157e308),  -- mean over the samples; NULL: no finite number
  learning_rate   REAL    NOT NULL CHECK (learning_rate >= 0 AND learning_rate <= 1.7976931348623157e308),
  precision       TEXT    NOT NULL CHECK (precision IN ('fp32', 'mp', 'bf16')),
  precision_share REAL    CHECK (precision_share BETWEEN 0 AND 1),  -- of the step's multiply-adds in that precision, the others
                                                                    -- are in fp32; NULL: not counted
  pushed_bytes    INTEGER NOT NULL CHECK (pushed_bytes >= 0), -- after the codec, from the workers
  pulled_bytes    INTEGER NOT NULL CHECK (pulled_bytes >= 0), -- the same, to the workers
  PRIMARY KEY (point_id, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE trace_exchange (     -- a tensor in one direction, of every k-th step
  point_id  INTEGER NOT NULL,
  step      INTEGER NOT NULL,
  tensor    INTEGER NOT NULL,
  pull      INTEGER NOT NULL CHECK (pull IN (0, 1)),          -- 0: pushed by the workers, 1: pulled
  bytes     INTEGER NOT NULL CHECK (bytes >= 0),              -- after the codec
  zeros     INTEGER CHECK (zeros >= 0),                       -- values that arrive as 0; NULL: not counted
  threshold REAL    CHECK (abs(threshold) <= 1.7976931348623157e308),  -- of the codec, mean over the workers; NULL: it has none
  PRIMARY KEY (point_id, step, tensor, pull),
  FOREIGN KEY (point_id, step) REFERENCES trace_step,
  FOREIGN KEY (point_id, tensor) REFERENCES trace_tensor
) STRICT, WITHOUT ROWID;

CREATE TABLE trace_bits (         -- bits of each weight of a tensor, from this step until its next row
  point_id INTEGER NOT NULL,
  tensor   INTEGER NOT NULL,
  step     INTEGER NOT NULL CHECK (step >= 0),
  bits     INTEGER NOT NULL CHECK (bits BETWEEN 1 AND 32),
  PRIMARY KEY (point_id, tensor, step),
  FOREIGN KEY (point_id, tensor) REFERENCES trace_tensor
) STRICT, WITHOUT ROWID;

CREATE TABLE trace_evaluation (   -- the network on the test samples
  point_id    INTEGER NOT NULL REFERENCES training,
  after_steps INTEGER NOT NULL CHECK (after_steps >= 0),      -- done before it; 0: of the network as it began
  samples     INTEGER NOT NULL CHECK (samples > 0),
  loss        REAL    CHECK (abs(loss) <= 1.7976931348623157e308),   -- mean over the samples; NULL: no finite number
  top1        REAL    CHECK (top1 BETWEEN 0 AND 1),                  -- share of right answers; NULL: nothing to be right about
  top5        REAL    CHECK (top5 BETWEEN 0 AND 1),                  -- that are among the best five; NULL: not asked
  other       REAL    CHECK (abs(other) <= 1.7976931348623157e308),  -- training.metric; NULL: none, or no finite number
  PRIMARY KEY (point_id, after_steps)
) STRICT, WITHOUT ROWID;

-- Where a run lists trained points. Points of one run, variant and place differ by their seed alone.
CREATE VIEW training_place AS
SELECT r.id AS run_id, r.scenario, p.position, p.combination, p.variant, p.point_id, t.seed, t.real_data,
       coalesce((SELECT group_concat(q.path || ' ' || q.text, ', ') FROM
         (SELECT path, text FROM point_param a WHERE a.run_id = p.run_id AND a.position = p.position
             AND a.path <> 'training.seed' ORDER BY path) q), '') AS place
  FROM run_point p
  JOIN training t ON t.point_id = p.point_id
  JOIN run r ON r.id = p.run_id;

-- The curve of each run, variant and seed; sums run from the first step. Accuracies are in %, of the network as the step left it.
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
  SELECT point_id, count(*) AS steps, sum(samples) AS samples, sum(pushed_bytes) AS pushed_bytes, sum(pulled_bytes) AS pulled_bytes
    FROM trace_step GROUP BY point_id),
whole AS (
  SELECT point_id, sum(nvalues) AS nvalues, sum(nvalues * compressed) AS compressed_values FROM trace_tensor GROUP BY point_id),
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
       coalesce(lead(b.step) OVER (PARTITION BY b.point_id, b.tensor ORDER BY b.step), t.steps) AS to_step,   -- the first without
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
SELECT point_id, after_steps, 'test_loss' AS name, loss AS value, '' AS unit FROM last WHERE age = 1 AND loss IS NOT NULL
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
       min(value) AS least, max(value) AS greatest
  FROM value
 GROUP BY run_id, variant, place, name;

-- The point that speaks to a published cell: of the newest run that does, the first. real_data: NULL if it was not trained.
CREATE VIEW speaking AS
SELECT v.paper, v.table_id, v.row_key, v.column_key, p.published, v.ours, p.unit, v.run_id, v.position,
       (SELECT t.real_data FROM run_point o JOIN training t ON t.point_id = o.point_id
         WHERE o.run_id = v.run_id AND o.position = v.position) AS real_data
  FROM (SELECT *, row_number() OVER (PARTITION BY paper, table_id, row_key, column_key
                                     ORDER BY run_id DESC, position) AS age
          FROM cell_value c
         WHERE ours IS NOT NULL
           AND EXISTS (SELECT 1 FROM paper_value q
                        WHERE q.paper = c.paper AND q.table_id = c.table_id AND q.row_key = c.row_key
                          AND q.column_key = c.column_key AND q.unit = c.unit)) v
  JOIN paper_value p USING (paper, table_id, row_key, column_key)
 WHERE v.age = 1 AND v.row_key <> 'average';

-- What a trained point says to a cell, and in the same run all that differ from it by their seed alone: a row for each pair, so
-- that one point's rows are its seeds'.
CREATE VIEW cell_seed AS
SELECT w.paper, w.table_id, w.row_key, w.column_key, w.unit, w.run_id, a.position AS of_position, b.position, b.seed, w.ours
  FROM cell_value w
  JOIN training_place b ON b.run_id = w.run_id AND b.position = w.position
  JOIN training_place a ON a.run_id = b.run_id AND a.variant = b.variant AND a.place = b.place
 WHERE w.ours IS NOT NULL;

-- As before (010_memory.sql), and: of trained points the mean over their seeds; 'scaled' where they were trained on other data
-- than the paper's. A cell that something was fitted to stays calibrated: that it agrees means nothing, on whichever data.
DROP VIEW spoken;
CREATE VIEW spoken AS
SELECT s.paper, s.table_id, s.row_key, s.column_key, s.published,
       CASE WHEN s.real_data IS NULL THEN s.ours ELSE
         (SELECT avg(c.ours) FROM cell_seed c
           WHERE c.paper = s.paper AND c.table_id = s.table_id AND c.row_key = s.row_key AND c.column_key = s.column_key
             AND c.run_id = s.run_id AND c.of_position = s.position AND c.unit = s.unit) END AS ours,
       s.unit,
       CASE WHEN EXISTS (SELECT 1 FROM calibration k
                          WHERE k.paper = s.paper AND k.table_id = s.table_id
                            AND k.row_key = s.row_key AND k.column_key = s.column_key)
              OR EXISTS (SELECT 1 FROM paper_chosen k
                          WHERE k.paper = s.paper AND k.table_id = s.table_id
                            AND k.row_key = s.row_key AND k.column_key = s.column_key)
            THEN 'calibrated' WHEN s.real_data = 0 THEN 'scaled' ELSE 'predicted' END AS kind
  FROM speaking s;

-- Beside 'comparison': how far the seeds lie apart, for each cell that trained points speak to.
CREATE VIEW comparison_spread AS
WITH value AS (
  SELECT s.paper, s.table_id, s.row_key, s.column_key, s.published, s.unit, s.real_data, c.ours,
         avg(c.ours) OVER (PARTITION BY s.paper, s.table_id, s.row_key, s.column_key) AS mean
    FROM speaking s
    JOIN cell_seed c ON c.paper = s.paper AND c.table_id = s.table_id AND c.row_key = s.row_key AND c.column_key = s.column_key
                    AND c.run_id = s.run_id AND c.of_position = s.position AND c.unit = s.unit
   WHERE s.real_data IS NOT NULL)
SELECT paper, table_id, row_key, column_key, published, unit, real_data, count(*) AS n, mean,
       sqrt(sum((ours - mean) * (ours - mean)) / nullif(count(*) - 1, 0)) AS deviation,
       min(ours) AS least, max(ours) AS greatest
  FROM value
 GROUP BY paper, table_id, row_key, column_key;

-- As before (002_views.sql), and each says what it is made of.
DROP VIEW derived;
CREATE VIEW derived AS
SELECT p.paper, p.table_id, p.row_key, p.column_key, p.published, avg(s.ours) AS ours, p.unit,
       CASE WHEN max(s.kind = 'scaled') THEN 'scaled' ELSE 'predicted' END AS kind
  FROM paper_value p
  JOIN spoken s ON s.paper = p.paper AND s.table_id = p.table_id AND s.column_key = p.column_key
 WHERE p.row_key = 'average'
 GROUP BY p.paper, p.table_id, p.column_key
HAVING count(*) = (SELECT count(*) FROM paper_value q
                    WHERE q.paper = p.paper AND q.table_id = p.table_id AND q.column_key = p.column_key
                      AND q.row_key <> 'average')
UNION ALL
SELECT p.paper, p.table_id, p.row_key, p.column_key, p.published, b.ours / a.ours, p.unit,
       CASE WHEN 'scaled' IN (a.kind, b.kind) THEN 'scaled' ELSE 'predicted' END
  FROM paper_value p
  JOIN paper_system y ON y.paper = p.paper AND y.system = p.column_key
  JOIN spoken b ON b.paper = p.paper AND b.table_id = y.table_id AND b.row_key = 'Data Transfer CPU→GPU'
               AND b.column_key = '32-bit FP'
  JOIN spoken a ON a.paper = p.paper AND a.table_id = y.table_id AND a.row_key = 'Data Transfer CPU→GPU'
               AND a.column_key = 'A2DTWP'
 WHERE p.paper = 'a2dtwp' AND p.table_id = 'text' AND p.row_key = 'CPU→GPU reduction'
UNION ALL
SELECT p.paper, p.table_id, p.row_key, p.column_key, p.published, 100.0 * sum(s.ours) / t.ours, p.unit,
       CASE WHEN max(s.kind = 'scaled') THEN 'scaled' ELSE 'predicted' END
  FROM paper_value p
  JOIN paper_system y ON y.paper = p.paper AND y.system = p.column_key
  JOIN column_sum t ON t.paper = p.paper AND t.table_id = y.table_id AND t.column_key = 'A2DTWP'
                   AND t.covered = t.cells
  JOIN spoken s ON s.paper = p.paper AND s.table_id = y.table_id AND s.column_key = 'A2DTWP'
               AND s.row_key LIKE replace(p.row_key, ' share', '') || ' (%'
 WHERE p.paper = 'a2dtwp' AND p.table_id = 'text' AND p.row_key IN ('AWP share', 'ADT share')
 GROUP BY p.paper, p.row_key, p.column_key;

DROP VIEW comparison;
CREATE VIEW comparison(paper, table_id, row_key, column_key, published, ours, unit, kind) AS
SELECT paper, table_id, row_key, column_key, published, ours, unit, kind FROM spoken
UNION ALL
SELECT paper, table_id, row_key, column_key, published, ours, unit, kind FROM derived d
 WHERE NOT EXISTS (SELECT 1 FROM spoken s WHERE s.paper = d.paper AND s.table_id = d.table_id
                      AND s.row_key = d.row_key AND s.column_key = d.column_key);
