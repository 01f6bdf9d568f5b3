-- H. Lim, D. Andersen, M. Kaminsky, "3LC: Lightweight and Effective Traffic Compression for Distributed Machine
-- Learning". Every number the paper prints that narrows can speak to. A column "10 Mbit/s" is printed "@ 10 Mbps".

-- Table 1: speedup over 32-bit float with standard training steps, ResNet-110 for CIFAR-10, ten workers; and accuracy.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('3lc', '1', '32-bit float', '10 Mbit/s', 1, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '32-bit float', '100 Mbit/s', 1, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '32-bit float', '1 Gbit/s', 1, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '32-bit float', 'Accuracy', 93.37, '%', 'section 5.2, Table 1'),
  ('3lc', '1', '8-bit int', '10 Mbit/s', 3.62, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '8-bit int', '100 Mbit/s', 3.47, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '8-bit int', '1 Gbit/s', 1.51, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '8-bit int', 'Accuracy', 93.33, '%', 'section 5.2, Table 1'),
  ('3lc', '1', 'Stoch 3-value + QE', '10 Mbit/s', 12.3, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', 'Stoch 3-value + QE', '100 Mbit/s', 7.51, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', 'Stoch 3-value + QE', '1 Gbit/s', 1.53, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', 'Stoch 3-value + QE', 'Accuracy', 92.06, '%', 'section 5.2, Table 1'),
  ('3lc', '1', 'MQE 1-bit int', '10 Mbit/s', 14.6, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', 'MQE 1-bit int', '100 Mbit/s', 7.4, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', 'MQE 1-bit int', '1 Gbit/s', 1.3, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', 'MQE 1-bit int', 'Accuracy', 93.21, '%', 'section 5.2, Table 1'),
  ('3lc', '1', '25% sparsification', '10 Mbit/s', 3.25, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '25% sparsification', '100 Mbit/s', 3.11, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '25% sparsification', '1 Gbit/s', 1.33, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '25% sparsification', 'Accuracy', 93.4, '%', 'section 5.2, Table 1'),
  ('3lc', '1', '5% sparsification', '10 Mbit/s', 8.98, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '5% sparsification', '100 Mbit/s', 6.62, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '5% sparsification', '1 Gbit/s', 1.44, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '5% sparsification', 'Accuracy', 92.87, '%', 'section 5.2, Table 1'),
  ('3lc', '1', '2 local steps', '10 Mbit/s', 1.92, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '2 local steps', '100 Mbit/s', 1.87, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '2 local steps', '1 Gbit/s', 1.38, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '2 local steps', 'Accuracy', 93.03, '%', 'section 5.2, Table 1'),
  ('3lc', '1', '3LC (s=1.00)', '10 Mbit/s', 15.9, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '3LC (s=1.00)', '100 Mbit/s', 7.97, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '3LC (s=1.00)', '1 Gbit/s', 1.53, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '3LC (s=1.00)', 'Accuracy', 93.32, '%', 'section 5.2, Table 1'),
  ('3lc', '1', '3LC (s=1.50)', '10 Mbit/s', 20.9, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '3LC (s=1.50)', '100 Mbit/s', 8.7, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '3LC (s=1.50)', '1 Gbit/s', 1.53, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '3LC (s=1.50)', 'Accuracy', 93.29, '%', 'section 5.2, Table 1'),
  ('3lc', '1', '3LC (s=1.75)', '10 Mbit/s', 22.8, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '3LC (s=1.75)', '100 Mbit/s', 9.04, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '3LC (s=1.75)', '1 Gbit/s', 1.53, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '3LC (s=1.75)', 'Accuracy', 93.51, '%', 'section 5.2, Table 1'),
  ('3lc', '1', '3LC (s=1.90)', '10 Mbit/s', 22.8, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '3LC (s=1.90)', '100 Mbit/s', 9.22, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '3LC (s=1.90)', '1 Gbit/s', 1.55, 'x', 'section 5.2, Table 1'),
  ('3lc', '1', '3LC (s=1.90)', 'Accuracy', 93.1, '%', 'section 5.2, Table 1');

-- Table 2: average traffic compression of 3LC with standard training steps, by sparsity multiplier. Table 1's 3LC rows take
-- these bits as an input.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('3lc', '2', 'No ZRE', 'ratio', 20.0, 'x', 'section 5.4, Table 2'),
  ('3lc', '2', 'No ZRE', 'bits', 1.6, 'bit', 'section 5.4, Table 2, bits per state change'),
  ('3lc', '2', '1.00', 'ratio', 39.4, 'x', 'section 5.4, Table 2'),
  ('3lc', '2', '1.00', 'bits', 0.812, 'bit', 'section 5.4, Table 2, bits per state change'),
  ('3lc', '2', '1.50', 'ratio', 70.9, 'x', 'section 5.4, Table 2'),
  ('3lc', '2', '1.50', 'bits', 0.451, 'bit', 'section 5.4, Table 2, bits per state change'),
  ('3lc', '2', '1.75', 'ratio', 107, 'x', 'section 5.4, Table 2'),
  ('3lc', '2', '1.75', 'bits', 0.298, 'bit', 'section 5.4, Table 2, bits per state change'),
  ('3lc', '2', '1.90', 'ratio', 160, 'x', 'section 5.4, Table 2'),
  ('3lc', '2', '1.90', 'bits', 0.2, 'bit', 'section 5.4, Table 2, bits per state change');

-- Running text: the accelerated measurement of 32-bit float, 100 and 1000 steps, took about an hour.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('3lc', 'text', '32-bit float step', '10 Mbit/s', 36000, 'ms', 'section 5.2, 100 steps in "about 1 hour"'),
  ('3lc', 'text', '32-bit float step', '100 Mbit/s', 3600, 'ms', 'section 5.2, 1000 steps in "about 1 hour"');

-- The order of rows, as printed.
INSERT INTO paper_row(paper, table_id, row_key, place, label) VALUES
  ('3lc', '1', '32-bit float', 1, '32-bit float'),
  ('3lc', '1', '8-bit int', 2, '8-bit int'),
  ('3lc', '1', 'Stoch 3-value + QE', 3, 'Stoch 3-value + QE'),
  ('3lc', '1', 'MQE 1-bit int', 4, 'MQE 1-bit int'),
  ('3lc', '1', '25% sparsification', 5, '25% sparsification'),
  ('3lc', '1', '5% sparsification', 6, '5% sparsification'),
  ('3lc', '1', '2 local steps', 7, '2 local steps'),
  ('3lc', '1', '3LC (s=1.00)', 8, '3LC (s=1.00)'),
  ('3lc', '1', '3LC (s=1.50)', 9, '3LC (s=1.50)'),
  ('3lc', '1', '3LC (s=1.75)', 10, '3LC (s=1.75)'),
  ('3lc', '1', '3LC (s=1.90)', 11, '3LC (s=1.90)'),
  ('3lc', '2', 'No ZRE', 1, 'No ZRE'),
  ('3lc', '2', '1.00', 2, 's=1.00'),
  ('3lc', '2', '1.50', 3, 's=1.50'),
  ('3lc', '2', '1.75', 4, 's=1.75'),
  ('3lc', '2', '1.90', 5, 's=1.90'),
  ('3lc', 'text', '32-bit float step', 1, '32-bit float, a step, ms');

-- Why a cell may be missed: printed when the cell is the worst of those predicted.
INSERT INTO paper_note(paper, table_id, row_key, column_key, note)
SELECT paper, table_id, row_key, column_key,
       'Where a ratio is high, what stays uncompressed (batch normalization, framing) decides; the paper measured over ' ||
       '100 steps at this bandwidth (3LC: over 2560) and prints three digits.'
  FROM paper_value
 WHERE paper = '3lc' AND table_id = '1' AND column_key = '10 Mbit/s' AND row_key <> '32-bit float';

INSERT INTO paper_note(paper, table_id, row_key, column_key, note)
SELECT paper, table_id, row_key, column_key,
       'Here the traffic of what compresses well takes about as long as computing, so that the cell tells how much of ' ||
       'the one hides behind the other.'
  FROM paper_value
 WHERE paper = '3lc' AND table_id = '1' AND column_key = '100 Mbit/s' AND row_key <> '32-bit float';

INSERT INTO paper_note(paper, table_id, row_key, column_key, note)
SELECT paper, table_id, row_key, column_key,
       'Here most of the traffic hides behind computing, so that the cell tells what the codec itself costs; the paper ' ||
       'prints no codec''s time, and ours is that of kernels on another processor.'
  FROM paper_value
 WHERE paper = '3lc' AND table_id = '1' AND column_key = '1 Gbit/s' AND row_key <> '32-bit float';
-- What else it prints of trainings.

-- Table 1's last column: accuracy less that of 32-bit float, in points of per cent.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('3lc', '1', '8-bit int', 'Difference', -0.04, 'points', 'section 5.2, Table 1'),
  ('3lc', '1', 'Stoch 3-value + QE', 'Difference', -1.31, 'points', 'section 5.2, Table 1'),
  ('3lc', '1', 'MQE 1-bit int', 'Difference', -0.16, 'points', 'section 5.2, Table 1'),
  ('3lc', '1', '25% sparsification', 'Difference', 0.03, 'points', 'section 5.2, Table 1'),
  ('3lc', '1', '5% sparsification', 'Difference', -0.5, 'points', 'section 5.2, Table 1'),
  ('3lc', '1', '2 local steps', 'Difference', -0.34, 'points', 'section 5.2, Table 1'),
  ('3lc', '1', '3LC (s=1.00)', 'Difference', -0.05, 'points', 'section 5.2, Table 1'),
  ('3lc', '1', '3LC (s=1.50)', 'Difference', -0.08, 'points', 'section 5.2, Table 1'),
  ('3lc', '1', '3LC (s=1.75)', 'Difference', 0.14, 'points', 'section 5.2, Table 1'),
  ('3lc', '1', '3LC (s=1.90)', 'Difference', -0.27, 'points', 'section 5.2, Table 1');

-- Running text about Figure 9: from where on pushes are larger than pulls.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('3lc', 'fig9', 'pushes outgrow pulls', 'share of the steps', 70, '%', 'section 5.4, "approximately 70% of training"');

INSERT INTO paper_row(paper, table_id, row_key, place, label) VALUES
  ('3lc', 'fig9', 'pushes outgrow pulls', 1, 'pushes outgrow pulls');

INSERT INTO paper_input(paper, table_id, row_key, column_key, what) VALUES
  ('3lc', '1', '32-bit float', '10 Mbit/s', 'speedups are over this'),
  ('3lc', '1', '32-bit float', '100 Mbit/s', 'speedups are over this'),
  ('3lc', '1', '32-bit float', '1 Gbit/s', 'speedups are over this'),
  ('3lc', 'fig9', 'pushes outgrow pulls', 'share of the steps', 'where the two claims on it part a training');
