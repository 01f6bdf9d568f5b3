-- 3lc_training.sql - 3LC: what else the paper prints of trainings. Accuracies and compression ratios are in 3lc.sql.

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
