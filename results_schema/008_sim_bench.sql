-- 008_sim_bench.sql - how fast the simulator is: what was timed, every repetition, and the summary.

CREATE TABLE sim_case (            -- one thing timed on one program
  run_id     INTEGER NOT NULL REFERENCES run,
  kind       TEXT    NOT NULL CHECK (kind <> ''),         -- ring, loop, burst, ...
  size       INTEGER NOT NULL CHECK (size > 0),           -- of it, in size_unit
  program    TEXT    NOT NULL CHECK (program <> ''),      -- 'narrows', or a peer with its version
  place      INTEGER NOT NULL CHECK (place >= 0),         -- in the order of timing, from 0
  size_unit  TEXT    NOT NULL,                            -- ranks, flows, ...
  event      TEXT    NOT NULL CHECK (event <> ''),        -- what 'events' counts: flow, iteration, point, answer
  events     INTEGER NOT NULL CHECK (events > 0),         -- in one repetition
  growth     INTEGER NOT NULL CHECK (growth IN (0, 1)),   -- 1: part of the figure of cost against size
  end_s      REAL    NOT NULL CHECK (end_s >= 0),         -- simulated time at the end, 0: not simulated to one end
  expected_s REAL    NOT NULL CHECK (expected_s >= 0),    -- the same in closed form, 0: there is none
  PRIMARY KEY (run_id, kind, size, program)
) STRICT, WITHOUT ROWID;

CREATE TABLE sim_sample (          -- one repetition, in a process of its own
  run_id     INTEGER NOT NULL,
  kind       TEXT    NOT NULL,
  size       INTEGER NOT NULL,
  program    TEXT    NOT NULL,
  rep        INTEGER NOT NULL CHECK (rep >= 0),
  elapsed_ns INTEGER NOT NULL CHECK (elapsed_ns > 0),
  peak_bytes INTEGER NOT NULL CHECK (peak_bytes >= 0),    -- most that was resident, program and libraries included; 0: unknown
  idle_bytes INTEGER NOT NULL CHECK (idle_bytes >= 0),    -- of it before the repetition began; 0: unknown
  PRIMARY KEY (run_id, kind, size, program, rep),
  FOREIGN KEY (run_id, kind, size, program) REFERENCES sim_case
) STRICT, WITHOUT ROWID;

-- One line for each case and program.
CREATE VIEW sim_bench AS
WITH ranked AS (
  SELECT *, count(*) OVER same AS n, row_number() OVER (same ORDER BY elapsed_ns) AS i
    FROM sim_sample
  WINDOW same AS (PARTITION BY run_id, kind, size, program)),
medians AS (
  SELECT run_id, kind, size, program, n AS reps,
         avg(elapsed_ns) FILTER (WHERE i IN ((n + 1) / 2, (n + 2) / 2)) AS median_ns,
         max(peak_bytes) AS peak_bytes, max(idle_bytes) AS idle_bytes
    FROM ranked
   GROUP BY run_id, kind, size, program)
SELECT c.run_id, c.place, c.kind, c.size, c.size_unit, c.program, c.event, c.events, c.growth, m.reps,
       1e-6 * m.median_ns AS median_ms,
       m.median_ns / c.events AS ns_per_event,
       1e9 * c.events / m.median_ns AS events_per_s,
       m.peak_bytes / 1048576.0 AS peak_MiB,
       m.idle_bytes / 1048576.0 AS idle_MiB,
       1e3 * c.end_s AS end_ms,
       CASE WHEN c.expected_s > 0 THEN 1e3 * c.expected_s END AS expected_ms
  FROM sim_case c JOIN medians m USING (run_id, kind, size, program);

-- Cost of an event against how many there are, of the newest bench of the simulator.
CREATE VIEW figure_growth AS
SELECT kind || CASE program WHEN 'narrows' THEN '' ELSE ', ' || program END AS label, program = 'narrows' AS ours, events,
       ns_per_event, min(place) OVER (PARTITION BY kind, program) AS first_place
  FROM sim_bench WHERE growth AND run_id = (SELECT max(run_id) FROM sim_case);
