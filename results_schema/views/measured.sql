-- What a report says of predictions held against rows that were measured elsewhere.

INSERT INTO report_part(paper, section, place, name, heading, before, shape, format, after) VALUES
  ('', 'validation', 11, 'measured-errors', 'Errors of predictions of measured rows',
   'Of rows that calibrated nothing, in % of what was measured; mean, median, 95 % and worst without the sign.',
   'list', 's s %.0f %.2f %.2f %.2f %.2f %+.2f s %.2f %.2f s s',
   'Bias: the mean with its sign; positive: predicted to be more. Closed form: mean and 95 % of its errors on the'
       || ' same rows.'),
  ('', 'validation', 12, 'measured-signs', 'Faster or slower than the baseline?',
   'Rows that differ from their baseline by more than a least share, as measured.',
   'list', 's s %.0f %.0f %.1f', ''),
  ('', 'validation', 13, 'measured-worst', 'Furthest off of each validation', '',
   'list', 's s %.4g %.4g s %+.1f %.1f s',
   'Spread: the standard deviation that the source gives.'),
  ('', 'validation', 14, 'measured-fits', 'Constants that were fitted',
   'Each to the rows of its group, which are not counted as predicted.', 'list', 's s s %.4g %.0f %.2f',
   'Missed: by how much the worst of these rows is, with several constants or rows.'),
  ('', 'validation', 15, 'measured-without', 'With a calibrating row left out',
   'Mean error of the set, in %: the least and the largest of all rows that can be left out.', 'list',
   's s %.0f %.2f %.2f %.2f', ''),
  ('', 'validation', 16, 'measured-sources', 'Where the rows come from', '', 'text', '', '');

INSERT INTO report_figure(paper, section, place, name, template, header, caption, scenario) VALUES
  ('', 'validation', 2, 'measured-rows', 'scatter',
   'measured (over the median of its validation)|predicted (the same)|error of the prediction (% of measured)|'
       || 'Rows as predicted and as measured',
   'Each point: a row of a published measurement that calibrated nothing. Both values are divided by the median of what'
       || ' the validation measured, so that milliseconds, samples a second and microseconds stand in one figure. Of'
       || ' 400 rows and more of one validation every so-manieth is drawn.',
   'scenarios/validation/public');

-- Rows that were predicted, their errors in %, and their rank in their set.
CREATE VIEW measured_error AS
SELECT m.scenario, w.*, 100 * (w.predicted / w.measured - 1) AS error, 100 * abs(w.predicted / w.measured - 1) AS size,
       100 * abs(w.closed_form / w.measured - 1) AS form_size
  FROM measured_newest m JOIN measured_row w USING (run_id) WHERE w.kind = 'predicted';

CREATE VIEW measured_rank AS
SELECT e.*, row_number() OVER (PARTITION BY run_id, set_name ORDER BY size, row_key) AS place_by_size,
       row_number() OVER (PARTITION BY run_id, set_name ORDER BY form_size IS NULL, form_size, row_key)
         AS place_by_form,
       count(*) OVER (PARTITION BY run_id, set_name) AS n,
       count(form_size) OVER (PARTITION BY run_id, set_name) AS nform
  FROM measured_error e;

CREATE VIEW measured_by_set AS
SELECT run_id, scenario, set_name, n, avg(size) AS mean, min(CASE WHEN 2 * place_by_size >= n THEN size END) AS median,
       min(CASE WHEN 20 * place_by_size >= 19 * n THEN size END) AS p95, max(size) AS worst, avg(error) AS bias,
       avg(form_size) AS form_mean, min(CASE WHEN 2 * place_by_form >= nform THEN form_size END) AS form_median,
       min(CASE WHEN 20 * place_by_form >= 19 * nform THEN form_size END) AS form_p95
  FROM measured_rank GROUP BY run_id, scenario, set_name;

-- Is every bar of the set met? NULL: it has none.
CREATE VIEW measured_bar AS
SELECT b.*, s.place, s.mean AS bar_mean, s.median AS bar_median, s.p95 AS bar_p95,
       CASE WHEN s.mean IS NULL AND s.median IS NULL AND s.p95 IS NULL THEN NULL
            ELSE coalesce(b.mean < s.mean, 1) AND coalesce(b.median < s.median, 1) AND coalesce(b.p95 < s.p95, 1)
       END AS met
  FROM measured_by_set b JOIN measured_set s USING (run_id, set_name);

CREATE VIEW measured_sign AS
SELECT e.scenario, e.set_name, count(*) AS n, sum((e.predicted > b.predicted) = (e.measured > b.measured)) AS right
  FROM measured_error e
  JOIN measured_row b ON b.run_id = e.run_id AND b.row_key = e.baseline_key AND b.predicted IS NOT NULL
  JOIN measured_validation v ON v.run_id = e.run_id
 WHERE abs(e.measured / b.measured - 1) > v.baseline_least
 GROUP BY e.run_id, e.scenario, e.set_name;

CREATE VIEW "/measured-errors" AS
SELECT b.scenario AS validation, b.set_name AS "rows", b.n, b.mean AS "error, %|mean", b.median AS "error, %|median",
       b.p95 AS "error, %|95 %", b.worst AS "error, %|worst", b.bias AS "error, %|bias",
       nullif(concat_bar.says, '') AS bar, b.form_mean AS "closed form, %|mean", b.form_p95 AS "closed form, %|95 %",
       (SELECT group_concat(p.name || coalesce(' mean ' || p.mean, '') || coalesce(' median ' || p.median, '')
                            || coalesce(' 95 % ' || p.p95, ''), '; ')
          FROM measured_peer p WHERE p.run_id = b.run_id AND p.set_name = b.set_name) AS peers,
       CASE b.met WHEN 1 THEN 'met' WHEN 0 THEN 'missed' END AS verdict
  FROM measured_bar b
  JOIN (SELECT run_id, set_name, trim(coalesce(' mean < ' || bar_mean, '') || coalesce(' median < ' || bar_median, '')
               || coalesce(' 95 % < ' || bar_p95, '')) AS says FROM measured_bar) concat_bar USING (run_id, set_name)
 ORDER BY b.scenario, b.place;

CREATE VIEW "/measured-signs" AS
SELECT validation, "rows", n, right, 100.0 * right / n AS "right, %"
  FROM (SELECT scenario AS validation, set_name AS "rows", n, right FROM measured_sign
        UNION ALL
        SELECT scenario, 'all', sum(n), sum(right) FROM measured_sign GROUP BY scenario HAVING count(*) > 1)
 ORDER BY validation, "rows" = 'all', "rows";

CREATE VIEW "/measured-worst" AS
SELECT scenario AS validation, row_key AS "row", predicted, measured, unit, error AS "off, %|error",
       100 * spread / measured AS "off, %|spread", nullif(reason, '') AS reason
  FROM (SELECT e.*, row_number() OVER (PARTITION BY run_id ORDER BY size DESC, row_key) AS nth FROM measured_error e)
 WHERE nth <= 10 ORDER BY scenario, nth;

-- Many groups are summed up.
CREATE VIEW "/measured-fits" AS
WITH fit AS (
  SELECT m.scenario, f.*, count(*) OVER (PARTITION BY f.run_id, f.fit, f.constant) AS ngroups
    FROM measured_newest m JOIN measured_fit f USING (run_id))
SELECT scenario AS validation, constant, CASE group_name WHEN '' THEN 'all' ELSE group_name END AS "group", value,
       nrows AS "rows", 100 * off AS "missed, %"
  FROM fit WHERE ngroups <= 12
UNION ALL
SELECT scenario, constant, printf('%d groups, %.4g to %.4g', ngroups, min(value), max(value)), avg(value), sum(nrows),
       100 * max(off)
  FROM fit WHERE ngroups > 12 GROUP BY scenario, fit, constant
 ORDER BY 1, 2, 3;

CREATE VIEW "/measured-without" AS
SELECT b.scenario AS validation, b.set_name AS "rows", count(*) AS "left out", b.mean AS "error, %|with all",
       min(w.mean) AS "error, %|least", max(w.mean) AS "error, %|largest"
  FROM measured_without w JOIN measured_bar b USING (run_id, set_name)
 GROUP BY b.scenario, b.set_name ORDER BY b.scenario, b.place;

CREATE VIEW "/measured-sources" AS
SELECT printf('%s: %s. %s.%s%s Predicted: %d of %d rows%s.', m.scenario, r.title, v.source,
              CASE r.notes WHEN '' THEN '' ELSE ' ' || r.notes END,
              CASE v.closed_form WHEN '' THEN '' ELSE ' Closed form: ' || v.closed_form || '.' END,
              sum(w.kind = 'predicted'), count(*),
              CASE sum(w.kind = 'refused') WHEN 0 THEN ''
                   ELSE printf('; refused: %d (%s)', sum(w.kind = 'refused'),
                               max(CASE w.kind WHEN 'refused' THEN w.reason END)) END) AS says
  FROM measured_newest m JOIN measured_validation v USING (run_id) JOIN run r ON r.id = m.run_id
  JOIN measured_row w USING (run_id)
 GROUP BY m.scenario ORDER BY m.scenario;

-- A data set for each validation.
CREATE VIEW "measured-rows/data" AS
WITH middle AS (
  SELECT scenario, avg(measured) AS value
    FROM (SELECT scenario, measured, row_number() OVER (PARTITION BY scenario ORDER BY measured) AS place,
                 count(*) OVER (PARTITION BY scenario) AS n FROM measured_error)
   WHERE 2 * place BETWEEN n AND n + 2 GROUP BY scenario),
row_of AS (
  SELECT *, row_number() OVER (PARTITION BY scenario ORDER BY place) AS number,
         count(*) OVER (PARTITION BY scenario) AS n FROM measured_error)
SELECT e.scenario, e.measured / m.value, e.predicted / m.value, e.error
  FROM row_of e JOIN middle m USING (scenario) WHERE e.number % (1 + e.n / 400) = 0 ORDER BY 1, e.place;
