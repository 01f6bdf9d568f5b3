-- A paper that nobody wrote, of two tables, a figure and two claims, as data alone.
INSERT INTO paper(paper, place, label, title, authors, summary) VALUES
  ('sixth', 6, 'Sixth', 'Packing <Weights> & Other Luggage', 'N. Nobody', 'Packed weights cross a slow wire sooner.');

INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('sixth', '1', '1 GB/s', 'speedup', 1.2, 'x', 'Table 1'),
  ('sixth', '1', '4 GB/s', 'speedup', 1.1, 'x', 'Table 1'),
  ('sixth', '1', '64 GB/s', 'speedup', 1, 'x', 'Table 1'),
  ('sixth', '2', 'fp32', 'step', 3, 'ms', 'Table 2'),
  ('sixth', '2', 'packed', 'step', 2, 'ms', 'Table 2'),
  ('sixth', '2', 'packed', 'bytes', 4, 'B', 'Table 2');
INSERT INTO paper_row(paper, table_id, row_key, place, label) VALUES
  ('sixth', '1', '1 GB/s', 1, '1 GB/s'), ('sixth', '1', '4 GB/s', 2, '4 GB/s'), ('sixth', '1', '64 GB/s', 3, '64 GB/s'),
  ('sixth', '2', 'fp32', 1, 'weights as they are'), ('sixth', '2', 'packed', 2, 'packed <weights>');
