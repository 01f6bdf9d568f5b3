-- a2dtwp_training.sql - what else A2DTWP prints of its trainings: how AWP was set, and the errors of Figure 5's VGG. The times are in
-- a2dtwp.sql.
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
