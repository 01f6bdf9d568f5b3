-- Parts of every paper's report (see report_part), and what a page says that is no paper's.

INSERT INTO report_part(paper, section, place, name, heading, before, shape, format, after) VALUES
  ('*', 'fitted', 1, 'constants', 'Constants that no datasheet gives',
      'Each was fitted to the cells below; these count as calibrated, and nowhere as predicted.',
   'list', 's %.4g s s', ''),
  ('*', 'fitted', 2, 'fitted-cells', 'The cells they were fitted to', '', 'list', 's s s %.4g %.4g s', ''),
  ('*', 'trained', -1, 'trained-source', '', '', 'text', '', ''),
  ('*', 'fitted', 3, 'assumptions', 'What was assumed with an eye on a cell', '', 'list', 's s s s', '');

-- The newest fit of each constant; rates in GB/s.
CREATE VIEW newest_fit AS
SELECT c.*, CASE c.unit WHEN 'bytes/s' THEN c.value / 1e9 ELSE c.value END AS shown, CASE c.unit WHEN 'bytes/s'
    THEN 'GB/s' ELSE c.unit END AS shown_unit
  FROM calibration c
 WHERE c.paper <> '' AND c.run_id = (SELECT max(n.run_id) FROM calibration n
                                      WHERE n.platform = c.platform AND n.constant = c.constant AND n.paper = c.paper);

CREATE VIEW "*/constants" AS
SELECT DISTINCT paper AS of_paper, replace(constant, 'platform.', '') AS constant, shown AS value, shown_unit AS unit,
    platform
  FROM newest_fit ORDER BY platform, constant;

CREATE VIEW "*/fitted-cells" AS
SELECT DISTINCT paper AS of_paper, table_id AS "table", row_key AS row, column_key AS "column", observed AS published,
    reached, platform
  FROM newest_fit ORDER BY platform, table_id, row_key, column_key;

CREATE VIEW "*/assumptions" AS
SELECT paper AS of_paper, table_id AS "table", row_key AS row, column_key AS "column", what AS assumed
  FROM assumption a
 WHERE run_id = (SELECT max(b.run_id) FROM assumption b WHERE b.paper = a.paper AND b.table_id = a.table_id
                    AND b.row_key = a.row_key AND b.column_key = a.column_key)
 ORDER BY table_id, row_key, column_key;

-- Whether training works here: training runs of a few steps, which say nothing about what their papers train. Means
-- over the seeds.
CREATE VIEW "/quick" AS
WITH point AS (
  SELECT c.scenario, p.position, p.variant, p.point_id, t.steps, t.workers * t.batch AS samples FROM chosen_run c
    JOIN run_point p USING (run_id) JOIN training t USING (point_id) WHERE c.size = 'quick' AND NOT c.recorded),
looked AS (
  SELECT o.*, (SELECT avg(s.loss) FROM trace_step s WHERE s.point_id = o.point_id AND 10 * s.step < o.steps) AS first,
         (SELECT avg(s.loss) FROM trace_step s WHERE s.point_id = o.point_id AND 10 * (s.step + 1) > 9 *
             o.steps) AS last
    FROM point o)
SELECT l.scenario, l.variant, count(*) AS "training runs", l.steps, l.samples AS "samples a step",
    avg(l.first) AS "loss|first tenth", avg(l.last) AS "loss|last tenth",
       avg(x.ratio) AS "fewer bytes"
  FROM looked l LEFT JOIN trace_traffic x USING (point_id)
 GROUP BY l.scenario, l.variant, l.steps
 ORDER BY l.scenario, min(l.position);

-- The newest run of each scenario that is no paper's.
CREATE VIEW own_run AS
SELECT n.scenario, n.run_id, n.changed, r.title, r.file, r.npoints,
    datetime(r.started_ns / 1000000000, 'unixepoch') AS ran, r.machine, r.revision
  FROM latest_run n JOIN run r ON r.id = n.run_id
 WHERE NOT EXISTS (SELECT 1 FROM cell c WHERE c.run_id = n.run_id)
     AND NOT EXISTS (SELECT 1 FROM run_record k WHERE k.run_id = n.run_id)
     AND NOT EXISTS (SELECT 1 FROM measured_validation m WHERE m.run_id = n.run_id)
   AND n.file NOT LIKE '%scenarios/papers/%' AND n.file NOT LIKE '%scenarios/training/%'
       AND n.file NOT LIKE '%scenarios/platforms/%' AND n.file NOT LIKE '%scenarios/validation/shaped/%';

-- Where, along the one number that a run sweeps, a variant begins or ceases to pay: between two neighbouring points.
CREATE VIEW run_crossing AS
WITH curve AS (
  SELECT g.run_id, g.variant, q.path, q.text, g.speedup, lag(q.text) OVER along AS before,
      lag(g.speedup) OVER along AS speedup_before
    FROM gain g
    JOIN point_param q ON q.run_id = g.run_id AND q.position = g.position
    JOIN run_axis a ON a.run_id = q.run_id AND a.path = q.path AND a.numbers
   WHERE (SELECT count(*) FROM run_axis o WHERE o.run_id = g.run_id) = 1
  WINDOW along AS (PARTITION BY g.run_id, g.variant ORDER BY q.value))
SELECT run_id, variant, printf('%s pays %s: between %s (%.3g×) and %s (%.3g×).', variant, CASE WHEN speedup > 1
    THEN 'above' ELSE 'below' END,
                               before, speedup_before, text, speedup) AS says
  FROM curve
 WHERE (speedup - 1) * (speedup_before - 1) < 0;

-- The scoreboard, and where its numbers come from: parts of no paper.
INSERT INTO report_part(paper, section, place, name, heading, before, shape, format, after) VALUES
  ('', 'scoreboard', 1, 'cells', 'Published cells, and how far ours are off',
      'What is predicted leads; next to it all that was simulated or counted and not fitted.', 'list',
   's %.0f %.1f%% %.1f%% %+.1f%% %.0f %.1f %+.1f %.0f %.1f%% %.0f %.1f', ''),
  ('', 'scoreboard', 2, 'worst', '', '', 'text', '', ''),
  ('', 'scoreboard', 3, 'kinds', 'What a cell counts as', '', 'list', 's %.0f %.0f %.0f %.0f %.0f %.0f %.0f %.0f', ''),
  ('', 'scoreboard', 4, 'ranges', 'How far the mean errors of what is predicted depend on single fitted cells',
      'The constants fitted again without one of their cells, each cell in turn.', 'list',
   's %.0f %.1f%% %.1f%% %.1f%% %.1f %.1f %.1f', ''),
  ('', 'scoreboard', 5, 'claims', 'The papers'' conclusions, tested', '', 'list', 's %.0f %.0f %.0f %.0f', ''),
  ('', 'scoreboard', 6, 'source', '', '', 'text', '', ''),
  ('', 'quick', 1, 'quick', '', '', 'list', 's s %.0f %.0f %.0f %.3f %.3f %.1f', '');

CREATE VIEW "/cells" AS
SELECT label AS paper, predicted_pct AS "predicted|cells", median_error_pct AS "predicted|median",
    mean_error_pct AS "predicted|mean",
       worst_pct AS "predicted|worst", predicted_points AS "predicted, points|cells",
           mean_error_points AS "predicted, points|mean",
       worst_points AS "predicted, points|worst", compared_pct AS "all not fitted|cells",
           compared_mean_pct AS "all not fitted|mean",
       compared_points AS "in points|cells", compared_mean_points AS "in points|mean"
  FROM score_cells ORDER BY place;

CREATE VIEW "/kinds" AS
SELECT label AS paper, predicted, replayed, computed, assumed, calibrated, scaled, missing, input
  FROM score_cells ORDER BY place;

CREATE VIEW "/ranges" AS
WITH range AS MATERIALIZED (SELECT * FROM score_range)
SELECT s.label AS paper, max(coalesce(a.refits, 0), coalesce(b.refits, 0)) AS "fits again", s.mean_error_pct AS
    "in %|mean", a.least AS "in %|least", a.largest AS "in %|largest",
       s.mean_error_points AS "in points|mean", b.least AS "in points|least", b.largest AS "in points|largest"
  FROM score_cells s
  LEFT JOIN range a ON a.paper = s.paper AND a.error_unit = '%'
  LEFT JOIN range b ON b.paper = s.paper AND b.error_unit = 'points'
 WHERE a.refits OR b.refits
 ORDER BY s.place;

CREATE VIEW "/worst" AS
SELECT 'Worst: ' || group_concat(label || ' (' || worst_pct_cell || ')', '; ') || '.'
  FROM (SELECT * FROM score_cells WHERE worst_pct IS NOT NULL ORDER BY place);

CREATE VIEW "/claims" AS
SELECT label AS paper, claims AS tested, hold AS "hold here", fail AS "do not hold", open FROM scoreboard WHERE claims
    ORDER BY place;

-- Where the training runs come from that speak for a paper; NULL for the paper: all of them.
CREATE VIEW trained_source AS
WITH chosen AS MATERIALIZED (
  SELECT c.run_id, c.recorded, p.paper, r.revision, r.machine, r.day, k.stale, k.checked_steps
    FROM chosen_run c JOIN trained_where r USING (run_id) LEFT JOIN paper p ON c.scenario LIKE p.paper || '-%'
        LEFT JOIN record_state k USING (run_id)
   WHERE c.size IS NOT 'quick'),
said AS (
  SELECT paper, iif(recorded, 'recorded', 'computed here') || ' by narrows ' || revision || ' on ' || machine || ', '
      || max(day) || ' (' || count(*) || ' '
         || iif(count(*) = 1, 'run', 'runs')
         || iif(max(stale), '; STALE: by another trainer than this program''s',
                coalesce('; checked: this program''s trainer repeats the first ' || min(checked_steps)
                             || ' steps of each training run, bit for bit', ''))
             || ')' AS says
    FROM (SELECT * FROM chosen
          UNION ALL SELECT run_id, recorded, NULL, revision, machine, day, stale, checked_steps FROM chosen)
        GROUP BY paper, recorded, revision, machine)
SELECT paper, 'Training runs: ' || group_concat(says, '; ') || '.' AS says FROM said GROUP BY paper;

CREATE VIEW "*/trained-source" AS
SELECT says, paper AS of_paper FROM trained_source;

CREATE VIEW "/source" AS
SELECT 'Simulated by narrows ' || revision || ' on ' || machine || ', '
    || date(max(started_ns) / 1000000000, 'unixepoch') || '.' AS says
  FROM run WHERE id = (SELECT max(c.run_id) FROM cell c WHERE c.run_id NOT IN (SELECT run_id FROM run_record))
      GROUP BY revision, machine
UNION ALL
SELECT says FROM trained_source WHERE paper IS NULL;
