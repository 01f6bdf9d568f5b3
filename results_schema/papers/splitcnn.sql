-- splitcnn.sql - T. Jin, S. Hong, "Split-CNN: Splitting Window-Based Operations in Convolutional Neural Networks for Memory
-- System Optimization". The number the paper prints that narrows can speak to so far.

-- Figure 11: speedup of distributed training with the larger batch that Split-CNN affords, VGG-19, as the text gives it.
INSERT INTO paper_value(paper, table_id, row_key, column_key, published, unit, source) VALUES
  ('splitcnn', 'fig11', '10 Gbit/s', 'speedup', 2.1, 'x', 'section 6.4, Figure 11');

INSERT INTO paper_row(paper, table_id, row_key, place, label) VALUES
  ('splitcnn', 'fig11', '10 Gbit/s', 1, '10 Gbit/s');
