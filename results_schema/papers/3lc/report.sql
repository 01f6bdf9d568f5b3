INSERT INTO report_part(paper, section, place, name, heading, before, shape, format, after) VALUES
  ('3lc', 'simulated', 1, 'table-1', 'Table 1: speedup over 32-bit float, ResNet-110 on 10 workers (x)', '', 'cells',
      'percent', ''),
  ('3lc', 'simulated', 2, 'step', 'Where a step''s time goes',
   'ms during which at least one task of that kind runs; exposed: ms in which the slowest worker does not compute; MB '
       || 'that one worker pushes; it pulls as many.',
   'list', 's s %.0f %.0f %.0f %.0f %.1f %.1f %.0f %.3f', ''),
  ('3lc', 'simulated', 3, 'step-time', 'A step of 32-bit float, from the running text (ms)', '', 'cells', 'percent',
      ''),
  ('3lc', 'simulated', 4, 'explanations', 'What would explain how long a step takes',
   'Table 1''s speedups are ratios: constants that are fitted to them absorb an error in how long everything takes. '
       || 'Linux''s tc shapes what leaves a machine, and two workers share one. Each row fits constants of its own '
       || 'to the same cells of two designs; speedups are over all others.', 'list',
   's %.1f %+.0f %.2f %+.0f %.1f %.1f %.0f %.0f %.0f',
   'compute: of a step; barrier: from the last update to the first pull; framing: bytes a message. Codecs run as fast '
       || 'as the first row fits them. Where only what leaves is shaped, the cards take 10 Gbit/s. That workers of a '
       || 'machine exchange as one the paper does not say: it is assumed, with the length of a step in view, so '
       || 'Table 1 above keeps ten exchanges and the link that the paper states.'),
  ('3lc', 'simulated', 5, 'explanations-come-to', '', '', 'text', '', ''),
  ('3lc', 'simulated', 6, 'bits-needed', 'Bits a value that Table 1''s 3LC rows would need', '', 'list',
      's %.3f %.2f %.2f',
   'At 10 and 100 Mbit/s the paper ran 3LC for a tenth of the steps, and Table 2''s bits are of whole training runs. '
       || 'A dash: none from 0.05 to 1.5 bits gives the paper''s speedup.'),
  ('3lc', 'trained', 1, 'training-runs', '', '', 'text', '', ''),
  ('3lc', 'trained', 2, 'accuracy', 'Table 1: accuracy (%), and its difference from 32-bit float (points)',
   '±: deviation over the seeds; of differences two standard errors of the difference of means.', 'cells', 'points',
       ''),
  ('3lc', 'trained', 3, 'accuracy-notes', '', '', 'text', '', ''),
  ('3lc', 'trained', 4, 'table-2', 'Table 2: what 3LC sends',
   'Of the tensors that go through the codec, in both directions, their headers included.', 'cells', 'percent', ''),
  ('3lc', 'trained', 5, 'figures-4-6', 'Figures 4 to 6: accuracy (%) when trained for a share of the steps', '',
      'list', 's %.1f %.1f %.1f %.1f %.1f %.1f %.1f %.1f', ''),
  ('3lc', 'trained', 6, 'speedup-trained', 'Table 1: speedup (x) with the bits that were sent',
   'Simulated as before, but with the bits that every step of these training runs sent in place of Table 2''s '
       || 'averages.', 'cells', 'percent', ''),
  ('3lc', 'fitted', 4, 'inputs', '', '', 'text', '', ''),
  ('3lc', 'paper', 1, 'step-too-short', 'How long a step takes', '', 'text', '', '');

CREATE VIEW "3lc/table-1" AS
SELECT * FROM report_spoken WHERE paper = '3lc' AND table_id = '1' AND column_key LIKE '% %bit/s'
 ORDER BY place, instr('10 Mbit/s, 100 Mbit/s, 1 Gbit/s', column_key);

CREATE VIEW "3lc/step" AS
SELECT q.text AS bandwidth, m.variant AS design, max(m.value) FILTER (WHERE m.name = 'step_ms') AS step,
    max(m.value) FILTER (WHERE m.name = 'compute_ms') AS compute,
       max(m.value) FILTER (WHERE m.name = 'push_ms') AS push, max(m.value) FILTER (WHERE m.name = 'pull_ms') AS pull,
       max(m.value) FILTER (WHERE m.name = 'encode_ms') AS encode,
           max(m.value) FILTER (WHERE m.name = 'decode_ms') AS decode,
       max(m.value) FILTER (WHERE m.name = 'exposed_ms') AS exposed, 1e-6 *
           max(m.value) FILTER (WHERE m.name = 'push_bytes') AS MB,
       m.variant = r.baseline AS rule
  FROM newest_measure m
  JOIN run r ON r.id = m.run_id
  JOIN point_param q ON q.run_id = m.run_id AND q.position = m.position AND q.path LIKE '%.bandwidth'
 WHERE m.scenario = '3lc-table-1'
 GROUP BY m.position
 ORDER BY m.position;

CREATE VIEW "3lc/step-time" AS
SELECT * FROM report_spoken WHERE paper = '3lc' AND table_id = 'text' AND ours IS NOT NULL ORDER BY length(column_key);

-- A step of 32-bit float and the speedups of each explanation, and of Table 1 as it is. fitted: a constant of that
-- explanation, or of Table 1, was fitted to the cell. Fits are made by scenarios of their own.
CREATE VIEW threelc_explanation AS
WITH named(scenario, fit, place, label) AS (VALUES
  ('3lc-table-1', '3lc-table-1', 1, 'ten exchanges, both ways shaped'),
  ('3lc-explanation-egress', '3lc-fit-egress', 2, 'ten, what leaves a machine shaped'),
  ('3lc-explanation-server', '3lc-fit-server', 3, 'ten, what leaves the server shaped'),
  ('3lc-explanation-shared', '3lc-fit-shared', 4, 'one a machine, both ways shaped'),
  ('3lc-explanation-shared-egress', '3lc-fit-shared-egress', 5, 'one a machine, what leaves it shaped'))
SELECT k.*, g.run_id, g.position, g.variant, q.text AS bandwidth, g.speedup, g.step_ms, v.published,
       EXISTS (SELECT 1 FROM calibration c WHERE c.scenario = k.fit AND c.paper = '3lc' AND c.table_id = '1'
                  AND c.row_key = g.variant AND c.column_key = q.text) AS fitted
  FROM named k
  JOIN newest_run n USING (scenario)
  JOIN gain g ON g.run_id = n.run_id
  JOIN point_param q ON q.run_id = g.run_id AND q.position = g.position AND q.path LIKE '%.eth.bandwidth'
  LEFT JOIN paper_value v ON v.paper = '3lc' AND v.table_id = '1' AND v.row_key = g.variant AND v.column_key = q.text;

-- off: %; of a step from the text's, of speedups the mean over the cells to which nothing was fitted.
CREATE VIEW threelc_explained AS
WITH line AS MATERIALIZED (SELECT * FROM threelc_explanation),
constant AS (
  SELECT scenario, max(value) FILTER (WHERE constant = 'method.barrier_time') AS barrier_s,
         max(value) FILTER (WHERE constant LIKE '%.message_bytes') AS message_bytes
    FROM calibration GROUP BY scenario),
step AS (
  SELECT l.scenario, l.bandwidth, 1e-3 * l.step_ms AS step_s, 100.0 * (l.step_ms / p.published - 1.0) AS off,
         m.value AS compute_ms
    FROM line l
    JOIN newest_measure m ON m.run_id = l.run_id AND m.position = l.position AND m.name = 'compute_ms'
    LEFT JOIN paper_value p ON p.paper = '3lc' AND p.table_id = 'text' AND p.column_key = l.bandwidth
   WHERE l.variant = '32-bit float')
SELECT l.place, l.label, l.scenario,
       (SELECT step_s FROM step s WHERE s.scenario = l.scenario AND s.bandwidth = '10 Mbit/s') AS slow_s,
       (SELECT off FROM step s WHERE s.scenario = l.scenario AND s.bandwidth = '10 Mbit/s') AS slow_off,
       (SELECT step_s FROM step s WHERE s.scenario = l.scenario AND s.bandwidth = '100 Mbit/s') AS middle_s,
       (SELECT off FROM step s WHERE s.scenario = l.scenario AND s.bandwidth = '100 Mbit/s') AS middle_off,
       avg(100.0 * abs(l.speedup / l.published - 1.0)) FILTER (WHERE NOT fitted) AS speedup_off,
       max(100.0 * abs(l.speedup / l.published - 1.0)) FILTER (WHERE NOT fitted) AS worst_off,
       (SELECT compute_ms FROM step s WHERE s.scenario = l.scenario AND s.bandwidth = '1 Gbit/s') AS compute_ms,
       1e3 * coalesce(c.barrier_s, 0.0) AS barrier_ms, c.message_bytes
  FROM line l LEFT JOIN constant c ON c.scenario = l.fit
 WHERE l.published IS NOT NULL AND l.variant <> '32-bit float'
 GROUP BY l.scenario;

CREATE VIEW "3lc/explanations" AS
SELECT label AS "exchanges", slow_s AS "step at 10 Mbit/s|s", slow_off AS "step at 10 Mbit/s|off (%)",
       middle_s AS "step at 100 Mbit/s|s", middle_off AS "step at 100 Mbit/s|off (%)",
       speedup_off AS "speedups off (%)|mean", worst_off AS "speedups off (%)|worst",
       compute_ms AS "constants|compute (ms)", barrier_ms AS "constants|barrier (ms)",
       message_bytes AS "constants|framing"
  FROM threelc_explained ORDER BY place;

CREATE VIEW "3lc/explanations-come-to" AS
SELECT printf('The speedups hardly tell these apart: all are off by %.1f to %.1f %% on average. The length of a step '
    || 'does: nearest comes "%s", off by %+.0f and %+.0f %%, with speedups off by %.1f %%.', min(speedup_off) OVER (),
    max(speedup_off) OVER (), label, slow_off, middle_off, speedup_off)
  FROM threelc_explained ORDER BY abs(slow_off) + abs(middle_off) LIMIT 1;

-- Between two of the swept bits by their share.
CREATE VIEW "3lc/bits-needed" AS
WITH curve AS (
  SELECT b.text AS bandwidth, q.value AS bits, g.speedup,
         lag(q.value) OVER swept AS bits_before, lag(g.speedup) OVER swept AS before
    FROM newest_run n JOIN gain g ON g.run_id = n.run_id AND g.variant = '3LC'
    JOIN point_param q ON q.run_id = g.run_id AND q.position = g.position AND q.path LIKE '%.push.bits'
    JOIN point_param b ON b.run_id = g.run_id AND b.position = g.position AND b.path LIKE '%.eth.bandwidth'
   WHERE n.scenario = '3lc-bits'
  WINDOW swept AS (PARTITION BY b.text ORDER BY q.value)),
needed AS (
  SELECT v.row_key, v.column_key,
         max(c.bits_before + (c.before - v.published) / (c.before - c.speedup) * (c.bits - c.bits_before)) AS bits
    FROM paper_value v LEFT JOIN curve c ON c.bandwidth = v.column_key AND v.published BETWEEN c.speedup AND c.before
   WHERE v.paper = '3lc' AND v.table_id = '1' AND v.row_key LIKE '3LC (%' AND EXISTS (SELECT 1 FROM curve)
   GROUP BY v.row_key, v.column_key)
SELECT n.row_key AS design, t.published AS "Table 2",
       max(n.bits) FILTER (WHERE n.column_key = '10 Mbit/s') AS "needed at|10 Mbit/s",
       max(n.bits) FILTER (WHERE n.column_key = '100 Mbit/s') AS "needed at|100 Mbit/s"
  FROM needed n
  JOIN paper_value t ON t.paper = '3lc' AND t.table_id = '2' AND t.column_key = 'bits'
      AND n.row_key LIKE '3LC (s=' || t.row_key || ')'
 GROUP BY n.row_key ORDER BY n.row_key;

CREATE VIEW "3lc/step-too-short" AS
SELECT printf('Speedups are ratios, so they do not tell how long a step takes. Ten workers push and pull %.1f MB '
    || 'each, so the server''s link alone needs %.0f s at '
              || '10 Mbit/s in either direction; the paper''s 100 steps in about an hour, %.0f s each, imply fewer '
                  || 'bytes or a faster link than it states. We keep the stated link; for what would explain them, see '
                  || 'above.',
              1e-6 * b.value, 10 * 8e-7 * b.value, 1e-3 * p.published)
  FROM newest_measure b
  JOIN paper_value p ON p.paper = '3lc' AND p.table_id = 'text' AND p.column_key = '10 Mbit/s'
 WHERE b.scenario = '3lc-table-1' AND b.variant = '32-bit float' AND b.name = 'push_bytes' LIMIT 1;

CREATE VIEW "3lc/inputs" AS
SELECT 'Inputs, not results: the ratios of zero-run encoding are Table 2''s averages over the whole training run. '
    || 'Codecs run at the measured rates of this project''s kernels: vectorized where the paper''s were, else the '
    || 'scalar ones (1-bit, sparsification).';

CREATE VIEW threelc_trainings AS  -- of the leading size in a sentence
SELECT printf('Trained %s: %s on %s, %d workers with batches of %d, %d steps', label, model, data, workers, batch,
    standard_steps) AS said, real_data
  FROM threelc_lead, threelc_size LIMIT 1;

CREATE VIEW "3lc/training-runs" AS
SELECT said || CASE WHEN real_data THEN '.' ELSE '. Other data and another network than the paper''s: differences and '
    || 'ranks may be compared, accuracies may not.' END
  FROM threelc_trainings;

CREATE VIEW "3lc/accuracy" AS
WITH accuracy AS MATERIALIZED (SELECT * FROM threelc_accuracy)
SELECT c.place, c.table_id, c.row_key, c.row_label, c.column_key, c.column_label, c.published, c.ours, c.kind, c.n,
       CASE c.column_key WHEN 'Difference' THEN 2 * a.standard_error ELSE c.deviation END AS half,
       CASE c.column_key WHEN 'Difference' THEN '%+.2f' ELSE '%.2f' END AS number
  FROM report_cell c JOIN accuracy a ON a.variant = c.row_key
 WHERE c.paper = '3lc' AND c.table_id = '1' AND c.column_key IN ('Accuracy', 'Difference')
 UNION ALL
SELECT place, '1', variant, variant, 'Place', 'Place', published_place, mean_place, NULL, NULL, NULL, '%.0f'
    FROM accuracy
 ORDER BY 1, 5;

-- Where ours lie beyond two standard errors from the baseline; the order of all; and why a design falls so far.
CREATE VIEW "3lc/accuracy-notes" AS
WITH accuracy AS MATERIALIZED (SELECT * FROM threelc_accuracy)
SELECT 'More than two standard errors from 32-bit float: ' || group_concat(printf('%s (%+.1f, paper %+.2f)', variant,
    difference, published_difference), '; ') || '.'
  FROM (SELECT * FROM accuracy WHERE abs(difference) > 2 * standard_error ORDER BY difference)
HAVING count(*) > 0
 UNION ALL
SELECT printf('Rank correlation with the paper''s order: %.2f (1: the same order).',
              1 - 6.0 * sum((published_place - mean_place) * (published_place - mean_place)) /
                  (count(*) * (count(*) * count(*) - 1)))
  FROM accuracy HAVING count(*) > 5
 UNION ALL
SELECT printf('Stoch 3-value + QE: no error feedback keeps what its pulls lose, so the workers'' models drift away '
    || 'from the server''s, which is tested. The last training '
              || 'loss, the workers'', is %.2f (32-bit float: %.2f); the server''s on the tests is %.2f.', a.mean,
                  c.mean, b.mean)
  FROM threelc_design a JOIN threelc_design b USING (size, steps, variant) JOIN threelc_design c USING (size, steps)
 WHERE a.name = 'loss' AND b.name = 'test_loss' AND c.name = 'loss' AND a.variant = 'Stoch 3-value + QE'
     AND c.variant = '32-bit float'
   AND a.steps_pct = 100 AND size = (SELECT size FROM threelc_size);

CREATE VIEW "3lc/table-2" AS
SELECT *, deviation AS half, CASE column_key WHEN 'bits' THEN 'bits a value' ELSE 'compression ratio (x)'
    END AS column_label,
       CASE column_key WHEN 'bits' THEN '%.3f' ELSE '%.1f' END AS number
  FROM (SELECT paper, table_id, place, row_key, row_label, column_key, published, ours, kind, unit, n, deviation, rule
      FROM report_cell)
 WHERE paper = '3lc' AND table_id = '2' AND EXISTS (SELECT 1 FROM threelc_run)
 ORDER BY place, column_key DESC;

CREATE VIEW "3lc/figures-4-6" AS
SELECT d.variant AS design, max(d.mean) FILTER (WHERE d.steps_pct = 25) AS "25 %|mean",
    max(d.deviation) FILTER (WHERE d.steps_pct = 25) AS "25 %|±",
       max(d.mean) FILTER (WHERE d.steps_pct = 50) AS "50 %|mean",
           max(d.deviation) FILTER (WHERE d.steps_pct = 50) AS "50 %|±",
       max(d.mean) FILTER (WHERE d.steps_pct = 75) AS "75 %|mean",
           max(d.deviation) FILTER (WHERE d.steps_pct = 75) AS "75 %|±",
       max(d.mean) FILTER (WHERE d.steps_pct = 100) AS "100 %|mean",
           max(d.deviation) FILTER (WHERE d.steps_pct = 100) AS "100 %|±"
  FROM threelc_design d JOIN paper_row w ON w.paper = '3lc' AND w.table_id = '1' AND w.row_key = d.variant
 WHERE d.name = 'accuracy' AND d.size = (SELECT size FROM threelc_size)
 GROUP BY d.variant HAVING min(d.steps_pct) < 100
 ORDER BY w.place;

CREATE VIEW "3lc/speedup-trained" AS
WITH spent AS MATERIALIZED (
  SELECT * FROM threelc_design WHERE name LIKE 'seconds %' AND steps_pct = 100 AND size =
      (SELECT size FROM threelc_size))
SELECT w.label AS row_label, p.column_key AS column_label, p.published, b.mean / d.mean AS ours
  FROM paper_value p JOIN paper_row w USING (paper, table_id, row_key)
  JOIN spent d ON d.variant = p.row_key AND d.name = 'seconds ' || p.column_key
  JOIN spent b ON b.variant = '32-bit float' AND b.name = d.name AND b.variant <> d.variant
 WHERE p.paper = '3lc' AND p.table_id = '1'
 ORDER BY w.place, instr('10 Mbit/s, 100 Mbit/s, 1 Gbit/s', p.column_key);
