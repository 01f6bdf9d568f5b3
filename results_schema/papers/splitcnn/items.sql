-- The paper's tables and figures.
INSERT INTO paper_item(paper, place, item, table_id, note) VALUES
  ('splitcnn', 1, 'Table 1', '1', 'AlexNet: its form scaled down, on images of 24x24'),
  ('splitcnn', 2, 'Figure 1', 'fig1', ''),
  ('splitcnn', 3, 'Figure 2', '', 'a diagram of patches'),
  ('splitcnn', 4, 'Figure 3', '', 'a diagram of the memory manager'),
  ('splitcnn', 5, 'Figure 4', '', 'no numbers are printed; drawn from training runs'),
  ('splitcnn', 6, 'Figure 5', '', 'no numbers are printed; drawn from training runs'),
  ('splitcnn', 7, 'Figure 6', '', 'no numbers are printed; drawn from training runs'),
  ('splitcnn', 8, 'Figure 7', '', 'no numbers are printed; drawn from training runs'),
  ('splitcnn', 9, 'Figure 8', 'fig8', ''),
  ('splitcnn', 10, 'Figure 9', '', 'a profile without numbers; drawn from the plan'),
  ('splitcnn', 11, 'Figure 10', 'fig10', ''),
  ('splitcnn', 12, 'Figure 11', 'fig11', '');
