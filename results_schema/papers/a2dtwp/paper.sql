INSERT INTO paper(paper, place, label, title, authors, summary) VALUES
  ('a2dtwp', 2, 'A²DTWP', 'Reducing Data Motion to Accelerate the Training of Deep Neural Networks',
      'S. Zhuang, C. Malossi, M. Casas',
   'AWP gives the weights of each layer 8 to 32 bits as training goes, ADT packs them before they travel from the CPU '
       || 'to the GPUs: '
   || '6.18 % less time until an accuracy on x86 with K80, 11.91 % on POWER9 with V100.');
