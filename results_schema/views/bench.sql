-- Medians over repetitions. GBps counts 1e9 bytes that must move; ratio is the rate over the anchor's paired rate.
CREATE VIEW throughput AS
WITH rated AS (
  SELECT *, 1.0 * bytes_moved / elapsed_ns AS GBps,
         CASE WHEN anchor_ns > 0
              THEN 1.0 * bytes_moved / elapsed_ns / (1.0 * anchor_bytes / anchor_ns) END AS ratio
    FROM sample),
ranked AS (
  SELECT *, count(*) OVER same AS n, row_number() OVER (same ORDER BY GBps) AS i,
         row_number() OVER (same ORDER BY ratio) AS j
    FROM rated
  WINDOW same AS (PARTITION BY run_id, kernel, impl, variant, nvalues))
SELECT run_id, kernel, impl, variant, nvalues, n AS reps,
       avg(GBps) FILTER (WHERE i IN ((n + 1) / 2, (n + 2) / 2)) AS median_GBps,
       min(GBps) AS min_GBps, max(GBps) AS max_GBps,
       avg(ratio) FILTER (WHERE j IN ((n + 1) / 2, (n + 2) / 2)) AS median_ratio,
       max(anchor_ns) = 0 AS is_anchor
  FROM ranked
 GROUP BY run_id, kernel, impl, variant, nvalues;

-- One line for each kernel timed. GB = 1e9 bytes that must move; ratio: to the anchor's repetition right before.
CREATE VIEW bench AS
WITH rated AS (
  SELECT s.*, w.kind, w.option, w.threads, w.anchor, w.anchor_impl, w.flops, w.bits_per_value, w.place,
         CASE WHEN s.anchor_ns > 0
              THEN CASE WHEN w.flops > 0 THEN 1.0 * s.anchor_ns / s.elapsed_ns
                        ELSE 1.0 * s.bytes_moved / s.elapsed_ns / (1.0 * s.anchor_bytes / s.anchor_ns) END END AS ratio
    FROM sample s JOIN bench_work w USING (run_id, kernel, impl, variant, nvalues)),
ranked AS (
  -- A kernel that is also another's anchor has repetitions without a ratio: those come last and are not counted.
  SELECT *, count(*) OVER same AS n, row_number() OVER (same ORDER BY elapsed_ns) AS i,
         count(ratio) OVER same AS m, row_number() OVER (same ORDER BY ratio IS NULL, ratio) AS j
    FROM rated
  WINDOW same AS (PARTITION BY run_id, kernel, impl, variant, nvalues)),
medians AS (
  SELECT run_id, kind, kernel, impl, option, threads, nvalues, n AS reps, bytes_moved, flops, bits_per_value,
         anchor, anchor_impl, place,
         avg(elapsed_ns) FILTER (WHERE i IN ((n + 1) / 2, (n + 2) / 2)) AS median_ns,
         avg(ratio) FILTER (WHERE j IN ((m + 1) / 2, (m + 2) / 2)) AS ratio,
         max(ratio) FILTER (WHERE j <= (m + 9) / 10) AS ratio_p10
    FROM ranked
   GROUP BY run_id, kernel, impl, variant, nvalues)
SELECT run_id, kind, kernel, impl, option, threads, nvalues, reps, anchor, anchor_impl, ratio, ratio_p10,
       1e-6 * median_ns AS median_ms,
       1.0 * bytes_moved / nvalues AS bytes_per_value,
       bytes_moved / median_ns AS GBps,
       nvalues / median_ns AS Gvalues_per_s,
       CASE WHEN flops > 0 THEN flops / median_ns END AS GFLOPps,
       CASE WHEN bits_per_value > 0 THEN bits_per_value END AS bits_per_value,
       place
  FROM medians;

-- What a figure of the wall draws: for each group and number of threads, of its newest bench and of the fastest
-- implementation, a kernel's rate at each size; 'wall' marks the loops and peers that they are compared with.
CREATE VIEW figure_wall AS
WITH newest AS (
  SELECT kind, threads, max(run_id) AS run_id FROM bench_work GROUP BY kind, threads),
rated AS (
  SELECT b.kind, b.threads, b.kernel, b.option, b.impl, b.nvalues, b.place,
         4.0 * b.nvalues AS nbytes, coalesce(b.GFLOPps, b.GBps) AS rate,
         CASE WHEN b.GFLOPps IS NULL THEN 'GB/s' ELSE 'GFLOP/s' END AS unit, b.anchor = '' AS wall
    FROM bench b JOIN newest USING (kind, threads, run_id)),
best AS (
  SELECT *, row_number() OVER (PARTITION BY kind, threads, kernel, option, nvalues, wall ORDER BY rate DESC) AS i,
         min(place) OVER (PARTITION BY kind, threads, kernel, option, wall) AS first_place
    FROM rated)
SELECT kind, threads, kind || CASE threads WHEN 0 THEN '/device' ELSE '/' || threads END AS figure,
       trim(kernel || ' ' || option) AS label, impl, nbytes, rate, unit, wall, first_place
  FROM best WHERE i = 1;

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
SELECT kind || CASE program WHEN 'narrows' THEN '' ELSE ', ' || program END AS label, program = 'narrows' AS ours,
    events,
       ns_per_event, min(place) OVER (PARTITION BY kind, program) AS first_place
  FROM sim_bench WHERE growth AND run_id = (SELECT max(run_id) FROM sim_case);

-- One line for each side. Its speed is that of the median repetition; 'ratio' is the median over the repetitions of its
-- speed to the speed of 'against', 'extra_pct' that of the time it takes beyond it.
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

-- How many times the fp32 step an emulated precision takes. The dynamic-precision paper's emulation, by instrumenting a
-- binary, takes 25 times its native run (section 5.2).
CREATE VIEW emulation_cost AS
SELECT run_id, name, threads, side AS precision, 1 + extra_pct / 100 AS times
  FROM train_bench
 WHERE side IN ('mp', 'bf16') AND against = 'plain';

-- What narrows bench --csv writes of each: the machine and the commit first, numbers with as many digits as they have.
CREATE VIEW bench_run AS
SELECT id AS run_id, machine, revision AS "commit", date(started_ns / 1000000000, 'unixepoch') AS day FROM run;

CREATE VIEW bench_csv AS
SELECT b.run_id, b.place, r.machine, r."commit", r.day, b.kind AS grp, b.kernel, b.impl, b.option, b.threads, b.nvalues,
       b.reps, round(b.median_ms, 6) AS median_ms, round(b.bytes_per_value, 4) AS bytes_per_value,
       round(b.GBps, 3) AS GBps, round(b.Gvalues_per_s, 4) AS Gvalues_per_s, round(b.GFLOPps, 1) AS GFLOPps,
       round(b.bits_per_value, 5) AS bits_per_value, b.anchor AS against, b.anchor_impl AS against_impl,
       round(b.ratio, 4) AS ratio, round(b.ratio_p10, 4) AS ratio_p10
  FROM bench b JOIN bench_run r USING (run_id);

CREATE VIEW sim_bench_csv AS
SELECT b.run_id, b.place, r.machine, r."commit", r.day, b.kind AS "case", b.size, b.size_unit, b.program, b.event,
       b.events, b.reps, round(b.median_ms, 6) AS median_ms, round(b.ns_per_event, 2) AS ns_per_event,
       round(b.events_per_s, 1) AS events_per_s, round(b.peak_MiB, 1) AS peak_MiB, round(b.idle_MiB, 1) AS idle_MiB,
       printf('%.9g', b.end_ms) AS end_ms,
       CASE WHEN b.expected_ms > 0 THEN printf('%.9g', b.expected_ms) END AS closed_form_ms
  FROM sim_bench b JOIN bench_run r USING (run_id);

CREATE VIEW train_bench_csv AS
SELECT b.run_id, b.place, r.machine, r."commit", r.day, b.name AS "case", b.side, b.threads, b.workers, b.samples,
       b.steps, b.reps, round(b.step_ms, 4) AS step_ms, round(b.samples_per_s, 2) AS samples_per_s, b.against,
       round(b.ratio, 4) AS ratio, round(b.extra_pct, 2) AS extra_pct
  FROM train_bench b JOIN bench_run r USING (run_id);
