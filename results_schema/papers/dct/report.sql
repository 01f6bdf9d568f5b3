INSERT INTO report_part(paper, section, place, name, heading, before, shape, format, after) VALUES
  ('dct', 'simulated', 1, 'figure-7a', 'Figure 7a: time saved by sparse gradients, 95 % dropped (%)', '', 'cells',
      'points', ''),
  ('dct', 'simulated', 2, 'curve-7a', 'Figure 7a, the whole curve', '', 'list', 's %.2f', ''),
  ('dct', 'simulated', 3, 'search-7a', 'Figure 7a: what finding a threshold would have to cost (time saved, %)', '',
      'list', 's %.1f %.1f %.1f %.1f %.1f',
   'Threads wait for the network here, so that their processors find thresholds meanwhile, and a life-span of a few '
       || 'steps is enough. The second line takes the text''s two values and nothing else: what a threshold costs at '
       || 'L = 1, divided by L.'),
  ('dct', 'simulated', 4, 'search-7a-tells', '', '', 'text', '', ''),
  ('dct', 'simulated', 5, 'table-5', 'Table 5: time saved by sparse activations (%)', '', 'cells', 'points', ''),
  ('dct', 'simulated', 6, 'both', 'Both together, section 3.3: time saved (%)', '', 'cells', 'points', ''),
  ('dct', 'simulated', 7, 'utilisation', 'Utilisation before and after (share)', '', 'cells', 'share', ''),
  ('dct', 'simulated', 8, 'figure-7c', 'Figure 7c: L = 1000, against the share that is sent', '', 'list', 's %.2f', ''),
  ('dct', 'simulated', 9, 'communication', 'Communication: bytes before over bytes after',
   'The paper has up to 100x for gradients and 20x for activations. Sent are values and indices, 8 bytes for each that '
       || 'is kept; values alone would be half.', 'list', 's s %.1f %.1f', ''),
  ('dct', 'trained', 1, 'training-runs', '', '', 'text', '',
   'The first line of each table is the baseline itself; the others are differences from it, between training runs '
       || 'with the same initial weights, samples and order: means over the seeds, and half of '
   || 'the width of the 95 % interval. The paper prints one training run per row and no spread, so the significance of '
       || 'its own differences is unknown.'),
  ('dct', 'trained', 2, 'table-1', 'Table 1: sparse activations (DCT-MP), DLRM', '', 'cells', 'none', ''),
  ('dct', 'trained', 3, 'table-2', 'Table 2: sparse gradients (DCT-DP), DLRM', '', 'cells', 'none', ''),
  ('dct', 'trained', 4, 'table-3', 'Table 3: both, DLRM, two splits', '', 'cells', 'none', ''),
  ('dct', 'trained', 5, 'table-4', 'Table 4: sparse activations, translation', '', 'cells', 'none', ''),
  ('dct', 'trained', 6, 'table-5-losses', 'Table 5: sparse activations behind every split, loss gained (%)', '',
      'cells', 'none', ''),
  ('dct', 'trained', 7, 'order', '', '', 'text', '', ''),
  ('dct', 'fitted', 4, 'what-follows', '', '', 'text', '', ''),
  ('dct', 'paper', 1, 'utilisations', 'Gains and utilisations that do not go together', '', 'text', '', ''),
  ('dct', 'paper', 2, 'figure-7a-twice', '', '', 'text', '', '');

CREATE VIEW dct_told AS SELECT * FROM report_spoken WHERE paper = 'dct' AND ours IS NOT NULL;
CREATE VIEW "dct/figure-7a" AS SELECT * FROM dct_told WHERE table_id = 'fig7a' ORDER BY place;
CREATE VIEW "dct/table-5" AS SELECT * FROM dct_told WHERE table_id = '5' AND column_key = 'time gain'
    ORDER BY place;
CREATE VIEW "dct/both" AS SELECT * FROM dct_told WHERE table_id = 'text' ORDER BY place;
CREATE VIEW "dct/utilisation" AS SELECT * FROM dct_told WHERE table_id = 'utilisation' ORDER BY place, column_key DESC;
CREATE VIEW "dct/curve-7a" AS SELECT text AS L, gain_pct AS "time saved (%)" FROM figure_curve WHERE scenario =
    'dct-figure-7a-curve' ORDER BY x;
-- A gain for each life-span and speed of the search; the newest run of the scenario.
CREATE VIEW dct_search AS
SELECT r.value AS rate_Bps, r.text AS rate, CAST(l.value AS INTEGER) AS life, g.gain_pct
  FROM newest_run n
  JOIN gain g ON g.run_id = n.run_id AND g.variant = 'DCT-DP'
  JOIN point_param r ON r.run_id = g.run_id AND r.position = g.position AND r.path LIKE '%.select_rate'
  JOIN point_param l ON l.run_id = g.run_id AND l.position = g.position AND l.path LIKE '%.life'
 WHERE n.scenario = 'dct-figure-7a-search';

CREATE VIEW "dct/search-7a" AS
WITH printed AS (
  SELECT max(published) FILTER (WHERE row_key = 'L=1') AS once, max(published) FILTER (WHERE row_key = 'L=1000') AS long
    FROM paper_value WHERE paper = 'dct' AND table_id = 'fig7a'),
line(place, rate_Bps, label, life, gain_pct) AS (
  SELECT 1, 0, 'the paper', substr(row_key, 3) + 0, published FROM paper_value
   WHERE paper = 'dct' AND table_id = 'fig7a'
  UNION ALL
  SELECT 2, 0, 'its cost at L = 1, divided', life, long - (long - once) / life
    FROM printed, (SELECT DISTINCT life FROM dct_search)
  UNION ALL
  SELECT 3, rate_Bps, 'ours, ' || rate, life, gain_pct FROM dct_search)
SELECT label AS "finding a threshold", max(gain_pct) FILTER (WHERE life = 1) AS "L = 1",
       max(gain_pct) FILTER (WHERE life = 2) AS "2", max(gain_pct) FILTER (WHERE life = 10) AS "10",
       max(gain_pct) FILTER (WHERE life = 100) AS "100", max(gain_pct) FILTER (WHERE life = 1000) AS "1000"
  FROM line WHERE EXISTS (SELECT 1 FROM dct_search) GROUP BY place, rate_Bps ORDER BY place, rate_Bps DESC;

-- The search that comes nearest to the text at L = 1, and the fastest of which L = 100 is not enough.
CREATE VIEW "dct/search-7a-tells" AS
WITH curve AS (
  SELECT rate, rate_Bps, max(gain_pct) FILTER (WHERE life = 1) AS once, max(gain_pct) FILTER (WHERE life = 2) AS twice,
         max(gain_pct) FILTER (WHERE life = 10) AS ten, max(gain_pct) FILTER (WHERE life = 100) AS hundred,
         max(gain_pct) FILTER (WHERE life = 1000) AS thousand
    FROM dct_search GROUP BY rate_Bps),
near AS (
  SELECT c.*, v.published FROM curve c
    JOIN paper_value v ON v.paper = 'dct' AND v.table_id = 'fig7a' AND v.row_key = 'L=1'
   ORDER BY abs(c.once - v.published) LIMIT 1),
slow AS (SELECT * FROM curve WHERE thousand - hundred > 1 ORDER BY rate_Bps DESC LIMIT 1)
SELECT printf('The paper''s case for a life-span in the thousands does not follow: at the cost that meets its %+.0f %% '
    || 'at L = 1 (%s), L = 2 saves %.1f %%, L = 10 %.1f and L = 1000 %.1f. Of those tried, L = 100 and L = 1000 '
    || 'differ by more than a point only where a threshold is found at %s, %.0f times as slowly; L = 1 would then '
    || 'take %.0f times the baseline''s time.', n.published, n.rate, n.twice, n.ten, n.thousand, s.rate,
    n.rate_Bps / s.rate_Bps, 1.0 - s.once / 100.0)
  FROM near n, slow s;

-- Of a stage's pushes and of what crosses its cuts, by variant of section 3.3 and by Figure 7c's densities.
CREATE VIEW "dct/communication" AS
WITH moved AS (
  SELECT m.run_id, m.combination, m.position, m.scenario, m.variant, m.name, b.value / m.value AS ratio
    FROM newest_measure m
    JOIN run r ON r.id = m.run_id
    JOIN newest_measure b ON b.run_id = m.run_id AND b.combination = m.combination AND b.name = m.name
        AND b.variant = r.baseline
   WHERE m.scenario IN ('dct-section-3-3', 'dct-figure-7c') AND m.name IN ('push_bytes', 'activation_bytes')
     AND m.value > 0)
SELECT CASE name WHEN 'push_bytes' THEN 'gradients' ELSE 'activations' END AS sent,
       coalesce((SELECT printf('%g %% dropped', 100.0 * (1.0 - q.value)) FROM point_param q
                  WHERE q.run_id = d.run_id AND q.position = d.position AND q.path LIKE '%.push.density'
                    AND d.scenario = 'dct-figure-7c'),
                replace(variant, '%', ' % dropped')) AS dropped,
       ratio AS "x less|as sent", 2.0 * ratio AS "x less|values alone"
  FROM moved d
 WHERE ratio > 1.001 AND (name = 'push_bytes' AND scenario = 'dct-figure-7c'
                       OR name = 'activation_bytes' AND scenario = 'dct-section-3-3' AND variant <> 'hybrid')
 ORDER BY name DESC, position;

CREATE VIEW "dct/figure-7c" AS SELECT text AS density, gain_pct AS "time saved (%)" FROM figure_curve WHERE scenario =
    'dct-figure-7c' ORDER BY x;

CREATE VIEW "dct/training-runs" AS SELECT said FROM dct_trainings;

-- Losses to four places and percentages to two, signed where they are differences; tables of which anything was
-- trained.
CREATE VIEW dct_grid AS
SELECT table_id, place, row_key, label AS row_label, column_key, column_key AS column_label, published, ours, half,
    kind, unit,
       printf('%%%s.%df', CASE WHEN is_baseline THEN '' ELSE '+' END, CASE unit WHEN '%' THEN 2 ELSE 4 END) AS number
  FROM (SELECT *, count(ours) OVER (PARTITION BY table_id) AS trained FROM dct_table
      WHERE table_id IN ('1', '2', '3', '4'))
 WHERE trained
 ORDER BY place, column_key LIKE 'train%', column_key = 'BLEU' OR column_key LIKE '%accuracy';
CREATE VIEW "dct/table-1" AS SELECT * FROM dct_grid WHERE table_id = '1';
CREATE VIEW "dct/table-2" AS SELECT * FROM dct_grid WHERE table_id = '2';
CREATE VIEW "dct/table-3" AS SELECT * FROM dct_grid WHERE table_id = '3';
CREATE VIEW "dct/table-4" AS SELECT * FROM dct_grid WHERE table_id = '4';

CREATE VIEW "dct/table-5-losses" AS
SELECT '5' AS table_id, place, row_key, label AS row_label, column_key, column_key AS column_label, published, ours,
    half, kind, unit, '%+.3f' AS number
  FROM dct_loss_gain ORDER BY place, column_key LIKE 'train%';

-- Of the pairs of a table's rows that the paper tells apart, the baseline among them: how many ours have in the same
-- order.
CREATE VIEW "dct/order" AS
WITH value AS MATERIALIZED (
  SELECT table_id, place, CASE WHEN is_baseline THEN 0 ELSE published END AS published, CASE WHEN is_baseline THEN 0
      ELSE ours END AS ours
    FROM dct_table WHERE ours IS NOT NULL AND column_key = 'test loss'),
pair AS (
  SELECT a.table_id, count(*) AS pairs, sum((a.published - b.published) * (a.ours - b.ours) > 0) AS alike
    FROM value a JOIN value b ON b.table_id = a.table_id AND b.place > a.place AND abs(b.published - a.published) > 1e-9
   GROUP BY a.table_id HAVING count(*) > 1)
SELECT 'Pairs of rows whose test losses differ in the paper, and are in the same order here: '
    || group_concat(printf('Table %s, %d of %d', table_id, alike, pairs), '; ') || '.'
  FROM pair HAVING count(*) > 0;

CREATE VIEW "dct/what-follows" AS
SELECT 'The gains and the utilisations before are fitted; the utilisations after follow from the fit.'
    WHERE EXISTS (SELECT 1 FROM dct_told WHERE table_id = 'utilisation');

CREATE VIEW "dct/utilisations" AS
WITH u AS (SELECT max(published) FILTER (WHERE row_key = 'network' AND column_key = 'before') AS network,
    max(published) FILTER (WHERE row_key = 'network' AND column_key = 'after') AS network_after,
                  max(published) FILTER (WHERE row_key = 'CPU' AND column_key = 'before') AS cpu,
                      max(published) FILTER (WHERE row_key = 'CPU' AND column_key = 'after') AS cpu_after,
                  max(published) FILTER (WHERE table_id = 'text') AS saved,
                      max(published) FILTER (WHERE row_key = 'L=1000') AS sparse,
                  max(published) FILTER (WHERE table_id = '5' AND row_key = '90%') AS activations
             FROM paper_value WHERE paper = 'dct')
SELECT printf('What can hold at once: threads that circulate between processor and network spend utilisation x time '
    || 'on each. Before, that is %.3f and %.3f of the baseline''s time; after, in '
              || '%.1f %% of the time, the paper''s utilisations make %.3f and %.3f. The two gains it gives '
                  || 'separately (%g and %g %%) each leave the network the bottleneck and explain a network '
              || 'time of about %.2f, not %.2f. So a model that meets the three gains keeps the network busy, and one '
                  || 'that met the utilisations after would have to save more time than %g %%.',
              network, cpu, 100 - saved, network_after * (1 - saved / 100), cpu_after * (1 - saved / 100), sparse,
                  activations, network * (1 - saved / 100),
              network_after * (1 - saved / 100), saved) FROM u;

CREATE VIEW "dct/figure-7a-twice" AS
SELECT note FROM paper_note WHERE paper = 'dct' AND table_id = 'fig7a' AND row_key = 'L=1000';
