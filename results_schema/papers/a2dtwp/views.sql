-- A2DTWP's experiments. "System" is a machine of the paper (paper_system). Training runs: in how many batches, with how
-- many bytes and in how much simulated time each policy reaches an error. Times are those of the paper's own networks
-- on its machines (trace_time), with the bytes a weight that our trained steps sent.

-- Where the paper disagrees with itself: the gain that the columns of a batch's profile add up to next to the gain that
-- the same network and batch is given in Figure 4, and the average that it states next to that of the gains it prints.
CREATE VIEW a2dtwp_contradiction AS
SELECT y.system, y.place, y.label, y.table_id,
       100.0 - 100.0 * sum(p.published) FILTER (WHERE p.column_key = 'A2DTWP') /
           sum(p.published) FILTER (WHERE p.column_key = '32-bit FP')
         AS profile_gain_pct,
       f.published AS figure_gain_pct, a.published AS stated, a.computed, a.n
  FROM paper_system y
  JOIN paper_value p ON p.paper = y.paper AND p.table_id = y.table_id
  JOIN (SELECT column_key, max(published) FILTER (WHERE row_key = 'average') AS published,
      avg(published) FILTER (WHERE row_key <> 'average')
               AS computed, count(*) - 1 AS n
          FROM paper_value WHERE paper = 'a2dtwp' AND table_id = 'fig4' GROUP BY column_key) a ON a.column_key =
              y.system
  JOIN paper_value f ON f.paper = y.paper AND f.table_id = 'fig4' AND f.row_key = 'vgg-a 64' AND f.column_key = y.system
 WHERE y.paper = 'a2dtwp'
 GROUP BY y.system;

-- A step of each pair of Figure 4, simulated: what it takes at 32 bits, what A2DTWP takes and what of that it added,
-- and what the formats that stay save. published_oracle: where the text has one.
CREATE VIEW a2dtwp_figure4_step AS
WITH place AS (
  SELECT c.run_id, p.combination, c.row_key, c.column_key
    FROM newest_run n JOIN cell c ON c.run_id = n.run_id AND c.table_id = 'fig4'
    JOIN run_point p ON p.run_id = c.run_id AND p.position = c.position
   WHERE n.scenario = 'a2dtwp-figure-4'),
took AS MATERIALIZED (
  SELECT combination, max(value) FILTER (WHERE variant = '32-bit FP' AND name = 'step_ms') AS step_ms,
         max(value) FILTER (WHERE variant = 'A2DTWP' AND name = 'step_ms') AS packed_ms,
         max(value) FILTER (WHERE variant = '32-bit FP' AND name = 'to_device_ms') AS sent_ms,
         max(value) FILTER (WHERE variant = 'A2DTWP' AND name = 'to_device_ms') AS packed_sent_ms,
         sum(value) FILTER (WHERE variant = '32-bit FP' AND name IN ('convolution_ms', 'fully_connected_ms'))
           AS gpu_ms,
         sum(value) FILTER (WHERE variant = 'A2DTWP' AND name IN ('l2norm_ms', 'pack_ms', 'unpack_ms')) AS added_ms,
         max(value) FILTER (WHERE variant = '8-bit' AND name = 'step_ms') AS bits8_ms,
         max(value) FILTER (WHERE variant = '16-bit' AND name = 'step_ms') AS bits16_ms,
         max(value) FILTER (WHERE variant = '24-bit' AND name = 'step_ms') AS bits24_ms
    FROM newest_measure WHERE scenario = 'a2dtwp-figure-4'
   GROUP BY combination)
SELECT w.place, w.label, y.place AS system_place, y.label AS system_label, v.row_key, v.column_key AS system,
       v.published, o.published AS published_oracle, t.*
  FROM place k JOIN took t USING (combination)
  JOIN paper_value v ON v.paper = 'a2dtwp' AND v.table_id = 'fig4' AND v.row_key = k.row_key
      AND v.column_key = k.column_key
  JOIN paper_row w USING (paper, table_id, row_key)
  JOIN paper_system y ON y.paper = v.paper AND y.system = v.column_key
  LEFT JOIN paper_value o ON o.paper = v.paper AND o.table_id = 'fig3' AND o.column_key = v.column_key
      AND 'alexnet-a2dtwp ' || substr(o.row_key, 8) = v.row_key AND o.row_key LIKE 'oracle %';

-- What would have to be otherwise for Figure 4's gain to come out of such a step, each alone. batches: A2DTWP's over
-- the baseline's; sent: CPU→GPU times of both policies, times as much; gpu: of the GPUs' arithmetic. NULL: no such
-- factor. most_pct: the gain if nothing crossed to the GPUs and A2DTWP itself took no time.
CREATE VIEW a2dtwp_figure4_needs AS
WITH gain AS (
  SELECT *, published / 100.0 AS g, 100.0 - 100.0 * packed_ms / step_ms AS ours,
         100.0 - 100.0 * (packed_ms - added_ms) / step_ms AS free_pct, 100.0 * sent_ms / step_ms AS most_pct
    FROM a2dtwp_figure4_step),
factor AS (
  SELECT *, (1.0 - g) * step_ms / packed_ms AS batches,
         1.0 + (packed_ms - (1.0 - g) * step_ms) / ((1.0 - g) * sent_ms - packed_sent_ms) AS sent,
         1.0 + ((step_ms - packed_ms) / g - step_ms) / gpu_ms AS gpu
    FROM gain)
SELECT system_place, system_label, system, place, label, published, ours, free_pct, most_pct, batches,
       iif(sent > 0, sent, NULL) AS sent, iif(gpu > 0, gpu, NULL) AS gpu
  FROM factor;

-- The same of the paper's own profile: the value that a printed cell of Table II or III would need, all others as they
-- are, for the sums of its columns to give the gain that Figure 4 has; less than nothing where none does.
CREATE VIEW a2dtwp_profile_needs AS
WITH sum AS (
  SELECT y.place AS system_place, y.label AS system_label, y.table_id, f.published / 100.0 AS g,
         sum(p.published) FILTER (WHERE p.column_key = '32-bit FP') AS step_ms,
         sum(p.published) FILTER (WHERE p.column_key = 'A2DTWP') AS packed_ms
    FROM paper_system y JOIN paper_value p ON p.paper = y.paper AND p.table_id = y.table_id
    JOIN paper_value f ON f.paper = y.paper AND f.table_id = 'fig4' AND f.row_key = 'vgg-a 64'
        AND f.column_key = y.system
   WHERE y.paper = 'a2dtwp'
   GROUP BY y.system)
SELECT s.*, w.place, p.row_key, p.column_key, p.published,
       iif(p.column_key = 'A2DTWP', p.published - (s.packed_ms - (1.0 - s.g) * s.step_ms),
           p.published + s.packed_ms / (1.0 - s.g) - s.step_ms) AS needed
  FROM sum s
  JOIN paper_value p ON p.paper = 'a2dtwp' AND p.table_id = s.table_id
  JOIN paper_row w USING (paper, table_id, row_key);

-- The speedup of A2DTWP in the newest run of each scenario that has one, with what it may be drawn against: GB/s (1e9),
-- bytes per kFLOP, bytes per weight. Drawn are runs of a 'figure'; 'label' is the machine's, or what follows the
-- figure's name in the scenario's. as_it_is: the machine of the paper, to be marked. A run whose keys were changed on
-- the command line is another experiment.
CREATE VIEW a2dtwp_speedup AS
WITH newest AS (
  SELECT r.scenario, max(r.id) AS run_id FROM run r
   WHERE r.scenario <> '' AND r.scenario NOT LIKE '%+changes'
       AND EXISTS (SELECT 1 FROM gain g WHERE g.run_id = r.id AND g.variant = 'A2DTWP')
   GROUP BY r.scenario),
named AS (
  SELECT g.*, iif(instr(g.scenario, replace(g.figure, '_', '-') || '-'),
                  substr(g.scenario, instr(g.scenario, replace(g.figure, '_', '-') || '-') + length(g.figure) + 1),
                      g.scenario) AS series
    FROM newest n JOIN gain g ON g.run_id = n.run_id AND g.variant = 'A2DTWP')
SELECT g.scenario, g.figure, g.position, g.speedup, coalesce(y.place, 99) AS place,
    coalesce(y.label, g.series) AS label,
       y.scenario IS g.scenario AS as_it_is,
       coalesce((SELECT m.value FROM measure m WHERE m.point_id = p.point_id AND m.name = 'link_bandwidth_GBps'),
                (SELECT q.value / 1e9 FROM point_param q WHERE q.run_id = g.run_id AND q.position = g.position
                    AND q.unit = 'B/s' AND q.path LIKE '%.bandwidth' ORDER BY q.path LIMIT 1)) AS bandwidth_GBps,
       (SELECT m.value FROM measure m WHERE m.point_id = p.point_id AND m.name = 'bytes_per_kflop') AS bytes_per_kflop,
       (SELECT m.value FROM measure m WHERE m.point_id = p.point_id AND m.name = 'bytes_per_weight') AS bytes_per_weight
  FROM named g
  JOIN run_point p ON p.run_id = g.run_id AND p.position = g.position
  LEFT JOIN paper_system y ON y.paper = 'a2dtwp' AND (y.system = g.series AND g.figure <> '' OR y.scenario =
      g.scenario);

-- The training runs that count, each with the batch of all its workers: of one size, of those that reach an error and
-- those that elapse each.
CREATE VIEW a2dtwp_point AS
SELECT n.network, n.place, n.label, n.size, n.threshold_pct, n.reaches, n.elapses, t.workers * t.batch AS batch,
    p.variant, t.seed, t.steps,
       t.model, t.data, t.real_data, p.point_id
  FROM (SELECT k.network, k.place, k.label, k.size, k.threshold_pct, c.run_id,
               coalesce(k.reaches AND z.place = min(z.place) FILTER (WHERE k.reaches) OVER (), 0) AS reaches,
               coalesce(k.elapses AND z.place = min(z.place) FILTER (WHERE k.elapses) OVER (), 0) AS elapses
          FROM a2dtwp_training k JOIN chosen_run c USING (scenario) JOIN training_size z ON z.size = k.size) n
  JOIN run_point p USING (run_id)
  JOIN training t USING (point_id)
 WHERE n.reaches OR n.elapses;

-- Their errors on the test samples, as the simulated clocks go.
CREATE VIEW a2dtwp_sample AS
SELECT k.network, k.place, k.label, k.batch, k.variant, k.seed, k.real_data, k.steps, k.threshold_pct, k.point_id,
    y.system,
       y.place AS system_place, y.label AS system_label, e.after_steps, e.seconds, 100.0 - e.top5_pct AS error_pct
  FROM a2dtwp_point k
  JOIN paper_system y ON y.paper = 'a2dtwp'
  JOIN trace_time_evaluation e ON e.point_id = k.point_id AND e.label = y.system || ', ' || k.batch
 WHERE k.reaches;

-- When each training first reaches its error, between two evaluations by their share, against the 32-bit training that
-- began with the same weights and saw the same samples, if that one reached it. One that never does has all of its
-- steps and time, which is less than it would need.
CREATE VIEW a2dtwp_against AS
WITH sample AS (
  SELECT *, error_pct <= threshold_pct AS reached, coalesce(lag(after_steps) OVER before, 0) AS steps_before,
         coalesce(lag(seconds) OVER before, 0) AS seconds_before, lag(error_pct) OVER before AS error_before_pct
    FROM a2dtwp_sample WINDOW before AS (PARTITION BY point_id, system ORDER BY after_steps)),
ranked AS (
  SELECT *, iif(reached, coalesce((error_before_pct - threshold_pct) / (error_before_pct - error_pct), 1), 1) AS share,
         row_number() OVER (PARTITION BY point_id, system ORDER BY reached DESC,
             iif(reached, after_steps, -after_steps)) AS n
    FROM sample),
first AS (
  SELECT *, steps_before + share * (after_steps - steps_before) AS steps_to,
         seconds_before + share * (seconds - seconds_before) AS seconds_to
    FROM ranked WHERE n = 1),
reach AS MATERIALIZED (
  SELECT *, (SELECT sum(s.pulled_bytes) FROM trace_step s WHERE s.point_id = f.point_id AND s.step <
      f.steps_to) AS bytes FROM first f)
SELECT r.network, r.place, r.label, r.batch, r.system, r.system_place, r.system_label, r.variant, r.seed, r.real_data,
    r.point_id,
       r.threshold_pct, r.reached, r.seconds_to AS seconds, r.seconds_to / b.seconds_to AS time_ratio, r.steps_to /
           b.steps_to AS steps_ratio,
       1.0 * r.bytes / b.bytes AS bytes_ratio
  FROM reach r
  JOIN reach b ON b.network = r.network AND b.batch = r.batch AND b.system = r.system AND b.seed = r.seed
      AND b.variant = '32-bit FP'
              AND b.reached;

-- Over the seeds. deviation: of the sample (n - 1), of the share of time; NULL for one seed. oracle: 1 for the static
-- format that is first at the error, of those that get there from every seed.
CREATE VIEW a2dtwp_policy AS
WITH value AS (
  SELECT *, avg(time_ratio) OVER (PARTITION BY network, batch, system, variant) AS mean FROM a2dtwp_against),
policy AS (
  SELECT network, place, label, batch, system, system_place, system_label, variant, min(real_data) AS real_data,
      count(*) AS seeds,
         sum(reached) AS reached, mean AS time_ratio,
         sqrt(sum((time_ratio - mean) * (time_ratio - mean)) / nullif(count(*) - 1, 0)) AS deviation,
         avg(steps_ratio) AS steps_ratio, avg(bytes_ratio) AS bytes_ratio, avg(seconds) AS seconds
    FROM value
   GROUP BY network, batch, system, variant)
SELECT *, variant <> 'A2DTWP' AND reached = seeds
          AND row_number() OVER (PARTITION BY network, batch, system, variant <> 'A2DTWP' AND reached = seeds
              ORDER BY seconds) = 1 AS oracle
  FROM policy;

-- Figure 4: time saved over the 32-bit baseline until the error is reached, in % of the baseline's.
CREATE VIEW a2dtwp_gain AS
WITH policy AS MATERIALIZED (SELECT * FROM a2dtwp_policy)
SELECT p.system, p.system_place, p.system_label, w.place, p.label || ' ' || p.batch AS label, p.network, p.batch,
    v.row_key, v.published,
       100.0 * (1.0 - p.time_ratio) AS ours, 100.0 * p.deviation AS deviation, p.seeds, p.reached, p.steps_ratio,
           p.bytes_ratio,
       iif(p.real_data, 'predicted', 'scaled') AS kind, o.variant AS oracle, 100.0 *
           (1.0 - o.time_ratio) AS oracle_ours,
       100.0 * o.deviation AS oracle_deviation
  FROM policy p
  LEFT JOIN policy o ON o.network = p.network AND o.batch = p.batch AND o.system = p.system AND o.oracle
  JOIN paper_value v ON v.paper = 'a2dtwp' AND v.table_id = 'fig4' AND v.row_key = p.network || ' ' || p.batch
      AND v.column_key = p.system
  JOIN paper_row w USING (paper, table_id, row_key)
 WHERE p.variant = 'A2DTWP';

-- Figure 3 has the same of Alexnet on x86, and what the oracle saves.
CREATE VIEW a2dtwp_figure3 AS
SELECT v.paper, v.table_id, v.row_key, v.column_key, v.published,
    iif(v.row_key LIKE 'oracle%', g.oracle_ours, g.ours) AS ours, v.unit, g.kind,
       iif(v.row_key LIKE 'oracle%', g.oracle_deviation, g.deviation) AS deviation, g.seeds,
       v.row_key LIKE 'A2DTWP%' AND g.reached < g.seeds AS missed, g.batch,
           substr(v.row_key, 1, instr(v.row_key, ' ') - 1) AS policy
  FROM paper_value v
  JOIN a2dtwp_gain g ON g.system = v.column_key AND g.network = 'alexnet-a2dtwp' AND v.row_key LIKE '% ' || g.batch
 WHERE v.paper = 'a2dtwp' AND v.table_id = 'fig3';

-- Figure 5: time after so many of the paper's epochs over the baseline's. The longest of a network is all of our
-- training.
CREATE VIEW a2dtwp_elapsed AS
WITH bar AS (
  SELECT *, substr(row_key, 1, instr(row_key, ' epochs ') - 1) AS row,
      CAST(substr(row_key, instr(row_key, ' epochs ') + 8) AS REAL) AS epochs
    FROM paper_value WHERE paper = 'a2dtwp' AND table_id = 'fig5'),
goal AS (
  SELECT k.network, k.batch, k.variant, k.seed, k.real_data, k.point_id, b.*,
         k.steps * b.epochs / (SELECT max(c.epochs) FROM bar c WHERE c.row = b.row) AS goal
    FROM a2dtwp_point k JOIN bar b ON b.row = k.network || ' ' || k.batch
   WHERE k.elapses),
clock AS (
  SELECT point_id, steps, seconds, coalesce(lag(steps) OVER before, 0) AS steps_before,
      coalesce(lag(seconds) OVER before, 0) AS seconds_before
    FROM trace_time WHERE label = 'x86-k80, 1000 classes'
  WINDOW before AS (PARTITION BY point_id ORDER BY steps)),
timed AS MATERIALIZED (
  SELECT g.*, c.seconds_before + (c.seconds - c.seconds_before) * (g.goal - c.steps_before) /
      (c.steps - c.steps_before) AS seconds
    FROM goal g JOIN clock c ON c.point_id = g.point_id AND g.goal > c.steps_before AND g.goal <= c.steps),
ratio AS (
  SELECT a.*, a.seconds / b.seconds AS ratio, avg(a.seconds / b.seconds) OVER (PARTITION BY a.row_key) AS mean
    FROM timed a JOIN timed b ON b.network = a.network AND b.batch = a.batch AND b.seed = a.seed AND b.row_key =
        a.row_key
                             AND b.variant = '32-bit FP'
   WHERE a.variant = 'A2DTWP')
SELECT s.paper, s.table_id, s.row_key, s.column_key, s.published, mean AS ours, s.unit,
    iif(min(s.real_data), 'predicted', 'scaled') AS kind,
       count(*) AS seeds, sqrt(sum((ratio - mean) * (ratio - mean)) / nullif(count(*) - 1, 0)) AS deviation, w.place,
           w.label
  FROM ratio s JOIN paper_row w USING (paper, table_id, row_key)
 GROUP BY s.row_key;

-- How well each training did at its end, against the 32-bit one of the same seed: points of top-5 error, bytes a
-- weight.
CREATE VIEW a2dtwp_end AS
WITH last AS (
  SELECT k.*, 100.0 - f.value AS error_pct, m.value AS bytes_per_weight
    FROM a2dtwp_point k
    JOIN training_final f ON f.point_id = k.point_id AND f.name = 'top5_pct'
    LEFT JOIN measure m ON m.point_id = k.point_id AND m.name = 'bytes_per_weight'
   WHERE k.reaches)
SELECT a.network, a.place, a.label, a.batch, a.variant, a.seed, a.error_pct, a.error_pct - b.error_pct AS difference,
    a.bytes_per_weight
  FROM last a JOIN last b ON b.network = a.network AND b.batch = a.batch AND b.seed = a.seed AND b.variant =
      '32-bit FP';

-- Published figures that follow from a batch's profile, or from training runs.
CREATE VIEW a2dtwp_derived(paper, table_id, row_key, column_key, published, ours, unit, kind) AS
WITH profile AS MATERIALIZED (
  SELECT y.system, s.row_key, s.column_key, s.ours, s.kind, y.table_id FROM paper_system y
      JOIN spoken s USING (paper, table_id)
   WHERE y.paper = 'a2dtwp')
SELECT p.paper, p.table_id, p.row_key, p.column_key, p.published, b.ours / a.ours, p.unit,
       iif('scaled' IN (a.kind, b.kind), 'scaled', 'predicted')
  FROM paper_value p
  JOIN profile b ON b.system = p.column_key AND b.row_key = 'Data Transfer CPU→GPU' AND b.column_key = '32-bit FP'
  JOIN profile a ON a.system = p.column_key AND a.row_key = b.row_key AND a.column_key = 'A2DTWP'
 WHERE p.paper = 'a2dtwp' AND p.table_id = 'text' AND p.row_key = 'CPU→GPU reduction'
UNION ALL
SELECT p.paper, p.table_id, p.row_key, p.column_key, p.published,
       100.0 * sum(s.ours) FILTER (WHERE s.row_key LIKE replace(p.row_key, ' share', '') || ' (%') / sum(s.ours),
           p.unit,
       iif(max(s.kind = 'scaled'), 'scaled', 'predicted')
  FROM paper_value p
  JOIN profile s ON s.system = p.column_key AND s.column_key = 'A2DTWP'
 WHERE p.paper = 'a2dtwp' AND p.table_id = 'text' AND p.row_key IN ('AWP share', 'ADT share')
 GROUP BY p.row_key, p.column_key
HAVING count(*) = (SELECT count(*) FROM paper_value q WHERE q.paper = p.paper AND q.table_id = s.table_id
    AND q.column_key = 'A2DTWP')
UNION ALL
SELECT paper, table_id, row_key, column_key, published, ours, unit, kind FROM a2dtwp_figure3 WHERE ours IS NOT NULL
UNION ALL
SELECT paper, table_id, row_key, column_key, published, ours, unit, kind FROM a2dtwp_elapsed;
