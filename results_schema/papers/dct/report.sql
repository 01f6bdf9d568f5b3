INSERT INTO report_part(paper, section, place, name, heading, before, shape, format, after) VALUES
  ('dct', 'simulated', 1, 'figure-7a', 'Figure 7a: time saved by sparse gradients, 95 % dropped (%)', '', 'cells',
      'points', ''),
  ('dct', 'simulated', 2, 'curve-7a', 'Figure 7a, the whole curve', '', 'list', 's %.2f', ''),
  ('dct', 'simulated', 3, 'table-5', 'Table 5: time saved by sparse activations (%)', '', 'cells', 'points', ''),
  ('dct', 'simulated', 4, 'both', 'Both together, section 3.3: time saved (%)', '', 'cells', 'points', ''),
  ('dct', 'simulated', 5, 'utilisation', 'Utilisation before and after (share)', '', 'cells', 'share', ''),
  ('dct', 'simulated', 6, 'figure-7c', 'Figure 7c: L = 1000, against the share that is sent', '', 'list', 's %.2f', ''),
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
