-- 004_bench.sql - what a timed kernel is compared with and what it leaves on the wire, and the summary of a bench.

CREATE TABLE bench_work (          -- one kernel timed at one size; its repetitions are in sample
  run_id         INTEGER NOT NULL REFERENCES run,
  kernel         TEXT    NOT NULL,                -- these five as in sample
  impl           TEXT    NOT NULL,
  variant        TEXT    NOT NULL,
  nvalues        INTEGER NOT NULL,
  place          INTEGER NOT NULL CHECK (place >= 0),     -- in the order of timing, from 0
  kind           TEXT    NOT NULL,                -- the group that it was timed in
  option         TEXT    NOT NULL,                -- 'keep=3', 'density=5%', '' for none: variant without the threads
  threads        INTEGER NOT NULL CHECK (threads >= 0),   -- 0: on a device
  anchor         TEXT    NOT NULL,                -- kernel that it is compared with, '' for an anchor itself
  anchor_impl    TEXT    NOT NULL,
  flops          REAL    NOT NULL CHECK (flops >= 0),     -- FLOP a repetition; 0: the rate is one of bytes
  bits_per_value REAL    NOT NULL CHECK (bits_per_value >= 0),  -- on the wire; 0: nothing is sent
  PRIMARY KEY (run_id, kernel, impl, variant, nvalues)
) STRICT, WITHOUT ROWID;

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
