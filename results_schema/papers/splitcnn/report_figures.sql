INSERT INTO report_figure(paper, section, place, name, template, header, caption, scenario) VALUES
  ('splitcnn', 'simulated', 1, 'splitcnn-fig1', 'generated',
   'data of one operation (GB)|data of all up to it (GB)|Split-CNN, Figure 1: data generated for backward, and '
       || 'offloadable meanwhile; batch 64',
   'Operation by operation of the forward pass, what backward will read (GB) and what the link carries meanwhile, of '
       || 'each and in sum; in the '
   || 'names the share that is carried in all.', 'scenarios/papers/splitcnn/fig1.yaml'),
  ('splitcnn', 'simulated', 2, 'splitcnn-fig8', 'bars',
   'throughput lost (%)|Split-CNN, Figure 8: what two schedules lose, batch 64',
   'Throughput lost against the plan that keeps everything (%), published and ours. Lighter: an assumption was chosen '
       || 'with it in view.',
   'scenarios/papers/splitcnn/fig8-vgg-19.yaml'),
  ('splitcnn', 'simulated', 3, 'splitcnn-fig9', 'timeline', 'time (ms)|Split-CNN, Figure 9: VGG-19 under four '
      || 'schedules, batch 64',
   'When compute and the copies to and from the host run in one step, ms. White is waiting.',
       'scenarios/papers/splitcnn/fig8-vgg-19.yaml'),
  ('splitcnn', 'simulated', 4, 'splitcnn-live', 'live',
   'time by the profile (ms)|general pool (GB)|Split-CNN: memory alive under each schedule, VGG-19, batch 64',
   'Memory alive (GB) through forward and backward: what offloading saves and when it is fetched back.',
   'scenarios/papers/splitcnn/fig8-vgg-19.yaml'),
  ('splitcnn', 'simulated', 5, 'splitcnn-cliff', 'lines',
   'share of the generated data that is offloaded (at most)|most memory alive (GB)|Split-CNN: Algorithm 1 near the '
       || 'link''s limit, ResNet-50, batch 64',
   'The most memory alive (GB) against the share that a plan may offload: near what the link carries Algorithm 1 '
       || 'stops saving, while freeing '
   || 'object by object goes on.', 'scenarios/papers/splitcnn/cliff.yaml'),
  ('splitcnn', 'simulated', 6, 'splitcnn-cliff-loss', 'lines',
   'share of the generated data that is offloaded (at most)|throughput lost (%)|Split-CNN: what offloading costs near '
       || 'the link''s limit, ResNet-50, batch 64',
   'Throughput lost (%) by the same plans.', 'scenarios/papers/splitcnn/cliff.yaml'),
  ('splitcnn', 'simulated', 7, 'splitcnn-fig10-vgg-19', 'bars',
   'against the baseline|Split-CNN, Figure 10: largest batch and throughput lost at it, VGG-19',
   'Largest batch over the baseline''s (x), and throughput lost at it (%), plan by plan; the paper has one of them. '
       || 'Lighter: an assumption was '
   || 'chosen with it in view.', 'scenarios/papers/splitcnn/fig10-vgg-19.yaml'),
  ('splitcnn', 'simulated', 8, 'splitcnn-fig10-resnet-18', 'bars',
   'against the baseline|Split-CNN, Figure 10: largest batch and throughput lost at it, ResNet-18',
   'The same of ResNet-18.', 'scenarios/papers/splitcnn/fig10-resnet-18.yaml'),
  ('splitcnn', 'simulated', 9, 'splitcnn-fig11', 'lines',
   'bandwidth (Gbit/s)|speedup over the baseline (×)|Split-CNN, Figure 11: a larger batch when training is distributed',
   'Speedup over the baseline (x) against the network''s bandwidth: by the paper''s formula, by events (points), and '
       || 'with the batches that '
   || 'plans fit here in place of the paper''s six times.', 'scenarios/papers/splitcnn/fig11.yaml'),
  ('splitcnn', 'trained', 1, 'splitcnn-fig4', 'spread',
   'convolutions that are split (%)|test error above the unsplit network''s (points); whiskers: two standard errors'
       || '|Split-CNN, Figure 4: depth of '
       || 'the split',
   'Test error above the unsplit network''s, in points, against the share of the convolutions that work on patches. '
       || 'Bars: two standard errors '
   || 'of the difference, seed by seed, to either side.', 'scenarios/training/splitcnn/small/vgg-19.yaml'),
  ('splitcnn', 'trained', 2, 'splitcnn-fig5', 'spread',
   'patches|test error above the unsplit network''s (points); whiskers: two standard errors'
       || '|Split-CNN, Figure 5: number of patches',
   'The same against the number of patches, with a quarter of the convolutions split.',
       'scenarios/training/splitcnn/small/vgg-19.yaml'),
  ('splitcnn', 'trained', 3, 'splitcnn-fig6-vgg-19', 'spread', 'steps|test error (%)|Split-CNN, Figure 6: stochastic '
      || 'splits, VGG-19',
   'Test error (%) while training, of the unsplit network and of what was done to its deepest split. Bars: the '
       || 'seeds'' standard deviation.',
   'scenarios/training/splitcnn/small/vgg-19.yaml'),
  ('splitcnn', 'trained', 4, 'splitcnn-fig6-resnet-18', 'spread', 'steps|test error (%)|Split-CNN, Figure 6: '
      || 'stochastic splits, ResNet-18',
   'The same of ResNet-18.', 'scenarios/training/splitcnn/small/resnet-18.yaml'),
  ('splitcnn', 'trained', 5, 'splitcnn-fig7-alexnet', 'spread', 'steps|test error (%)|Split-CNN, Figure 7: stochastic '
      || 'splits, AlexNet',
   'The same of AlexNet.', 'scenarios/training/splitcnn/paper/alexnet.yaml'),
  ('splitcnn', 'trained', 6, 'splitcnn-fig7-resnet-50', 'spread', 'steps|test error (%)|Split-CNN, Figure 7: '
      || 'stochastic splits, ResNet-50',
   'The same of ResNet-50.', 'scenarios/training/splitcnn/small/resnet-50.yaml'),
  ('splitcnn', 'trained', 7, 'splitcnn-table1', 'bars', 'accuracy above the baseline''s (points)|Split-CNN, Table 1',
   'Accuracy above the unsplit network''s, in points, published and ours, of networks on even patches (SCNN) and '
       || 'split again for each batch '
   || '(SSCNN). Whiskers: two standard errors of the difference, seed by seed.',
   'scenarios/training/splitcnn/small/resnet-18.yaml');

CREATE VIEW "splitcnn-fig1/data" AS
SELECT c.variant || printf(' (%.0f %%)', 100 * p.offloadable_GB / p.generated_GB), c.name, c.generated_GB,
    c.offloadable_GB,
       c.generated_so_far_GB, c.offloadable_so_far_GB
  FROM plan_curve c JOIN plan_summary p USING (run_id, combination, variant)
 WHERE c.scenario = 'splitcnn-fig1' AND NOT c.backward AND c.variant IN ('VGG-19', 'ResNet-18', 'ResNet-50')
 ORDER BY c.variant_place, c.step;

CREATE VIEW "splitcnn-fig8/data" AS
SELECT 'loss', row_label || ', ' || column_key, published, ours, kind IN ('calibrated', 'assumed') FROM report_cell
 WHERE paper = 'splitcnn' AND table_id = 'fig8' AND EXISTS (SELECT 1 FROM comparison WHERE paper = 'splitcnn'
     AND table_id = 'fig8')
 ORDER BY place, column_key DESC;

CREATE VIEW "splitcnn-fig9/data" AS
SELECT variant, CASE WHEN track LIKE 'to-host%' THEN 1 WHEN track LIKE 'to-device%' THEN 2 ELSE 0 END, start_ms, end_ms
    FROM newest_task
 WHERE scenario = 'splitcnn-fig8-vgg-19' AND variant IN ('baseline', 'layer-wise', 'HMMS', 'HMMS per object')
 ORDER BY variant_place, place;

CREATE VIEW "splitcnn-live/data" AS
SELECT variant, end_ms, live_GB FROM plan_curve
 WHERE scenario = 'splitcnn-fig8-vgg-19' AND variant IN ('baseline', 'layer-wise', 'HMMS', 'HMMS per object')
 ORDER BY variant_place, step;

CREATE VIEW splitcnn_cliff AS    -- the plans, against the share that is offloaded
SELECT p.variant, q.value AS share, p.live_GB, p.loss_pct
  FROM plan_summary p
  JOIN run_variant v ON v.run_id = p.run_id AND v.variant = p.variant
  JOIN point_param q ON q.run_id = p.run_id AND q.position = p.position AND q.path LIKE '%.limit'
 WHERE p.scenario = 'splitcnn-cliff'
 ORDER BY v.place, q.value;
CREATE VIEW "splitcnn-cliff/data" AS SELECT variant, share, live_GB FROM splitcnn_cliff;
CREATE VIEW "splitcnn-cliff-loss/data" AS SELECT variant, share, loss_pct FROM splitcnn_cliff;

CREATE VIEW splitcnn_bars AS     -- two panels for a network, a group for a plan; the paper has one of them
SELECT p.scenario, m.panel, p.variant, CASE p.variant WHEN 'Split-CNN + HMMS' THEN c.published END AS published,
       CASE m.place WHEN 1 THEN p.batch_ratio ELSE p.loss_pct END AS ours,
       p.variant = 'Split-CNN + HMMS' AND c.kind IN ('calibrated', 'assumed') AS chosen
  FROM plan_summary p
  JOIN (SELECT 1 AS place, 'batch' AS column_key, 'batch (x)' AS panel UNION ALL SELECT 2, 'throughput lost',
      'lost (%)') m
  LEFT JOIN comparison c ON c.paper = 'splitcnn' AND c.table_id = 'fig10' AND c.column_key = m.column_key
                        AND p.scenario = 'splitcnn-fig10-' || lower(c.row_key)
 WHERE p.scenario LIKE 'splitcnn-fig10-%' AND p.variant <> 'baseline'
 ORDER BY p.scenario, m.place, p.position;
CREATE VIEW "splitcnn-fig10-vgg-19/data" AS
SELECT panel, variant, published, ours, chosen FROM splitcnn_bars WHERE scenario = 'splitcnn-fig10-vgg-19';
CREATE VIEW "splitcnn-fig10-resnet-18/data" AS
SELECT panel, variant, published, ours, chosen FROM splitcnn_bars WHERE scenario = 'splitcnn-fig10-resnet-18';

CREATE VIEW "splitcnn-fig11/data" AS
SELECT 'formula (6.4) with Figure 8''s times; assumed: 64 images a learner', 8e-9 * x, speedup FROM figure_closed_form
 WHERE scenario = 'splitcnn-fig11'
UNION ALL
SELECT 'planned batches: ' || variant, 8e-9 * x, speedup FROM figure_curve
 WHERE scenario = 'splitcnn-fig11-planned' AND variant IN ('in place', 'Split-CNN + HMMS')
 ORDER BY 1, 2;
CREATE VIEW "splitcnn-fig11/marks" AS
SELECT 'events, the same assumed', 8e-9 * x, speedup FROM figure_curve WHERE scenario = 'splitcnn-fig11'
UNION ALL
SELECT 'the paper', CAST(row_key AS REAL), published FROM paper_value WHERE paper = 'splitcnn' AND table_id = 'fig11'
 ORDER BY 1, 2;

-- Lower is better. A line for each network, with two standard errors of the difference to either side.
CREATE VIEW splitcnn_error_over AS
SELECT figure, network, x, coalesce(-difference, 0) AS above, 2 * standard_error AS half FROM splitcnn_curve
 WHERE size = (SELECT size FROM splitcnn_size) ORDER BY figure, place, x;
CREATE VIEW "splitcnn-fig4/data" AS SELECT network, x, above, half FROM splitcnn_error_over WHERE figure = 4;
CREATE VIEW "splitcnn-fig5/data" AS SELECT network, x, above, half FROM splitcnn_error_over WHERE figure = 5;

-- A line for each way to train one network, as the unsplit one and its deepest split are; to either side the seeds'
-- deviation.
CREATE VIEW splitcnn_error_after AS
WITH value AS (
  SELECT p.row_key, p.variant, p.variant_place, e.after_steps, 100.0 * (1 - e.top1) AS error,
         avg(100.0 * (1 - e.top1)) OVER (PARTITION BY p.row_key, p.variant, e.after_steps) AS mean
    FROM (SELECT *, max(asked_pct) OVER (PARTITION BY row_key) AS deepest_pct FROM splitcnn_point
           WHERE size = (SELECT size FROM splitcnn_size)) p
    JOIN trace_evaluation e ON e.point_id = p.point_id
   WHERE p.patches IN (1, 4) AND e.after_steps > 0 AND (p.kind = 'unsplit' OR p.asked_pct = p.deepest_pct))
SELECT row_key, variant, after_steps, mean AS error, sqrt(sum((error - mean) * (error - mean)) /
    nullif(count(*) - 1, 0)) AS deviation
  FROM value
 GROUP BY row_key, variant, after_steps
 ORDER BY variant_place, after_steps;
CREATE VIEW "splitcnn-fig6-vgg-19/data" AS SELECT variant, after_steps, error, deviation FROM splitcnn_error_after
    WHERE row_key = 'VGG19';
CREATE VIEW "splitcnn-fig6-resnet-18/data" AS SELECT variant, after_steps, error, deviation FROM splitcnn_error_after
    WHERE row_key = 'ResNet18';
CREATE VIEW "splitcnn-fig7-alexnet/data" AS SELECT variant, after_steps, error, deviation FROM splitcnn_error_after
    WHERE row_key = 'AlexNet';
CREATE VIEW "splitcnn-fig7-resnet-50/data" AS SELECT variant, after_steps, error, deviation FROM splitcnn_error_after
    WHERE row_key = 'ResNet50';

CREATE VIEW "splitcnn-table1/data" AS
SELECT column_key, network, round(published_difference, 2), round(difference, 2), 0,
    2 * standard_error FROM splitcnn_table1
 WHERE size = (SELECT size FROM splitcnn_size) ORDER BY column_key, place;

CREATE VIEW "splitcnn/trained/title" AS
SELECT printf(', %s, n=%s%d seed%s', label, iif(min(n) < max(n), min(n) || ' to ', ''), max(n),
    iif(max(n) = 1, '', 's'))
  FROM splitcnn_size JOIN splitcnn_accuracy USING (size) GROUP BY size;

CREATE VIEW splitcnn_seeds AS    -- row_key '': of all networks
SELECT w.row_key, 'Means over ' || min(n) || CASE WHEN max(n) > min(n) THEN ' to ' || max(n) ELSE '' END
    || iif(max(n) = 1, ' seed.', ' seeds.')
       AS said
  FROM splitcnn_accuracy a JOIN (SELECT row_key FROM paper_row WHERE paper = 'splitcnn' AND table_id = '1'
      UNION ALL SELECT '') w
    ON w.row_key IN ('', a.row_key)
 WHERE a.size = (SELECT size FROM splitcnn_size)
 GROUP BY w.row_key;
CREATE VIEW "splitcnn/trained/caption" AS SELECT said FROM splitcnn_seeds WHERE row_key = '';
CREATE VIEW "splitcnn-fig6-vgg-19/caption" AS SELECT said FROM splitcnn_seeds WHERE row_key = 'VGG19';
CREATE VIEW "splitcnn-fig6-resnet-18/caption" AS SELECT said FROM splitcnn_seeds WHERE row_key = 'ResNet18';
CREATE VIEW "splitcnn-fig7-alexnet/caption" AS SELECT said FROM splitcnn_seeds WHERE row_key = 'AlexNet';
CREATE VIEW "splitcnn-fig7-resnet-50/caption" AS SELECT said FROM splitcnn_seeds WHERE row_key = 'ResNet50';
