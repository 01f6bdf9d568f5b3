-- What records say, which runs speak, and whether a record and what was computed here agree.

-- Where and when what a run lists was trained: a run may list points that earlier ones trained, on other machines.
CREATE VIEW trained_where AS
SELECT p.run_id, r.revision, r.machine, min(date(r.started_ns / 1000000000, 'unixepoch')) AS first_day,
       max(date(r.started_ns / 1000000000, 'unixepoch')) AS day
  FROM run_point p JOIN training t USING (point_id) JOIN point q ON q.id = p.point_id JOIN run r ON r.id = q.run_id
 GROUP BY p.run_id, r.revision, r.machine;

-- The runs of records that hold trained points. fresh: of this program's trainer; checked_steps: of another one, but
-- this one repeated so many first steps of every training run of the record, bit for bit ('narrows record check'; of
-- later steps nothing is known); stale: of another one, and says what that one came to, perhaps not what this one
-- would. Many views come down to this one, and SQLite reads it again wherever they name it: it holds nothing else.
CREATE VIEW record_run AS
SELECT k.run_id, r.scenario, k.record_id, c.fresh, c.checked_steps, NOT c.fresh AND c.checked_steps IS NULL AS stale
  FROM run_record k
  JOIN (SELECT record.id, trainer IS p.value AS fresh,
               (SELECT max(x.steps) FROM record_check x WHERE x.record_id = record.id AND x.trainer = p.value)
                   AS checked_steps
          FROM record LEFT JOIN program p ON p.name = 'trainer') c ON c.id = k.record_id
  JOIN run r ON r.id = k.run_id
 WHERE EXISTS (SELECT 1 FROM run_point p JOIN training t USING (point_id) WHERE p.run_id = k.run_id);

-- The same, with all that is known of them. revision, machine: of all that trained them; day: the last. state:
-- 'fresh', 'checked' or 'stale'. timed: there are simulated times of its steps; stale_time: they came with the record,
-- of another simulator, and were not simulated again here.
CREATE VIEW record_state AS
SELECT k.run_id, (SELECT p.paper FROM paper_value p WHERE k.scenario LIKE p.paper || '-%' LIMIT 1) AS paper, k.scenario,
       c.trainer AS digest,
       CASE WHEN k.fresh THEN 'fresh' WHEN k.checked_steps THEN 'checked' ELSE 'stale' END AS state, k.stale,
       iif(k.fresh, NULL, k.checked_steps) AS checked_steps,
       w.timed, w.timed_there AND c.simulator IS NOT (SELECT value FROM program WHERE name = 'simulator') AS stale_time,
       (SELECT group_concat(revision, ', ') FROM (SELECT DISTINCT revision FROM trained_where x
                                                     WHERE x.run_id = k.run_id ORDER BY 1)) AS revision,
       (SELECT group_concat(machine, '; ') FROM (SELECT DISTINCT machine FROM trained_where x
                                                    WHERE x.run_id = k.run_id ORDER BY 1)) AS machine,
       (SELECT min(first_day) FROM trained_where x WHERE x.run_id = k.run_id) AS first_day,
       (SELECT max(day) FROM trained_where x WHERE x.run_id = k.run_id) AS day, w.training_runs, w.steps,
       c.id AS record_id, c.file, c.digest AS file_digest, datetime(c.imported_ns / 1000000000, 'unixepoch') AS imported
  FROM record_run k
  JOIN record c ON c.id = k.record_id
  JOIN (SELECT p.run_id, count(*) AS training_runs, sum(t.steps) AS steps,
               max(EXISTS (SELECT 1 FROM trace_timing x WHERE x.point_id = p.point_id)) AS timed,
               max(EXISTS (SELECT 1 FROM trace_timing x
                            WHERE x.point_id = p.point_id AND x.run_id IN (SELECT run_id FROM run_record)
                              AND NOT EXISTS (SELECT 1 FROM trace_timing n
                                               WHERE n.point_id = x.point_id AND n.label = x.label AND n.id >
                                                   x.id))) AS timed_there
          FROM run_point p JOIN training t USING (point_id) GROUP BY p.run_id) w ON w.run_id = k.run_id;

-- Which run speaks for a scenario, if it was not changed from the command line: the newest that was computed here; of
-- training runs one that has a trained point, and that was not killed, if there is a record to speak in its place; else
-- the newest record, one that is not stale before one that is.
CREATE VIEW chosen_run AS
WITH trained AS (SELECT DISTINCT p.run_id FROM run_point p JOIN training t USING (point_id)),
candidate AS (
  SELECT r.scenario, r.id AS run_id, 0 AS recorded, 0 AS stale, r.id AS age,
         CASE WHEN r.id NOT IN (SELECT run_id FROM trained) THEN 4
              WHEN r.scenario IN (SELECT scenario FROM record_run) AND r.id NOT IN (SELECT run_id FROM run_end) THEN 3
              ELSE 1 END AS rank
    FROM run r
   WHERE r.scenario <> '' AND r.scenario NOT LIKE '%+changes' AND r.id NOT IN (SELECT run_id FROM run_record)
  UNION ALL
  SELECT s.scenario, s.run_id, 1, s.stale, r.started_ns, 2
    FROM record_run s JOIN run r ON r.id = s.run_id)
SELECT scenario, run_id, (SELECT size FROM training_size WHERE scenario || '-' LIKE '%-' || size || '-%') AS size,
    recorded FROM (
  SELECT *, row_number() OVER (PARTITION BY scenario ORDER BY rank, stale, age DESC, run_id DESC) AS place
      FROM candidate)
 WHERE place = 1;

-- The same, for what has nothing to do with records.
CREATE VIEW newest_run AS
SELECT scenario, run_id FROM chosen_run;

-- Cells that a record and training runs of the same scenario here both cover: means over the seeds. They agree where
-- they differ by no more than 'spread', three standard errors of the difference of the two means; of one seed nothing
-- is known. With three seeds each, one agreement in 25 fails by chance. n: seeds, the fewer of both.
CREATE VIEW record_agreement AS
WITH newest_record AS (
  SELECT scenario, run_id FROM (
    SELECT s.scenario, s.run_id,
           row_number() OVER (PARTITION BY s.scenario ORDER BY s.stale, r.started_ns DESC, s.run_id DESC) AS place
      FROM record_run s JOIN run r ON r.id = s.run_id)
   WHERE place = 1),
newest_here AS (
  SELECT r.scenario, max(r.id) AS run_id
    FROM run r
   WHERE r.scenario IN (SELECT scenario FROM newest_record) AND r.id NOT IN (SELECT run_id FROM run_record)
     AND EXISTS (SELECT 1 FROM run_point p JOIN training t USING (point_id) WHERE p.run_id = r.id)
   GROUP BY r.scenario),
side AS (
  SELECT scenario, run_id, 1 AS recorded FROM newest_record
   WHERE scenario IN (SELECT scenario FROM newest_here)
  UNION ALL
  SELECT scenario, run_id, 0 FROM newest_here),
speaking AS MATERIALIZED (
  SELECT s.scenario, s.recorded, s.run_id, c.paper, c.table_id, c.row_key, c.column_key, c.unit,
      min(c.position) AS position
    FROM side s JOIN cell_value c ON c.run_id = s.run_id
    JOIN paper_value p ON p.paper = c.paper AND p.table_id = c.table_id AND p.row_key = c.row_key
                      AND p.column_key = c.column_key AND p.unit = c.unit
   WHERE c.ours IS NOT NULL
   GROUP BY s.scenario, s.recorded, c.paper, c.table_id, c.row_key, c.column_key),
value AS (
  SELECT k.*, c.ours, avg(c.ours) OVER (PARTITION BY k.scenario, k.recorded, k.paper, k.table_id, k.row_key,
      k.column_key) AS mean
    FROM speaking k
    JOIN cell_seed c ON c.paper = k.paper AND c.table_id = k.table_id AND c.row_key = k.row_key AND c.column_key =
        k.column_key
                    AND c.run_id = k.run_id AND c.of_position = k.position AND c.unit = k.unit),
estimate AS (
  SELECT scenario, recorded, paper, table_id, row_key, column_key, unit, count(*) AS n, mean,
         -- of the mean's standard error
         sum((ours - mean) * (ours - mean)) / nullif(count(*) - 1, 0) / count(*) AS square
    FROM value
   GROUP BY scenario, recorded, paper, table_id, row_key, column_key)
SELECT a.paper, a.table_id, a.row_key, a.column_key, a.scenario, a.unit, a.mean AS recorded, b.mean AS here,
       3 * sqrt(a.square + b.square) AS spread, min(a.n, b.n) AS n,
       abs(a.mean - b.mean) <= 3 * sqrt(a.square + b.square) + 1e-9 * abs(a.mean) AS agrees     -- NULL: not known
  FROM estimate a
  JOIN estimate b ON b.scenario = a.scenario AND b.paper = a.paper AND b.table_id = a.table_id AND b.row_key = a.row_key
                 AND b.column_key = a.column_key AND b.unit = a.unit
 WHERE a.recorded AND NOT b.recorded;
