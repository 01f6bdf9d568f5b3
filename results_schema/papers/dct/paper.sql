INSERT INTO paper(paper, place, label, title, authors, summary) VALUES
  ('dct', 3, 'DCT', 'Training Recommender Systems at Scale: Communication-Efficient Model and Data Parallelism',
   'V. Gupta, D. Choudhary, P. Tang, X. Wei, X. Wang, Y. Huang, A. Kejariwal, K. Ramchandran, M. Mahoney',
   'Only what exceeds a threshold is sent: of gradients to a parameter server one that is found again every thousand '
       || 'steps, of activations one for each sample. '
   || '37 % of the time saved in production, at no loss of quality.');
