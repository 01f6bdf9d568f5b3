INSERT INTO paper(paper, place, label, title, authors, summary) VALUES
  ('3lc', 1, '3LC', '3LC: Lightweight and Effective Traffic Compression for Distributed Machine Learning',
      'H. Lim, D. Andersen, M. Kaminsky',
   'Gradients and model deltas of a parameter server become three values with error feedback, five of them to a byte, '
       || 'runs of zeros to one: '
   || '39 to 107 times fewer bytes at the accuracy of 32-bit float.');
