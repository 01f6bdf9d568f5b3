INSERT INTO report_part(paper, section, place, name, heading, before, shape, format, after) VALUES
  ('3lc', 'simulated', 1, 'table-1', 'Table 1: speedup over 32-bit float, ResNet-110 on 10 workers (x)', '', 'cells', 'percent', ''),
  ('3lc', 'simulated', 2, 'step', 'Where a step''s time goes',
   'ms during which some task of that kind runs, whatever runs beside it; exposed: of a step in which the slowest worker does not compute; MB that one worker pushes, and as much that it pulls.',
   'list', 's s %.0f %.0f %.0f %.0f %.1f %.1f %.0f %.3f', '');

CREATE VIEW "3lc/table-1" AS
SELECT * FROM report_cell WHERE paper = '3lc' AND table_id = '1' AND column_key IN ('10 Mbit/s', '100 Mbit/s', '1 Gbit/s')
 ORDER BY place, instr('10 Mbit/s, 100 Mbit/s, 1 Gbit/s', column_key);

CREATE VIEW "3lc/step" AS
SELECT q.text AS bandwidth, m.variant AS design, max(m.value) FILTER (WHERE m.name = 'step_ms') AS step, max(m.value) FILTER (WHERE m.name = 'compute_ms') AS compute,
       max(m.value) FILTER (WHERE m.name = 'push_ms') AS push, max(m.value) FILTER (WHERE m.name = 'pull_ms') AS pull,
       max(m.value) FILTER (WHERE m.name = 'encode_ms') AS encode, max(m.value) FILTER (WHERE m.name = 'decode_ms') AS decode,
       max(m.value) FILTER (WHERE m.name = 'exposed_ms') AS exposed, 1e-6 * max(m.value) FILTER (WHERE m.name = 'push_bytes') AS MB,
       m.variant = r.baseline AS rule
  FROM newest_measure m
  JOIN run r ON r.id = m.run_id
  JOIN point_param q ON q.run_id = m.run_id AND q.position = m.position AND q.path LIKE '%.bandwidth'
 WHERE m.scenario = '3lc-table-1'
 GROUP BY m.position
 ORDER BY m.position;

INSERT INTO report_figure(paper, section, place, name, template, header, caption, scenario) VALUES
  ('3lc', 'simulated', 1, '3lc-speedup', 'bars', 'speedup over 32-bit float (×)|3LC, Table 1: published and ours',
   'Speedup over 32-bit float, published and ours, for each design at each bandwidth. Bars that a constant was fitted to are hatched.',
   'scenarios/papers/3lc/table-1.yaml'),
  ('3lc', 'trained', 1, '3lc-accuracy', 'bars', '',
   'Accuracy less that of 32-bit float, in points, published and ours.', 'scenarios/training/3lc/small/table-1.yaml');

CREATE VIEW "3lc-speedup/data" AS
SELECT column_key, label, published, ours, kind = 'calibrated' FROM figure_cell
 WHERE paper = '3lc' AND table_id = '1' AND column_key LIKE '% %bit/s' AND row_key <> '32-bit float' AND ours IS NOT NULL
 ORDER BY column_key LIKE '% Gbit/s', column_key LIKE '100 %', place;

CREATE VIEW "3lc-accuracy/data" AS
SELECT 'accuracy', variant, published_difference, round(difference, 2), 0
  FROM threelc_accuracy WHERE size = (SELECT size FROM threelc_size) AND difference IS NOT NULL
 ORDER BY place;
CREATE VIEW "3lc-accuracy/header" AS
SELECT 'difference in accuracy (points)', '3LC, Table 1: accuracy against 32-bit float, ' || label FROM threelc_size;
CREATE VIEW "3lc-accuracy/caption" AS
SELECT printf('Means over %s seeds.', CASE min(n) WHEN max(n) THEN min(n) ELSE min(n) || ' to ' || max(n) END)
  FROM threelc_accuracy WHERE size = (SELECT size FROM threelc_size);
