-- The paper's tables and figures.
INSERT INTO paper_item(paper, place, item, table_id, note) VALUES
  ('dynprec', 1, 'Table 1', '1', ''),
  ('dynprec', 2, 'Figure 1', '', 'a diagram of FMA units; the kernels are tested'),
  ('dynprec', 3, 'Figure 2a', 'fig2a', 'the share of norms and updates in instructions: ours are counted in FMAs'),
  ('dynprec', 4, 'Figure 2b', '', 'no numbers are printed; drawn from training runs'),
  ('dynprec', 5, 'Figure 3', '', 'no numbers are printed; drawn from training runs');
