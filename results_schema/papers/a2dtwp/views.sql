-- Where a paper disagrees with itself: the gain that the columns of a batch's profile add up to, beside the gain that
-- the same network and batch is given in Figure 4.
CREATE VIEW a2dtwp_contradiction AS
SELECT y.system, y.place, y.label, y.table_id, 100.0 * (1.0 - a.published / b.published) AS profile_gain_pct,
       f.published AS figure_gain_pct
  FROM paper_system y
  JOIN column_sum b ON b.paper = y.paper AND b.table_id = y.table_id AND b.column_key = '32-bit FP'
  JOIN column_sum a ON a.paper = y.paper AND a.table_id = y.table_id AND a.column_key = 'A2DTWP'
  JOIN paper_value f ON f.paper = y.paper AND f.table_id = 'fig4' AND f.row_key = 'vgg-a 64'
                    AND f.column_key = y.system
 WHERE y.paper = 'a2dtwp';

-- The average a paper states beside the average of the gains it prints.
CREATE VIEW stated_average AS
SELECT p.paper, p.table_id, p.column_key, p.published AS stated, avg(q.published) AS computed, count(*) AS n
  FROM paper_value p
  JOIN paper_value q ON q.paper = p.paper AND q.table_id = p.table_id AND q.column_key = p.column_key
                    AND q.row_key <> 'average'
 WHERE p.row_key = 'average'
 GROUP BY p.paper, p.table_id, p.column_key;

-- One batch as stacked bars, ms: a row per bar, a column per row of the profile tables; NULL where nothing is known.
CREATE VIEW figure_profile AS
WITH value AS (
  SELECT y.paper, y.place, y.label, p.column_key, 'paper' AS origin, w.place AS row_place, p.published AS ms
    FROM paper_system y
    JOIN paper_row w ON w.paper = y.paper AND w.table_id = y.table_id
    JOIN paper_value p ON p.paper = y.paper AND p.table_id = y.table_id AND p.row_key = w.row_key
  UNION ALL
  SELECT y.paper, y.place, y.label, s.column_key, 'ours', w.place, s.ours
    FROM paper_system y
    JOIN paper_row w ON w.paper = y.paper AND w.table_id = y.table_id
    JOIN spoken s ON s.paper = y.paper AND s.table_id = y.table_id AND s.row_key = w.row_key)
SELECT paper, place, label AS system, column_key, origin,
       sum(ms) FILTER (WHERE row_place = 1) AS row_1, sum(ms) FILTER (WHERE row_place = 2) AS row_2,
       sum(ms) FILTER (WHERE row_place = 3) AS row_3, sum(ms) FILTER (WHERE row_place = 4) AS row_4,
       sum(ms) FILTER (WHERE row_place = 5) AS row_5, sum(ms) FILTER (WHERE row_place = 6) AS row_6,
       sum(ms) FILTER (WHERE row_place = 7) AS row_7, sum(ms) FILTER (WHERE row_place = 8) AS row_8,
       sum(ms) AS total
  FROM value
 GROUP BY paper, place, column_key, origin;

-- Figure 4: time over the baseline's time (share), as published and as simulated, the averages last.
CREATE VIEW figure_normalized AS
SELECT y.paper, y.place AS system_place, y.label AS system, w.place AS row_place, w.label AS row_label,
       1.0 - p.published / 100.0 AS published, 1.0 - c.ours / 100.0 AS ours
  FROM paper_system y
  JOIN paper_row w ON w.paper = y.paper AND w.table_id = 'fig4'
  JOIN paper_value p ON p.paper = y.paper AND p.table_id = 'fig4' AND p.row_key = w.row_key
                    AND p.column_key = y.system
  LEFT JOIN comparison c ON c.paper = p.paper AND c.table_id = p.table_id AND c.row_key = p.row_key
                        AND c.column_key = p.column_key;

-- The newest run of each scenario that has a gain to draw. A run whose keys were changed on the command line is stored
-- under the scenario's name and '+changes': it is another experiment and is not drawn with the paper's.
CREATE VIEW newest_gain_run AS
SELECT r.scenario, max(r.id) AS run_id
  FROM run r
 WHERE r.scenario <> '' AND r.scenario NOT LIKE '%+changes'
   AND EXISTS (SELECT 1 FROM gain g WHERE g.run_id = r.id AND g.variant = 'A2DTWP')
 GROUP BY r.scenario;

-- The speedup of A2DTWP with the figures it may be drawn against. 'series' is what follows the figure's name in the
-- scenario's: a2dtwp-bandwidth-x86-k80 of figure bandwidth is x86-k80.
CREATE VIEW a2dtwp_speedup AS
SELECT g.run_id, g.scenario, g.figure, g.position, g.speedup,
       CASE WHEN g.figure <> '' AND instr(g.scenario, replace(g.figure, '_', '-') || '-') > 0
            THEN substr(g.scenario, instr(g.scenario, replace(g.figure, '_', '-') || '-') + length(g.figure) + 1)
            ELSE g.scenario END AS series,
       coalesce((SELECT m.value FROM measure m WHERE m.point_id = p.point_id AND m.name = 'link_bandwidth_GBps'),
                (SELECT q.value / 1e9 FROM point_param q WHERE q.run_id = g.run_id AND q.position = g.position
                    AND q.unit = 'B/s' AND q.path LIKE '%.bandwidth' ORDER BY q.path LIMIT 1)) AS bandwidth_GBps,
       (SELECT m.value FROM measure m WHERE m.point_id = p.point_id AND m.name = 'bytes_per_kflop') AS bytes_per_kflop,
       (SELECT m.value FROM measure m WHERE m.point_id = p.point_id AND m.name = 'bytes_per_weight') AS bytes_per_weight
  FROM newest_gain_run n
  JOIN gain g ON g.run_id = n.run_id AND g.variant = 'A2DTWP'
  JOIN run_point p ON p.run_id = g.run_id AND p.position = g.position;

-- x: GB/s (1e9), bytes per kFLOP, bytes per weight; y: x times the 32-bit baseline.
CREATE VIEW figure_sweep AS
SELECT v.figure, v.series, coalesce(y.place, 99) AS place, coalesce(y.label, v.series) AS label, v.position, v.x,
       v.speedup
  FROM (
  SELECT figure, series, position, speedup,
         CASE figure WHEN 'bandwidth' THEN bandwidth_GBps
                     WHEN 'bytes_per_flop' THEN bytes_per_kflop
                     WHEN 'bytes_per_weight' THEN bytes_per_weight END AS x
    FROM a2dtwp_speedup) v
  LEFT JOIN paper_system y ON y.paper = 'a2dtwp' AND y.system = v.series
 WHERE v.x IS NOT NULL;

-- The machines as they are, to be marked on the curves.
CREATE VIEW figure_machine AS
SELECT y.paper, y.system AS series, y.place, y.label, s.bandwidth_GBps, s.bytes_per_kflop, s.bytes_per_weight,
       s.speedup
  FROM paper_system y
  JOIN a2dtwp_speedup s ON s.scenario = y.scenario;

-- The trainings that count, each with the batch of all its workers.
CREATE VIEW a2dtwp_point AS
WITH newest AS (
  SELECT k.*, max(r.id) AS run_id
    FROM a2dtwp_training k JOIN run r ON r.scenario = k.scenario
   WHERE EXISTS (SELECT 1 FROM run_point p JOIN training t ON t.point_id = p.point_id WHERE p.run_id = r.id)
   GROUP BY k.scenario, k.network)
SELECT n.network, n.place, n.label, n.scenario, n.size, n.threshold_pct, n.reaches, n.elapses, t.workers * t.batch AS batch,
       p.variant, t.seed, t.steps, t.data, t.real_data, p.point_id
  FROM newest n
  JOIN run_point p ON p.run_id = n.run_id
  JOIN training t ON t.point_id = p.point_id
 WHERE n.size = (SELECT max(o.size) FROM newest o
                  WHERE o.network = n.network AND (o.reaches AND n.reaches OR o.elapses AND n.elapses));

-- Their errors on the test samples, as the simulated clocks go.
CREATE VIEW a2dtwp_sample AS
SELECT k.network, k.place, k.label, k.batch, k.variant, k.seed, k.steps, k.threshold_pct, k.point_id,
       y.system, y.place AS system_place, y.label AS system_label, e.after_steps, e.seconds, 100.0 - e.top5_pct AS error_pct,
       lag(e.after_steps) OVER before AS steps_before, lag(e.seconds) OVER before AS seconds_before,
       100.0 - lag(e.top5_pct) OVER before AS error_before_pct
  FROM a2dtwp_point k
  JOIN paper_system y ON y.paper = 'a2dtwp'
  JOIN trace_time_evaluation e ON e.point_id = k.point_id AND e.label = y.system || ', ' || k.batch
 WHERE k.reaches
WINDOW before AS (PARTITION BY k.point_id, y.system ORDER BY e.after_steps);

-- When each training first reaches its error: between two evaluations by their share. One that never does has all of its steps and
-- time instead, which is less than it would need.
CREATE VIEW a2dtwp_reach AS
WITH share AS (
  SELECT *, error_pct <= threshold_pct AS reached,
         CASE WHEN error_pct <= threshold_pct THEN coalesce((error_before_pct - threshold_pct) / (error_before_pct - error_pct), 1)
              ELSE 1 END AS share
    FROM a2dtwp_sample),
ranked AS (
  SELECT *, row_number() OVER (PARTITION BY point_id, system
                               ORDER BY reached DESC, iif(reached, after_steps, -after_steps)) AS n FROM share),
first AS (
  SELECT *, coalesce(steps_before, 0) + share * (after_steps - coalesce(steps_before, 0)) AS steps_to,
         coalesce(seconds_before, 0) + share * (seconds - coalesce(seconds_before, 0)) AS seconds_to
    FROM ranked WHERE n = 1)
SELECT network, place, label, batch, system, system_place, system_label, variant, seed, point_id, threshold_pct, reached,
       steps_to AS steps, seconds_to AS seconds,
       (SELECT sum(s.pulled_bytes) FROM trace_step s WHERE s.point_id = f.point_id AND s.step < f.steps_to) AS bytes
  FROM first f;

-- Each against the 32-bit training that began with the same weights and saw the same samples, if that one reached the error.
CREATE VIEW a2dtwp_against AS
SELECT r.*, r.seconds / b.seconds AS time_ratio, r.steps / b.steps AS steps_ratio, 1.0 * r.bytes / b.bytes AS bytes_ratio
  FROM a2dtwp_reach r
  JOIN a2dtwp_reach b ON b.network = r.network AND b.batch = r.batch AND b.system = r.system AND b.seed = r.seed
                     AND b.variant = '32-bit FP' AND b.reached;

-- Over the seeds. deviation: of the sample (n - 1), of the share of time; NULL for one seed.
CREATE VIEW a2dtwp_policy AS
WITH value AS (
  SELECT *, avg(time_ratio) OVER (PARTITION BY network, batch, system, variant) AS mean FROM a2dtwp_against)
SELECT network, place, label, batch, system, system_place, system_label, variant, count(*) AS seeds, sum(reached) AS reached,
       mean AS time_ratio, sqrt(sum((time_ratio - mean) * (time_ratio - mean)) / nullif(count(*) - 1, 0)) AS deviation,
       avg(steps_ratio) AS steps_ratio, avg(bytes_ratio) AS bytes_ratio, avg(seconds) AS seconds, threshold_pct
  FROM value
 GROUP BY network, batch, system, variant;

-- The static format that is first at the error, of those that get there from every seed.
CREATE VIEW a2dtwp_oracle AS
SELECT * FROM (
  SELECT *, row_number() OVER (PARTITION BY network, batch, system ORDER BY seconds) AS n
    FROM a2dtwp_policy WHERE variant <> 'A2DTWP' AND reached = seeds)
 WHERE n = 1;

-- Figure 4: time saved over the 32-bit baseline until the error is reached, in % of the baseline's; the averages last.
CREATE VIEW a2dtwp_gain AS
SELECT p.system, p.system_place, p.system_label, w.place, p.label || ' ' || p.batch AS label, p.network, p.batch,
       v.published, 100.0 * (1.0 - p.time_ratio) AS ours, 100.0 * p.deviation AS deviation, p.seeds, p.reached, p.steps_ratio,
       p.bytes_ratio, o.variant AS oracle, 100.0 * (1.0 - o.time_ratio) AS oracle_ours, 100.0 * o.deviation AS oracle_deviation
  FROM a2dtwp_policy p
  LEFT JOIN a2dtwp_oracle o ON o.network = p.network AND o.batch = p.batch AND o.system = p.system
  JOIN paper_value v ON v.paper = 'a2dtwp' AND v.table_id = 'fig4' AND v.row_key = p.network || ' ' || p.batch
                    AND v.column_key = p.system
  JOIN paper_row w ON (w.paper, w.table_id, w.row_key) = (v.paper, v.table_id, v.row_key)
 WHERE p.variant = 'A2DTWP';

CREATE VIEW a2dtwp_gain_average AS
SELECT g.system, g.system_place, g.system_label, count(*) AS n,
       (SELECT count(*) FROM paper_value q WHERE q.paper = 'a2dtwp' AND q.table_id = 'fig4' AND q.column_key = g.system
           AND q.row_key <> 'average') AS printed,
       (SELECT q.published FROM paper_value q WHERE q.paper = 'a2dtwp' AND q.table_id = 'fig4' AND q.column_key = g.system
           AND q.row_key = 'average') AS published,
       avg(g.published) AS published_here, avg(g.ours) AS ours, avg(g.steps_ratio) AS steps_ratio, avg(g.oracle_ours) AS oracle_ours, max(g.reached < g.seeds) AS missed
  FROM a2dtwp_gain g
 GROUP BY g.system;

-- Figure 3: the means over the seeds of what each policy's evaluations saw, and when. 'line': as the figure names it.
CREATE VIEW a2dtwp_curve AS
SELECT s.network, s.label, s.batch, s.system, s.system_label, s.threshold_pct, s.variant,
       CASE s.variant WHEN '32-bit FP' THEN 'baseline' WHEN 'A2DTWP' THEN 'A2DTWP' ELSE 'oracle (' || s.variant || ')' END AS line,
       CASE s.variant WHEN '32-bit FP' THEN 1 WHEN 'A2DTWP' THEN 2 ELSE 3 END AS line_place,
       s.after_steps, avg(s.seconds) AS seconds, avg(s.error_pct) AS error_pct, count(*) AS seeds
  FROM a2dtwp_sample s
  LEFT JOIN a2dtwp_oracle o ON o.network = s.network AND o.batch = s.batch AND o.system = s.system
 WHERE s.variant IN ('32-bit FP', 'A2DTWP') OR s.variant = o.variant
 GROUP BY s.network, s.batch, s.system, s.variant, s.after_steps;

-- What the paper states for Figure 3, in % of the baseline's time.
CREATE VIEW a2dtwp_figure3 AS
SELECT v.row_key, p.label, p.batch, v.published, 100.0 * (1.0 - p.time_ratio) AS ours, 100.0 * p.deviation AS deviation, p.seeds, p.reached
  FROM paper_value v
  JOIN a2dtwp_policy p ON p.network = 'alexnet-a2dtwp' AND p.system = v.column_key
  LEFT JOIN a2dtwp_oracle o ON o.network = p.network AND o.batch = p.batch AND o.system = p.system
 WHERE v.paper = 'a2dtwp' AND v.table_id = 'fig3'
   AND v.row_key = iif(p.variant = 'A2DTWP', 'A2DTWP', 'oracle') || ' ' || p.batch AND p.variant IN ('A2DTWP', o.variant);

-- Figure 5: time after so many of the paper's epochs over the baseline's. The longest of a network is all of our training.
CREATE VIEW a2dtwp_elapsed AS
WITH bar AS (
  SELECT row_key, published, substr(row_key, 1, instr(row_key, ' epochs ') - 1) AS row,
         CAST(substr(row_key, instr(row_key, ' epochs ') + 8) AS REAL) AS epochs
    FROM paper_value WHERE paper = 'a2dtwp' AND table_id = 'fig5'),
goal AS (
  SELECT k.*, b.row_key, b.published, b.epochs, k.steps * b.epochs / (SELECT max(c.epochs) FROM bar c WHERE c.row = b.row) AS goal
    FROM a2dtwp_point k JOIN bar b ON b.row = k.network || ' ' || k.batch
   WHERE k.elapses),
clock AS (
  SELECT point_id, steps, seconds, coalesce(lag(steps) OVER before, 0) AS steps_before,
         coalesce(lag(seconds) OVER before, 0) AS seconds_before
    FROM trace_time WHERE label = 'x86-k80, 1000 classes'
  WINDOW before AS (PARTITION BY point_id ORDER BY steps)),
timed AS (
  SELECT g.*, c.seconds_before + (c.seconds - c.seconds_before) * (g.goal - c.steps_before) / (c.steps - c.steps_before) AS seconds
    FROM goal g JOIN clock c ON c.point_id = g.point_id AND g.goal > c.steps_before AND g.goal <= c.steps),
ratio AS (
  SELECT a.*, a.seconds / b.seconds AS ratio
    FROM timed a JOIN timed b ON b.network = a.network AND b.batch = a.batch AND b.seed = a.seed AND b.row_key = a.row_key
                             AND b.variant = '32-bit FP'
   WHERE a.variant = 'A2DTWP'),
spread AS (SELECT *, avg(ratio) OVER (PARTITION BY row_key) AS mean FROM ratio)
SELECT s.network, w.place, s.label, w.label AS row_label, s.epochs, s.published, mean AS ours, count(*) AS seeds,
       sqrt(sum((ratio - mean) * (ratio - mean)) / nullif(count(*) - 1, 0)) AS deviation
  FROM spread s
  JOIN paper_row w ON w.paper = 'a2dtwp' AND w.table_id = 'fig5' AND w.row_key = s.row_key
 GROUP BY s.row_key;

-- How well each training did at its end, against the 32-bit one of the same seed: points of top-5 error, bytes in all.
CREATE VIEW a2dtwp_end AS
WITH last AS (
  SELECT k.*, 100.0 - f.value AS error_pct, (SELECT m.value FROM measure m WHERE m.point_id = k.point_id AND m.name = 'bytes_per_weight') AS bytes_per_weight
    FROM a2dtwp_point k JOIN training_final f ON f.point_id = k.point_id AND f.name = 'top5_pct'
   WHERE k.reaches)
SELECT a.network, a.place, a.label, a.batch, a.variant, a.seed, a.error_pct, a.error_pct - b.error_pct AS difference, a.bytes_per_weight
  FROM last a JOIN last b ON b.network = a.network AND b.batch = a.batch AND b.seed = a.seed AND b.variant = '32-bit FP';

-- How many bits AWP gave each layer, from the first seed. Biases travel as they are.
CREATE VIEW a2dtwp_bits AS
SELECT k.network, k.place, k.label, k.batch, k.steps, w.tensor, replace(w.name, '.weights', '') AS layer, w.nvalues, w.from_step,
       w.to_step, w.bits
  FROM a2dtwp_point k JOIN trace_width w ON w.point_id = k.point_id
 WHERE k.variant = 'A2DTWP' AND k.reaches
   AND k.seed = (SELECT min(o.seed) FROM a2dtwp_point o WHERE o.network = k.network AND o.batch = k.batch AND o.variant = k.variant);

-- Means over trainings that are alike but for what is asked, with the standard error of the mean: what the paper claims is held to them.
-- missed: of those whose time or bytes until the error are asked for, how many never reached it; theirs would be more than is counted.
CREATE VIEW a2dtwp_estimate AS
WITH value(name, x, missed) AS (
  SELECT 'error at the end, A2DTWP - 32-bit FP (points)', difference, 0 FROM a2dtwp_end WHERE variant = 'A2DTWP'
  UNION ALL
  SELECT 'bytes to the error, A2DTWP / 32-bit FP', bytes_ratio, NOT reached FROM a2dtwp_against
   WHERE variant = 'A2DTWP' AND system = 'x86-k80'
  UNION ALL
  SELECT 'time saved on ' || system || ' (%)', 100.0 * (1.0 - time_ratio), NOT reached FROM a2dtwp_against WHERE variant = 'A2DTWP'
  UNION ALL
  SELECT 'saved on POWER - on x86 (points)', 100.0 * (a.time_ratio - b.time_ratio), NOT a.reached
    FROM a2dtwp_against a JOIN a2dtwp_against b ON b.point_id = a.point_id AND b.system = 'power9-v100'
   WHERE a.variant = 'A2DTWP' AND a.system = 'x86-k80'
  UNION ALL
  SELECT 'time, A2DTWP - oracle (% of the baseline''s)', 100.0 * (a.time_ratio - b.time_ratio), NOT a.reached
    FROM a2dtwp_against a
    JOIN a2dtwp_oracle o ON o.network = a.network AND o.batch = a.batch AND o.system = a.system
    JOIN a2dtwp_against b ON b.network = a.network AND b.batch = a.batch AND b.system = a.system AND b.seed = a.seed
                         AND b.variant = o.variant
   WHERE a.variant = 'A2DTWP'
  UNION ALL
  SELECT 'error in the first eighth, A2DTWP - 32-bit FP (points)', avg(a.error_pct - b.error_pct), 0
    FROM a2dtwp_sample a
    JOIN a2dtwp_sample b ON b.network = a.network AND b.batch = a.batch AND b.system = a.system AND b.seed = a.seed
                        AND b.after_steps = a.after_steps AND b.variant = '32-bit FP'
   WHERE a.variant = 'A2DTWP' AND a.system = 'x86-k80' AND 8 * a.after_steps <= a.steps
   GROUP BY a.point_id),
spread AS (SELECT *, avg(x) OVER (PARTITION BY name) AS mean FROM value)
SELECT name, count(*) AS n, mean, sqrt(sum((x - mean) * (x - mean)) / nullif(count(*) - 1, 0) / count(*)) AS error, sum(missed) AS missed
  FROM spread
 GROUP BY name;

-- AWP as section V-A has it word by word, beside the 32-bit training of the same seed. bytes_ratio: until the first evaluation at
-- Alexnet's error, over those trainings that get there.
CREATE VIEW a2dtwp_recipe AS
WITH run_of AS (SELECT max(id) AS id FROM run WHERE scenario = 'a2dtwp-recipe'),
goal AS (SELECT threshold_pct AS pct FROM a2dtwp_training WHERE scenario = 'a2dtwp-alexnet'),
last AS (
  SELECT p.variant, t.seed, t.batch * t.workers AS batch, 100.0 - f.value AS error_pct,
         (SELECT value FROM measure m WHERE m.point_id = p.point_id AND m.name = 'bytes_per_weight') AS bytes_per_weight,
         (SELECT sum(s.pulled_bytes) FROM trace_step s WHERE s.point_id = p.point_id AND s.step <
           (SELECT min(e.after_steps) FROM trace_evaluation e JOIN goal g ON 100.0 - 100.0 * e.top5 <= g.pct
             WHERE e.point_id = p.point_id)) AS bytes
    FROM run_of r JOIN run_point p ON p.run_id = r.id JOIN training t USING (point_id)
    JOIN training_final f ON f.point_id = p.point_id AND f.name = 'top5_pct'),
pair AS (
  SELECT a.*, a.error_pct - b.error_pct AS difference, 1.0 * a.bytes / b.bytes AS ratio,
         avg(a.error_pct - b.error_pct) OVER (PARTITION BY a.batch) AS mean
    FROM last a JOIN last b ON b.seed = a.seed AND b.batch = a.batch AND b.variant = '32-bit FP'
   WHERE a.variant = 'A2DTWP')
SELECT batch, count(*) AS seeds, avg(bytes_per_weight) AS bytes_per_weight, avg(error_pct) AS error_pct, mean AS difference,
       sqrt(sum((difference - mean) * (difference - mean)) / nullif(count(*) - 1, 0) / count(*)) AS error,
       count(ratio) AS reached, avg(ratio) AS bytes_ratio
  FROM pair
 GROUP BY batch;

-- What section V-A finds T from: what norms changed by in a step of the monitored trainings, beside the paper's T.
CREATE VIEW a2dtwp_monitored AS
SELECT k.label, k.place, t.batch * t.workers AS batch, m.value AS ours, v.published
  FROM run_point p
  JOIN training t USING (point_id)
  JOIN measure m ON m.point_id = p.point_id AND m.name = 'norm_change'
  JOIN (SELECT DISTINCT o.network, o.label, o.place, u.model FROM a2dtwp_point o JOIN training u USING (point_id)) k ON k.model = t.model
  JOIN paper_value v ON v.paper = 'a2dtwp' AND v.table_id = 'awp' AND v.column_key = 'T' AND v.row_key = k.network
 WHERE p.run_id = (SELECT max(id) FROM run WHERE scenario = 'a2dtwp-monitor');

-- Figures of the running text that follow from a batch's profile.
CREATE VIEW a2dtwp_derived(paper, table_id, row_key, column_key, published, ours, unit, kind) AS
SELECT p.paper, p.table_id, p.row_key, p.column_key, p.published, b.ours / a.ours, p.unit,
       CASE WHEN 'scaled' IN (a.kind, b.kind) THEN 'scaled' ELSE 'predicted' END
  FROM paper_value p
  JOIN paper_system y ON y.paper = p.paper AND y.system = p.column_key
  JOIN spoken b ON b.paper = p.paper AND b.table_id = y.table_id AND b.row_key = 'Data Transfer CPU→GPU'
               AND b.column_key = '32-bit FP'
  JOIN spoken a ON a.paper = p.paper AND a.table_id = y.table_id AND a.row_key = 'Data Transfer CPU→GPU'
               AND a.column_key = 'A2DTWP'
 WHERE p.paper = 'a2dtwp' AND p.table_id = 'text' AND p.row_key = 'CPU→GPU reduction'
UNION ALL
SELECT p.paper, p.table_id, p.row_key, p.column_key, p.published, 100.0 * sum(s.ours) / t.ours, p.unit,
       CASE WHEN max(s.kind = 'scaled') THEN 'scaled' ELSE 'predicted' END
  FROM paper_value p
  JOIN paper_system y ON y.paper = p.paper AND y.system = p.column_key
  JOIN column_sum t ON t.paper = p.paper AND t.table_id = y.table_id AND t.column_key = 'A2DTWP'
                   AND t.covered = t.cells
  JOIN spoken s ON s.paper = p.paper AND s.table_id = y.table_id AND s.column_key = 'A2DTWP'
               AND s.row_key LIKE replace(p.row_key, ' share', '') || ' (%'
 WHERE p.paper = 'a2dtwp' AND p.table_id = 'text' AND p.row_key IN ('AWP share', 'ADT share')
 GROUP BY p.paper, p.row_key, p.column_key;
