-- Every number the paper prints that narrows can speak to. A2DTWP is the paper's A²DTWP.

-- Table II: VGG, batch 64, one batch on x86 with four GK210. The 32-bit column's N/A cells are no values.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('a2dtwp', 'II', 'Data Transfer CPU→GPU', '32-bit FP', 153.93, 'ms', 'section V-G, Table II'),
  ('a2dtwp', 'II', 'Data Transfer CPU→GPU', 'A2DTWP', 52.27, 'ms', 'section V-G, Table II'),
  ('a2dtwp', 'II', 'Data Transfer GPU→CPU', '32-bit FP', 68.51, 'ms', 'section V-G, Table II'),
  ('a2dtwp', 'II', 'Data Transfer GPU→CPU', 'A2DTWP', 73.55, 'ms', 'section V-G, Table II'),
  ('a2dtwp', 'II', 'Convolution', '32-bit FP', 128.72, 'ms', 'section V-G, Table II'),
  ('a2dtwp', 'II', 'Convolution', 'A2DTWP', 126.13, 'ms', 'section V-G, Table II'),
  ('a2dtwp', 'II', 'Fully-connected', '32-bit FP', 33.51, 'ms', 'section V-G, Table II'),
  ('a2dtwp', 'II', 'Fully-connected', 'A2DTWP', 34.17, 'ms', 'section V-G, Table II'),
  ('a2dtwp', 'II', 'Gradient update', '32-bit FP', 54.39, 'ms', 'section V-G, Table II'),
  ('a2dtwp', 'II', 'Gradient update', 'A2DTWP', 52.86, 'ms', 'section V-G, Table II'),
  ('a2dtwp', 'II', 'AWP (l²-norm)', 'A2DTWP', 3.88, 'ms', 'section V-G, Table II'),
  ('a2dtwp', 'II', 'ADT (Bitpack)', 'A2DTWP', 19.71, 'ms', 'section V-G, Table II'),
  ('a2dtwp', 'II', 'ADT (Bitunpack)', 'A2DTWP', 4.51, 'ms', 'section V-G, Table II');

-- Table III: VGG, batch 64, one batch on POWER9 with four V100. The 32-bit column's N/A cells are no values.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('a2dtwp', 'III', 'Data Transfer CPU→GPU', '32-bit FP', 39.12, 'ms', 'section V-G, Table III'),
  ('a2dtwp', 'III', 'Data Transfer CPU→GPU', 'A2DTWP', 12.21, 'ms', 'section V-G, Table III'),
  ('a2dtwp', 'III', 'Data Transfer GPU→CPU', '32-bit FP', 17.34, 'ms', 'section V-G, Table III'),
  ('a2dtwp', 'III', 'Data Transfer GPU→CPU', 'A2DTWP', 17.87, 'ms', 'section V-G, Table III'),
  ('a2dtwp', 'III', 'Convolution', '32-bit FP', 69.78, 'ms', 'section V-G, Table III'),
  ('a2dtwp', 'III', 'Convolution', 'A2DTWP', 71.21, 'ms', 'section V-G, Table III'),
  ('a2dtwp', 'III', 'Fully-connected', '32-bit FP', 12.66, 'ms', 'section V-G, Table III'),
  ('a2dtwp', 'III', 'Fully-connected', 'A2DTWP', 13.51, 'ms', 'section V-G, Table III'),
  ('a2dtwp', 'III', 'Gradient update', '32-bit FP', 41.29, 'ms', 'section V-G, Table III'),
  ('a2dtwp', 'III', 'Gradient update', 'A2DTWP', 42.98, 'ms', 'section V-G, Table III'),
  ('a2dtwp', 'III', 'AWP (l²-norm)', 'A2DTWP', 0.93, 'ms', 'section V-G, Table III'),
  ('a2dtwp', 'III', 'ADT (Bitpack)', 'A2DTWP', 10.51, 'ms', 'section V-G, Table III'),
  ('a2dtwp', 'III', 'ADT (Bitunpack)', 'A2DTWP', 1.11, 'ms', 'section V-G, Table III');

-- Figure 4: time saved against the 32-bit baseline until an accuracy is reached, as the text gives it.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('a2dtwp', 'fig4', 'alexnet-a2dtwp 16', 'x86-k80', 10.75, '%', 'section V-B, Figure 4'),
  ('a2dtwp', 'fig4', 'alexnet-a2dtwp 16', 'power9-v100', 18.61, '%', 'section V-B, Figure 4'),
  ('a2dtwp', 'fig4', 'alexnet-a2dtwp 32', 'x86-k80', 6.51, '%', 'section V-B, Figure 4'),
  ('a2dtwp', 'fig4', 'alexnet-a2dtwp 32', 'power9-v100', 14.25, '%', 'section V-B, Figure 4'),
  ('a2dtwp', 'fig4', 'alexnet-a2dtwp 64', 'x86-k80', 0.59, '%', 'section V-B, Figure 4'),
  ('a2dtwp', 'fig4', 'alexnet-a2dtwp 64', 'power9-v100', 10.01, '%', 'section V-B, Figure 4'),
  ('a2dtwp', 'fig4', 'vgg-a 16', 'x86-k80', 7.31, '%', 'section V-C, Figure 4'),
  ('a2dtwp', 'fig4', 'vgg-a 16', 'power9-v100', 28.21, '%', 'section V-C, Figure 4'),
  ('a2dtwp', 'fig4', 'vgg-a 32', 'x86-k80', 5.02, '%', 'section V-C, Figure 4'),
  ('a2dtwp', 'fig4', 'vgg-a 32', 'power9-v100', 20.19, '%', 'section V-C, Figure 4'),
  ('a2dtwp', 'fig4', 'vgg-a 64', 'x86-k80', 12.88, '%', 'section V-C, Figure 4'),
  ('a2dtwp', 'fig4', 'vgg-a 64', 'power9-v100', 11.13, '%', 'section V-C, Figure 4'),
  ('a2dtwp', 'fig4', 'resnet-34 32', 'x86-k80', 3.11, '%', 'section V-D, Figure 4'),
  ('a2dtwp', 'fig4', 'resnet-34 32', 'power9-v100', 2.12, '%', 'section V-D, Figure 4'),
  ('a2dtwp', 'fig4', 'resnet-34 64', 'x86-k80', 4.39, '%', 'section V-D, Figure 4'),
  ('a2dtwp', 'fig4', 'resnet-34 64', 'power9-v100', 6.92, '%', 'section V-D, Figure 4'),
  ('a2dtwp', 'fig4', 'resnet-34 128', 'x86-k80', 4.94, '%', 'section V-D, Figure 4'),
  ('a2dtwp', 'fig4', 'resnet-34 128', 'power9-v100', 11.54, '%', 'section V-D, Figure 4'),
  ('a2dtwp', 'fig4', 'average', 'x86-k80', 6.18, '%', 'section V-E'),
  ('a2dtwp', 'fig4', 'average', 'power9-v100', 11.91, '%', 'section V-E');

-- Figure 3: Alexnet until 25 % top-5 error; the A2DTWP values differ slightly from Figure 4's.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('a2dtwp', 'fig3', 'oracle 32', 'x86-k80', 10.82, '%', 'section V-B, Figure 3'),
  ('a2dtwp', 'fig3', 'A2DTWP 32', 'x86-k80', 6.61, '%', 'section V-B, Figure 3'),
  ('a2dtwp', 'fig3', 'oracle 16', 'x86-k80', 11.52, '%', 'section V-B, Figure 3'),
  ('a2dtwp', 'fig3', 'A2DTWP 16', 'x86-k80', 10.66, '%', 'section V-B, Figure 3');

-- Figure 5: ImageNet with 1000 classes, time over the baseline's after so many epochs.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('a2dtwp', 'fig5', 'alexnet-a2dtwp 64 epochs 4', 'x86-k80', 0.995, 'share', 'section V-F, Figure 5'),
  ('a2dtwp', 'fig5', 'alexnet-a2dtwp 64 epochs 8', 'x86-k80', 0.992, 'share', 'section V-F, Figure 5'),
  ('a2dtwp', 'fig5', 'alexnet-a2dtwp 64 epochs 12', 'x86-k80', 0.992, 'share', 'section V-F, Figure 5'),
  ('a2dtwp', 'fig5', 'alexnet-a2dtwp 64 epochs 16', 'x86-k80', 0.996, 'share', 'section V-F, Figure 5'),
  ('a2dtwp', 'fig5', 'alexnet-a2dtwp 64 epochs 20', 'x86-k80', 0.99, 'share', 'section V-F, Figure 5'),
  ('a2dtwp', 'fig5', 'vgg-a 64 epochs 2', 'x86-k80', 0.907, 'share', 'section V-F, Figure 5'),
  ('a2dtwp', 'fig5', 'vgg-a 64 epochs 4', 'x86-k80', 0.92, 'share', 'section V-F, Figure 5'),
  ('a2dtwp', 'fig5', 'vgg-a 64 epochs 6', 'x86-k80', 0.936, 'share', 'section V-F, Figure 5'),
  ('a2dtwp', 'fig5', 'vgg-a 64 epochs 8', 'x86-k80', 0.932, 'share', 'section V-F, Figure 5'),
  ('a2dtwp', 'fig5', 'resnet-34 128 epochs 4', 'x86-k80', 0.765, 'share', 'section V-F, Figure 5'),
  ('a2dtwp', 'fig5', 'resnet-34 128 epochs 8', 'x86-k80', 0.77, 'share', 'section V-F, Figure 5'),
  ('a2dtwp', 'fig5', 'resnet-34 128 epochs 12', 'x86-k80', 0.778, 'share', 'section V-F, Figure 5'),
  ('a2dtwp', 'fig5', 'resnet-34 128 epochs 16', 'x86-k80', 0.777, 'share', 'section V-F, Figure 5');

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
  ('a2dtwp', 'II', 'Data Transfer CPU→GPU', 1, 'Data Transfer CPU→GPU'),
  ('a2dtwp', 'II', 'Data Transfer GPU→CPU', 2, 'Data Transfer GPU→CPU'),
  ('a2dtwp', 'II', 'Convolution', 3, 'Convolution'),
  ('a2dtwp', 'II', 'Fully-connected', 4, 'Fully-connected'),
  ('a2dtwp', 'II', 'Gradient update', 5, 'Gradient update'),
  ('a2dtwp', 'II', 'AWP (l²-norm)', 6, 'AWP (l²-norm)'),
  ('a2dtwp', 'II', 'ADT (Bitpack)', 7, 'ADT (Bitpack)'),
  ('a2dtwp', 'II', 'ADT (Bitunpack)', 8, 'ADT (Bitunpack)'),
  ('a2dtwp', 'III', 'Data Transfer CPU→GPU', 1, 'Data Transfer CPU→GPU'),
  ('a2dtwp', 'III', 'Data Transfer GPU→CPU', 2, 'Data Transfer GPU→CPU'),
  ('a2dtwp', 'III', 'Convolution', 3, 'Convolution'),
  ('a2dtwp', 'III', 'Fully-connected', 4, 'Fully-connected'),
  ('a2dtwp', 'III', 'Gradient update', 5, 'Gradient update'),
  ('a2dtwp', 'III', 'AWP (l²-norm)', 6, 'AWP (l²-norm)'),
  ('a2dtwp', 'III', 'ADT (Bitpack)', 7, 'ADT (Bitpack)'),
  ('a2dtwp', 'III', 'ADT (Bitunpack)', 8, 'ADT (Bitunpack)'),
  ('a2dtwp', 'fig4', 'alexnet-a2dtwp 16', 1, 'Alexnet 16'),
  ('a2dtwp', 'fig4', 'alexnet-a2dtwp 32', 2, 'Alexnet 32'),
  ('a2dtwp', 'fig4', 'alexnet-a2dtwp 64', 3, 'Alexnet 64'),
  ('a2dtwp', 'fig4', 'vgg-a 16', 4, 'VGG 16'),
  ('a2dtwp', 'fig4', 'vgg-a 32', 5, 'VGG 32'),
  ('a2dtwp', 'fig4', 'vgg-a 64', 6, 'VGG 64'),
  ('a2dtwp', 'fig4', 'resnet-34 32', 7, 'Resnet-34 32'),
  ('a2dtwp', 'fig4', 'resnet-34 64', 8, 'Resnet-34 64'),
  ('a2dtwp', 'fig4', 'resnet-34 128', 9, 'Resnet-34 128'),
  ('a2dtwp', 'fig4', 'average', 10, 'Average'),
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

-- The order of Figure 5's bars.
INSERT INTO paper_row(paper, table_id, row_key, place, label) VALUES
  ('a2dtwp', 'fig5', 'alexnet-a2dtwp 64 epochs 4', 1, 'Alexnet, 4 epochs'),
  ('a2dtwp', 'fig5', 'alexnet-a2dtwp 64 epochs 8', 2, 'Alexnet, 8 epochs'),
  ('a2dtwp', 'fig5', 'alexnet-a2dtwp 64 epochs 12', 3, 'Alexnet, 12 epochs'),
  ('a2dtwp', 'fig5', 'alexnet-a2dtwp 64 epochs 16', 4, 'Alexnet, 16 epochs'),
  ('a2dtwp', 'fig5', 'alexnet-a2dtwp 64 epochs 20', 5, 'Alexnet, 20 epochs'),
  ('a2dtwp', 'fig5', 'vgg-a 64 epochs 2', 6, 'VGG, 2 epochs'),
  ('a2dtwp', 'fig5', 'vgg-a 64 epochs 4', 7, 'VGG, 4 epochs'),
  ('a2dtwp', 'fig5', 'vgg-a 64 epochs 6', 8, 'VGG, 6 epochs'),
  ('a2dtwp', 'fig5', 'vgg-a 64 epochs 8', 9, 'VGG, 8 epochs'),
  ('a2dtwp', 'fig5', 'resnet-34 128 epochs 4', 10, 'Resnet-34, 4 epochs'),
  ('a2dtwp', 'fig5', 'resnet-34 128 epochs 8', 11, 'Resnet-34, 8 epochs'),
  ('a2dtwp', 'fig5', 'resnet-34 128 epochs 12', 12, 'Resnet-34, 12 epochs'),
  ('a2dtwp', 'fig5', 'resnet-34 128 epochs 16', 13, 'Resnet-34, 16 epochs');

-- Why a cell may be missed: a sentence each, printed when the cell is the worst of those predicted.
INSERT INTO paper_note(paper, table_id, row_key, column_key, note) VALUES
  ('a2dtwp', 'II', 'Data Transfer CPU→GPU', 'A2DTWP',
   'The weights are taken to shrink by the text''s "close to 3x", and the samples, which nothing packs, travel with ' ||
   'them; the ratio of the printed times is another.'),
  ('a2dtwp', 'II', 'Data Transfer GPU→CPU', 'A2DTWP',
   'The gradients return uncompressed in both columns, so we play the same time twice; the paper measured two.'),
  ('a2dtwp', 'II', 'Convolution', 'A2DTWP',
   'A2DTWP plays no part here, so we play the 32-bit column''s time; the paper measured two.'),
  ('a2dtwp', 'II', 'Fully-connected', 'A2DTWP',
   'A2DTWP plays no part here, so we play the 32-bit column''s time; the paper measured two.'),
  ('a2dtwp', 'II', 'Gradient update', 'A2DTWP',
   'A2DTWP plays no part here, so we play the 32-bit column''s time; the paper measured two.'),
  ('a2dtwp', 'II', 'AWP (l²-norm)', 'A2DTWP',
   'We read every weight once at the share of the GPU''s memory bandwidth that published copies reach; ' ||
   'the printed time is 134 of 240 GB/s, so the paper''s reduction streams less well than a copy, or its launches are in the row.'),
  ('a2dtwp', 'II', 'ADT (Bitpack)', 'A2DTWP',
   'We pack at the memory rate that the gradient update reached, and count that ordinary stores first read what they ' ||
   'write; the printed time is slower, so here Bitpack is not bound by memory alone.'),
  ('a2dtwp', 'II', 'ADT (Bitunpack)', 'A2DTWP',
   'We unpack at the share of the GPU''s memory bandwidth that published copies reach; the paper''s ' ||
   'kernel gathers single bytes, which a GPU does less well.'),
  ('a2dtwp', 'III', 'Data Transfer CPU→GPU', 'A2DTWP',
   'The weights are taken to shrink by the text''s "close to 3x", and the samples, which nothing packs, travel with ' ||
   'them; the ratio of the printed times is another.'),
  ('a2dtwp', 'III', 'Data Transfer GPU→CPU', 'A2DTWP',
   'The gradients return uncompressed in both columns, so we play the same time twice; the paper measured two.'),
  ('a2dtwp', 'III', 'Convolution', 'A2DTWP',
   'A2DTWP plays no part here, so we play the 32-bit column''s time; the paper measured two.'),
  ('a2dtwp', 'III', 'Fully-connected', 'A2DTWP',
   'A2DTWP plays no part here, so we play the 32-bit column''s time; the paper measured two.'),
  ('a2dtwp', 'III', 'Gradient update', 'A2DTWP',
   'A2DTWP plays no part here, so we play the 32-bit column''s time; the paper measured two.'),
  ('a2dtwp', 'III', 'AWP (l²-norm)', 'A2DTWP',
   'We read every weight once at the share of the GPU''s memory bandwidth that published copies reach; ' ||
   'the printed time is 557 of 900 GB/s, so the paper''s reduction streams less well than a copy, or its launches are in the row.'),
  ('a2dtwp', 'III', 'ADT (Bitpack)', 'A2DTWP',
   'We pack at the memory rate that the gradient update reached, and count that ordinary stores first read what they ' ||
   'write; the paper''s AltiVec Bitpack does a little better.'),
  ('a2dtwp', 'III', 'ADT (Bitunpack)', 'A2DTWP',
   'We unpack at the share of the GPU''s memory bandwidth that published copies reach; the paper''s ' ||
   'kernel gathers single bytes, which a GPU does less well.');

INSERT INTO paper_input(paper, table_id, row_key, column_key, what) VALUES
  ('a2dtwp', 'awp', '*', '*', 'how AWP was set, and the error that is to be reached'),
  ('a2dtwp', 'text', 'weight size reduction', '*', 'how far the simulated weights shrink');
