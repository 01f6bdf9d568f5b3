-- Training: what each step cost and sent, and how well the network did. Steps count from 0. Bytes are those of all workers
-- together, so that sums are whole numbers.

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
