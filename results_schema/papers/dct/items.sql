-- The paper's tables and figures.
INSERT INTO paper_item(paper, place, item, table_id, note) VALUES
  ('dct', 1, 'Table 1', '1', ''),
  ('dct', 2, 'Table 2', '2', ''),
  ('dct', 3, 'Table 3', '3', ''),
  ('dct', 4, 'Table 4', '4', ''),
  ('dct', 5, 'Table 5', '5', 'gains in time; its model is not public, so its losses have nothing to be trained on'),
  ('dct', 6, 'Figure 1', '', 'a diagram of hybrid parallelism'),
  ('dct', 7, 'Figure 2', 'fig2', ''),
  ('dct', 8, 'Figure 3', '', 'an illustration of DCT-DP; its kernels are tested'),
  ('dct', 9, 'Figure 4', '', 'an illustration of DCT-MP; its kernels are tested'),
  ('dct', 10, 'Figure 5', '', 'no numbers are printed; drawn from training runs'),
  ('dct', 11, 'Figure 6', '', 'an illustration of where DLRM is split'),
  ('dct', 12, 'Figure 7a', 'fig7a', ''),
  ('dct', 13, 'Figure 7b', '', 'no numbers are printed; drawn from training runs, of a smaller model'),
  ('dct', 14, 'Figure 7c', '', 'no numbers are printed; drawn from simulations'),
  ('dct', 15, 'Figure 7d', '', 'no numbers are printed, and its model is not public; Table 2 has the same of DLRM'),
  ('dct', 16, 'section 3.3', 'text', 'the hybrid'),
  ('dct', 17, 'section 3.3, utilization', 'utilisation', '');
