-- 017_train_bench.sql - how fast the trainer is: what was timed on whom, every repetition, and the summary.

CREATE TABLE train_case (          -- one network on one side: a program, or one way to train
  run_id  INTEGER NOT NULL REFERENCES run,
  name    TEXT    NOT NULL CHECK (name <> ''),            -- resnet-20, resnet-20-3lc-4, ...
  threads INTEGER NOT NULL CHECK (threads > 0),
  side    TEXT    NOT NULL CHECK (side <> ''),            -- 'narrows', a peer with its version; 'plain', '3lc, traces'
  against TEXT    NOT NULL CHECK (against <> side),       -- the side of the same name and threads it is compared with; '': none
  place   INTEGER NOT NULL CHECK (place >= 0),            -- in the order of timing, from 0
  workers INTEGER NOT NULL CHECK (workers > 0),
  samples INTEGER NOT NULL CHECK (samples > 0),           -- of one step, all workers'
  steps   INTEGER NOT NULL CHECK (steps > 0),             -- of one repetition, the same on both sides
  PRIMARY KEY (run_id, name, threads, side)
) STRICT, WITHOUT ROWID;

CREATE TABLE train_sample (        -- one repetition: of both sides the one right after the other
  run_id     INTEGER NOT NULL,
  name       TEXT    NOT NULL,
  threads    INTEGER NOT NULL,
  side       TEXT    NOT NULL,
  rep        INTEGER NOT NULL CHECK (rep >= 0),
  elapsed_ns INTEGER NOT NULL CHECK (elapsed_ns > 0),
  PRIMARY KEY (run_id, name, threads, side, rep),
  FOREIGN KEY (run_id, name, threads, side) REFERENCES train_case
) STRICT, WITHOUT ROWID;

-- One line for each side. Its speed is that of the median repetition; 'ratio' is the median over the repetitions of its speed to the
-- speed of 'against', 'extra_pct' that of the time it takes beyond it.
CREATE VIEW train_bench AS
WITH paired AS (
  SELECT c.run_id, c.name, c.threads, c.side, s.elapsed_ns, 1.0 * a.elapsed_ns / s.elapsed_ns AS ratio,
         1.0 * s.elapsed_ns / a.elapsed_ns - 1 AS extra
    FROM train_case c JOIN train_sample s USING (run_id, name, threads, side)
    LEFT JOIN train_sample a ON a.run_id = c.run_id AND a.name = c.name AND a.threads = c.threads AND a.side = c.against
                            AND a.rep = s.rep),
ranked AS (
  SELECT *, count(*) OVER same AS n,
         row_number() OVER (PARTITION BY run_id, name, threads, side ORDER BY elapsed_ns) AS by_time,
         row_number() OVER (PARTITION BY run_id, name, threads, side ORDER BY ratio) AS by_ratio
    FROM paired
  WINDOW same AS (PARTITION BY run_id, name, threads, side)),
medians AS (
  SELECT run_id, name, threads, side, n AS reps,
         avg(elapsed_ns) FILTER (WHERE by_time IN ((n + 1) / 2, (n + 2) / 2)) AS median_ns,
         avg(ratio) FILTER (WHERE by_ratio IN ((n + 1) / 2, (n + 2) / 2)) AS ratio,
         avg(extra) FILTER (WHERE by_ratio IN ((n + 1) / 2, (n + 2) / 2)) AS extra
    FROM ranked
   GROUP BY run_id, name, threads, side)
SELECT c.run_id, c.place, c.name, c.threads, c.workers, c.side, c.against, c.samples, c.steps, m.reps,
       1e-6 * m.median_ns / c.steps AS step_ms,
       1e9 * c.samples * c.steps / m.median_ns AS samples_per_s,
       m.ratio, 100 * m.extra AS extra_pct
  FROM train_case c JOIN medians m USING (run_id, name, threads, side);
