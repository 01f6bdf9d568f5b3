-- Parts of every paper's report (see report_part), and what a page says that is no paper's.

INSERT INTO report_part(paper, section, place, name, heading, before, shape, format, after) VALUES
  ('*', 'fitted', 1, 'constants', 'Constants that no datasheet gives', 'Each was fitted to the cells below; these count as calibrated, and nowhere as predicted.',
   'list', 's %.4g s s', ''),
  ('*', 'fitted', 2, 'fitted-cells', 'The cells they were fitted to', '', 'list', 's s s %.4g %.4g s', ''),
  ('*', 'fitted', 3, 'assumptions', 'What was assumed with an eye on a cell', '', 'list', 's s s s', '');

-- The newest fit of each constant; rates in GB/s.
CREATE VIEW newest_fit AS
SELECT c.*, CASE c.unit WHEN 'bytes/s' THEN c.value / 1e9 ELSE c.value END AS shown, CASE c.unit WHEN 'bytes/s' THEN 'GB/s' ELSE c.unit END AS shown_unit
  FROM calibration c
 WHERE c.paper <> '' AND c.run_id = (SELECT max(n.run_id) FROM calibration n
                                      WHERE n.platform = c.platform AND n.constant = c.constant AND n.paper = c.paper);

CREATE VIEW "*/constants" AS
SELECT DISTINCT paper AS of_paper, replace(constant, 'platform.', '') AS constant, shown AS value, shown_unit AS unit, platform
  FROM newest_fit ORDER BY platform, constant;

CREATE VIEW "*/fitted-cells" AS
SELECT DISTINCT paper AS of_paper, table_id AS "table", row_key AS row, column_key AS "column", observed AS published, reached, platform
  FROM newest_fit ORDER BY platform, table_id, row_key, column_key;

CREATE VIEW "*/assumptions" AS
SELECT paper AS of_paper, table_id AS "table", row_key AS row, column_key AS "column", what AS assumed FROM paper_chosen ORDER BY table_id, row_key, column_key;

-- Whether training works here: trainings of a few steps, which say nothing about what their papers train. Means over the seeds.
CREATE VIEW quick_look AS
WITH point AS (
  SELECT c.scenario, p.position, p.variant, p.point_id, t.steps, t.workers * t.batch AS samples FROM chosen_run c
    JOIN run_point p USING (run_id) JOIN training t USING (point_id) WHERE c.size = 'quick' AND NOT c.recorded),
looked AS (
  SELECT o.*, (SELECT avg(s.loss) FROM trace_step s WHERE s.point_id = o.point_id AND 10 * s.step < o.steps) AS first,
         (SELECT avg(s.loss) FROM trace_step s WHERE s.point_id = o.point_id AND 10 * (s.step + 1) > 9 * o.steps) AS last
    FROM point o)
SELECT l.scenario, l.variant, count(*) AS trainings, l.steps, l.samples AS "samples a step", avg(l.first) AS "loss|first tenth", avg(l.last) AS "loss|last tenth",
       avg(x.ratio) AS "fewer bytes"
  FROM looked l LEFT JOIN trace_traffic x USING (point_id)
 GROUP BY l.scenario, l.variant, l.steps
 ORDER BY l.scenario, min(l.position);
