-- splitcnn_training.sql - Split-CNN: what the paper prints of accuracies. Figures 4 to 7 are known from the text alone.

-- Table 1, "Classification Accuracy of Split-CNN". SCNN: on even patches, in evaluation, too; SSCNN: stochastic, evaluated in one piece.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('splitcnn', '1', 'AlexNet', 'Baseline', 55.2, '%', 'Table 1, ImageNet'),
  ('splitcnn', '1', 'AlexNet', 'SCNN', 55.0, '%', 'Table 1, ImageNet'),
  ('splitcnn', '1', 'AlexNet', 'SSCNN', 55.9, '%', 'Table 1, ImageNet'),
  ('splitcnn', '1', 'ResNet50', 'Baseline', 75.9, '%', 'Table 1, ImageNet'),
  ('splitcnn', '1', 'ResNet50', 'SCNN', 74.7, '%', 'Table 1, ImageNet'),
  ('splitcnn', '1', 'ResNet50', 'SSCNN', 74.9, '%', 'Table 1, ImageNet'),
  ('splitcnn', '1', 'VGG19', 'Baseline', 94.14, '%', 'Table 1, CIFAR'),
  ('splitcnn', '1', 'VGG19', 'SCNN', 93.02, '%', 'Table 1, CIFAR'),
  ('splitcnn', '1', 'VGG19', 'SSCNN', 94.58, '%', 'Table 1, CIFAR'),
  ('splitcnn', '1', 'ResNet18', 'Baseline', 95.3, '%', 'Table 1, CIFAR'),
  ('splitcnn', '1', 'ResNet18', 'SCNN', 94.8, '%', 'Table 1, CIFAR'),
  ('splitcnn', '1', 'ResNet18', 'SSCNN', 95.5, '%', 'Table 1, CIFAR');

-- And the depths that it says they were split to, in four patches; section 5.2.3 has 51.7 % of ResNet-18. Section 5.3: what is lost at most.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('splitcnn', '1', 'AlexNet', 'depth', 60, '%', 'Table 1'),
  ('splitcnn', '1', 'ResNet50', 'depth', 81.2, '%', 'Table 1'),
  ('splitcnn', '1', 'VGG19', 'depth', 50, '%', 'Table 1'),
  ('splitcnn', '1', 'ResNet18', 'depth', 50, '%', 'Table 1'),
  ('splitcnn', 'text', 'deep splits', 'lost at most', 2, 'points', 'section 5.3, "within 2% in all cases"');

INSERT INTO paper_row(paper, table_id, row_key, place, label) VALUES
  ('splitcnn', '1', 'AlexNet', 1, 'AlexNet'),
  ('splitcnn', '1', 'ResNet50', 2, 'ResNet-50'),
  ('splitcnn', '1', 'VGG19', 3, 'VGG-19'),
  ('splitcnn', '1', 'ResNet18', 4, 'ResNet-18'),
  ('splitcnn', 'text', 'deep splits', 1, 'deep splits');
