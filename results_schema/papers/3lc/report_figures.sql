INSERT INTO report_figure(paper, section, place, name, template, header, caption, scenario) VALUES
  ('3lc', 'simulated', 1, '3lc-speedup', 'bars', 'speedup over 32-bit float (×)|3LC, Table 1: published and ours',
   'Speedup over 32-bit float of each design at each bandwidth, published and ours. Light bars: a constant was fitted '
       || 'to them.',
   'scenarios/papers/3lc/table-1.yaml'),
  ('3lc', 'simulated', 2, '3lc-step', 'step', 'share of a step|3LC: where a step''s time goes, design by design',
   'Shares of a step in which the slowest worker computes, and in which it waits for what was not hidden; next to '
       || 'them the share during which a codec is at work somewhere. '
   || 'On the bars: the step.', 'scenarios/papers/3lc/table-1.yaml'),
  ('3lc', 'simulated', 3, '3lc-sensitivity', 'lines', 'sparsity multiplier s|speedup over 32-bit float (×)|3LC, Table '
      || '1: sensitivity to s, published (circles) and ours',
   'Speedup over 32-bit float against 3LC''s sparsity multiplier, a line for each bandwidth; circles are published.',
       'scenarios/papers/3lc/table-1.yaml'),
  ('3lc', 'trained', 1, '3lc-accuracy', 'bars', 'difference in accuracy (points)|3LC, Table 1: accuracy against '
      || '32-bit float',
   'Accuracy less that of 32-bit float, published and ours, means over the seeds. Whiskers: two standard errors of the '
       || 'difference.',
       'scenarios/training/3lc/small/table-1.yaml'),
  ('3lc', 'trained', 7, '3lc-fig7-loss', 'spread', 'steps|training loss|3LC, Figure 7: training loss',
   'Training loss, means over the seeds and over a fortieth of the steps; whiskers: a deviation.',
       'scenarios/training/3lc/small/table-1.yaml'),
  ('3lc', 'trained', 8, '3lc-fig7-accuracy', 'spread', 'steps|test accuracy (%)|3LC, Figure 7: test accuracy',
   'Test accuracy during the training, means over the seeds; bars: a deviation.',
       'scenarios/training/3lc/small/table-1.yaml'),
  ('3lc', 'trained', 10, '3lc-fig9', 'spread', 'steps|bits a value|3LC, Figure 9: pushes and pulls',
   'Bits that a value costs in pushes and in pulls, means over the seeds and over a fortieth of the steps; whiskers: a '
       || 'deviation. Dashed: from where on pushes are larger in the paper.',
       'scenarios/training/3lc/small/table-1.yaml');
-- Both training runs for all and for a share of the steps make these.
WITH drawn(place, figure, title) AS (VALUES
  (4, '4', 'time and accuracy at 10 Mbit/s'), (5, '5', 'time and accuracy at 100 Mbit/s'),
      (6, '6', 'time and accuracy at 1 Gbit/s'),
  (9, '8', 'sensitivity to s at 10 Mbit/s'))
INSERT INTO report_figure(paper, section, place, name, template, header, caption, scenario)
SELECT '3lc', 'trained', place, '3lc-fig' || figure, 'spread', 'simulated time of the training (min)|test accuracy '
    || '(%)|3LC, Figure ' || figure || ': ' || title,
       'Accuracy after 25, 50, 75 and 100 % of the steps, each a training of its own, against the time that '
           || 'ResNet-110''s steps would take on the paper''s cluster with the '
       || 'bits that these sent. Means over the seeds; bars: a deviation.',
           'scenarios/training/3lc/small/table-1.yaml scenarios/training/3lc/small/convergence.yaml'
  FROM drawn;

-- n: seeds of a design; Figures 4 to 6 and 8 have shorter training runs, too.
CREATE VIEW "3lc/trained/title" AS
WITH seeds AS (
  SELECT size, label, max(n) FILTER (WHERE steps_pct = 100) AS most, min(n) FILTER (WHERE steps_pct = 100) AS least,
         min(n) FILTER (WHERE steps_pct < 100) AS shorter
    FROM threelc_size JOIN threelc_design USING (size) WHERE name = 'accuracy' GROUP BY size)
SELECT iif(size = 'paper', '', ', ' || label) || printf(', n=%s%d seed%s', iif(least < most, least || ' to ', ''), most,
    iif(most = 1, '', 's')) || iif(shorter < least, printf(' (shorter runs: %d)', shorter), '')
  FROM seeds;
CREATE VIEW "3lc/trained/caption" AS
SELECT printf('%s; %s.', said, (SELECT CASE WHEN min(n) < max(n) THEN min(n) || ' to ' || max(n) || ' seeds'
    WHEN max(n) > 1 THEN max(n) || ' seeds' ELSE 'one seed' END
                                  FROM threelc_design WHERE name = 'accuracy' AND size =
                                      (SELECT size FROM threelc_size)))
  FROM threelc_trainings;

CREATE VIEW "3lc-speedup/data" AS
SELECT column_key, row_label, published, ours, kind = 'calibrated' FROM report_cell f
 WHERE paper = '3lc' AND table_id = '1' AND column_key LIKE '% %bit/s' AND row_key <> '32-bit float'
   AND EXISTS (SELECT 1 FROM comparison c WHERE c.paper = '3lc' AND c.table_id = '1' AND c.column_key = f.column_key)
 ORDER BY column_key LIKE '% Gbit/s', column_key LIKE '100 %', place;

CREATE VIEW "3lc-step/data" AS
SELECT q.text, t.variant, 1.0 - x.value / t.value, x.value / t.value, (e.value + d.value) / t.value, 1e-3 * t.value
  FROM newest_measure t
  JOIN run_variant v ON v.run_id = t.run_id AND v.variant = t.variant
  JOIN point_param q ON q.run_id = t.run_id AND q.position = t.position AND q.path LIKE '%.bandwidth'
  JOIN newest_measure x ON x.run_id = t.run_id AND x.position = t.position AND x.name = 'exposed_ms'
  JOIN newest_measure e ON e.run_id = t.run_id AND e.position = t.position AND e.name = 'encode_ms'
  JOIN newest_measure d ON d.run_id = t.run_id AND d.position = t.position AND d.name = 'decode_ms'
 WHERE t.scenario = '3lc-table-1' AND t.name = 'step_ms'
 ORDER BY q.value, v.place;

CREATE VIEW threelc_multiplier AS
SELECT column_key AS bandwidth, CAST(substr(row_key, instr(row_key, '=') + 1) AS REAL) AS s, ours, published
    FROM report_cell
 WHERE paper = '3lc' AND table_id = '1' AND row_key LIKE '3LC (s=%' AND column_key LIKE '% %bit/s' AND ours IS NOT NULL
 ORDER BY column_key LIKE '% Gbit/s', column_key LIKE '100 %', place;
CREATE VIEW "3lc-sensitivity/data" AS SELECT bandwidth, s, ours FROM threelc_multiplier;
CREATE VIEW "3lc-sensitivity/marks" AS SELECT bandwidth, s, published FROM threelc_multiplier;

CREATE VIEW "3lc-accuracy/data" AS
SELECT 'accuracy', variant, published_difference, round(difference, 2), 0, 2 * standard_error FROM threelc_accuracy
    WHERE difference IS NOT NULL ORDER BY place;

CREATE VIEW "3lc-fig4/data" AS SELECT variant, minutes, accuracy, deviation FROM threelc_time WHERE bandwidth =
    '10 Mbit/s';
CREATE VIEW "3lc-fig5/data" AS SELECT variant, minutes, accuracy, deviation FROM threelc_time WHERE bandwidth =
    '100 Mbit/s';
CREATE VIEW "3lc-fig6/data" AS SELECT variant, minutes, accuracy, deviation FROM threelc_time WHERE bandwidth =
    '1 Gbit/s';
CREATE VIEW "3lc-fig8/data" AS SELECT variant, minutes, accuracy, deviation FROM threelc_time WHERE bandwidth =
    '10 Mbit/s' AND variant LIKE '3LC (s=%';

-- Figure 7 leaves out what is like another design; which ones it shows the text says in part.
CREATE VIEW threelc_figure_7 AS
SELECT * FROM threelc_lead WHERE steps = standard_steps
   AND variant IN ('32-bit float', 'Stoch 3-value + QE', 'MQE 1-bit int', '5% sparsification', '2 local steps',
       '3LC (s=1.00)');
CREATE VIEW "3lc-fig7-loss/data" AS
WITH seed AS (
  SELECT place, variant, seed, 40 * step / steps AS part, avg(step) AS step, avg(loss) AS loss
    FROM threelc_figure_7 JOIN trace_step USING (point_id) GROUP BY variant, seed, part),
value AS (SELECT *, avg(loss) OVER (PARTITION BY variant, part) AS mean FROM seed)
SELECT variant, avg(step), mean, sqrt(sum((loss - mean) * (loss - mean)) / nullif(count(*) - 1, 0)) FROM value
 GROUP BY variant, part ORDER BY place, 2;
CREATE VIEW "3lc-fig7-accuracy/data" AS
SELECT variant, after_steps, 100 * avg(top1), 100 * sqrt(max(0, (sum(top1 * top1) - count(*) * avg(top1) * avg(top1)) /
    nullif(count(*) - 1, 0)))
  FROM threelc_figure_7 JOIN trace_evaluation USING (point_id)
 GROUP BY variant, after_steps ORDER BY place, 2;

CREATE VIEW threelc_figure_9 AS
WITH bits AS MATERIALIZED (
  SELECT variant, seed, 40 * step / steps AS part, avg(step) AS step, avg(push_bits) AS push, avg(pull_bits) AS pull
    FROM threelc_bits
   WHERE variant IN ('3LC (s=1.00)', '3LC (s=1.75)') AND steps = standard_steps AND size =
       (SELECT size FROM threelc_size)
   GROUP BY variant, seed, part),
line AS (
  SELECT substr(variant, 6, 6) || ', pushes' AS line, part, step, push AS bits FROM bits UNION ALL
  SELECT substr(variant, 6, 6) || ', pulls', part, step, pull FROM bits),
value AS (SELECT *, avg(bits) OVER (PARTITION BY line, part) AS mean FROM line)
SELECT line, avg(step) AS step, mean AS bits, sqrt(sum((bits - mean) * (bits - mean)) / nullif(count(*) - 1, 0))
    AS deviation
  FROM value GROUP BY line, part ORDER BY line, 2;
CREATE VIEW "3lc-fig9/data" AS
SELECT line, step, bits, deviation FROM threelc_figure_9;
-- From where on the paper has larger pushes than pulls.
CREATE VIEW "3lc-fig9/marks" AS
WITH mark AS (
  SELECT printf('%g %% of the steps: from there on the paper''s pushes are larger', published) AS line,
      published / 100 * (SELECT max(standard_steps) FROM threelc_lead) AS step
    FROM paper_value WHERE paper = '3lc' AND table_id = 'fig9')
SELECT m.line, m.step, min(f.bits) FROM mark m JOIN threelc_figure_9 f UNION ALL
SELECT m.line, m.step, max(f.bits) FROM mark m JOIN threelc_figure_9 f;
