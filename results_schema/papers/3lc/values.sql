-- H. Lim, D. Andersen, M. Kaminsky, "3LC: Lightweight and Effective Traffic Compression for Distributed Machine
-- Learning". Every number the paper prints that narrows can cover. A column "10 Mbit/s" is printed "@ 10 Mbps".

-- Table 1: speedup over 32-bit float with standard training steps, ResNet-110 for CIFAR-10, ten workers; accuracy, and
-- less that of 32-bit float in points of per cent.
CREATE VIEW threelc_printed(place, design, slow, middle, fast, accuracy, difference) AS VALUES
  (1, '32-bit float', 1.0, 1.0, 1.0, 93.37, NULL),
  (2, '8-bit int', 3.62, 3.47, 1.51, 93.33, -0.04),
  (3, 'Stoch 3-value + QE', 12.3, 7.51, 1.53, 92.06, -1.31),
  (4, 'MQE 1-bit int', 14.6, 7.4, 1.3, 93.21, -0.16),
  (5, '25% sparsification', 3.25, 3.11, 1.33, 93.40, 0.03),
  (6, '5% sparsification', 8.98, 6.62, 1.44, 92.87, -0.50),
  (7, '2 local steps', 1.92, 1.87, 1.38, 93.03, -0.34),
  (8, '3LC (s=1.00)', 15.9, 7.97, 1.53, 93.32, -0.05),
  (9, '3LC (s=1.50)', 20.9, 8.7, 1.53, 93.29, -0.08),
  (10, '3LC (s=1.75)', 22.8, 9.04, 1.53, 93.51, 0.14),
  (11, '3LC (s=1.90)', 22.8, 9.22, 1.55, 93.10, -0.27);
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source)
SELECT '3lc', '1', design, '10 Mbit/s', slow, 'x', 'section 5.2, Table 1' FROM threelc_printed UNION ALL
SELECT '3lc', '1', design, '100 Mbit/s', middle, 'x', 'section 5.2, Table 1' FROM threelc_printed UNION ALL
SELECT '3lc', '1', design, '1 Gbit/s', fast, 'x', 'section 5.2, Table 1' FROM threelc_printed UNION ALL
SELECT '3lc', '1', design, 'Accuracy', accuracy, '%', 'section 5.2, Table 1' FROM threelc_printed UNION ALL
SELECT '3lc', '1', design, 'Difference', difference, 'points', 'section 5.2, Table 1' FROM threelc_printed
    WHERE difference IS NOT NULL;

-- Table 2: average traffic compression of 3LC with standard training steps, by sparsity multiplier. Table 1's 3LC rows
-- take these bits as an input.
CREATE VIEW threelc_sent(place, s, ratio, bits) AS VALUES
  (1, 'No ZRE', 20.0, 1.6), (2, '1.00', 39.4, 0.812), (3, '1.50', 70.9, 0.451), (4, '1.75', 107.0, 0.298),
      (5, '1.90', 160.0, 0.2);
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source)
SELECT '3lc', '2', s, 'ratio', ratio, 'x', 'section 5.4, Table 2' FROM threelc_sent UNION ALL
SELECT '3lc', '2', s, 'bits', bits, 'bit', 'section 5.4, Table 2, bits per state change' FROM threelc_sent;

-- Running text: the accelerated measurement of 32-bit float, 100 and 1000 steps, took about an hour.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('3lc', 'text', '32-bit float step', '10 Mbit/s', 36000, 'ms', 'section 5.2, 100 steps in "about 1 hour"'),
  ('3lc', 'text', '32-bit float step', '100 Mbit/s', 3600, 'ms', 'section 5.2, 1000 steps in "about 1 hour"');

-- Running text about Figure 9: from where on pushes are larger than pulls.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('3lc', 'fig9', 'pushes outgrow pulls', 'share of the steps', 70, '%',
      'section 5.4, "approximately 70% of training"');

-- The order of rows, as printed.
INSERT INTO paper_row(paper, table_id, row_key, place, label)
SELECT '3lc', '1', design, place, design FROM threelc_printed UNION ALL
SELECT '3lc', '2', s, place, CASE s WHEN 'No ZRE' THEN s ELSE 's=' || s END FROM threelc_sent UNION ALL
VALUES ('3lc', 'text', '32-bit float step', 1, '32-bit float, a step, ms'),
    ('3lc', 'fig9', 'pushes outgrow pulls', 1, 'pushes outgrow pulls');

-- Why a cell may be missed: printed when the cell is the worst of those predicted.
WITH note(column_key, note) AS (VALUES
  ('10 Mbit/s', 'Where a ratio is high, what stays uncompressed (batch normalization, framing) decides; the paper '
      || 'measured over 100 steps at this '
   || 'bandwidth (3LC: over 2560) and prints three digits.'),
  ('100 Mbit/s', 'Here the traffic of what compresses well takes about as long as computing, so that the cell tells '
      || 'how much of the one hides '
   || 'behind the other.'),
  ('1 Gbit/s', 'Here most of the traffic hides behind computing, so that the cell tells what the codec itself costs; '
      || 'the paper prints no codec''s '
   || 'time, and ours is that of kernels on another processor.'))
INSERT INTO paper_note(paper, table_id, row_key, column_key, note)
SELECT '3lc', '1', design, column_key, note FROM threelc_printed, note WHERE design <> '32-bit float';

-- Values that nothing is to come out for.
INSERT INTO paper_input(paper, table_id, row_key, column_key, what) VALUES
  ('3lc', '1', '32-bit float', '10 Mbit/s', 'speedups are over this'),
  ('3lc', '1', '32-bit float', '100 Mbit/s', 'speedups are over this'),
  ('3lc', '1', '32-bit float', '1 Gbit/s', 'speedups are over this'),
  ('3lc', 'fig9', 'pushes outgrow pulls', 'share of the steps', 'where the two claims on it part a training');
