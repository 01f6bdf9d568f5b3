-- 005_tasks.sql - what ran when, for the points whose timeline was asked for.

CREATE TABLE timeline (         -- a point whose tasks are stored: all of them, or those that were asked for
  point_id INTEGER NOT NULL PRIMARY KEY REFERENCES point,
  from_ps  INTEGER NOT NULL CHECK (from_ps >= 0),      -- only tasks that touch this window of simulated time
  to_ps    INTEGER CHECK (to_ps > from_ps),            -- NULL: to the end
  left_out INTEGER NOT NULL CHECK (left_out >= 0)      -- tasks that touch it and were too many to keep
) STRICT, WITHOUT ROWID;

CREATE TABLE task (             -- one task, or one flow of given traffic
  point_id INTEGER NOT NULL REFERENCES timeline,
  place    INTEGER NOT NULL CHECK (place >= 0),        -- by start, from 0
  id       INTEGER NOT NULL,                           -- the flow's number in its file, else the task's in its graph
  name     TEXT    NOT NULL,                           -- what it does: 'push conv1', 'to 3'
  track    TEXT    NOT NULL CHECK (track <> ''),       -- resource, link or source that it ran on: 'gpu 3'
  slot     INTEGER NOT NULL CHECK (slot >= 0),         -- of a pool: tasks of one track and slot do not overlap
  start_ps INTEGER NOT NULL CHECK (start_ps >= 0),     -- simulated time, picoseconds
  end_ps   INTEGER NOT NULL CHECK (end_ps >= start_ps),
  bytes    INTEGER CHECK (bytes >= 0),                 -- that it transferred; NULL: no transfer
  PRIMARY KEY (point_id, place)
) STRICT, WITHOUT ROWID;

-- What each track of a stored timeline did, ms. busy_ms: at least one task ran; task_ms: the sum of their times, which
-- is more where several ran at once. Of a timeline that left tasks out it speaks only for those that it kept.
CREATE VIEW task_track AS
WITH seen AS (
  SELECT *, max(end_ps) OVER (PARTITION BY point_id, track ORDER BY start_ps, place
                              ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS until_ps
    FROM task)
SELECT point_id, track, count(*) AS tasks, 1e-9 * min(start_ps) AS first_ms, 1e-9 * max(end_ps) AS last_ms,
       sum(1e-9 * (end_ps - start_ps)) AS task_ms,
       sum(1e-9 * (end_ps - min(end_ps, max(start_ps, coalesce(until_ps, start_ps))))) AS busy_ms,
       sum(1.0 * bytes) AS bytes
  FROM seen
 GROUP BY point_id, track;

-- Every stored transfer with the rate that it reached on average, its latency included; NULL where it took no time.
CREATE VIEW task_transfer AS
SELECT point_id, place, id, name, track, bytes, 1e-9 * start_ps AS start_ms, 1e-9 * end_ps AS end_ms,
       1e-9 * (end_ps - start_ps) AS took_ms, 1e3 * bytes / nullif(end_ps - start_ps, 0) AS GBps
  FROM task
 WHERE bytes IS NOT NULL;
