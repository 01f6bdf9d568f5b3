-- dct.sql - V. Gupta et al., "Training Recommender Systems at Scale: Communication-Efficient Model and Data Parallelism"
-- (DCT). Every number the paper prints that narrows can speak to: all are of section 3.3, the production system. A gain
-- is time saved against the baseline without compression; one below zero is time lost.

-- Table 5: DCT-MP by sparsity factor, the share of the activations that is dropped.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('dct', '5', '75%', 'time gain', 7.04, '%', 'section 3.3, Table 5'),
  ('dct', '5', '90%', 'time gain', 13.95, '%', 'section 3.3, Table 5'),
  ('dct', '5', '95%', 'time gain', 14.43, '%', 'section 3.3, Table 5');

-- Figure 7a: DCT-DP with 95 % dropped, by the threshold's life-span, as the text gives it. Of Figure 7c the text says no
-- more than that there is little to gain past 95 %.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('dct', 'fig7a', 'L=1', 'time gain', -11, '%', 'section 3.3, Figure 7a, "11% more time"'),
  ('dct', 'fig7a', 'L=1000', 'time gain', 23, '%', 'section 3.3, Figure 7a'),
  ('dct', 'fig7a', 'L=10000', 'time gain', 23, '%', 'section 3.3, Figure 7a, no "additional gain"');

-- Running text: both together, DCT-MP with 90 % and DCT-DP with 99 % dropped, L = 1000.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('dct', 'text', 'hybrid', 'time gain', 37.1, '%', 'section 3.3'),
  ('dct', 'utilisation', 'network', 'before', 0.942, 'share', 'section 3.3'),
  ('dct', 'utilisation', 'network', 'after', 0.493, 'share', 'section 3.3'),
  ('dct', 'utilisation', 'CPU', 'before', 0.487, 'share', 'section 3.3'),
  ('dct', 'utilisation', 'CPU', 'after', 0.911, 'share', 'section 3.3');

-- The order of rows, as printed.
INSERT INTO paper_row(paper, table_id, row_key, place, label) VALUES
  ('dct', '5', '75%', 1, '75 % dropped'),
  ('dct', '5', '90%', 2, '90 % dropped'),
  ('dct', '5', '95%', 3, '95 % dropped'),
  ('dct', 'fig7a', 'L=1', 1, 'L = 1'),
  ('dct', 'fig7a', 'L=1000', 2, 'L = 1000'),
  ('dct', 'fig7a', 'L=10000', 3, 'L = 10000'),
  ('dct', 'text', 'hybrid', 1, 'DCT-MP 90 % + DCT-DP 99 %'),
  ('dct', 'utilisation', 'network', 1, 'Network'),
  ('dct', 'utilisation', 'CPU', 2, 'CPU');

-- Why a cell may be missed: printed when the cell is the worst of those predicted.
INSERT INTO paper_note(paper, table_id, row_key, column_key, note) VALUES
  ('dct', '5', '75%', 'time gain',
   'The three gains of this table agree with an index of four bytes beside each value; a bitmap would have saved more ' ||
   'at 75 %.'),
  ('dct', '5', '95%', 'time gain',
   'Past 90 % the paper gains hardly more: what remains of a message is what it costs whatever its size.'),
  ('dct', 'fig7a', 'L=1', 'time gain',
   'The price of copying and sorting was measured on another processor than the paper''s.'),
  ('dct', 'fig7a', 'L=1000', 'time gain',
   'Figure 7a''s text has 23 %, and footnote 4 has 25 % for the same.'),
  ('dct', 'fig7a', 'L=10000', 'time gain',
   'The paper says that there is no gain beyond that at L = 1000, which its text has as 23 % and its footnote 4 as 25 %.'),
  ('dct', 'text', 'hybrid', 'time gain',
   'The paper''s separate gains add up to this one, as they do where one resource binds throughout; its utilisations ' ||
   'tell of one that changed.'),
  ('dct', 'utilisation', 'network', 'after',
   'The paper''s utilisations tell of a bottleneck that moved, its gains, which add up, of one that stayed; the separate ' ||
   'gains explain about half of the network''s fall.'),
  ('dct', 'utilisation', 'CPU', 'after',
   'The paper''s utilisations tell of a bottleneck that moved, its gains, which add up, of one that stayed; and a ' ||
   'processor counts as busy in the paper with whatever else it did.');
