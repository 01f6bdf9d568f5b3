INSERT INTO paper(paper, place, label, title, authors, summary) VALUES
  ('splitcnn', 5, 'Split-CNN', 'Split-CNN: Splitting Window-Based Operations in Convolutional Neural Networks for '
      || 'Memory System Optimization',
   'T. Jin, S. Hong',
   'Networks are trained on patches of their input, and a static plan offloads to the host over NVLink what backward '
       || 'will read: up to six '
   || 'times the batch in the same memory, and so fewer exchanges where training is distributed.');
