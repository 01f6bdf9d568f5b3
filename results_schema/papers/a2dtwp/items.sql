-- The paper's tables and figures.
INSERT INTO paper_item(paper, place, item, table_id, note) VALUES
  ('a2dtwp', 1, 'Table I', '', 'the networks: model files of scenarios/models'),
  ('a2dtwp', 2, 'Table II', 'II', ''),
  ('a2dtwp', 3, 'Table III', 'III', ''),
  ('a2dtwp', 4, 'Figure 1', '', 'a diagram of ADT; its kernels are tested'),
  ('a2dtwp', 5, 'Figure 2', '', 'the code of Bitpack; its kernels are tested'),
  ('a2dtwp', 6, 'Figure 3', 'fig3', ''),
  ('a2dtwp', 7, 'Figure 4', 'fig4', 'simulated a batch; the time to an error is trained, scaled down'),
  ('a2dtwp', 8, 'Figure 5', 'fig5', ''),
  ('a2dtwp', 9, 'section V-F', 'fig5 error', 'errors after epochs of ImageNet1000: no data of that size is trained'),
  ('a2dtwp', 10, 'text', 'text', '');
