INSERT INTO paper(paper, place, label, title, authors, summary) VALUES
  ('dynprec', 4, 'Dynamic precision', 'A Dynamic Approach to Accelerate Deep Learning Training',
      'Anonymous (under review)',
   'Multiply-adds with BF16 sums replace mixed precision wherever the loss still falls by itself: more than 94 % of '
       || 'them at the accuracy of FP32.');
