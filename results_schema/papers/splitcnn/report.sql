INSERT INTO report_part(paper, section, place, name, heading, before, shape, format, after) VALUES
  ('splitcnn', 'simulated', 1, 'figure-1', 'Figure 1: share of the generated data that the link carries during '
      || 'forward (%)', '',
   'cells', 'points', ''),
  ('splitcnn', 'simulated', 2, 'figure-1-definitions', '', 'What that share depends on: the operations'' times, and '
      || 'what counts as generated.',
   'list', 's s s %.3f %.3f %.0f', ''),
  ('splitcnn', 'simulated', 3, 'figure-1-choice', '', '', 'text', '', ''),
  ('splitcnn', 'simulated', 4, 'figure-8', 'Figure 8: throughput lost against the plan that keeps everything, batch '
      || '64 (%)', '',
   'cells', 'points', ''),
  ('splitcnn', 'simulated', 5, 'figure-8-schedules', '', '', 'list', 's s %.1f %.1f %.1f %.1f %.1f %.1f %.2f %.2f',
   'Layer-wise means here: synchronized after a convolution and what follows it, the best-hidden objects up to the '
       || 'limit; synchronized after '
   || 'every operation it would lose more than the paper''s. HMMS is Algorithm 1 with its balance clamped: as printed '
       || 'it spends idle link time '
   || 'twice and waits for it. Generated data is Algorithm 1''s set, as in Figure 1. Slowed: by how much kernels take '
       || 'longer as copies use the '
   || 'GPU''s memory meanwhile; alive: the most at once.'),
  ('splitcnn', 'simulated', 6, 'figure-8-assumed', '', 'What would meet HMMS''s losses: were compute to stand still '
      || 'for so long at each copy (the first row: the paper).', 'list', 's %.1f %.2f %.1f %.2f',
   'The one set of constants has 0 us. So a fixed cost of every copy, a quarter of a millisecond, would explain what '
       || 'Figures 8 and 10 lose; it is assumed with these cells in view, and no figure here uses it.'),
  ('splitcnn', 'simulated', 7, 'figure-10', 'Figure 10: largest batch (x the baseline''s)', '', 'cells', 'percent', ''),
  ('splitcnn', 'simulated', 8, 'figure-10-lost', 'Figure 10: throughput lost at that batch (%)', '', 'cells', 'points',
      ''),
  ('splitcnn', 'simulated', 9, 'figure-10-plans', '', '', 'list', 's s %.0f %.2f %.2f %.1f %.1f %.1f %.1f %.1f',
   'The baseline does not overwrite the inputs of ReLUs, which is what explains the paper''s multiples; '
   || 'against one with ReLUs in place they are smaller. Every variant trains at its own '
       || 'largest batch; all are placed by first-fit, as in section '
       || '4.4, but where it says '
   || 'otherwise: over bound is what the pool needs above the most bytes alive at once. For VGG-19 that gap costs '
       || 'HMMS alone more than '
   || 'offloading gains. Of ResNet-18''s multiple nearly all is the norms, recomputed as in section 6.3, with nothing '
       || 'split and nothing '
   || 'offloaded; memory freed as each copy ends, in place of Algorithm 1''s balance, would make it more.'),
  ('splitcnn', 'simulated', 10, 'figure-10-assumed', '', 'What would meet both: another workspace of a convolution, as '
      || 'a multiple of its input and output, and compute that stands still for so long at each copy (the first row: '
      || 'the paper).', 'list', 's s %.2f %.2f %.2f %.2f', 'The one set of constants has 1 and 0 us.'),
  ('splitcnn', 'simulated', 11, 'placement', 'Section 4.4: pools above the most bytes alive at once (%), batch 64', '',
   'list', 's s %.4g %.1f %.1f %.1f', 'Workspace: of a convolution, as a multiple of its input and output.'),
  ('splitcnn', 'simulated', 12, 'figure-11', 'Figure 11: speedup of distributed training by a larger batch, VGG-19 '
      || '(x)', '',
   'cells', 'percent', ''),
  ('splitcnn', 'simulated', 13, 'figure-11-curve', '', '', 'list', 's %.3f %.3f %+.2f',
   'Closed form: section 6.4, T_forward + max(T_backward, 2 |G| / (alpha B)), per sample. Events: the same step as a '
       || 'graph of tasks, the '
   || 'gradients of each layer leaving as its backward pass ends. Inputs: the time of Figure 8''s baseline for '
       || '64 images, six '
   || 'times the batch, 1.5 % less throughput.'),
  ('splitcnn', 'simulated', 14, 'figure-11-assumed', '', 'The speedup at 10 Gbit/s by what an iteration of 64 images '
      || 'takes:', 'list', 's %.0f %.2f',
   'Nothing of the paper''s but its 2.1x speaks for more than Figure 8''s own time, and a larger batch of the baseline '
       || 'would do as well.'),
  ('splitcnn', 'simulated', 15, 'figure-11-planned', '', 'Speedup with the batch that each plan fits, in place of the '
      || 'paper''s six times:',
   'list', 's %.0f %.2f %.3f %.3f %.3f %.3f', ''),
  ('splitcnn', 'trained', 1, 'training-runs', '', '', 'text', '', ''),
  ('splitcnn', 'trained', 2, 'patches', 'Figures 4 to 7: accuracy of networks trained on patches (%)', '',
   'list', 's s %.1f %.3f %.2f %.2f %.0f %+.2f %.2f s',
   'Split: the requested depth, in four patches unless stated. Reached: the share of the convolutions that this '
       || 'splits, %. Loss: of training, over the last tenth of the steps; far above the unsplit network''s, it shows '
       || 'that a longer training run had more to learn. Points: '
   || 'difference from the unsplit network, mean over n seeds, each of which gives both the same first weights and '
       || 'samples; 2 SE: two standard '
   || 'errors of that mean; !: differs by more, which three seeds do by chance about one time in five. The paper '
       || 'draws these without numbers.'),
  ('splitcnn', 'trained', 3, 'table-1', 'Table 1: points of accuracy above the baseline', '', 'cells', 'points',
   'SCNN: on even patches, also in evaluation; SSCNN: split again for each batch, evaluated in one piece. ±: two '
       || 'standard errors. On other '
   || 'networks and data points from the baseline may be compared, accuracies (%) may not.'),
  ('splitcnn', 'trained', 4, 'training-runs-longer', '', '', 'text', '', ''),
  ('splitcnn', 'trained', 5, 'patches-longer', 'Figures 6 and 7 scaled down, for longer: accuracy (%)', '',
   'list', 's s %.1f %.3f %.2f %.2f %.0f %+.2f %.2f s', ''),
  ('splitcnn', 'trained', 6, 'table-1-longer', 'Table 1 scaled down, for longer: points of accuracy above the '
      || 'baseline', '',
   'cells', 'points', ''),
  ('splitcnn', 'trained', 7, 'claims-longer', 'The paper''s conclusions on stochastic splits, tested scaled down, for '
      || 'longer', '',
   'text', '', ''),
  ('splitcnn', 'paper', 1, 'unsaid', '', '', 'text', '', '');

CREATE VIEW "splitcnn/figure-1" AS SELECT * FROM report_cell WHERE paper = 'splitcnn' AND table_id = 'fig1'
    ORDER BY place;
CREATE VIEW "splitcnn/figure-8" AS
SELECT * FROM report_cell WHERE paper = 'splitcnn' AND table_id = 'fig8' ORDER BY place, column_key DESC;
CREATE VIEW "splitcnn/figure-10" AS
SELECT * FROM report_cell WHERE paper = 'splitcnn' AND table_id = 'fig10' AND column_key = 'batch' ORDER BY place;
CREATE VIEW "splitcnn/figure-10-lost" AS
SELECT * FROM report_cell WHERE paper = 'splitcnn' AND table_id = 'fig10' AND column_key = 'throughput lost'
    ORDER BY place;
CREATE VIEW "splitcnn/figure-11" AS SELECT * FROM report_cell WHERE paper = 'splitcnn' AND table_id = 'fig11';

-- A profile is a path, or the name that its file has: "../../timings/p100-winograd.yaml" is p100-winograd to people.
CREATE VIEW "splitcnn/figure-1-definitions" AS
SELECT p.variant AS network, replace(replace(t.text, rtrim(t.text, replace(t.text, '/', '')), ''), '.yaml',
    '') AS profile,
       g.text AS definition, p.generated_GB AS "GB|generated", p.offloadable_GB AS "GB|carried",
       100.0 * p.offloadable_GB / p.generated_GB AS "share (%)"
  FROM plan_summary p
  JOIN point_param g ON g.run_id = p.run_id AND g.position = p.position AND g.path LIKE '%.generated'
  JOIN point_param t ON t.run_id = p.run_id AND t.position = p.position AND t.path LIKE '%.timing'
 WHERE p.scenario = 'splitcnn-fig1-definitions'
 ORDER BY p.position;

CREATE VIEW "splitcnn/figure-1-choice" AS
WITH shown AS (
  SELECT max("share (%)") FILTER (WHERE network = 'VGG-19') AS vgg,
      max("share (%)") FILTER (WHERE network = 'ResNet-50') AS first_form,
         max("share (%)") FILTER (WHERE network = 'ResNet-50 v1.5') AS second_form
    FROM "splitcnn/figure-1-definitions" WHERE profile = 'p100-winograd' AND definition = 'algorithm-1')
SELECT 'The paper does not say what counts as generated, nor how long its operations took. The pair that the table '
    || 'above '
    || 'uses (Algorithm 1''s set '
       || 'as printed, 3x3 convolutions at 150 % of the peak, the others at 65 %, 550 GB/s elsewhere) comes near to '
           || 'all three shares at once. '
       || printf('ResNet-50 is the v1.5 form there (%.0f %%); the first one would be at %.0f %%. ', second_form,
           first_form)
       || printf('A share above 100 %% is printed as 100 %% in the table: VGG-19''s would be at %.0f %%.', vgg)
  FROM shown WHERE vgg + first_form + second_form IS NOT NULL;

CREATE VIEW "splitcnn/figure-8-schedules" AS
SELECT substr(scenario, 15) AS network, variant AS schedule, samples_per_s AS "img/s", loss_pct AS "loss (%)",
       stall_forward_ms AS "stalls (ms)|forward", stall_turn_ms AS "stalls (ms)|turn",
           stall_backward_ms AS "stalls (ms)|backward",
       slowed_ms AS "slowed (ms)", offloaded_GB AS "GB|offloaded", live_GB AS "GB|alive", position = 0 AS rule
  FROM plan_summary
 WHERE scenario IN ('splitcnn-fig8-vgg-19', 'splitcnn-fig8-resnet-50')
 ORDER BY scenario DESC, position;

-- Copies that stop compute, next to what the paper lost.
CREATE VIEW splitcnn_stopping AS
SELECT g.scenario, g.combination, g.variant, 100.0 * (1.0 - g.speedup) AS loss_pct, b.batch_ratio,
       max(q.text) FILTER (WHERE q.path LIKE '%.pin') AS stop,
       max(q.value) FILTER (WHERE q.path LIKE '%.pin') AS stop_s,
       max(q.text) FILTER (WHERE q.path LIKE '%.factor') AS workspace,
       max(q.text) FILTER (WHERE q.path = 'model') AS model
  FROM newest_run n
  JOIN gain g USING (run_id)
  JOIN point_param q ON q.run_id = g.run_id AND q.position = g.position
  LEFT JOIN batch_gain b ON b.run_id = g.run_id AND b.position = g.position
 WHERE n.scenario = 'splitcnn-assumed-fig8' OR n.scenario LIKE 'splitcnn-assumed-fig10-%'
 GROUP BY g.run_id, g.position;

CREATE VIEW "splitcnn/figure-8-assumed" AS
WITH cell AS (
  SELECT row_key, column_key AS variant, published FROM paper_value WHERE paper = 'splitcnn' AND table_id = 'fig8'),
line AS (
  SELECT -1.0 AS stop_s, 'the paper' AS stop, row_key, variant, published AS loss FROM cell
   WHERE EXISTS (SELECT 1 FROM splitcnn_stopping WHERE scenario = 'splitcnn-assumed-fig8')
  UNION ALL
  SELECT stop_s, stop, iif(model LIKE '%vgg%', 'VGG-19', 'ResNet-50'), variant, loss_pct FROM splitcnn_stopping
   WHERE scenario = 'splitcnn-assumed-fig8')
SELECT stop AS "stops for",
       max(loss) FILTER (WHERE row_key = 'VGG-19' AND variant = 'layer-wise') AS "VGG-19 (%)|layer-wise",
       max(loss) FILTER (WHERE row_key = 'VGG-19' AND variant = 'HMMS') AS "VGG-19 (%)|HMMS",
       max(loss) FILTER (WHERE row_key = 'ResNet-50' AND variant = 'layer-wise') AS "ResNet-50 (%)|layer-wise",
       max(loss) FILTER (WHERE row_key = 'ResNet-50' AND variant = 'HMMS') AS "ResNet-50 (%)|HMMS"
  FROM line GROUP BY stop_s ORDER BY stop_s;

CREATE VIEW "splitcnn/figure-10-assumed" AS
WITH cell AS (
  SELECT row_key, column_key, published FROM paper_value WHERE paper = 'splitcnn' AND table_id = 'fig10'),
line AS (
  SELECT iif(scenario LIKE '%vgg%', 'VGG-19', 'ResNet-18') AS row_key, stop_s, stop, workspace, batch_ratio, loss_pct
    FROM splitcnn_stopping
   WHERE scenario LIKE 'splitcnn-assumed-fig10-%' AND variant = 'Split-CNN + HMMS'
  UNION ALL
  SELECT row_key, -1, NULL, 'the paper', max(published) FILTER (WHERE column_key = 'batch'),
         max(published) FILTER (WHERE column_key <> 'batch')
    FROM cell WHERE EXISTS (SELECT 1 FROM splitcnn_stopping WHERE scenario LIKE 'splitcnn-assumed-fig10-%')
   GROUP BY row_key)
SELECT workspace, stop AS "stops for", max(batch_ratio) FILTER (WHERE row_key = 'VGG-19') AS "VGG-19|x baseline",
       max(loss_pct) FILTER (WHERE row_key = 'VGG-19') AS "VGG-19|lost (%)",
       max(batch_ratio) FILTER (WHERE row_key = 'ResNet-18') AS "ResNet-18|x baseline",
       max(loss_pct) FILTER (WHERE row_key = 'ResNet-18') AS "ResNet-18|lost (%)"
  FROM line GROUP BY workspace, stop ORDER BY max(stop_s), CAST(workspace AS REAL);

CREATE VIEW "splitcnn/figure-11-assumed" AS
WITH line AS (
  SELECT iif(n.scenario = 'splitcnn-section-6-4', 'Figure 8''s', 'assumed') AS iteration, m.value AS ms, g.speedup
    FROM newest_run n JOIN run r ON r.id = n.run_id
    JOIN gain g ON g.run_id = n.run_id AND g.variant <> r.baseline
    JOIN newest_measure m ON m.run_id = g.run_id AND m.combination = g.combination AND m.variant = r.baseline
        AND m.name = 'compute_ms'
   WHERE n.scenario IN ('splitcnn-section-6-4', 'splitcnn-assumed-fig11'))
SELECT iteration, ms, speedup
  FROM (SELECT *, 1 AS place FROM line UNION ALL
        SELECT 'the paper', NULL, published, 2 FROM paper_value
         WHERE paper = 'splitcnn' AND table_id = 'fig11' AND EXISTS (SELECT 1 FROM line))
 ORDER BY place, ms;

CREATE VIEW "splitcnn/figure-10-plans" AS
SELECT substr(scenario, 16) AS network, variant AS plan, largest_batch AS "batch|largest",
    batch_ratio AS "batch|x baseline",
       in_place_batch_ratio AS "batch|x in place", samples_per_s AS "img/s", loss_pct AS "lost (%) against|baseline",
       in_place_loss_pct AS "lost (%) against|in place", gap_pct AS "over|bound (%)", host_GB AS "host|GB", position =
           0 AS rule
  FROM plan_summary
 WHERE scenario IN ('splitcnn-fig10-vgg-19', 'splitcnn-fig10-resnet-18')
 ORDER BY scenario DESC, position;

CREATE VIEW "splitcnn/placement" AS
WITH line AS (
  SELECT p.combination, p.variant, p.gap_pct, max(q.text) FILTER (WHERE q.path = 'model') AS model,
         max(q.text) FILTER (WHERE q.path LIKE '%.schedule') AS schedule,
             max(q.value) FILTER (WHERE q.path LIKE '%.depth') AS depth,
         max(q.value) FILTER (WHERE q.path LIKE '%.factor') AS factor
    FROM plan_summary p JOIN point_param q USING (run_id, position)
   WHERE p.scenario = 'splitcnn-placement'
   GROUP BY p.position)
SELECT replace(replace(model, '../../models/', ''), '.yaml', '') AS network, iif(depth > 0, 'split + ', '')
    || schedule AS plan,
       factor AS workspace, max(gap_pct) FILTER (WHERE variant = 'first-fit') AS "first-fit",
       max(gap_pct) FILTER (WHERE variant = 'greedy-by-size') AS "greedy-by-size",
           max(gap_pct) FILTER (WHERE variant = 'exact') AS exact
  FROM line
 GROUP BY combination
 ORDER BY combination;

CREATE VIEW "splitcnn/figure-11-curve" AS
SELECT c.text AS bandwidth, f.speedup AS "closed form", c.speedup AS events, 100.0 *
    (c.speedup / f.speedup - 1.0) AS "difference (%)"
  FROM figure_curve c JOIN figure_closed_form f USING (scenario, position)
 WHERE c.scenario = 'splitcnn-fig11'
 ORDER BY c.x DESC;

CREATE VIEW "splitcnn/figure-11-planned" AS
WITH plan AS MATERIALIZED (SELECT * FROM plan_summary WHERE scenario = 'splitcnn-fig11-planned')
SELECT p.variant AS plan, p.largest_batch AS batch, p.batch_ratio AS "x baseline",
       max(g.speedup) FILTER (WHERE b.text = '0.5 Gbit/s') AS "speedup at|0.5 Gbit/s",
       max(g.speedup) FILTER (WHERE b.text = '2 Gbit/s') AS "speedup at|2 Gbit/s",
       max(g.speedup) FILTER (WHERE b.text = '10 Gbit/s') AS "speedup at|10 Gbit/s",
       max(g.speedup) FILTER (WHERE b.text = '32 Gbit/s') AS "speedup at|32 Gbit/s"
  FROM plan p
  JOIN point_param b ON b.run_id = p.run_id AND b.position = p.position AND b.path LIKE '%bandwidth'
  LEFT JOIN gain g ON g.run_id = p.run_id AND g.position = p.position
 GROUP BY p.variant
 ORDER BY min(p.position);

-- What was trained, size by size.
CREATE VIEW splitcnn_trained AS
SELECT size, upper(substr(l.label, 1, 1)) || substr(l.label, 2) || ': ' || group_concat(said, '; ') || '.' AS text
  FROM (SELECT DISTINCT size, place, printf('%s is %s on %s, %d steps', network, model, data, steps) AS said
      FROM splitcnn_point
         ORDER BY size, place)
  JOIN training_size l USING (size)
 GROUP BY size;
CREATE VIEW "splitcnn/training-runs" AS SELECT text FROM splitcnn_trained WHERE size = (SELECT size FROM splitcnn_size);
CREATE VIEW "splitcnn/training-runs-longer" AS SELECT text FROM splitcnn_trained WHERE size = 'longer';

-- Loss: how far they were learnt, over the last tenth of the steps, mean over the seeds.
CREATE VIEW splitcnn_patches AS
WITH fit AS MATERIALIZED (
  SELECT p.size, p.row_key, p.variant, avg(s.loss) AS loss
    FROM splitcnn_point p JOIN trace_step s ON s.point_id = p.point_id AND 10 * (s.step + 1) > 9 * p.steps
   GROUP BY p.size, p.row_key, p.variant)
SELECT a.size, a.place, a.variant_place, a.network, a.variant AS split, a.depth_pct AS "reached (%)", f.loss,
    a.mean_pct AS accuracy,
       a.deviation, a.n, a.difference AS points, 2 * a.standard_error AS "2 SE",
       iif(abs(a.difference) > 2 * a.standard_error, '!', '') AS "!", a.kind = 'unsplit' AS rule
  FROM splitcnn_accuracy a LEFT JOIN fit f USING (size, row_key, variant);
CREATE VIEW "splitcnn/patches" AS
SELECT network, split, "reached (%)", loss, accuracy, deviation, n, points, "2 SE", "!", rule FROM splitcnn_patches
 WHERE size = (SELECT size FROM splitcnn_size) ORDER BY place, variant_place;
CREATE VIEW "splitcnn/patches-longer" AS
SELECT network, split, "reached (%)", loss, accuracy, deviation, n, points, "2 SE", "!", rule FROM splitcnn_patches
 WHERE size = 'longer' ORDER BY place, variant_place;

-- The baseline's own accuracy is no cell to compare: its networks and data are others.
CREATE VIEW splitcnn_table1_cell AS
SELECT u.size, u.place, u.row_key, u.network AS row_label, c.column_key, c.place AS column_place,
    c.label AS column_label,
       iif(c.place = 1, p.published, p.published - b.published) AS published, t.difference AS ours,
       iif(c.place = 1, printf('%.2f', u.mean_pct), NULL) AS ours_text, 2 * t.standard_error AS half,
           iif(c.place = 1, u.n, t.n) AS n,
       iif(t.difference IS NULL, NULL, iif(u.real_data, 'predicted', 'scaled')) AS kind, 'points' AS unit,
           '1' AS table_id,
       iif(c.place = 1, '%.2f', '%+.2f') AS number
  FROM splitcnn_accuracy u
  JOIN (SELECT 1 AS place, 'Baseline' AS column_key, 'Baseline (%)' AS label UNION ALL SELECT 2, 'SCNN', 'SCNN'
      UNION ALL
        SELECT 3, 'SSCNN', 'SSCNN') c
  JOIN paper_value p ON p.paper = 'splitcnn' AND p.table_id = '1' AND p.row_key = u.row_key AND p.column_key =
      c.column_key
  JOIN paper_value b ON b.paper = 'splitcnn' AND b.table_id = '1' AND b.row_key = u.row_key AND b.column_key =
      'Baseline'
  LEFT JOIN splitcnn_table1 t ON t.size = u.size AND t.row_key = u.row_key AND t.column_key = c.column_key
 WHERE u.kind = 'unsplit';
CREATE VIEW "splitcnn/table-1" AS
SELECT * FROM splitcnn_table1_cell WHERE size = (SELECT size FROM splitcnn_size) ORDER BY place, column_place;
CREATE VIEW "splitcnn/table-1-longer" AS SELECT * FROM splitcnn_table1_cell WHERE size = 'longer' ORDER BY place,
    column_place;

CREATE VIEW "splitcnn/claims-longer" AS
SELECT printf('%d. %s. %s. Takes: %s. Came: %s%s.', place, upper(substr(verdict, 1, 1)) || substr(verdict, 2), says,
    criterion, outcome,
              iif(n > 0, printf(' (n = %d)', n), '')) AS text
  FROM claim WHERE paper = 'splitcnn' AND size = 'longer' AND verdict <> 'not run' ORDER BY place;

CREATE VIEW "splitcnn/unsaid" AS
SELECT 'Half of VGG-19''s convolutions end on a plane of 8x8 (in its usual form for CIFAR). There the equation of '
    || 'section 3.3 leaves one place '
       || 'to cut (from 3.2, rounded up, to 4.8, rounded down): by it the paper''s stochastic VGG-19 was split evenly '
           || 'all the time, and differs '
       || 'from SCNN only in how it is evaluated. The small networks here end on planes of 10x10, with three places, '
           || 'and the one of bottlenecks '
       || 'on 5x5, with two.' AS text
UNION ALL
SELECT 'Of Figure 11 the paper does not say what its baseline trains at; the larger that is, the less there is to '
    || 'gain.';
