-- What a report says of predictions held against executions: parts and a figure of no paper. All of them are empty
-- where no set was begun.

INSERT INTO report_part(paper, section, place, name, heading, before, shape, format, after) VALUES
  ('', 'validation', 1, 'validation', '', '', 'text', '', ''),
  ('', 'validation', 2, 'validation-errors', 'Errors of the prediction', 'In % of what was executed, without the sign.',
   'list', 's %.0f %.2f %.2f %.2f',
   '95 %: the smallest error that at least 95 % of a class do not exceed.'),
  ('', 'validation', 3, 'validation-worst', 'Furthest off',
   'Positive: predicted to take longer than it took.', 'list', 's %.4g %.4g %+.1f %.1f %.1f s',
   'Spread: half of what lies between the fastest and the slowest repetition; a possible reason where it is not smaller'
       || ' than the error. Load: processes that wanted to run, on average over the minute before; a possible reason'
       || ' where the machine has fewer cores. A dash: nothing that was recorded explains the error.'),
  ('', 'validation', 4, 'validation-undone', 'Not executed to the end', '', 'list', 's s s', ''),
  ('', 'validation', 5, 'validation-constants', 'What was calibrated before',
   'Each from one execution, which is no point of the set.', 'list', 's %.4g s s %.4g %.4g s s', ''),
  ('', 'validation', 6, 'validation-notes', 'What the sets are', '', 'text', '', '');

INSERT INTO report_figure(paper, section, place, name, template, header, caption, scenario) VALUES
  ('', 'validation', 1, 'validation-points', 'scatter',
   'executed (ms)|predicted (ms)|error of the prediction (% of executed)|Steps as predicted and as executed',
   'Each point: the time of a step as it was predicted, and the median of its repetitions. On the dashed line both are'
       || ' equal, in the band they differ by at most a tenth of what was executed. Below the line a step took'
       || ' longer than predicted.',
   'scenarios/validation/shaped');

-- A point as readers know it: its class, and what tells it from others of the class, a bare number with its key's name.
-- What a token bucket passes at once follows from the bandwidth.
CREATE VIEW validation_point AS
SELECT v.*, v.kind || coalesce(': ' || (
         SELECT group_concat(says, ', ') FROM (
           SELECT CASE a.unit WHEN '' THEN substr(a.path, 1 + length(rtrim(a.path, replace(a.path, '.', '')))) || ' '
                              ELSE '' END || a.text AS says
             FROM point_param a WHERE a.run_id = v.run_id AND a.position = v.position AND a.path NOT LIKE '%.burst'
            ORDER BY a.path)), '') AS point
  FROM validation_executed v;

-- Where the points that are done were executed, each with the cores of that machine ("X, 2 cores, 23.5 GiB"), NULL
-- where they are not known.
CREATE VIEW validation_execution AS
SELECT v.set_name, v.row_key, x.library, x.load_before, n.begun_ns, r.machine, r.revision,
       nullif(CAST(substr(core.before, 1 + length(rtrim(core.before, '0123456789'))) AS INTEGER), 0) AS cores
  FROM validation_executed v
  JOIN execution n ON n.id = v.execution_id
  JOIN executed_point x ON x.execution_id = n.id
  JOIN run r ON r.id = n.run_id
  JOIN (SELECT id, substr(machine, 1, instr(machine, ' core') - 1) AS before FROM run) core ON core.id = r.id;

CREATE VIEW validation_place AS
SELECT set_name, machine, revision, library, count(*) AS points, min(begun_ns) AS first_ns, max(begun_ns) AS last_ns,
       min(load_before) AS least_load, max(load_before) AS most_load
  FROM validation_execution GROUP BY set_name, machine, revision, library;

CREATE VIEW "/validation" AS
SELECT printf('%d points were simulated, and the predictions stored, before they were executed over MPI on links that'
                  || ' one machine shapes: %d done', count(*), sum(outcome = 'done'))
           || CASE WHEN sum(outcome = 'failed') THEN printf(', %d failed', sum(outcome = 'failed')) ELSE '' END
           || CASE WHEN sum(outcome = 'killed') THEN printf(', %d killed', sum(outcome = 'killed')) ELSE '' END
           || CASE WHEN sum(outcome = 'missing') THEN printf(', %d missing', sum(outcome = 'missing')) ELSE '' END
           || coalesce((SELECT printf('. Error: median %.1f %%, 95 %% of the points within %.1f %%, worst %.1f %%',
                                      median_pct, p95_pct, worst_pct)
                          FROM validation_by_kind k WHERE k.set_name = v.set_name AND k.kind = 'all'), '')
           || '.' AS says
  FROM validation_executed v GROUP BY set_name
UNION ALL
SELECT printf('%d point%s: executed on %s, %s to %s UTC, by narrows %s with %s; load %.1f to %.1f.', points,
              CASE points WHEN 1 THEN '' ELSE 's' END, machine,
              strftime('%Y-%m-%d %H:%M', first_ns / 1000000000, 'unixepoch'),
              strftime('%Y-%m-%d %H:%M', last_ns / 1000000000, 'unixepoch'), revision, library, least_load, most_load)
  FROM validation_place;

CREATE VIEW "/validation-errors" AS
SELECT kind AS class, n AS points, median_pct AS "error, %|median", p95_pct AS "error, %|95 %",
       worst_pct AS "error, %|worst", kind = 'all' AS rule
  FROM validation_by_kind WHERE set_name = 'shaped' ORDER BY set_name, kind = 'all', kind;

CREATE VIEW "/validation-worst" AS
SELECT v.point, v.predicted AS "step, ms|predicted", v.measured AS "step, ms|executed",
       100 * v.error AS "off, %|error", 100 * v.spread AS "off, %|spread", v.load,
       CASE WHEN v.spread >= abs(v.error) AND v.load > e.cores THEN 'both' WHEN v.spread >= abs(v.error) THEN 'spread'
            WHEN v.load > e.cores THEN 'load' END AS reason
  FROM validation_point v JOIN validation_execution e USING (set_name, row_key)
 WHERE v.error IS NOT NULL ORDER BY abs(v.error) DESC, v.row_key LIMIT 12;

-- Each that failed; those that were not begun by class, since there may be many.
CREATE VIEW "/validation-undone" AS
SELECT point, outcome, reason FROM (
  SELECT point, outcome, nullif(reason, '') AS reason, row_key
    FROM validation_point WHERE outcome IN ('failed', 'killed')
  UNION ALL
  SELECT printf('%s: %d point%s', kind, count(*), CASE count(*) WHEN 1 THEN '' ELSE 's' END), 'missing', NULL, kind
    FROM validation_executed WHERE outcome = 'missing' GROUP BY set_name, kind)
 ORDER BY outcome, row_key;

-- The newest of each.
CREATE VIEW "/validation-constants" AS
SELECT replace(c.constant, 'platform.', '') AS constant, c.value, c.unit, c.scenario AS "from",
       c.observed AS "ms|executed", c.reached AS "ms|with it", c.measured_on AS "on",
       strftime('%Y-%m-%d %H:%M', r.started_ns / 1000000000, 'unixepoch') AS "UTC"
  FROM calibration c JOIN run r ON r.id = c.run_id
 WHERE c.scenario LIKE 'shaped-calibration%'
   AND c.run_id = (SELECT max(n.run_id) FROM calibration n WHERE n.constant = c.constant AND n.scenario = c.scenario)
   AND EXISTS (SELECT 1 FROM validation_run)
 ORDER BY c.run_id;

-- What scenarios say of themselves: the calibrations first.
CREATE VIEW "/validation-notes" AS
WITH newest AS (
  SELECT max(id) AS run_id FROM run WHERE scenario IN ('shaped-calibration', 'shaped-calibration-messages')
     AND EXISTS (SELECT 1 FROM validation_run) GROUP BY scenario
  UNION SELECT run_id FROM validation_shaped_run)
SELECT printf('%s, %d point%s: %s.%s', replace(replace(scenario, '+changes', ''), 'shaped-', ''), npoints,
              CASE npoints WHEN 1 THEN '' ELSE 's' END, title, CASE notes WHEN '' THEN '' ELSE ' ' || notes END) AS says
  FROM newest JOIN run ON run.id = newest.run_id ORDER BY scenario NOT LIKE 'shaped-calibration%', scenario;

-- A data set for each scenario.
CREATE VIEW "validation-points/data" AS
SELECT substr(kind, 1, instr(kind || ' ', ' ') - 1), measured, predicted, 100 * error
  FROM validation_executed WHERE error IS NOT NULL ORDER BY 1, measured, predicted;
