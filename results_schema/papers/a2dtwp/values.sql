-- Every number the paper prints that narrows can cover. A2DTWP is the paper's A²DTWP.

-- Tables II and III: VGG, batch 64, one batch on x86 with four GK210 and on POWER9 with four V100, at 32 bits and with
-- A2DTWP; ms. The 32-bit columns' N/A cells are no values.
CREATE VIEW a2dtwp_profile_printed(place, row_key, x86, x86_packed, power, power_packed) AS VALUES
  (1, 'Data Transfer CPU→GPU', 153.93, 52.27, 39.12, 12.21),
  (2, 'Data Transfer GPU→CPU', 68.51, 73.55, 17.34, 17.87),
  (3, 'Convolution', 128.72, 126.13, 69.78, 71.21),
  (4, 'Fully-connected', 33.51, 34.17, 12.66, 13.51),
  (5, 'Gradient update', 54.39, 52.86, 41.29, 42.98),
  (6, 'AWP (l²-norm)', NULL, 3.88, NULL, 0.93),
  (7, 'ADT (Bitpack)', NULL, 19.71, NULL, 10.51),
  (8, 'ADT (Bitunpack)', NULL, 4.51, NULL, 1.11);
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source)
SELECT 'a2dtwp', 'II', row_key, '32-bit FP', x86, 'ms', 'section V-G, Table II' FROM a2dtwp_profile_printed
    WHERE x86 IS NOT NULL UNION ALL
SELECT 'a2dtwp', 'II', row_key, 'A2DTWP', x86_packed, 'ms', 'section V-G, Table II' FROM a2dtwp_profile_printed
    UNION ALL
SELECT 'a2dtwp', 'III', row_key, '32-bit FP', power, 'ms', 'section V-G, Table III' FROM a2dtwp_profile_printed
    WHERE power IS NOT NULL UNION ALL
SELECT 'a2dtwp', 'III', row_key, 'A2DTWP', power_packed, 'ms', 'section V-G, Table III' FROM a2dtwp_profile_printed;
INSERT INTO paper_row(paper, table_id, row_key, place, label)
SELECT 'a2dtwp', 'II', row_key, place, row_key FROM a2dtwp_profile_printed UNION ALL
SELECT 'a2dtwp', 'III', row_key, place, row_key FROM a2dtwp_profile_printed;

-- Figure 4: time saved against the 32-bit baseline until an accuracy is reached, as the text gives it; %.
CREATE VIEW a2dtwp_gain_printed(place, row_key, label, x86, power, source) AS VALUES
  (1, 'alexnet-a2dtwp 16', 'Alexnet 16', 10.75, 18.61, 'section V-B, Figure 4'),
  (2, 'alexnet-a2dtwp 32', 'Alexnet 32', 6.51, 14.25, 'section V-B, Figure 4'),
  (3, 'alexnet-a2dtwp 64', 'Alexnet 64', 0.59, 10.01, 'section V-B, Figure 4'),
  (4, 'vgg-a 16', 'VGG 16', 7.31, 28.21, 'section V-C, Figure 4'),
  (5, 'vgg-a 32', 'VGG 32', 5.02, 20.19, 'section V-C, Figure 4'),
  (6, 'vgg-a 64', 'VGG 64', 12.88, 11.13, 'section V-C, Figure 4'),
  (7, 'resnet-34 32', 'Resnet-34 32', 3.11, 2.12, 'section V-D, Figure 4'),
  (8, 'resnet-34 64', 'Resnet-34 64', 4.39, 6.92, 'section V-D, Figure 4'),
  (9, 'resnet-34 128', 'Resnet-34 128', 4.94, 11.54, 'section V-D, Figure 4'),
  (10, 'average', 'Average', 6.18, 11.91, 'section V-E');
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source)
SELECT 'a2dtwp', 'fig4', row_key, 'x86-k80', x86, '%', source FROM a2dtwp_gain_printed UNION ALL
SELECT 'a2dtwp', 'fig4', row_key, 'power9-v100', power, '%', source FROM a2dtwp_gain_printed;
INSERT INTO paper_row(paper, table_id, row_key, place, label) SELECT 'a2dtwp', 'fig4', row_key, place, label
    FROM a2dtwp_gain_printed;

-- Figure 3: Alexnet until 25 % top-5 error; the A2DTWP values differ slightly from Figure 4's.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('a2dtwp', 'fig3', 'oracle 32', 'x86-k80', 10.82, '%', 'section V-B, Figure 3'),
  ('a2dtwp', 'fig3', 'A2DTWP 32', 'x86-k80', 6.61, '%', 'section V-B, Figure 3'),
  ('a2dtwp', 'fig3', 'oracle 16', 'x86-k80', 11.52, '%', 'section V-B, Figure 3'),
  ('a2dtwp', 'fig3', 'A2DTWP 16', 'x86-k80', 10.66, '%', 'section V-B, Figure 3');

-- Figure 5: ImageNet with 1000 classes, time over the baseline's after so many epochs: a bar for every 4, or every 2 of
-- them.
CREATE VIEW a2dtwp_bar_printed AS
WITH line(place, row_key, name, every, bars) AS (VALUES
  (1, 'alexnet-a2dtwp 64', 'Alexnet', 4, '[0.995, 0.992, 0.992, 0.996, 0.99]'),
  (2, 'vgg-a 64', 'VGG', 2, '[0.907, 0.92, 0.936, 0.932]'),
  (3, 'resnet-34 128', 'Resnet-34', 4, '[0.765, 0.77, 0.778, 0.777]'))
SELECT printf('%s epochs %d', row_key, every * (b.key + 1)) AS row_key,
    printf('%s, %d epochs', name, every * (b.key + 1)) AS label,
       b.value AS share, row_number() OVER (ORDER BY place, b.key) AS place
  FROM line JOIN json_each(line.bars) b;
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source)
SELECT 'a2dtwp', 'fig5', row_key, 'x86-k80', share, 'share', 'section V-F, Figure 5' FROM a2dtwp_bar_printed;
INSERT INTO paper_row(paper, table_id, row_key, place, label) SELECT 'a2dtwp', 'fig5', row_key, place, label
    FROM a2dtwp_bar_printed;

-- Running text. The shares are of the A2DTWP column's sum. 1.22 and 0.86 are GB/s over TFLOP/s: bytes per kFLOP.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('a2dtwp', 'text', 'bytes per flop', 'x86-k80', 1.22, 'B/kFLOP', 'section V-B, printed as bytes per flop'),
  ('a2dtwp', 'text', 'bytes per flop', 'power9-v100', 0.86, 'B/kFLOP', 'section V-B, printed as bytes per flop'),
  ('a2dtwp', 'text', 'CPU→GPU reduction', 'x86-k80', 2.94, 'x', 'section V-G'),
  ('a2dtwp', 'text', 'CPU→GPU reduction', 'power9-v100', 3.2, 'x', 'section V-G'),
  ('a2dtwp', 'text', 'weight size reduction', 'A2DTWP', 3.0, 'x', 'section V-G, "close to 3x"'),
  ('a2dtwp', 'text', 'AWP share', 'x86-k80', 1.05, '%', 'section V-G'),
  ('a2dtwp', 'text', 'ADT share', 'x86-k80', 6.6, '%', 'section V-G'),
  ('a2dtwp', 'text', 'AWP share', 'power9-v100', 0.54, '%', 'section V-G'),
  ('a2dtwp', 'text', 'ADT share', 'power9-v100', 6.82, '%', 'section V-G');

-- The order of rows, as printed.
INSERT INTO paper_row(paper, table_id, row_key, place, label) VALUES
  ('a2dtwp', 'text', 'bytes per flop', 1, 'Bytes per kFLOP'),
  ('a2dtwp', 'text', 'CPU→GPU reduction', 2, 'CPU→GPU reduction, x'),
  ('a2dtwp', 'text', 'AWP share', 3, 'AWP of a batch, %'),
  ('a2dtwp', 'text', 'ADT share', 4, 'ADT of a batch, %');

INSERT INTO paper_system(paper, system, place, label, table_id, scenario) VALUES
  ('a2dtwp', 'x86-k80', 1, 'x86 + K80', 'II', 'a2dtwp-table-ii'),
  ('a2dtwp', 'power9-v100', 2, 'POWER9 + V100', 'III', 'a2dtwp-table-iii');

-- How AWP was set, and the errors of Figure 5's VGG.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('a2dtwp', 'awp', 'alexnet-a2dtwp', 'T', -5e-2, 'share', 'section V-A'),
  ('a2dtwp', 'awp', 'vgg-a', 'T', -2e-3, 'share', 'section V-A'),
  ('a2dtwp', 'awp', 'resnet-34', 'T', -2e-5, 'share', 'section V-A'),
  ('a2dtwp', 'awp', 'alexnet-a2dtwp', 'INTERVAL', 4000, 'batches', 'section V-A'),
  ('a2dtwp', 'awp', 'vgg-a', 'INTERVAL', 4000, 'batches', 'section V-A'),
  ('a2dtwp', 'awp', 'resnet-34', 'INTERVAL', 2000, 'batches', 'section V-A'),
  ('a2dtwp', 'awp', 'alexnet-a2dtwp', 'threshold', 25, '%', 'section V-A'),
  ('a2dtwp', 'awp', 'vgg-a', 'threshold', 15, '%', 'section V-A'),
  ('a2dtwp', 'awp', 'resnet-34', 'threshold', 35, '%', 'section V-A; section V-D has 30 %'),
  ('a2dtwp', 'fig5 error', 'vgg-a 64 epochs 2', '32-bit FP', 88.04, '%', 'section V-F'),
  ('a2dtwp', 'fig5 error', 'vgg-a 64 epochs 2', 'A2DTWP', 89.97, '%', 'section V-F'),
  ('a2dtwp', 'fig5 error', 'vgg-a 64 epochs 8', 'distance', 0.71, '%', 'section V-F');

-- Why a cell may be missed: a sentence each, printed when the cell is the worst of those predicted.
WITH note(row_key, both, x86, power) AS (VALUES
  ('Data Transfer CPU→GPU', 'The weights are taken to shrink by the text''s "close to 3x", and the samples, which '
      || 'nothing packs, travel with '
   || 'them; the ratio of the printed times is another.', '', ''),
  ('Data Transfer GPU→CPU', 'The gradients return uncompressed in both columns, so we play the same time twice; the '
      || 'paper measured two.', '', ''),
  ('AWP (l²-norm)', 'We read every weight once at the share of the GPU''s memory bandwidth that published copies '
      || 'reach; the printed time is ',
   '134 of 240 GB/s, so the paper''s reduction streams less well than a copy, or its launches are in the row.',
   '557 of 900 GB/s, so the paper''s reduction streams less well than a copy, or its launches are in the row.'),
  ('ADT (Bitpack)', 'We pack at the memory rate that the gradient update reached, and count that ordinary stores '
      || 'first read what they write; ',
   'the printed time is slower, so here Bitpack is not bound by memory alone.',
       'the paper''s AltiVec Bitpack does a little better.'),
  ('ADT (Bitunpack)', 'We unpack at the share of the GPU''s memory bandwidth that published copies reach; the '
      || 'paper''s kernel gathers single '
   || 'bytes, which a GPU does less well.', '', '')),
alike(row_key) AS (VALUES ('Convolution'), ('Fully-connected'), ('Gradient update')),
said AS (
  SELECT * FROM note UNION ALL
  SELECT row_key, 'A2DTWP plays no part here, so we play the 32-bit column''s time; the paper measured two.', '', ''
      FROM alike)
INSERT INTO paper_note(paper, table_id, row_key, column_key, note)
SELECT 'a2dtwp', 'II', row_key, 'A2DTWP', both || x86 FROM said UNION ALL SELECT 'a2dtwp', 'III', row_key, 'A2DTWP',
    both || power FROM said;

INSERT INTO paper_input(paper, table_id, row_key, column_key, what) VALUES
  ('a2dtwp', 'awp', '*', '*', 'how AWP was set, and the error that is to be reached'),
  ('a2dtwp', 'text', 'weight size reduction', '*', 'how far the simulated weights shrink');
