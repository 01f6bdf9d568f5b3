-- 018_a2dtwp_training.sql - A2DTWP's experiments that train: in how many batches, with how many bytes and in how much simulated time each
-- policy reaches an error. "System" is a machine of the paper (paper_system); times are those of the paper's own networks on it
-- (013_trace_time.sql), with the bytes a weight that our trained steps sent.
CREATE TABLE a2dtwp_training (      -- what is trained where the paper trains a network
  scenario      TEXT    NOT NULL,                          -- run.scenario
  network       TEXT    NOT NULL,                          -- as the paper's rows begin
  place         INTEGER NOT NULL,
  label         TEXT    NOT NULL,
  size          INTEGER NOT NULL CHECK (size IN (1, 2, 3)), -- quick, small, the paper's own: of those that were trained the largest counts
  threshold_pct REAL    NOT NULL,                          -- top-5 error to be reached
  reaches       INTEGER NOT NULL CHECK (reaches IN (0, 1)), -- speaks to Figures 3 and 4
  elapses       INTEGER NOT NULL CHECK (elapses IN (0, 1)), -- speaks to Figure 5, of the time after so many epochs
  PRIMARY KEY (scenario, network)
) STRICT, WITHOUT ROWID;

INSERT INTO a2dtwp_training VALUES
  ('a2dtwp-quick', 'alexnet-a2dtwp', 1, 'Alexnet', 1, 25, 1, 0),
  ('a2dtwp-alexnet', 'alexnet-a2dtwp', 1, 'Alexnet', 2, 25, 1, 1),
  ('a2dtwp-vgg', 'vgg-a', 2, 'VGG', 2, 15, 1, 1),
  ('a2dtwp-resnet', 'resnet-34', 3, 'Resnet-34', 2, 15, 1, 1),
  ('a2dtwp-paper-alexnet', 'alexnet-a2dtwp', 1, 'Alexnet', 3, 25, 1, 0),
  ('a2dtwp-paper-vgg', 'vgg-a', 2, 'VGG', 3, 15, 1, 0),
  ('a2dtwp-paper-resnet', 'resnet-34', 3, 'Resnet-34', 3, 35, 1, 0),
  ('a2dtwp-paper-alexnet-1000', 'alexnet-a2dtwp', 1, 'Alexnet', 3, 25, 0, 1),
  ('a2dtwp-paper-vgg-1000', 'vgg-a', 2, 'VGG', 3, 15, 0, 1),
  ('a2dtwp-paper-resnet-1000', 'resnet-34', 3, 'Resnet-34', 3, 35, 0, 1);
