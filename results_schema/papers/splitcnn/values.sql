-- What T. Jin and S. Hong, "Split-CNN", print that narrows can cover. Figures 4 to 7 are known from the text alone.

INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  -- Figure 1 and section 6.2: the share of the generated data that the link carries to the host during the forward
  -- pass, nothing waiting. "Completely" is 100 %. Section 6.3 has ResNet-18's share with recomputed batch norms.
  ('splitcnn', 'fig1', 'VGG-19', 'offloadable', 100, '%', 'section 2.4, Figure 1a, "completely"'),
  ('splitcnn', 'fig1', 'ResNet-18', 'offloadable', 55, '%', 'section 2.4, Figure 1b'),
  ('splitcnn', 'fig1', 'ResNet-50', 'offloadable', 40, '%', 'section 6.2'),
  ('splitcnn', 'fig1', 'ResNet-18 recomputed', 'offloadable', 70, '%', 'section 6.3'),
  -- Figure 8: throughput lost against the plan that keeps everything, batch 64.
  ('splitcnn', 'fig8', 'VGG-19', 'layer-wise', 13.0, '%', 'section 6.2, Figure 8'),
  ('splitcnn', 'fig8', 'VGG-19', 'HMMS', 1.3, '%', 'section 6.2, Figure 8'),
  ('splitcnn', 'fig8', 'ResNet-50', 'layer-wise', 12.9, '%', 'section 6.2, Figure 8'),
  ('splitcnn', 'fig8', 'ResNet-50', 'HMMS', 5.1, '%', 'section 6.2, Figure 8'),
  -- Figure 10: the largest batch over the baseline's, and the throughput that it costs; four patches, about 75 % of the
  -- convolutions split.
  ('splitcnn', 'fig10', 'VGG-19', 'batch', 6, 'x', 'section 6.3, Figure 10'),
  ('splitcnn', 'fig10', 'VGG-19', 'throughput lost', 1.5, '%', 'section 6.3, Figure 10'),
  ('splitcnn', 'fig10', 'ResNet-18', 'batch', 2, 'x', 'section 6.3, Figure 10'),
  ('splitcnn', 'fig10', 'ResNet-18', 'throughput lost', 4.9, '%', 'section 6.3, Figure 10'),
  -- Figure 11: speedup of distributed training with the larger batch that Split-CNN affords, VGG-19, as the text gives
  -- it.
  ('splitcnn', 'fig11', '10 Gbit/s', 'speedup', 2.1, 'x', 'section 6.4, Figure 11');
INSERT INTO paper_row(paper, table_id, row_key, place, label) VALUES
  ('splitcnn', 'fig1', 'VGG-19', 1, 'VGG-19'),
  ('splitcnn', 'fig1', 'ResNet-18', 2, 'ResNet-18'),
  ('splitcnn', 'fig1', 'ResNet-50', 3, 'ResNet-50'),
  ('splitcnn', 'fig1', 'ResNet-18 recomputed', 4, 'ResNet-18, norms recomputed'),
  ('splitcnn', 'fig8', 'VGG-19', 1, 'VGG-19'),
  ('splitcnn', 'fig8', 'ResNet-50', 2, 'ResNet-50'),
  ('splitcnn', 'fig10', 'VGG-19', 1, 'VGG-19'),
  ('splitcnn', 'fig10', 'ResNet-18', 2, 'ResNet-18'),
  ('splitcnn', 'fig11', '10 Gbit/s', 1, '10 Gbit/s');

INSERT INTO paper_note(paper, table_id, row_key, column_key, note) VALUES
  ('splitcnn', 'fig8', 'ResNet-50', 'HMMS',
   'By the profile every copy hides, and what remains is the memory that copies and kernels share; more is lost where '
       || 'also ' ||
   'what is fetched back at once is offloaded ("turned at once" below).'),
  ('splitcnn', 'fig8', 'VGG-19', 'HMMS',
   'Algorithm 1 with its balance clamped; as printed it spends idle link time twice and loses more.'),
  ('splitcnn', 'fig10', 'VGG-19', 'throughput lost',
   'By the profile copies cost no more than the memory''s bandwidth that they share with kernels.'),
  ('splitcnn', 'fig11', '10 Gbit/s', 'speedup',
   'An iteration of 64 images takes what Figure 8''s own plan takes; the paper prints no time, and a longer one gives '
       || 'less.'),
  ('splitcnn', 'fig1', 'ResNet-18 recomputed', 'offloadable',
   'The paper does not say which norms it recomputes; here all whose output no sum reads.');

-- Table 1, "Classification Accuracy of Split-CNN"; %. SCNN: on even patches, in evaluation, too; SSCNN: stochastic,
-- evaluated in one piece. And the depths that it says they were split to, in four patches; section 5.2.3 has 51.7 % of
-- ResNet-18.
CREATE VIEW splitcnn_printed(place, row_key, label, baseline, scnn, sscnn, depth, data) AS VALUES
  (1, 'AlexNet', 'AlexNet', 55.2, 55.0, 55.9, 60, 'ImageNet'),
  (2, 'ResNet50', 'ResNet-50', 75.9, 74.7, 74.9, 81.2, 'ImageNet'),
  (3, 'VGG19', 'VGG-19', 94.14, 93.02, 94.58, 50, 'CIFAR'),
  (4, 'ResNet18', 'ResNet-18', 95.3, 94.8, 95.5, 50, 'CIFAR');
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source)
SELECT 'splitcnn', '1', row_key, 'Baseline', baseline, '%', 'Table 1, ' || data FROM splitcnn_printed UNION ALL
SELECT 'splitcnn', '1', row_key, 'SCNN', scnn, '%', 'Table 1, ' || data FROM splitcnn_printed UNION ALL
SELECT 'splitcnn', '1', row_key, 'SSCNN', sscnn, '%', 'Table 1, ' || data FROM splitcnn_printed UNION ALL
SELECT 'splitcnn', '1', row_key, 'depth', depth, '%', 'Table 1' FROM splitcnn_printed UNION ALL
-- Section 5.3: what is lost at most.
VALUES ('splitcnn', 'text', 'deep splits', 'lost at most', 2, 'points', 'section 5.3, "within 2% in all cases"');
INSERT INTO paper_row(paper, table_id, row_key, place, label)
SELECT 'splitcnn', '1', row_key, place, label FROM splitcnn_printed UNION ALL VALUES ('splitcnn', 'text', 'deep '
    || 'splits', 1, 'deep splits');

INSERT INTO paper_input(paper, table_id, row_key, column_key, what) VALUES
  ('splitcnn', '1', '*', 'depth', 'how deep the training runs split'),
  ('splitcnn', 'text', 'deep splits', 'lost at most', 'the bound of a claim');
