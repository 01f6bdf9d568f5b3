-- V. Gupta et al., "Training Recommender Systems at Scale: Communication-Efficient Model and Data Parallelism"
-- (DCT). Every number the paper prints that narrows can cover: all are of section 3.3, the production system. A gain
-- is time saved against the baseline without compression; one below zero is time lost.

-- Table 5: DCT-MP by sparsity factor, the share of the activations that is dropped. Figure 7a: DCT-DP with 95 %
-- dropped, by the threshold's life-span, as the text gives it; of Figure 7c the text says no more than that there is
-- little to gain past 95 %. Running text: both together, DCT-MP with 90 % and DCT-DP with 99 % dropped, L = 1000. The
-- gains in loss are relative to the baseline's, and above zero are better (footnote 5).
CREATE VIEW dct_gain_printed(table_id, place, row_key, label, published, source) AS VALUES
  ('5', 1, '75%', '75 % dropped', 7.04, 'section 3.3, Table 5'),
  ('5', 2, '90%', '90 % dropped', 13.95, 'section 3.3, Table 5'),
  ('5', 3, '95%', '95 % dropped', 14.43, 'section 3.3, Table 5'),
  ('fig7a', 1, 'L=1', 'L = 1', -11, 'section 3.3, Figure 7a, "11% more time"'),
  ('fig7a', 2, 'L=1000', 'L = 1000', 23, 'section 3.3, Figure 7a'),
  ('fig7a', 3, 'L=10000', 'L = 10000', 23, 'section 3.3, Figure 7a, no "additional gain"'),
  ('text', 1, 'hybrid', 'DCT-MP 90 % + DCT-DP 99 %', 37.1, 'section 3.3');
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source)
SELECT 'dct', table_id, row_key, 'time gain', published, '%', source FROM dct_gain_printed UNION ALL
SELECT 'dct', 'utilisation', column1, 'before', column2, 'share', 'section 3.3'
    FROM (VALUES ('network', 0.942), ('CPU', 0.487)) UNION ALL
SELECT 'dct', 'utilisation', column1, 'after', column2, 'share', 'section 3.3'
    FROM (VALUES ('network', 0.493), ('CPU', 0.911));
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source)
WITH printed(row_key, train, test) AS (VALUES
  ('75%', -0.006, 0.023), ('90%', -0.021, 0.016), ('95%', -0.070, -0.121), ('baseline', 0.0, 0.0))
SELECT 'dct', '5', row_key, 'train loss gain', train, '%', 'section 3.3, Table 5' FROM printed UNION ALL
SELECT 'dct', '5', row_key, 'test loss gain', test, '%', 'section 3.3, Table 5' FROM printed UNION ALL
SELECT 'dct', '5', 'baseline', 'time gain', 0.0, '%', 'section 3.3, Table 5';
INSERT INTO paper_input(paper, table_id, row_key, column_key, what) VALUES
  ('dct', '5', 'baseline', '*', 'what the gains are relative to');
INSERT INTO paper_row(paper, table_id, row_key, place, label)
SELECT 'dct', table_id, row_key, place, label FROM dct_gain_printed UNION ALL
VALUES ('dct', '5', 'baseline', 4, 'no compression') UNION ALL
VALUES ('dct', 'utilisation', 'network', 1, 'Network'), ('dct', 'utilisation', 'CPU', 2, 'CPU');

-- Why a cell may be missed: printed when the cell is the worst of those predicted.
INSERT INTO paper_note(paper, table_id, row_key, column_key, note) VALUES
  ('dct', '5', '75%', 'time gain',
   'The three gains of this table agree with an index of four bytes with each value; a bitmap would have saved more ' ||
   'at 75 %.'),
  ('dct', '5', '95%', 'time gain',
   'Past 90 % the paper gains hardly more: what remains of a message is what it costs whatever its size.'),
  ('dct', 'fig7a', 'L=1', 'time gain',
   'The price of copying and sorting was measured on another processor than the paper''s.'),
  ('dct', 'fig7a', 'L=1000', 'time gain',
   'Figure 7a''s text has 23 %, and footnote 4 has 25 % for the same.'),
  ('dct', 'fig7a', 'L=10000', 'time gain',
   'The paper says that there is no gain beyond that at L = 1000, which its text has as 23 % and its footnote 4 as 25 '
       || '%.'),
  ('dct', 'text', 'hybrid', 'time gain',
   'The paper''s separate gains add up to this one, as they do where one resource binds throughout; its utilisations '
       ||
   'tell of one that changed.'),
  ('dct', 'utilisation', 'network', 'after',
   'The paper''s utilisations tell of a bottleneck that moved, its gains, which add up, of one that stayed; the '
       || 'separate ' ||
   'gains explain about half of the network''s fall.'),
  ('dct', 'utilisation', 'CPU', 'after',
   'The paper''s utilisations tell of a bottleneck that moved, its gains, which add up, of one that stayed; and a ' ||
   'processor counts as busy in the paper with whatever else it did.');
-- What the paper prints of the networks that it trained, with and without compression: sections 2, 3.1 and 3.2. Table 1
-- is DCT-MP and Table 2 DCT-DP, with DLRM on Criteo Kaggle; Table 3 both, with two splits; Table 4 DCT-MP in a
-- translator. Losses are cross-entropies; quality is a test accuracy, of Table 4 BLEU; %. A row's share is the paper's
-- sparsity factor, what is dropped; two workers are one split, three are two, five are four. The bold cells of the
-- paper are not marked.
CREATE VIEW dct_printed(table_id, place, row_key, label, train_loss, train_accuracy, test_loss, quality) AS VALUES
  ('1', 1, 'baseline', 'no compression', 0.4477, 79.23, 0.4538, 78.78),
  ('1', 2, '2 workers 75%', '2 workers, 75 % dropped', 0.4473, 79.29, 0.4532, 78.81),
  ('1', 3, '2 workers 90%', '2 workers, 90 %', 0.4472, 79.28, 0.4530, 78.81),
  ('1', 4, '2 workers 95%', '2 workers, 95 %', 0.4473, 79.24, 0.4534, 78.80),
  ('1', 5, '2 workers 98%', '2 workers, 98 %', 0.4505, 79.07, 0.4562, 78.61),
  ('1', 6, '3 workers 75%', '3 workers, 75 %', 0.4482, 79.19, 0.4536, 78.79),
  ('1', 7, '3 workers 90%', '3 workers, 90 %', 0.4479, 79.24, 0.4537, 78.78),
  ('1', 8, '3 workers 95%', '3 workers, 95 %', 0.4495, 79.18, 0.4546, 78.72),
  ('2', 1, 'baseline', 'no compression', 0.4477, 79.23, 0.4538, 78.78),
  ('2', 2, '75%', '75 % dropped', 0.4478, 79.23, 0.4534, 78.81),
  ('2', 3, '90%', '90 %', 0.4478, 79.22, 0.4536, 78.79),
  ('2', 4, '95%', '95 %', 0.4479, 79.25, 0.4538, 78.79),
  ('2', 5, '98%', '98 %', 0.4478, 79.23, 0.4537, 78.80),
  ('2', 6, '99.5%', '99.5 %', 0.4482, 79.20, 0.4547, 78.75),
  ('3', 1, 'baseline', 'no compression', 0.4477, 79.23, 0.4538, 78.78),
  ('3', 2, '75%', '75 % of both dropped', 0.4480, 79.23, 0.4535, 78.81),
  ('3', 3, '90%', '90 %', 0.4481, 79.26, 0.4537, 78.78),
  ('3', 4, '95%', '95 %', 0.4492, 79.19, 0.4548, 78.70),
  ('4', 1, 'baseline', 'no compression', 3.150, NULL, 3.883, 35.17),
  ('4', 2, '2 workers 90%', '2 workers, 90 % dropped', 3.159, NULL, 3.879, 35.23),
  ('4', 3, '2 workers 95%', '2 workers, 95 %', 3.157, NULL, 3.882, 35.18),
  ('4', 4, '3 workers 90%', '3 workers, 90 %', 3.151, NULL, 3.881, 35.22),
  ('4', 5, '3 workers 95%', '3 workers, 95 %', 3.148, NULL, 3.882, 35.19),
  ('4', 6, '5 workers 90%', '5 workers, 90 %', 3.157, NULL, 3.882, 35.20),
  ('4', 7, '5 workers 95%', '5 workers, 95 %', 3.188, NULL, 3.890, 35.15);
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source)
WITH printed AS (SELECT *, printf('section 3.%d, Table %s', 1 + (table_id = '4'), table_id) AS source FROM dct_printed)
SELECT 'dct', table_id, row_key, 'train loss', train_loss, '', source FROM printed UNION ALL
SELECT 'dct', table_id, row_key, 'train accuracy', train_accuracy, '%', source FROM printed WHERE table_id <> '4'
    UNION ALL
SELECT 'dct', table_id, row_key, 'test loss', test_loss, '', source FROM printed UNION ALL
SELECT 'dct', table_id, row_key, CASE table_id WHEN '4' THEN 'BLEU' ELSE 'test accuracy' END, quality, '%', source
    FROM printed;
INSERT INTO paper_row(paper, table_id, row_key, place, label) SELECT 'dct', table_id, row_key, place, label
    FROM dct_printed;

-- Running text: by how much the threshold of a layer's gradients differs from its running mean, 95 % dropped.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('dct', 'fig2', '95%', 'deviation', 26, '%', 'section 2.1, Figure 2, "at most 26%"');
INSERT INTO paper_row(paper, table_id, row_key, place, label) VALUES ('dct', 'fig2', '95%', 1, '95 % dropped');
