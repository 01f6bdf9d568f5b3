INSERT INTO report_part(paper, section, place, name, heading, before, shape, format, after) VALUES
  ('a2dtwp', 'simulated', 1, 'table-ii', 'Table II: one batch of VGG, batch size 64, on x86 + K80 (ms)', '', 'cells',
      'percent', ''),
  ('a2dtwp', 'simulated', 2, 'table-iii', 'Table III: the same on POWER9 + V100 (ms)', '', 'cells', 'percent', ''),
  ('a2dtwp', 'simulated', 3, 'profile-error', '', '', 'text', '', ''),
  ('a2dtwp', 'simulated', 4, 'figure-4', 'Figure 4: time saved over the 32-bit baseline (%)', '', 'cells', 'points',
   'Figure 4 is the time to reach an accuracy, so it also depends on how many batches each policy needed; ours is the '
       || 'time per batch. They are equal only if both policies need the same number of batches, which the paper does '
       || 'not say.'),
  ('a2dtwp', 'simulated', 5, 'figure-4-formats', 'Figure 4''s oracle: time a batch saved by formats that stay (%)', '',
      'list', 's s %.2f %.2f %.2f %.2f %.2f %.2f %.2f',
   'The oracle is the format that reaches the accuracy first. Of one batch''s time the shortest format is always the '
       || 'best, so ours is what the oracle saves as long as it needs no more batches than the baseline. A dash: '
       || 'drawn in the paper, not printed.'),
  ('a2dtwp', 'simulated', 6, 'figure-4-needs', 'Figure 4: what would have to be otherwise', '', 'list',
      's s %.2f %.2f %.2f %.2f %.3f %.2f %.2f',
   'Free: were Bitpack, Bitunpack and the norms free. Most: were nothing sent to the GPUs at all. Then what would '
       || 'give the paper''s gain, each alone: A2DTWP''s batches over the baseline''s; both policies'' CPU→GPU times, '
       || 'times as long; the GPUs'' arithmetic, times as long. A dash: no factor does.'),
  ('a2dtwp', 'simulated', 7, 'figure-4-why', '', '', 'text', '', ''),
  ('a2dtwp', 'simulated', 8, 'norms-place', 'Where the norms are taken: AWP (l²-norm) of Tables II and III (ms)', '',
      'list', 's %.2f %.2f %.2f',
   'The paper does not say where. On the GPUs they are those of the weights as they arrived, cut to the format in use; '
       || 'our training runs take the server''s uncut weights. On POWER the printed time is less than the CPU needs, '
       || 'so the simulated norms are the GPUs''.'),
  ('a2dtwp', 'simulated', 9, 'text', 'Sections V-B and V-G: the text''s own figures', '', 'cells', 'points',
   'Bytes per flop in the paper: GB/s of the link over TFLOP/s of the machine, which is bytes per kFLOP.'),
  ('a2dtwp', 'trained', 1, 'figure-4-trained', 'Figure 4, trained: time saved until an error is reached (%)', '',
      'cells',
   'points', '±: deviation over n seeds, each against the 32-bit training run with the same start. ≤: with some seed '
       || 'the error was never reached, and the whole run counts, which is less than it would need.'),
  ('a2dtwp', 'trained', 2, 'training-runs', '', '', 'text', '', ''),
  ('a2dtwp', 'trained', 3, 'oracle', 'What the oracle saves (%), and A2DTWP''s batches over the baseline''s', '',
      'list',
   's %.2f s %+.2f %.2f s %+.2f %.2f',
   'oracle: the fixed format that reaches the error first on average, so part of its advantage is chance. ±: '
       || 'deviation over the seeds.'),
  ('a2dtwp', 'trained', 4, 'averages', '', '', 'text', '', ''),
  ('a2dtwp', 'trained', 5, 'figure-3', 'Figure 3: Alexnet on x86, time saved until the error is reached (%)', '',
      'cells',
   'points', ''),
  ('a2dtwp', 'trained', 6, 'bytes', 'AWP''s bytes, and the top-5 error at the end (%)', '', 'list',
      's %.2f %.2f s %.2f %+.2f %.2f',
   'to the error: bytes until it is reached, over the baseline''s. difference: from the baseline, in points; ±: its '
       || 'deviation over the seeds.'),
  ('a2dtwp', 'trained', 7, 'norms', 'Section V-A: T and the norms from which it is derived',
   'INTERVAL is one pass over the data, as in section V-A. T was tuned with a seed that is not among those above: '
       || 'for Alexnet, the one of two that reached the error with the fewest bytes '
       || '(scenarios/training/a2dtwp/alexnet.yaml). '
       || 'Section V-A takes as T the mean change of the layers'' norms in a step, in the first epochs at 32 bits.',
   'list', 's %+.1e %+.0e', ''),
  ('a2dtwp', 'trained', 8, 'recipe', '', '', 'text', '', ''),
  ('a2dtwp', 'trained', 9, 'figure-5', 'Figure 5: time after a number of epochs, over the 32-bit baseline''s, x86', '',
      'cells', 'share',
   'A network''s largest number of epochs is our whole training run, smaller ones are their share of it. For what was '
       || 'learnt by then, see the errors above.'),
  ('a2dtwp', 'fitted', 4, 'shares', '', '', 'text', '', ''),
  ('a2dtwp', 'paper', 1, 'contradictions', 'Where the paper contradicts itself',
      'No model of one batch can meet all of these.', 'text', '', ''),
  ('a2dtwp', 'paper', 2, 'profile-needs', 'Which printed time would have to be wrong (ms)',
      'Each alone, all others as printed, for the columns of Tables II and III to give the gain that Figure 4 has for '
   || 'the same network and batch size.', 'list', 's s %.2f %.2f %.2f %.2f',
      'A dash: less than nothing would be needed.');

-- Tables II and III, which runs cover directly; a sum of ours where no addend is missing.
CREATE VIEW a2dtwp_profile AS
WITH cell AS MATERIALIZED (
  SELECT table_id, place, row_key, row_label, column_key, column_label, published, ours, kind, unit, least, largest
    FROM report_spoken WHERE paper = 'a2dtwp' AND table_id IN ('II', 'III'))
SELECT *, 0 AS rule, '%.2f' AS number FROM cell
UNION ALL
SELECT table_id, 99, NULL, 'Sum of the rows', column_key, column_label, sum(published),
    iif(count(ours) = count(*), sum(ours), NULL), NULL, unit, NULL, NULL, 1,
       '%.2f'
  FROM cell GROUP BY table_id, column_key
 ORDER BY table_id, place, column_key;

CREATE VIEW "a2dtwp/table-ii" AS SELECT * FROM a2dtwp_profile WHERE table_id = 'II';
CREATE VIEW "a2dtwp/table-iii" AS SELECT * FROM a2dtwp_profile WHERE table_id = 'III';

CREATE VIEW "a2dtwp/profile-error" AS
SELECT printf('Mean absolute error over the %d predicted cells of Tables II and III: %.1f %%; with the %d that replay '
    || 'what was fitted: %.1f %%.', count(*) FILTER (WHERE kind = 'predicted'),
    avg(abs(100 * (ours / published - 1))) FILTER (WHERE kind = 'predicted'),
    count(*) FILTER (WHERE kind = 'replayed'), avg(abs(100 * (ours / published - 1))))
  FROM a2dtwp_profile WHERE kind IN ('predicted', 'replayed') HAVING count(*) > 0;

-- Tables of a column for each machine.
CREATE VIEW a2dtwp_by_system AS
SELECT c.table_id, c.row_key, c.row_label, c.column_key, y.label AS column_label, c.published, c.ours, c.kind, c.unit,
    c.least, c.largest, c.rule,
       '%.2f' AS number
  FROM report_cell c JOIN paper_system y ON y.paper = c.paper AND y.system = c.column_key
 WHERE c.paper = 'a2dtwp' AND c.table_id IN ('fig4', 'text')
 ORDER BY c.place, y.place;
CREATE VIEW "a2dtwp/figure-4" AS SELECT * FROM a2dtwp_by_system WHERE table_id = 'fig4';
CREATE VIEW "a2dtwp/text" AS SELECT * FROM a2dtwp_by_system WHERE table_id = 'text';

CREATE VIEW "a2dtwp/figure-4-formats" AS
SELECT system_label AS machine, label AS training, published AS "the paper|A2DTWP",
       published_oracle AS "the paper|oracle",
       100.0 - 100.0 * packed_ms / step_ms AS "ours|A2DTWP", 100.0 - 100.0 * bits8_ms / step_ms AS "ours|8 bits",
       100.0 - 100.0 * bits16_ms / step_ms AS "ours|16 bits", 100.0 - 100.0 * bits24_ms / step_ms AS "ours|24 bits",
       100.0 - 100.0 * min(bits8_ms, bits16_ms, bits24_ms) / step_ms AS "ours|oracle", place = 1 AS rule
  FROM a2dtwp_figure4_step ORDER BY system_place, place;

CREATE VIEW "a2dtwp/figure-4-needs" AS
SELECT system_label AS machine, label AS training, published AS "saves (%)|the paper", ours AS "saves (%)|ours",
       free_pct AS "saves (%)|free", most_pct AS "saves (%)|most", batches AS "would need|batches",
       sent AS "would need|CPU→GPU", gpu AS "would need|arithmetic", place = 1 AS rule
  FROM a2dtwp_figure4_needs ORDER BY system_place, place;

CREATE VIEW "a2dtwp/figure-4-why" AS
SELECT printf('%s: the paper saves %.1f %% on average, ours %.1f %% a batch, and %.1f %% were packing and norms free. '
    || 'In %d of %d pairs the paper''s gain is more than ours, in %d more than with all that free, in %d more than if '
    || 'nothing were sent at all. No factor is common to all pairs: alone, A2DTWP''s batches would need factors of '
    || '%.2f to %.2f, CPU→GPU %.2f to %.2f, arithmetic %.2f to %.2f (in %d pairs; in the others none does).',
    system_label, avg(published), avg(ours), avg(free_pct), sum(published > ours), count(*),
    sum(published > free_pct), sum(published > most_pct), min(batches), max(batches), min(sent), max(sent), min(gpu),
    max(gpu), count(gpu))
  FROM a2dtwp_figure4_needs GROUP BY system HAVING count(*) > 0 ORDER BY system_place;

CREATE VIEW "a2dtwp/norms-place" AS
SELECT y.label AS machine, v.published AS "the paper", g.value AS "ours|on the GPUs", c.value AS "ours|on the CPU"
  FROM newest_measure g
  JOIN newest_measure c ON c.run_id = g.run_id AND c.combination = g.combination AND c.name = g.name
      AND c.variant = 'on the CPU'
  JOIN point_param q ON q.run_id = g.run_id AND q.position = g.position AND q.path = 'platform'
  JOIN paper_system y ON y.paper = 'a2dtwp' AND q.text LIKE '%' || y.system || '%'
  JOIN paper_value v ON v.paper = y.paper AND v.table_id = y.table_id AND v.row_key = 'AWP (l²-norm)'
      AND v.column_key = 'A2DTWP'
 WHERE g.scenario = 'a2dtwp-norms' AND g.name = 'l2norm_ms' AND g.variant = 'on the GPUs'
 ORDER BY y.place;

CREATE VIEW "a2dtwp/profile-needs" AS
SELECT system_label AS machine, row_key AS "row",
       max(published) FILTER (WHERE column_key = '32-bit FP') AS "32-bit FP|printed",
       max(needed) FILTER (WHERE column_key = '32-bit FP' AND needed >= 0) AS "32-bit FP|needed",
       max(published) FILTER (WHERE column_key = 'A2DTWP') AS "A2DTWP|printed",
       max(needed) FILTER (WHERE column_key = 'A2DTWP' AND needed >= 0) AS "A2DTWP|needed", place = 1 AS rule
  FROM a2dtwp_profile_needs GROUP BY system_place, place ORDER BY system_place, place;

CREATE VIEW "a2dtwp/figure-4-trained" AS
WITH gain AS MATERIALIZED (SELECT * FROM a2dtwp_gain)
SELECT label AS row_label, system_label AS column_label, published, ours, deviation AS half, seeds AS n, kind,
    'trained ' || row_key AS row_key,
       system AS column_key, iif(reached < seeds, printf('≤ %+.2f', ours), printf('%+.2f', ours)) AS ours_text,
           '%.2f' AS number, 0 AS rule, place,
       system_place
  FROM gain
UNION ALL
SELECT 'Average of ' || count(*), g.system_label,
       iif(count(*) = (SELECT count(*) FROM paper_value q WHERE q.paper = v.paper AND q.table_id = v.table_id
           AND q.column_key = g.system) - 1,
           v.published, NULL), avg(g.ours), NULL, NULL, max(g.kind), 'trained average', g.system,
       iif(max(g.reached < g.seeds), printf('≤ %+.2f', avg(g.ours)), printf('%+.2f', avg(g.ours))), '%.2f', 1, 99,
           g.system_place
  FROM gain g JOIN paper_value v ON v.paper = 'a2dtwp' AND v.table_id = 'fig4' AND v.row_key = 'average'
      AND v.column_key = g.system
 GROUP BY g.system HAVING count(*) > 1
 ORDER BY place, system_place;

-- The paper's own data is nothing to be marked.
CREATE VIEW "a2dtwp/training-runs" AS
WITH trained AS (
  SELECT model || ' on ' || data || printf(', to %g %%', threshold_pct) AS what, place, size,
      count(DISTINCT seed) AS seeds
    FROM a2dtwp_point WHERE reaches GROUP BY network, batch)
SELECT printf('Trained for real (%s), from %s seed%s, until a top-5 error is reached: %s. A step lasts as long as one '
    || 'of the paper''s network on '
              || 'the paper''s machine, simulated with the bytes per weight that our step sent.',
              z.label,
              iif(min(least) = max(most), '', min(least) || ' to ') || max(most), iif(max(most) = 1, '', 's'),
                  group_concat(what, '; '))
  FROM (SELECT what, size, min(seeds) AS least, max(seeds) AS most FROM trained GROUP BY what ORDER BY place)
      JOIN training_size z USING (size)
HAVING count(*) > 0;

CREATE VIEW "a2dtwp/oracle" AS
WITH gain AS MATERIALIZED (SELECT * FROM a2dtwp_gain)
SELECT x.label AS training, x.steps_ratio AS batches, x.oracle AS "x86 + K80|oracle",
    x.oracle_ours AS "x86 + K80|saves",
       x.oracle_deviation AS "x86 + K80|±", w.oracle AS "POWER9 + V100|oracle", w.oracle_ours AS "POWER9 + V100|saves",
       w.oracle_deviation AS "POWER9 + V100|±"
  FROM gain x LEFT JOIN gain w ON w.row_key = x.row_key AND w.system_place = 2
 WHERE x.system_place = 1
 ORDER BY x.place;

CREATE VIEW "a2dtwp/averages" AS
SELECT printf('%s: on average over these %d the paper saves %.2f %%, ours %s %.2f %%%s, %s. A2DTWP needed %.2f times '
    || 'the baseline''s batches. Our '
              || 'oracle %s %.2f %%.', system_label, count(*), avg(published), iif(avg(ours) < 0, 'loses', 'saves'),
                  abs(avg(ours)),
              CASE WHEN max(reached < seeds) = 0 THEN '' WHEN avg(ours) < 0 THEN ' at the least' ELSE ' at the most'
                  END,
              CASE WHEN avg(ours) < 0 THEN 'so we disagree' WHEN avg(ours) < avg(published) THEN 'which is less'
                  ELSE 'which is no less' END,
              avg(steps_ratio), iif(avg(oracle_ours) < 0, 'loses', 'saves'), abs(avg(oracle_ours)))
  FROM a2dtwp_gain GROUP BY system HAVING count(*) > 1 ORDER BY system_place;

CREATE VIEW "a2dtwp/figure-3" AS
SELECT table_id, row_key, 'batch ' || batch AS row_label, column_key, policy AS column_label, published, ours,
    deviation AS half, seeds AS n, kind,
       unit, iif(missed, '≤ ', '') || printf('%+.2f', ours) AS ours_text, '%.2f' AS number
  FROM a2dtwp_figure3 ORDER BY batch DESC, policy;

-- What AWP decided, and what it cost.
CREATE VIEW "a2dtwp/bytes" AS
WITH policy AS MATERIALIZED (SELECT * FROM a2dtwp_policy WHERE system_place = 1 AND variant = 'A2DTWP'),
ended AS (SELECT *, avg(difference) OVER (PARTITION BY network, batch) AS mean FROM a2dtwp_end WHERE variant = 'A2DTWP')
SELECT e.label || ' ' || e.batch AS "A2DTWP", avg(e.bytes_per_weight) AS "bytes|a weight",
    p.bytes_ratio AS "bytes|to the error",
       p.reached || ' of ' || p.seeds AS reached, avg(e.error_pct) AS "error|at the end", mean AS "error|difference",
       sqrt(sum((difference - mean) * (difference - mean)) / nullif(count(*) - 1, 0)) AS "error|±"
  FROM ended e JOIN policy p ON p.network = e.network AND p.batch = e.batch
 GROUP BY e.network, e.batch ORDER BY e.place, e.batch;

-- What norms changed by in a step of the monitored training runs, next to the paper's T.
CREATE VIEW "a2dtwp/norms" AS
SELECT k.label || ' ' || (t.batch * t.workers) AS training, m.value AS "norms' change|ours",
    v.published AS "norms' change|the paper's T"
  FROM chosen_run r
  JOIN run_point p USING (run_id)
  JOIN training t USING (point_id)
  JOIN measure m ON m.point_id = p.point_id AND m.name = 'norm_change'
  JOIN (SELECT DISTINCT network, label, place, model FROM a2dtwp_point) k ON k.model = t.model
  JOIN paper_value v ON v.paper = 'a2dtwp' AND v.table_id = 'awp' AND v.column_key = 'T' AND v.row_key = k.network
 WHERE r.scenario = 'a2dtwp-monitor'
 ORDER BY k.place, t.batch * t.workers;

-- Other settings of AWP, next to the 32-bit training of the same seed; bytes until the first evaluation at Alexnet's
-- error, over those training runs that get there.
CREATE VIEW "a2dtwp/recipe" AS
WITH last AS (
  SELECT p.variant, t.seed, t.batch * t.workers AS batch, 100.0 - f.value AS error_pct, m.value AS bytes_per_weight,
         (SELECT sum(s.pulled_bytes) FROM trace_step s WHERE s.point_id = p.point_id AND s.step <
           (SELECT min(e.after_steps) FROM trace_evaluation e JOIN a2dtwp_training g ON g.scenario = 'a2dtwp-alexnet'
             WHERE e.point_id = p.point_id AND 100.0 - 100.0 * e.top5 <= g.threshold_pct)) AS bytes
    FROM chosen_run r JOIN run_point p USING (run_id) JOIN training t USING (point_id)
    JOIN training_final f ON f.point_id = p.point_id AND f.name = 'top5_pct'
    LEFT JOIN measure m ON m.point_id = p.point_id AND m.name = 'bytes_per_weight'
   WHERE r.scenario = 'a2dtwp-recipe'),
pair AS (
  SELECT a.*, a.error_pct - b.error_pct AS difference, 1.0 * a.bytes / b.bytes AS ratio,
         avg(a.error_pct - b.error_pct) OVER (PARTITION BY a.batch, a.variant) AS mean
    FROM last a JOIN last b ON b.seed = a.seed AND b.batch = a.batch AND b.variant = '32-bit FP'
   WHERE a.variant <> '32-bit FP')
SELECT printf('%s: Alexnet in batches of %d sends %.2f bytes a weight and ends at an error of %.2f %%, %+.2f ± %.2f '
              || 'points from the baseline''s (± standard error). It reaches Figure 4''s error with %d of %d seeds%s.',
              variant, batch, avg(bytes_per_weight), avg(error_pct), mean,
              sqrt(sum((difference - mean) * (difference - mean)) / (count(*) - 1) / count(*)), count(ratio), count(*),
              iif(count(ratio), printf(', with %.2f of the baseline''s bytes', avg(ratio)), ''))
  FROM pair GROUP BY batch, variant HAVING count(*) > 1 ORDER BY batch, variant;

CREATE VIEW "a2dtwp/figure-5" AS
SELECT table_id, row_key, label AS row_label, column_key, 'time' AS column_label, published, ours, deviation AS half,
    seeds AS n, kind, unit,
       '%.3f' AS number
  FROM a2dtwp_elapsed ORDER BY place;

CREATE VIEW "a2dtwp/shares" AS
SELECT 'A share multiplies the datasheet''s figure. A convolution efficiency above 1 means fewer multiplications than '
    || 'the direct count, as fast '
       || 'algorithms need. Neither printed by the paper nor fitted, but taken from published copy benchmarks: what '
           || 'share of its memory''s bandwidth '
       || 'a streaming GPU kernel reaches (gpu.efficiency.memory, with its source in the platform file).'
 WHERE EXISTS (SELECT 1 FROM calibration WHERE paper = 'a2dtwp')
UNION ALL
SELECT printf('The reduction of the weights'' size, close to %gx, is taken from the text: an input, not a fit.',
    published)
  FROM paper_value WHERE paper = 'a2dtwp' AND table_id = 'text' AND row_key = 'weight size reduction';

CREATE VIEW "a2dtwp/contradictions" AS
SELECT printf('%s: the sums of the paper''s own Table %s give %.1f %% less time a batch, where Figure 4 has %.2f %% '
    || 'for the same network and batch '
              || 'size; the %d gains that the text gives average %.2f %%, where it states %.2f %%.',
              label, table_id, profile_gain_pct, figure_gain_pct, n, computed, stated)
  FROM a2dtwp_contradiction ORDER BY place;
