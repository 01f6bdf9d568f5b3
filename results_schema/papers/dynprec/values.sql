-- Every number the paper prints that narrows can cover.

-- Table 1: accuracies over the validation set after 32, 16 and 32 epochs, and the share of the FMAs that ran in BF16;
-- %.
WITH head(keys) AS (VALUES ('["FP32 top-1", "FP32 top-5", "MP top-1", "MP top-5", "Dynamic top-1", "Dynamic top-5", '
    || '"Dynamic FMAs", "BF16 top-1",'
                            || ' "BF16 top-5", "BF16 FMAs"]')),
printed(row_key, line) AS (VALUES
  ('AlexNet', '[60.79, 84.50, 60.18, 84.43, 60.32, 84.02, 94.60, 57.80, 82.56, 99.93]'),
  ('Inception', '[74.01, 92.36, 73.73, 92.67, 72.80, 92.02, 95.55, 72.03, 92.05, 99.90]'),
  ('ResNet-50', '[75.97, 93.37, 75.76, 93.20, 74.20, 92.70, 96.40, 73.00, 92.30, 99.91]'))
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source)
SELECT 'dynprec', '1', row_key, k.value, v.value, '%',
       'section 6, Table 1' || iif(row_key = 'Inception' AND k.value = 'FP32 top-5', '; the text has 93.36', '')
  FROM printed, head JOIN json_each(head.keys) k JOIN json_each(printed.line) v ON v.key = k.key;

-- Figure 2a as the text has it: dynamic instructions of a batch, the share of them that are FMAs, samples of a batch.
-- An instruction of AVX-512 is 16 FMAs; what follows for an image is worked out from that and not printed.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('dynprec', 'fig2a', 'AlexNet', 'floating-point instructions', 58.44, '%', 'section 3, Figure 2a'),
  ('dynprec', 'fig2a', 'ResNet-50', 'WU and BN', 0.030, '1e9', 'section 3, "around 30 million instructions per batch"'),
  ('dynprec', 'fig2a', 'ResNet-50', 'WU and BN share', 0.04, '%', 'section 3, "0.04% of the FP instructions"');
WITH printed(row_key, billions, share, batch) AS (VALUES ('AlexNet', 53.3, 0.5742, 256),
    ('Inception', 37.2, 0.6093, 64), ('ResNet-50', 70.0, 0.6295, 64))
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source)
SELECT 'dynprec', 'fig2a', row_key, 'instructions', billions, '1e9', 'section 3' FROM printed UNION ALL
SELECT 'dynprec', 'fig2a', row_key, 'FMA instructions', round(100 * share, 2), '%', 'section 3, Figure 2a' FROM printed
    UNION ALL
SELECT 'dynprec', 'fig2a', row_key, 'batch', batch, '', 'section 3' FROM printed UNION ALL
SELECT 'dynprec', 'fig2a', row_key, 'FMAs an image', billions * share * 16 / batch, 'GFMA', 'section 3, worked out'
    FROM printed;

-- The share that the abstract promises, and how long a training was, in batches: epochs x 256,000 images / batch.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('dynprec', 'text', 'any', 'Dynamic FMAs', 94, '%', 'abstract, "more than 94% of the training process"'),
  ('dynprec', 'text', 'AlexNet', 'epochs', 32, '', 'section 5.4'),
  ('dynprec', 'text', 'Inception', 'epochs', 16, '', 'section 5.4'),
  ('dynprec', 'text', 'ResNet-50', 'epochs', 32, '', 'section 5.4');

INSERT INTO paper_row(paper, table_id, row_key, place, label) VALUES ('dynprec', 'text', 'any', 1, 'all networks');
WITH network(place, row_key, label) AS (VALUES (1, 'AlexNet', 'AlexNet'), (2, 'Inception', 'Inception V2'),
    (3, 'ResNet-50', 'ResNet-50'))
INSERT INTO paper_row(paper, table_id, row_key, place, label)
SELECT 'dynprec', '1', row_key, place, label FROM network UNION ALL SELECT 'dynprec', 'fig2a', row_key, place, label
    FROM network UNION ALL
SELECT 'dynprec', 'text', row_key, place + 1, label FROM network;

INSERT INTO paper_input(paper, table_id, row_key, column_key, what) VALUES
  ('dynprec', 'fig2a', '*', 'instructions', 'the FMAs of an image'),
  ('dynprec', 'fig2a', '*', 'FMA instructions', 'the FMAs of an image'),
  ('dynprec', 'fig2a', '*', 'batch', 'the FMAs of an image'),
  ('dynprec', 'fig2a', 'AlexNet', 'floating-point instructions', 'drawn next to ours; instructions are not counted '
      || 'here'),
  ('dynprec', 'fig2a', 'ResNet-50', 'WU and BN', 'its share; instructions are not counted here'),
  ('dynprec', 'text', 'any', 'Dynamic FMAs', 'the bound of a claim'),
  ('dynprec', 'text', '*', 'epochs', 'the epochs of figures');
