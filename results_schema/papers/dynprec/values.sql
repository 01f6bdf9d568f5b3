-- Every number the paper prints that narrows can speak to.

-- Table 1: accuracies over the validation set after 32, 16 and 32 epochs, and the share of the FMAs that ran in BF16.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('dynprec', '1', 'AlexNet', 'FP32 top-1', 60.79, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'AlexNet', 'FP32 top-5', 84.50, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'AlexNet', 'MP top-1', 60.18, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'AlexNet', 'MP top-5', 84.43, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'AlexNet', 'Dynamic top-1', 60.32, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'AlexNet', 'Dynamic top-5', 84.02, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'AlexNet', 'Dynamic FMAs', 94.60, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'AlexNet', 'BF16 top-1', 57.80, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'AlexNet', 'BF16 top-5', 82.56, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'AlexNet', 'BF16 FMAs', 99.93, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'Inception', 'FP32 top-1', 74.01, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'Inception', 'FP32 top-5', 92.36, '%', 'section 6, Table 1; the text has 93.36'),
  ('dynprec', '1', 'Inception', 'MP top-1', 73.73, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'Inception', 'MP top-5', 92.67, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'Inception', 'Dynamic top-1', 72.80, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'Inception', 'Dynamic top-5', 92.02, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'Inception', 'Dynamic FMAs', 95.55, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'Inception', 'BF16 top-1', 72.03, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'Inception', 'BF16 top-5', 92.05, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'Inception', 'BF16 FMAs', 99.90, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'ResNet-50', 'FP32 top-1', 75.97, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'ResNet-50', 'FP32 top-5', 93.37, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'ResNet-50', 'MP top-1', 75.76, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'ResNet-50', 'MP top-5', 93.20, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'ResNet-50', 'Dynamic top-1', 74.20, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'ResNet-50', 'Dynamic top-5', 92.70, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'ResNet-50', 'Dynamic FMAs', 96.40, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'ResNet-50', 'BF16 top-1', 73.00, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'ResNet-50', 'BF16 top-5', 92.30, '%', 'section 6, Table 1'),
  ('dynprec', '1', 'ResNet-50', 'BF16 FMAs', 99.91, '%', 'section 6, Table 1');

-- Figure 2a as the text has it: dynamic instructions of a batch, the share of them that are FMAs, samples of a batch. An instruction
-- of AVX-512 is 16 FMAs; what follows for an image is worked out from that and not printed.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('dynprec', 'fig2a', 'AlexNet', 'instructions', 53.3, '1e9', 'section 3'),
  ('dynprec', 'fig2a', 'AlexNet', 'FMA instructions', 57.42, '%', 'section 3, Figure 2a'),
  ('dynprec', 'fig2a', 'AlexNet', 'batch', 256, '', 'section 3'),
  ('dynprec', 'fig2a', 'AlexNet', 'FMAs an image', 53.3 * 0.5742 * 16 / 256, 'GFMA', 'section 3, worked out'),
  ('dynprec', 'fig2a', 'Inception', 'instructions', 37.2, '1e9', 'section 3'),
  ('dynprec', 'fig2a', 'Inception', 'FMA instructions', 60.93, '%', 'section 3, Figure 2a'),
  ('dynprec', 'fig2a', 'Inception', 'batch', 64, '', 'section 3'),
  ('dynprec', 'fig2a', 'Inception', 'FMAs an image', 37.2 * 0.6093 * 16 / 64, 'GFMA', 'section 3, worked out'),
  ('dynprec', 'fig2a', 'ResNet-50', 'instructions', 70.0, '1e9', 'section 3'),
  ('dynprec', 'fig2a', 'ResNet-50', 'FMA instructions', 62.95, '%', 'section 3, Figure 2a'),
  ('dynprec', 'fig2a', 'ResNet-50', 'batch', 64, '', 'section 3'),
  ('dynprec', 'fig2a', 'ResNet-50', 'FMAs an image', 70.0 * 0.6295 * 16 / 64, 'GFMA', 'section 3, worked out'),
  ('dynprec', 'fig2a', 'ResNet-50', 'WU and BN', 0.030, '1e9', 'section 3, "around 30 million instructions per batch"'),
  ('dynprec', 'fig2a', 'ResNet-50', 'WU and BN share', 0.04, '%', 'section 3, "0.04% of the FP instructions"');

-- The share that the abstract promises, and how long a training was, in batches: epochs x 256,000 images / batch.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('dynprec', 'text', 'any', 'Dynamic FMAs', 94, '%', 'abstract, "more than 94% of the training process"'),
  ('dynprec', 'text', 'AlexNet', 'epochs', 32, '', 'section 5.4'),
  ('dynprec', 'text', 'Inception', 'epochs', 16, '', 'section 5.4'),
  ('dynprec', 'text', 'ResNet-50', 'epochs', 32, '', 'section 5.4');

INSERT INTO paper_row(paper, table_id, row_key, place, label) VALUES
  ('dynprec', '1', 'AlexNet', 1, 'AlexNet'),
  ('dynprec', '1', 'Inception', 2, 'Inception V2'),
  ('dynprec', '1', 'ResNet-50', 3, 'ResNet-50'),
  ('dynprec', 'fig2a', 'AlexNet', 1, 'AlexNet'),
  ('dynprec', 'fig2a', 'Inception', 2, 'Inception V2'),
  ('dynprec', 'fig2a', 'ResNet-50', 3, 'ResNet-50'),
  ('dynprec', 'text', 'any', 1, 'all networks'),
  ('dynprec', 'text', 'AlexNet', 2, 'AlexNet'),
  ('dynprec', 'text', 'Inception', 3, 'Inception V2'),
  ('dynprec', 'text', 'ResNet-50', 4, 'ResNet-50');

INSERT INTO paper_note(paper, table_id, row_key, column_key, note) VALUES
  ('dynprec', 'fig2a', 'AlexNet', 'FMAs an image',
   'Caffe''s AlexNet has its second, fourth and fifth convolution in halves that do not see each other, which saves half of their ' ||
   'work; ours has them whole.');

INSERT INTO paper_input(paper, table_id, row_key, column_key, what) VALUES
  ('dynprec', 'fig2a', '*', 'instructions', 'the FMAs of an image'),
  ('dynprec', 'fig2a', '*', 'FMA instructions', 'the FMAs of an image'),
  ('dynprec', 'fig2a', '*', 'batch', 'the FMAs of an image'),
  ('dynprec', 'fig2a', 'ResNet-50', 'WU and BN', 'its share; instructions are not counted here'),
  ('dynprec', 'text', 'any', 'Dynamic FMAs', 'the bound of a claim'),
  ('dynprec', 'text', '*', 'epochs', 'the epochs of figures');
