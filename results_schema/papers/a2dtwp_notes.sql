-- a2dtwp_notes.sql - why a cell may be missed: a sentence each, printed when the cell is the worst of those predicted.
INSERT INTO paper_note(paper, table_id, row_key, column_key, note) VALUES
  ('a2dtwp', 'II', 'Data Transfer CPU→GPU', 'A2DTWP',
   'The weights are taken to shrink by the text''s "close to 3x", and the samples, which nothing packs, travel with ' ||
   'them; the ratio of the printed times is another.'),
  ('a2dtwp', 'II', 'Data Transfer GPU→CPU', 'A2DTWP',
   'The gradients return uncompressed in both columns, so we play the same time twice; the paper measured two.'),
  ('a2dtwp', 'II', 'Convolution', 'A2DTWP',
   'A2DTWP plays no part here, so we play the 32-bit column''s time; the paper measured two.'),
  ('a2dtwp', 'II', 'Fully-connected', 'A2DTWP',
   'A2DTWP plays no part here, so we play the 32-bit column''s time; the paper measured two.'),
  ('a2dtwp', 'II', 'Gradient update', 'A2DTWP',
   'A2DTWP plays no part here, so we play the 32-bit column''s time; the paper measured two.'),
  ('a2dtwp', 'II', 'AWP (l²-norm)', 'A2DTWP',
   'We read every weight once at the share of the GPU''s memory bandwidth that published copies reach; ' ||
   'the printed time is 134 of 240 GB/s, so the paper''s reduction streams less well than a copy, or its launches are in the row.'),
  ('a2dtwp', 'II', 'ADT (Bitpack)', 'A2DTWP',
   'We pack at the memory rate that the gradient update reached, and count that ordinary stores first read what they ' ||
   'write; the printed time is slower, so here Bitpack is not bound by memory alone.'),
  ('a2dtwp', 'II', 'ADT (Bitunpack)', 'A2DTWP',
   'We unpack at the share of the GPU''s memory bandwidth that published copies reach; the paper''s ' ||
   'kernel gathers single bytes, which a GPU does less well.'),
  ('a2dtwp', 'III', 'Data Transfer CPU→GPU', 'A2DTWP',
   'The weights are taken to shrink by the text''s "close to 3x", and the samples, which nothing packs, travel with ' ||
   'them; the ratio of the printed times is another.'),
  ('a2dtwp', 'III', 'Data Transfer GPU→CPU', 'A2DTWP',
   'The gradients return uncompressed in both columns, so we play the same time twice; the paper measured two.'),
  ('a2dtwp', 'III', 'Convolution', 'A2DTWP',
   'A2DTWP plays no part here, so we play the 32-bit column''s time; the paper measured two.'),
  ('a2dtwp', 'III', 'Fully-connected', 'A2DTWP',
   'A2DTWP plays no part here, so we play the 32-bit column''s time; the paper measured two.'),
  ('a2dtwp', 'III', 'Gradient update', 'A2DTWP',
   'A2DTWP plays no part here, so we play the 32-bit column''s time; the paper measured two.'),
  ('a2dtwp', 'III', 'AWP (l²-norm)', 'A2DTWP',
   'We read every weight once at the share of the GPU''s memory bandwidth that published copies reach; ' ||
   'the printed time is 557 of 900 GB/s, so the paper''s reduction streams less well than a copy, or its launches are in the row.'),
  ('a2dtwp', 'III', 'ADT (Bitpack)', 'A2DTWP',
   'We pack at the memory rate that the gradient update reached, and count that ordinary stores first read what they ' ||
   'write; the paper''s AltiVec Bitpack does a little better.'),
  ('a2dtwp', 'III', 'ADT (Bitunpack)', 'A2DTWP',
   'We unpack at the share of the GPU''s memory bandwidth that published copies reach; the paper''s ' ||
   'kernel gathers single bytes, which a GPU does less well.');
