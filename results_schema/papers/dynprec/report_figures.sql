INSERT INTO report_figure(paper, section, place, name, template, header, caption, scenario) VALUES
  ('dynprec', 'simulated', 1, 'dynprec-fig2a', 'parts', 'share (%)|Dynamic precision, Figure 2a: instructions of a '
      || 'batch, and what its multiply-adds are for',
   'The instructions of a batch by kind, as published, in %; next to them the purposes of a step''s multiply-adds, '
       || 'counted for the paper''s networks with its batches and for the scaled-down ones. Batch norms and the update '
       || 'stay in FP32. Instructions are not counted here, so the two are not the same quantity: ours are parts of '
       || 'what is FMA above.', 'scenarios/training/dynprec/quick/mix.yaml'),
  ('dynprec', 'trained', 1, 'dynprec-fig2b', 'panels',
   'epoch of the paper''s training|test accuracy, top-1 (%)|Dynamic precision, Figure 2b: static precisions',
   'Top-1 accuracy on test samples (%) over the epochs of the paper''s training, ResNet-50 in fixed precisions. '
       || 'Bars: deviation over the seeds.',
   'scenarios/training/dynprec/small/resnet.yaml'),
  ('dynprec', 'trained', 2, 'dynprec-fig3', 'panels', 'epoch of the paper''s training|test accuracy, top-1 '
      || '(%)|Dynamic precision, Figure 3: accuracy',
   'Top-1 accuracy on test samples (%) over the epochs of the paper''s training, each network in each precision. '
       || 'Bars: deviation over the seeds.',
   'scenarios/training/dynprec/small/resnet.yaml'),
  ('dynprec', 'trained', 3, 'dynprec-table1', 'bars', 'top-1 accuracy less FP32''s (points)|Dynamic precision, Table 1',
   'Top-1 accuracy less that of FP32 (points), published and ours. Whiskers: two standard errors of the difference, '
       || 'seed by seed.', 'scenarios/training/dynprec/small/resnet.yaml'),
  ('dynprec', 'trained', 4, 'dynprec-switches', 'modes',
   'share of the training (%)|moving average of the loss|Dynamic precision, what the controller saw and did',
   'The moving average of the loss that dynamic precision decides by, and under it the precision of each step, a '
       || 'strip for each seed.',
   'scenarios/training/dynprec/small/resnet.yaml'),
  ('dynprec', 'trained', 5, 'dynprec-chains', 'panels', '',
   'Top-1 accuracy on test samples (%) against the batch, and by how much it differs from MP''s of the same seed '
       || '(points): in MP, in BF16 with weight gradients that are one chain of sums over the whole batch, and in BF16 '
       || 'with chains that end with each image. Passes over the samples are the same in all of them. The first '
       || 'stage''s chains are 1024 times as long as the batch.',
   'scenarios/training/dynprec/small/chains.yaml');

-- The paper's instructions by kind, where it prints them; then our multiply-adds. The last cell stands at a bar's end.
CREATE VIEW "dynprec-fig2a/data" AS
WITH printed AS MATERIALIZED (
  SELECT r.place, r.label, max(published) FILTER (WHERE column_key = 'FMA instructions') AS fma,
         max(published) FILTER (WHERE column_key = 'floating-point instructions') AS fp
    FROM paper_value p JOIN paper_row r USING (paper, table_id, row_key)
   WHERE p.paper = 'dynprec' AND p.table_id = 'fig2a' GROUP BY r.place),
published(part, part_label, place, label, pct, said) AS (
  SELECT 1, 'FMA instructions', place, label, fma, printf('FMA %.2f %%', fma) FROM printed UNION ALL
  SELECT 2, 'other floating-point', place, label, fp - fma, NULL FROM printed UNION ALL
  SELECT 3, 'not floating-point', place, label, 100 - fp, NULL FROM printed UNION ALL
  SELECT 4, 'not FMA (below 1.1 % is FP)', place, label, iif(fp IS NULL, 100 - fma, NULL), NULL FROM printed),
panel(panel, title) AS (
  VALUES (1, 'published: instructions'), (2, 'ours: multiply-adds, the paper''s networks'),
    (3, 'ours: multiply-adds, scaled down')),
line AS (
  SELECT 1 AS panel, * FROM published WHERE EXISTS (SELECT 1 FROM dynprec_mix) UNION ALL
  SELECT iif(size = 'paper', 2, 3), part, part_label, place, label, pct,
         iif(part = 1, printf('FP32 %.2f %%', sum(pct) FILTER (WHERE part >= 4) OVER (PARTITION BY size, place)), NULL)
    FROM dynprec_mix)
SELECT title || char(9) || part_label, label, pct, said FROM line JOIN panel USING (panel) ORDER BY panel, part, place;

-- Accuracy on the test samples as training goes, over the seeds. epoch: of the paper's training, as far as ours has
-- come.
CREATE VIEW dynprec_curve AS
WITH value AS (
  SELECT p.*, e.after_steps, 100.0 * e.top1 AS top1_pct, avg(100.0 * e.top1) OVER (PARTITION BY p.network, p.variant,
      e.after_steps) AS mean
    FROM dynprec_point p JOIN trace_evaluation e USING (point_id) WHERE p.size = (SELECT size FROM dynprec_size))
SELECT v.network, v.label AS panel, v.place, v.variant, x.published * v.after_steps / v.steps AS epoch,
    v.mean,
       sqrt(sum((v.top1_pct - v.mean) * (v.top1_pct - v.mean)) / nullif(count(*) - 1, 0)) AS deviation
  FROM value v
  JOIN paper_value x ON x.paper = 'dynprec' AND x.table_id = 'text' AND x.row_key = v.network AND x.column_key =
      'epochs'
 GROUP BY v.network, v.variant, v.after_steps
 ORDER BY v.place, instr('FP32    MP      Dynamic BF16', v.variant), epoch;

-- What was trained, for titles and captions.
CREATE VIEW "dynprec/trained/title" AS
SELECT printf(', %s, n=%s%d seed%s', label, iif(min(n) < max(n), min(n) || ' to ', ''), max(n),
    iif(max(n) = 1, '', 's'))
  FROM dynprec_size JOIN (SELECT size, count(DISTINCT seed) AS n FROM dynprec_point GROUP BY size,
      network) USING (size) GROUP BY size;
CREATE VIEW "dynprec/trained/caption" AS
SELECT printf('n = %s seeds.', iif(min(n) = max(n), '', min(n) || ' to ') || max(n))
  FROM dynprec_size JOIN (SELECT size, count(DISTINCT seed) AS n FROM dynprec_point GROUP BY size,
      network) USING (size) GROUP BY size;

CREATE VIEW "dynprec-fig2b/data" AS
SELECT panel || char(9) || variant, epoch, mean, deviation FROM dynprec_curve
 WHERE network = 'ResNet-50' AND variant <> 'Dynamic'
    AND epoch <= 15;
-- The paper's panels are a, b and c; what it prints of their ends is Table 1.
CREATE VIEW "dynprec-fig3/data" AS
SELECT printf('%s) %s; paper:%s', substr('abc', place, 1), panel,
              (SELECT group_concat(printf(' %s %.1f', v.variant, p.published), ',')
                 FROM (SELECT DISTINCT variant FROM dynprec_curve) v
                 JOIN paper_value p ON p.paper = 'dynprec' AND p.table_id = '1' AND p.row_key = c.network
                                   AND p.column_key = v.variant || ' top-1')) || char(9) || variant,
       epoch, mean, deviation
  FROM dynprec_curve c;

CREATE VIEW "dynprec-table1/data" AS
SELECT label, variant, published_difference, difference, 0, 2 * standard_error FROM dynprec_table1
 WHERE what = 'top-1' AND difference IS NOT NULL ORDER BY place, variant_place;

CREATE VIEW "dynprec-switches/data" AS
SELECT label || char(9) || 'seed ' || seed, 100.0 * (step + 1) / steps, ema FROM dynprec_step
 WHERE size = (SELECT size FROM dynprec_size) ORDER BY place, seed, step;
-- Stretches in one precision: from the first step, to the first that is none of them; 1 for MP.
CREATE VIEW "dynprec-switches/marks" AS
SELECT label || char(9) || 'seed ' || seed, 100.0 * step / steps, 100.0 * coalesce(lead(step) OVER of_one, steps) /
    steps, precision = 'mp'
  FROM dynprec_step WHERE (switched OR step = 0) AND size = (SELECT size FROM dynprec_size)
WINDOW of_one AS (PARTITION BY point_id ORDER BY step)
 ORDER BY place, seed, step;

-- What the length of BF16's chains does: accuracies of each batch, and differences from MP's of the same seed; %.
CREATE VIEW dynprec_chain AS
WITH point AS MATERIALIZED (
  SELECT p.variant, t.batch, t.seed, m.value AS accuracy_pct,
         min(p.position) OVER (PARTITION BY p.variant) AS variant_place
    FROM chosen_run c JOIN run_point p USING (run_id) JOIN training t USING (point_id)
    JOIN measure m ON m.point_id = p.point_id AND m.name = 'accuracy'
   WHERE c.scenario = 'dynprec-chains'),
value AS (
  SELECT 1 AS panel, variant, variant_place, batch, accuracy_pct AS value FROM point UNION ALL
  SELECT 2, a.variant, a.variant_place, a.batch, a.accuracy_pct - b.accuracy_pct
    FROM point a JOIN point b ON b.batch = a.batch AND b.seed = a.seed AND b.variant = 'MP'
   WHERE a.variant <> 'MP'),
spread AS (SELECT *, avg(value) OVER (PARTITION BY panel, variant, batch) AS mean FROM value)
SELECT panel, variant, variant_place, batch, count(*) AS n, mean,
       2 * sqrt(sum((value - mean) * (value - mean)) / nullif(count(*) - 1, 0) / count(*)) AS half
  FROM spread GROUP BY panel, variant, batch ORDER BY panel, variant_place, batch;
CREATE VIEW "dynprec-chains/header" AS
SELECT 'batch (chains of the first stage: 1024 times as long)', 'whiskers: two standard errors', printf('Dynamic '
    || 'precision: accuracy against the length of BF16''s chains, scaled down, n=%s%d seed%s',
    iif(min(n) < max(n), min(n) || ' to ', ''), max(n), iif(max(n) = 1, '', 's'))
  FROM dynprec_chain;
CREATE VIEW "dynprec-chains/caption" AS
SELECT printf('n = %s%d seed%s a point.', iif(min(n) < max(n), min(n) || ' to ', ''), max(n), iif(max(n) = 1, '', 's'))
  FROM dynprec_chain HAVING count(*) > 0;
CREATE VIEW "dynprec-chains/data" AS
SELECT CASE panel WHEN 1 THEN 'test accuracy, top-1 (%)' ELSE 'less MP''s of the same seed (points)' END || char(9)
    || variant, batch, mean, half
  FROM dynprec_chain;
