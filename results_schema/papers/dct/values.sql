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
-- dct_training.sql - what DCT's paper prints of the networks that it trained, with and without compression: sections 2
-- and 3.1 to 3.3. Losses are cross-entropies; accuracies and BLEU are %. A row's share is the paper's sparsity factor,
-- what is dropped; two workers are one split, three are two, five are four. The bold cells of the paper are not told
-- apart.

-- Table 1: DCT-MP, DLRM on Criteo Kaggle.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('dct', '1', 'baseline', 'train loss', 0.4477, '', 'section 3.1, Table 1'),
  ('dct', '1', 'baseline', 'train accuracy', 79.23, '%', 'section 3.1, Table 1'),
  ('dct', '1', 'baseline', 'test loss', 0.4538, '', 'section 3.1, Table 1'),
  ('dct', '1', 'baseline', 'test accuracy', 78.78, '%', 'section 3.1, Table 1'),
  ('dct', '1', '2 workers 75%', 'train loss', 0.4473, '', 'section 3.1, Table 1'),
  ('dct', '1', '2 workers 75%', 'train accuracy', 79.29, '%', 'section 3.1, Table 1'),
  ('dct', '1', '2 workers 75%', 'test loss', 0.4532, '', 'section 3.1, Table 1'),
  ('dct', '1', '2 workers 75%', 'test accuracy', 78.81, '%', 'section 3.1, Table 1'),
  ('dct', '1', '2 workers 90%', 'train loss', 0.4472, '', 'section 3.1, Table 1'),
  ('dct', '1', '2 workers 90%', 'train accuracy', 79.28, '%', 'section 3.1, Table 1'),
  ('dct', '1', '2 workers 90%', 'test loss', 0.4530, '', 'section 3.1, Table 1'),
  ('dct', '1', '2 workers 90%', 'test accuracy', 78.81, '%', 'section 3.1, Table 1'),
  ('dct', '1', '2 workers 95%', 'train loss', 0.4473, '', 'section 3.1, Table 1'),
  ('dct', '1', '2 workers 95%', 'train accuracy', 79.24, '%', 'section 3.1, Table 1'),
  ('dct', '1', '2 workers 95%', 'test loss', 0.4534, '', 'section 3.1, Table 1'),
  ('dct', '1', '2 workers 95%', 'test accuracy', 78.80, '%', 'section 3.1, Table 1'),
  ('dct', '1', '2 workers 98%', 'train loss', 0.4505, '', 'section 3.1, Table 1'),
  ('dct', '1', '2 workers 98%', 'train accuracy', 79.07, '%', 'section 3.1, Table 1'),
  ('dct', '1', '2 workers 98%', 'test loss', 0.4562, '', 'section 3.1, Table 1'),
  ('dct', '1', '2 workers 98%', 'test accuracy', 78.61, '%', 'section 3.1, Table 1'),
  ('dct', '1', '3 workers 75%', 'train loss', 0.4482, '', 'section 3.1, Table 1'),
  ('dct', '1', '3 workers 75%', 'train accuracy', 79.19, '%', 'section 3.1, Table 1'),
  ('dct', '1', '3 workers 75%', 'test loss', 0.4536, '', 'section 3.1, Table 1'),
  ('dct', '1', '3 workers 75%', 'test accuracy', 78.79, '%', 'section 3.1, Table 1'),
  ('dct', '1', '3 workers 90%', 'train loss', 0.4479, '', 'section 3.1, Table 1'),
  ('dct', '1', '3 workers 90%', 'train accuracy', 79.24, '%', 'section 3.1, Table 1'),
  ('dct', '1', '3 workers 90%', 'test loss', 0.4537, '', 'section 3.1, Table 1'),
  ('dct', '1', '3 workers 90%', 'test accuracy', 78.78, '%', 'section 3.1, Table 1'),
  ('dct', '1', '3 workers 95%', 'train loss', 0.4495, '', 'section 3.1, Table 1'),
  ('dct', '1', '3 workers 95%', 'train accuracy', 79.18, '%', 'section 3.1, Table 1'),
  ('dct', '1', '3 workers 95%', 'test loss', 0.4546, '', 'section 3.1, Table 1'),
  ('dct', '1', '3 workers 95%', 'test accuracy', 78.72, '%', 'section 3.1, Table 1');

-- Table 2: DCT-DP, the same.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('dct', '2', 'baseline', 'train loss', 0.4477, '', 'section 3.1, Table 2'),
  ('dct', '2', 'baseline', 'train accuracy', 79.23, '%', 'section 3.1, Table 2'),
  ('dct', '2', 'baseline', 'test loss', 0.4538, '', 'section 3.1, Table 2'),
  ('dct', '2', 'baseline', 'test accuracy', 78.78, '%', 'section 3.1, Table 2'),
  ('dct', '2', '75%', 'train loss', 0.4478, '', 'section 3.1, Table 2'),
  ('dct', '2', '75%', 'train accuracy', 79.23, '%', 'section 3.1, Table 2'),
  ('dct', '2', '75%', 'test loss', 0.4534, '', 'section 3.1, Table 2'),
  ('dct', '2', '75%', 'test accuracy', 78.81, '%', 'section 3.1, Table 2'),
  ('dct', '2', '90%', 'train loss', 0.4478, '', 'section 3.1, Table 2'),
  ('dct', '2', '90%', 'train accuracy', 79.22, '%', 'section 3.1, Table 2'),
  ('dct', '2', '90%', 'test loss', 0.4536, '', 'section 3.1, Table 2'),
  ('dct', '2', '90%', 'test accuracy', 78.79, '%', 'section 3.1, Table 2'),
  ('dct', '2', '95%', 'train loss', 0.4479, '', 'section 3.1, Table 2'),
  ('dct', '2', '95%', 'train accuracy', 79.25, '%', 'section 3.1, Table 2'),
  ('dct', '2', '95%', 'test loss', 0.4538, '', 'section 3.1, Table 2'),
  ('dct', '2', '95%', 'test accuracy', 78.79, '%', 'section 3.1, Table 2'),
  ('dct', '2', '98%', 'train loss', 0.4478, '', 'section 3.1, Table 2'),
  ('dct', '2', '98%', 'train accuracy', 79.23, '%', 'section 3.1, Table 2'),
  ('dct', '2', '98%', 'test loss', 0.4537, '', 'section 3.1, Table 2'),
  ('dct', '2', '98%', 'test accuracy', 78.80, '%', 'section 3.1, Table 2'),
  ('dct', '2', '99.5%', 'train loss', 0.4482, '', 'section 3.1, Table 2'),
  ('dct', '2', '99.5%', 'train accuracy', 79.20, '%', 'section 3.1, Table 2'),
  ('dct', '2', '99.5%', 'test loss', 0.4547, '', 'section 3.1, Table 2'),
  ('dct', '2', '99.5%', 'test accuracy', 78.75, '%', 'section 3.1, Table 2');

-- Table 3: both, two splits.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('dct', '3', 'baseline', 'train loss', 0.4477, '', 'section 3.1, Table 3'),
  ('dct', '3', 'baseline', 'train accuracy', 79.23, '%', 'section 3.1, Table 3'),
  ('dct', '3', 'baseline', 'test loss', 0.4538, '', 'section 3.1, Table 3'),
  ('dct', '3', 'baseline', 'test accuracy', 78.78, '%', 'section 3.1, Table 3'),
  ('dct', '3', '75%', 'train loss', 0.4480, '', 'section 3.1, Table 3'),
  ('dct', '3', '75%', 'train accuracy', 79.23, '%', 'section 3.1, Table 3'),
  ('dct', '3', '75%', 'test loss', 0.4535, '', 'section 3.1, Table 3'),
  ('dct', '3', '75%', 'test accuracy', 78.81, '%', 'section 3.1, Table 3'),
  ('dct', '3', '90%', 'train loss', 0.4481, '', 'section 3.1, Table 3'),
  ('dct', '3', '90%', 'train accuracy', 79.26, '%', 'section 3.1, Table 3'),
  ('dct', '3', '90%', 'test loss', 0.4537, '', 'section 3.1, Table 3'),
  ('dct', '3', '90%', 'test accuracy', 78.78, '%', 'section 3.1, Table 3'),
  ('dct', '3', '95%', 'train loss', 0.4492, '', 'section 3.1, Table 3'),
  ('dct', '3', '95%', 'train accuracy', 79.19, '%', 'section 3.1, Table 3'),
  ('dct', '3', '95%', 'test loss', 0.4548, '', 'section 3.1, Table 3'),
  ('dct', '3', '95%', 'test accuracy', 78.70, '%', 'section 3.1, Table 3');

-- Table 4: DCT-MP, a Transformer on IWSLT'14.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('dct', '4', 'baseline', 'train loss', 3.150, '', 'section 3.2, Table 4'),
  ('dct', '4', 'baseline', 'test loss', 3.883, '', 'section 3.2, Table 4'),
  ('dct', '4', 'baseline', 'BLEU', 35.17, '%', 'section 3.2, Table 4'),
  ('dct', '4', '2 workers 90%', 'train loss', 3.159, '', 'section 3.2, Table 4'),
  ('dct', '4', '2 workers 90%', 'test loss', 3.879, '', 'section 3.2, Table 4'),
  ('dct', '4', '2 workers 90%', 'BLEU', 35.23, '%', 'section 3.2, Table 4'),
  ('dct', '4', '2 workers 95%', 'train loss', 3.157, '', 'section 3.2, Table 4'),
  ('dct', '4', '2 workers 95%', 'test loss', 3.882, '', 'section 3.2, Table 4'),
  ('dct', '4', '2 workers 95%', 'BLEU', 35.18, '%', 'section 3.2, Table 4'),
  ('dct', '4', '3 workers 90%', 'train loss', 3.151, '', 'section 3.2, Table 4'),
  ('dct', '4', '3 workers 90%', 'test loss', 3.881, '', 'section 3.2, Table 4'),
  ('dct', '4', '3 workers 90%', 'BLEU', 35.22, '%', 'section 3.2, Table 4'),
  ('dct', '4', '3 workers 95%', 'train loss', 3.148, '', 'section 3.2, Table 4'),
  ('dct', '4', '3 workers 95%', 'test loss', 3.882, '', 'section 3.2, Table 4'),
  ('dct', '4', '3 workers 95%', 'BLEU', 35.19, '%', 'section 3.2, Table 4'),
  ('dct', '4', '5 workers 90%', 'train loss', 3.157, '', 'section 3.2, Table 4'),
  ('dct', '4', '5 workers 90%', 'test loss', 3.882, '', 'section 3.2, Table 4'),
  ('dct', '4', '5 workers 90%', 'BLEU', 35.20, '%', 'section 3.2, Table 4'),
  ('dct', '4', '5 workers 95%', 'train loss', 3.188, '', 'section 3.2, Table 4'),
  ('dct', '4', '5 workers 95%', 'test loss', 3.890, '', 'section 3.2, Table 4'),
  ('dct', '4', '5 workers 95%', 'BLEU', 35.15, '%', 'section 3.2, Table 4');

-- Running text: by how much the threshold of a layer's gradients differs from its running mean, 95 % dropped.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('dct', 'fig2', '95%', 'deviation', 26, '%', 'section 2.1, Figure 2, "at most 26%"');

-- The order of rows, as printed.
INSERT INTO paper_row(paper, table_id, row_key, place, label) VALUES
  ('dct', '1', 'baseline', 1, 'no compression'),
  ('dct', '1', '2 workers 75%', 2, '2 workers, 75 % dropped'),
  ('dct', '1', '2 workers 90%', 3, '2 workers, 90 %'),
  ('dct', '1', '2 workers 95%', 4, '2 workers, 95 %'),
  ('dct', '1', '2 workers 98%', 5, '2 workers, 98 %'),
  ('dct', '1', '3 workers 75%', 6, '3 workers, 75 %'),
  ('dct', '1', '3 workers 90%', 7, '3 workers, 90 %'),
  ('dct', '1', '3 workers 95%', 8, '3 workers, 95 %'),
  ('dct', '2', 'baseline', 1, 'no compression'),
  ('dct', '2', '75%', 2, '75 % dropped'),
  ('dct', '2', '90%', 3, '90 %'),
  ('dct', '2', '95%', 4, '95 %'),
  ('dct', '2', '98%', 5, '98 %'),
  ('dct', '2', '99.5%', 6, '99.5 %'),
  ('dct', '3', 'baseline', 1, 'no compression'),
  ('dct', '3', '75%', 2, '75 % of both dropped'),
  ('dct', '3', '90%', 3, '90 %'),
  ('dct', '3', '95%', 4, '95 %'),
  ('dct', '4', 'baseline', 1, 'no compression'),
  ('dct', '4', '2 workers 90%', 2, '2 workers, 90 % dropped'),
  ('dct', '4', '2 workers 95%', 3, '2 workers, 95 %'),
  ('dct', '4', '3 workers 90%', 4, '3 workers, 90 %'),
  ('dct', '4', '3 workers 95%', 5, '3 workers, 95 %'),
  ('dct', '4', '5 workers 90%', 6, '5 workers, 90 %'),
  ('dct', '4', '5 workers 95%', 7, '5 workers, 95 %'),
  ('dct', 'fig2', '95%', 1, '95 % dropped');
