-- What is trained where the paper trains a network. Quick looks are not among them: they cover nothing that the paper
-- says. The errors to be reached scaled down are those at which 32-bit FP alone, with a seed that is not reported, is
-- after some 60 % of its steps.
CREATE TABLE a2dtwp_training (
  scenario      TEXT    NOT NULL,                          -- run.scenario
  network       TEXT    NOT NULL,                          -- as the paper's rows begin
  place         INTEGER NOT NULL,
  label         TEXT    NOT NULL,
  size          TEXT    NOT NULL REFERENCES training_size,
  threshold_pct REAL    NOT NULL,                          -- top-5 error to be reached
  reaches       INTEGER NOT NULL CHECK (reaches IN (0, 1)), -- covers Figures 3 and 4
  elapses       INTEGER NOT NULL CHECK (elapses IN (0, 1)), -- covers Figure 5, of the time after so many epochs
  PRIMARY KEY (scenario, network)
) STRICT, WITHOUT ROWID;

INSERT INTO a2dtwp_training VALUES
  ('a2dtwp-alexnet', 'alexnet-a2dtwp', 1, 'Alexnet', 'small', 12, 1, 1),
  ('a2dtwp-vgg', 'vgg-a', 2, 'VGG', 'small', 8, 1, 1),
  ('a2dtwp-resnet', 'resnet-34', 3, 'Resnet-34', 'small', 12, 1, 1),
  ('a2dtwp-paper-alexnet', 'alexnet-a2dtwp', 1, 'Alexnet', 'paper', 25, 1, 0),
  ('a2dtwp-paper-vgg', 'vgg-a', 2, 'VGG', 'paper', 15, 1, 0),
  ('a2dtwp-paper-resnet', 'resnet-34', 3, 'Resnet-34', 'paper', 35, 1, 0),
  ('a2dtwp-paper-alexnet-1000', 'alexnet-a2dtwp', 1, 'Alexnet', 'paper', 25, 0, 1),
  ('a2dtwp-paper-vgg-1000', 'vgg-a', 2, 'VGG', 'paper', 15, 0, 1),
  ('a2dtwp-paper-resnet-1000', 'resnet-34', 3, 'Resnet-34', 'paper', 35, 0, 1);
