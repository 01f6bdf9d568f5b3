INSERT INTO report_figure(paper, section, place, name, template, header, caption, scenario) VALUES
  ('dct', 'simulated', 1, 'dct-gains', 'bars', 'time saved (%)|DCT: the gains that the paper prints, and ours',
   'Time saved against the baseline without compression, published and ours; below zero it is lost. Light bars: a '
       || 'constant was fitted to them.',
   'scenarios/papers/dct/section-3-3.yaml'),
  ('dct', 'simulated', 2, 'dct-lifespan', 'lines', 'life-span L of the threshold (steps)|time saved (%)|DCT, Figure '
      || '7a: 95 % of the gradients dropped',
   'Time saved against a threshold''s lifespan in steps; circles are what the paper''s text has. At L = 1 '
       || 'every step copies and sorts.',
   'scenarios/papers/dct/figure-7a.yaml'),
  ('dct', 'simulated', 3, 'dct-sparsity', 'lines', 'share of the gradients that is dropped (%)|time saved (%)|DCT, '
      || 'Figure 7c: a threshold lives 1000 steps',
   'Time saved against the share that is dropped. Of this curve the paper''s text says no more than that it flattens '
       || 'past 95 %.', 'scenarios/papers/dct/figure-7c.yaml'),
  ('dct', 'simulated', 4, 'dct-utilisation', 'bars', 'utilisation (share)|DCT, section 3.3: utilisation without '
      || 'compression and with both codecs',
   'Share of the time in which network and processor are busy, published and ours. Light bars: a constant was fitted '
       || 'to them.', 'scenarios/papers/dct/section-3-3.yaml'),
  ('dct', 'trained', 1, 'dct-trained-loss', 'differences', 'share that is dropped|test loss, difference from the '
      || 'baseline|DCT, Tables 1 to 3: what sparsity costs',
   'Test loss less the baseline''s, the paper''s next to ours; below zero it is better. Bars: 95 % intervals over the '
       || 'seeds.',
   'scenarios/training/dct/small/table-1.yaml scenarios/training/dct/small/table-2.yaml '
       || 'scenarios/training/dct/small/table-3.yaml'),
  ('dct', 'trained', 2, 'dct-trained-translation', 'differences', 'share that is dropped|difference from the '
      || 'baseline|DCT, Table 4: sparse activations in a Transformer',
   'Test loss and BLEU less the baseline''s, the paper''s next to ours. Bars: 95 % intervals over the seeds.',
       'scenarios/training/dct/small/table-4.yaml'),
  ('dct', 'trained', 3, 'dct-fig2', 'thresholds', 'step|threshold of the gradient|DCT, Figure 2: the threshold, found '
      || 'again in every step',
   'The smallest magnitude of a gradient that is sent, in the largest layer and the first seed, for each share that is '
       || 'dropped. Dashed: the band that the paper''s stays in where 95 % are dropped.',
   'scenarios/training/dct/small/figure-2.yaml'),
  ('dct', 'trained', 4, 'dct-fig5', 'thresholds', 'step|threshold of the activations, mean|DCT, Figure 5: activations '
      || 'behind the first split',
   'The smallest magnitude of an activation that is kept, mean over rows and seeds, where the others are dropped (with '
       || 'DCT-MP) and where they are not; whiskers: a deviation. The paper prints no values.',
   'scenarios/training/dct/small/table-1.yaml'),
  ('dct', 'trained', 5, 'dct-fig7b', 'differences', 'steps that a threshold lives|loss, difference from the '
      || 'baseline|DCT, Figure 7b: 95 % of the gradients dropped',
   'Loss less the baseline''s against a threshold''s lifespan in steps; the paper prints no values. Bars: '
       || '95 % intervals over the seeds.',
   'scenarios/training/dct/small/figure-7b.yaml'),
  ('dct', 'trained', 6, 'dct-fig7d', 'differences', 'share of the gradients that is dropped|loss, difference from '
      || 'the baseline|DCT, Figure 7d: sparse gradients',
   'Loss less the baseline''s against the share of the gradients that is dropped, from Table 2''s training runs; the '
       || 'paper prints no values, but that up to 99.5 % neither loss changes. Bars: 95 % intervals over the seeds.',
   'scenarios/training/dct/small/table-2.yaml'),
  ('dct', 'trained', 7, 'dct-table5-loss', 'differences', 'share of the activations that is dropped|loss gained (%)|'
      || 'DCT, Table 5: sparse activations behind every split',
   'Loss gained over the baseline''s, the paper''s next to ours; below zero it is worse. Bars: 95 % intervals over '
       || 'the seeds.', 'scenarios/training/dct/small/table-5.yaml');

CREATE VIEW "dct/trained/title" AS
SELECT ', ' || label FROM training_size WHERE size <> 'paper'
    AND (SELECT count(DISTINCT size) = 1 AND max(size) = training_size.size FROM dct_run);
CREATE VIEW "dct/trained/caption" AS SELECT group_concat(said, ' ') FROM dct_trainings;

CREATE VIEW "dct-gains/data" AS
SELECT 'gains', CASE table_id WHEN '5' THEN 'MP, ' WHEN 'fig7a' THEN 'DP, ' ELSE '' END
    || replace(row_label, 'DCT-', ''), published, ours, kind = 'calibrated'
  FROM report_cell
 WHERE paper = 'dct' AND column_key = 'time gain' AND row_key <> 'baseline'
   AND EXISTS (SELECT 1 FROM comparison c WHERE c.paper = 'dct' AND c.column_key = 'time gain')
 ORDER BY table_id = 'text', table_id, place;

CREATE VIEW "dct-lifespan/data" AS SELECT 'ours', x, gain_pct FROM figure_curve WHERE scenario = 'dct-figure-7a-curve'
    ORDER BY x;
CREATE VIEW "dct-lifespan/marks" AS
SELECT 'published', CAST(substr(row_key, 3) AS REAL), published FROM report_cell WHERE paper = 'dct' AND table_id =
    'fig7a' ORDER BY place;
CREATE VIEW "dct-sparsity/data" AS SELECT 'ours', 100 * (1 - x), gain_pct FROM figure_curve WHERE scenario =
    'dct-figure-7c' ORDER BY x DESC;

CREATE VIEW "dct-utilisation/data" AS
SELECT 'utilisation', row_label || ', ' || column_key, published, ours, kind = 'calibrated' FROM report_cell
 WHERE paper = 'dct' AND table_id = 'utilisation' AND EXISTS (SELECT 1 FROM comparison c WHERE c.paper = 'dct'
     AND c.table_id = 'utilisation')
 ORDER BY place, column_key = 'after';

-- The paper's panel next to ours: losses of Tables 1 to 3 and what Table 4 has, against the share that is dropped; the
-- losses of Table 5 and Figures 7b and 7d. half: 0 where there is no interval.
CREATE VIEW dct_panel AS
WITH cell AS MATERIALIZED (
  SELECT *, CAST(substr(row_key, 1, 1) AS INTEGER) - 1 AS splits, replace(substr(row_key, CASE WHEN row_key LIKE '_ '
      || 'workers%' THEN 11 ELSE 1 END), '%', '') AS share
    FROM dct_table WHERE NOT is_baseline AND ours IS NOT NULL),
value AS MATERIALIZED (
  SELECT 'loss' AS figure, '' AS measure, CASE table_id WHEN '1' THEN splits WHEN '2' THEN 3 ELSE 4 END AS place,
         CASE table_id WHEN '1' THEN 'activations, ' || CASE splits WHEN 1 THEN 'one split' ELSE 'two splits' END
                       WHEN '2' THEN 'gradients' ELSE 'both, two splits' END AS series,
         CAST(share AS REAL) AS x, share || ' %' AS x_text, published, ours, half, n
    FROM cell WHERE table_id IN ('1', '2', '3') AND column_key = 'test loss'
   UNION ALL
  SELECT 'translation', column_key || ', ', splits, CASE splits WHEN 1 THEN 'one split' WHEN 2 THEN 'two splits'
      ELSE 'four splits' END,
         CAST(share AS REAL), share || ' %', published, ours, half, n
    FROM cell WHERE table_id = '4' AND column_key IN ('test loss', 'BLEU')
   UNION ALL
  SELECT 'fig7b', '', column_key = 'train loss', column_key, CAST(substr(row_key, 3) AS REAL), substr(row_key, 3),
      NULL, difference, half, n
    FROM dct_difference WHERE table_id = 'fig7b' AND against = 'baseline'
   UNION ALL
  SELECT 'fig7d', '', column_key = 'train loss', column_key, CAST(replace(row_key, '%', '') AS REAL),
      replace(row_key, '%', ' %'), NULL, difference, half, n
    FROM dct_difference WHERE table_id = '2' AND column_key IN ('test loss', 'train loss') AND against = 'baseline'
   UNION ALL
  SELECT 'table5', '', column_key = 'train loss gain', replace(column_key, ' gain', ''), CAST(replace(row_key, '%',
      '') AS REAL), replace(row_key, '%', ' %'), published, ours, half, n
    FROM dct_loss_gain),
seeds AS (
  SELECT figure, CASE WHEN min(n) < max(n) THEN min(n) || ' to ' || max(n) || ' seeds' WHEN min(n) = 1 THEN 'one seed'
      ELSE min(n) || ' seeds' END AS text
    FROM value GROUP BY figure)
SELECT figure, measure = 'BLEU, ' AS panel_place, 1 AS side, measure || 'the paper' AS panel, place, series, x, x_text,
    published AS value, 0.0 AS half
  FROM value WHERE published IS NOT NULL
 UNION ALL
SELECT figure, measure = 'BLEU, ', 2, measure || 'ours, ' || text, place, series, x, x_text, ours, coalesce(half, 0.0)
    FROM value JOIN seeds USING (figure)
 ORDER BY 2, 3, 7, 5;
CREATE VIEW "dct-trained-loss/data" AS SELECT panel, series, x_text, value, half FROM dct_panel WHERE figure = 'loss';
CREATE VIEW "dct-trained-translation/data" AS SELECT panel, series, x_text, value, half FROM dct_panel WHERE figure =
    'translation';
CREATE VIEW "dct-fig7b/data" AS SELECT panel, series, x_text, value, half FROM dct_panel WHERE figure = 'fig7b';

CREATE VIEW "dct-fig7d/data" AS SELECT panel, series, x_text, value, half FROM dct_panel WHERE figure = 'fig7d';
CREATE VIEW "dct-table5-loss/data" AS SELECT panel, series, x_text, value, half FROM dct_panel WHERE figure = 'table5';

-- The largest layer, of the first seed.
CREATE VIEW dct_figure_2_drawn AS
WITH curve AS MATERIALIZED (SELECT * FROM dct_figure_2)
SELECT dropped_pct, step, threshold, threshold / (1 + deviation_pct / 100) AS mean_so_far, size,
       (SELECT max(n.name) FROM dct_point a JOIN trace_tensor n USING (point_id)
         WHERE a.table_id = 'fig2' AND n.tensor = curve.tensor) AS layer
  FROM curve
 WHERE seed = (SELECT min(seed) FROM curve) AND tensor = (SELECT tensor FROM curve ORDER BY nvalues DESC,
     tensor LIMIT 1);
CREATE VIEW "dct-fig2/header" AS
SELECT 'step', printf('threshold of the gradient of %s', max(layer)), printf('DCT, Figure 2: the threshold, found '
    || 'again in every step%s, one seed', iif(size = 'paper', '', ', ' || label))
  FROM dct_figure_2_drawn JOIN training_size USING (size) GROUP BY size;
CREATE VIEW "dct-fig2/data" AS
SELECT printf('%g %%', dropped_pct), step, threshold FROM dct_figure_2_drawn ORDER BY dropped_pct, step;
-- What the paper says of 95 %: there and back along the two sides of the band about the mean of the thresholds so far.
CREATE VIEW "dct-fig2/marks" AS
WITH band AS (SELECT published FROM paper_value WHERE paper = 'dct' AND table_id = 'fig2'),
side(side) AS (VALUES (1), (-1))
SELECT printf('95 %%: %g %% about its running mean, in which the paper''s stays', published), step,
    mean_so_far * (1 + side * published / 100)
  FROM band JOIN side JOIN dct_figure_2_drawn WHERE dropped_pct = 95
 ORDER BY side DESC, side * step;

CREATE VIEW "dct-fig5/header" AS
SELECT 'step', 'threshold of the activations, mean', printf('DCT, Figure 5: activations behind the first split%s, '
    || 'n=%d seed%s', iif(size = 'paper', '', ', ' || label), n, iif(n = 1, '', 's'))
  FROM (SELECT size, count(DISTINCT seed) AS n FROM dct_figure_5 GROUP BY size) JOIN training_size USING (size);
CREATE VIEW "dct-fig5/data" AS
WITH value AS (SELECT *, avg(threshold) OVER (PARTITION BY dropped_pct, applied, step) AS mean FROM dct_figure_5)
SELECT printf('%g %%, %s DCT-MP', dropped_pct, iif(applied, 'with', 'without')), step, mean,
    sqrt(sum((threshold - mean) * (threshold - mean)) / nullif(count(*) - 1, 0))
  FROM value GROUP BY dropped_pct, applied, step ORDER BY dropped_pct, applied, step;
