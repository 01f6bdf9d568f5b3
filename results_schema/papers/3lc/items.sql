-- The paper's tables and figures.
INSERT INTO paper_item(paper, place, item, table_id, note) VALUES
  ('3lc', 1, 'Table 1', '1', ''),
  ('3lc', 2, 'Table 2', '2', ''),
  ('3lc', 3, 'Figure 1', '', 'a diagram of parameter servers'),
  ('3lc', 4, 'Figure 2', '', 'a diagram of where tensors are compressed'),
  ('3lc', 5, 'Figure 3', '', 'a diagram of the codec; its kernels are tested'),
  ('3lc', 6, 'Figure 4', '', 'no numbers are printed; drawn from training runs'),
  ('3lc', 7, 'Figure 5', '', 'no numbers are printed; drawn from training runs'),
  ('3lc', 8, 'Figure 6', '', 'no numbers are printed; drawn from training runs'),
  ('3lc', 9, 'Figure 7', '', 'no numbers are printed; drawn from training runs'),
  ('3lc', 10, 'Figure 8', '', 'no numbers are printed; drawn from training runs and simulated'),
  ('3lc', 11, 'Figure 9', '', 'one number, where pushes outgrow pulls, which claims start from; drawn from training '
      || 'runs'),
  ('3lc', 12, 'text', 'text', 'the paper contradicts itself: its steps are shorter than their bytes take');
