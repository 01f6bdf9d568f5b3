-- What the paper says, and what must come out for it to hold here. Effects are the differences of its tables. What can
-- be dropped must cost less than the loss that the same table calls too much: test loss is worse where it is larger.
INSERT INTO paper_claim(paper, place, says, section, form, sense, effect, margin, unit, digits, parts, why, untestable,
                        size) VALUES
  ('dct', 1, 'With one split, 75 to 95 % of the activations can be dropped', 'Table 1', 'no worse', -1, NULL, 0.0024,
      '', '%+.4f', 3, 'the loss that Table 1 calls tangible, of 98 %', '', ''),
  ('dct', 2, 'Dropping 75 to 95 % with one split even improves the test loss', 'Table 1', 'difference', -1, NULL, 0,
      '', '%+.4f', 3, 'effects of Table 1', 'The paper''s gain is 0.1 to 0.2 % of the loss, a fraction of what seeds '
      || 'differ by here: it takes hundreds of them.', ''),
  ('dct', 3, 'With one split, dropping 98 % is too much', 'Table 1', 'difference', 1, NULL, 0, '', '%+.4f', 1,
      'effect of Table 1', '', ''),
  ('dct', 4, 'With two splits, 75 and 90 % can be dropped', 'Table 1', 'no worse', -1, NULL, 0.0008, '', '%+.4f', 2,
      'the loss that Table 1 calls too ambitious, of 95 %', '', ''),
  ('dct', 5, 'With two splits, dropping 95 % is too much', 'Table 1', 'difference', 1, NULL, 0, '', '%+.4f', 1,
      'effect of Table 1', '', ''),
  ('dct', 6, 'Two splits cost more than one', 'Table 1', 'order', 1, NULL, 0, '', '%+.4f', 3, 'effects of Table 1', '',
      ''),
  ('dct', 7, 'Up to 98 % of the gradients can be dropped', 'Table 2', 'no worse', -1, NULL, 0.0009, '', '%+.4f', 4,
      'the loss of Table 2''s 99.5 %', '', ''),
  ('dct', 8, 'Dropping 99.5 % of the gradients is too much', 'Table 2', 'difference', 1, NULL, 0, '', '%+.4f', 1,
      'effect of Table 2', '', ''),
  ('dct', 9, 'Up to 90 % of both can be dropped, with two splits', 'Table 3', 'no worse', -1, NULL, 0.001, '', '%+.4f',
      2, 'the loss of Table 3''s 95 %', '', ''),
  ('dct', 10, 'Dropping 95 % of both is too much', 'Table 3', 'difference', 1, NULL, 0, '', '%+.4f', 1,
      'effect of Table 3', '', ''),
  ('dct', 11, 'A translator tolerates 95 % with one or two splits and 90 % with four', 'Table 4', 'no worse', -1, NULL,
      0.007, '', '%+.4f', 3, 'the loss of Table 4''s 95 % with four splits', '', ''),
  ('dct', 12, 'Nor does BLEU suffer from that', 'Table 4', 'no worse', 1, NULL, 0.06, '%', '%+.2f', 3,
      'as far as the BLEUs of Table 4 that it calls as good as the baseline lie from it',
      'BLEU of so few sentences differs by some 3 points from seed to seed, fifty times the margin.', ''),
  ('dct', 13, 'With four splits, dropping 95 % is too much', 'Table 4', 'difference', 1, NULL, 0, '', '%+.4f', 1,
      'effect of Table 4', '', ''),
  ('dct', 14, 'Where activations are dropped, their thresholds fall further', 'Figure 5', 'order', -1, NULL, 0, '',
      '%+.4f', 3, 'in the last tenth of the steps; the paper prints no number', '', ''),
  ('dct', 15, 'The lifespan of a threshold changes neither loss', 'Figure 7b', 'no worse', -1, NULL, 0.0009, '',
      '%+.4f', 8, 'the loss of Table 2''s 99.5 %', '', ''),
  ('dct', 16, 'With 95 % dropped, a threshold differs by at most 26 % from its running mean', 'Figure 2', 'count', 0,
      NULL, 0, '', '%.0f', 1, 'every layer, over all steps', '', ''),
  ('dct', 17, 'The more is dropped, the higher the threshold', 'Figure 2', 'count', 0, NULL, 0, '', '%.0f', 1,
      'mean of every layer', '', ''),
  ('dct', 18, 'Gradients take up to 100 times less communication without a loss', 'section 1', 'ratio', 1, NULL, 100,
      'x', '%.1f', 1, 'bytes of all pushes, of the most that is dropped in Table 2', '', ''),
  ('dct', 19, 'Activations take up to 20 times less communication without a loss', 'section 1', 'ratio', 1, NULL, 20,
      'x', '%.1f', 0, 'bytes between the parts of a network', 'The trainer drops activations and counts what is '
      || 'dropped, but sends no bytes of them.', '');

INSERT INTO claim_ablation(paper, place, ablation, what, scenario, variant, other, measure, at) VALUES
  ('dct', 4, 1, '90 % at the full width of the network', 'dct-*ablation*width*', '3 workers 90%', 'baseline',
      'test_loss', '%'),
  ('dct', 8, 1, '99.9 %', 'dct-*ablation*shares*', '99.9%', 'baseline', 'test_loss', '%'),
  ('dct', 8, 2, '99.9 %, thresholds found in every step', 'dct-*ablation*shares*', '99.9%, L=1', 'baseline',
      'test_loss', '%'),
  ('dct', 9, 1, '90 % of the activations alone, at the full width of the network', 'dct-*ablation*width*',
      '3 workers 90%', 'baseline', 'test_loss', '%');

-- Claim 16: how far thresholds of larger batches differ from their mean. Claim 18: what gradients take where the share
-- that is sent is kept in every step.
CREATE VIEW dct_counted_reason AS
WITH threshold AS (
  SELECT t.batch, x.tensor, x.step,
         100.0 * (x.threshold / avg(x.threshold) OVER (PARTITION BY p.point_id, x.tensor ORDER BY x.step) - 1)
             AS off_pct,
         max(x.step) OVER (PARTITION BY p.point_id) AS last
    FROM chosen_run c JOIN run_point p USING (run_id) JOIN training t USING (point_id)
    JOIN trace_tensor n ON n.point_id = p.point_id AND n.compressed
    JOIN trace_exchange x ON x.point_id = p.point_id AND x.tensor = n.tensor AND NOT x.pull
   WHERE c.scenario GLOB 'dct-*ablation*batch*' AND p.variant = 'DP 95%'),
tensor AS (
  SELECT batch, tensor, max(abs(off_pct)) AS most_pct, max(abs(off_pct)) FILTER (WHERE 2 * step >= last) AS late_pct
    FROM threshold GROUP BY batch, tensor),
sparse AS MATERIALIZED (
  SELECT p.point_id FROM chosen_run c JOIN run_point p USING (run_id)
   WHERE c.scenario GLOB 'dct-*ablation*shares*' AND p.variant = '99.5%, L=1'),
pushed(ablation, what, ratio) AS (
  SELECT 1, '99.5 %, thresholds found in every step', t.push_ratio FROM sparse JOIN trace_traffic t USING (point_id)
  UNION ALL
  SELECT 2, 'of these the weights alone, without the biases, which travel whole', 4.0 * sum(n.nvalues) / sum(x.bytes)
    FROM sparse p JOIN trace_tensor n ON n.point_id = p.point_id AND n.compressed
    JOIN trace_exchange x ON x.point_id = p.point_id AND x.tensor = n.tensor AND NOT x.pull
   GROUP BY p.point_id)
SELECT 'dct' AS paper, 16 AS place, 1 AS ablation,
       iif(max(o.most_pct) <= p.published, 'holds', 'does not hold') AS verdict,
       printf('batches of %d: %d of %d layers over all steps, at most %.0f to %.0f %%; %d over their second half, at '
           || 'most %.0f to %.0f %%', o.batch, sum(o.most_pct <= p.published), count(*), min(o.most_pct),
              max(o.most_pct), sum(o.late_pct <= p.published), min(o.late_pct), max(o.late_pct)) AS says
  FROM tensor o JOIN paper_value p ON p.paper = 'dct' AND p.table_id = 'fig2' GROUP BY o.batch
UNION ALL
SELECT 'dct', 18, ablation, iif(min(ratio) > 100, 'holds', 'does not hold'),
       printf('%s: %.1f to %.1f x, n = %d', what, min(ratio), max(ratio), count(*))
  FROM pushed GROUP BY ablation;

CREATE VIEW dct_claim_part AS
WITH asked(place, table_id, column_key) AS (VALUES
  (1, '1', 'test loss'), (2, '1', 'test loss'), (3, '1', 'test loss'), (4, '1', 'test loss'), (5, '1', 'test loss'),
  (6, '1', 'test loss'), (7, '2', 'test loss'), (8, '2', 'test loss'), (9, '3', 'test loss'), (10, '3', 'test loss'),
  (11, '4', 'test loss'), (12, '4', 'BLEU'), (13, '4', 'test loss'), (14, 'fig5', 'threshold'),
  (15, 'fig7b', 'test loss')),
-- against: NULL for the baseline; column_key: NULL for the claim's.
part(place, part, label, row_key, against, column_key) AS (VALUES
  (1, 1, '75 %', '2 workers 75%', NULL, NULL), (1, 2, '90 %', '2 workers 90%', NULL, NULL),
      (1, 3, '95 %', '2 workers 95%', NULL, NULL),
  (2, 1, '75 %', '2 workers 75%', NULL, NULL), (2, 2, '90 %', '2 workers 90%', NULL, NULL),
      (2, 3, '95 %', '2 workers 95%', NULL, NULL),
  (3, 1, '98 %', '2 workers 98%', NULL, NULL), (4, 1, '75 %', '3 workers 75%', NULL, NULL),
      (4, 2, '90 %', '3 workers 90%', NULL, NULL),
  (5, 1, '95 %', '3 workers 95%', NULL, NULL), (6, 1, '75 %', '3 workers 75%', '2 workers 75%', NULL),
  (6, 2, '90 %', '3 workers 90%', '2 workers 90%', NULL), (6, 3, '95 %', '3 workers 95%', '2 workers 95%', NULL),
  (7, 1, '75 %', '75%', NULL, NULL), (7, 2, '90 %', '90%', NULL, NULL), (7, 3, '95 %', '95%', NULL, NULL),
      (7, 4, '98 %', '98%', NULL, NULL),
  (8, 1, '99.5 %', '99.5%', NULL, NULL), (9, 1, '75 %', '75%', NULL, NULL), (9, 2, '90 %', '90%', NULL, NULL),
      (10, 1, '95 %', '95%', NULL, NULL),
  (11, 1, 'one, 95 %', '2 workers 95%', NULL, NULL), (11, 2, 'two, 95 %', '3 workers 95%', NULL, NULL),
      (11, 3, 'four, 90 %', '5 workers 90%', NULL, NULL),
  (12, 1, 'one, 95 %', '2 workers 95%', NULL, NULL), (12, 2, 'two, 95 %', '3 workers 95%', NULL, NULL),
      (12, 3, 'four, 90 %', '5 workers 90%', NULL, NULL),
  (13, 1, '95 %', '5 workers 95%', NULL, NULL), (14, 1, '75 %', '75% applied', '75%', NULL),
      (14, 2, '90 %', '90% applied', '90%', NULL),
  (14, 3, '95 %', '95% applied', '95%', NULL), (15, 1, 'test, L = 1', 'L=1', NULL, NULL),
      (15, 2, 'test, L = 10', 'L=10', NULL, NULL),
  (15, 3, 'test, L = 100', 'L=100', NULL, NULL), (15, 4, 'test, L = 1000', 'L=1000', NULL, NULL),
      (15, 5, 'train, L = 1', 'L=1', NULL, 'train loss'),
  (15, 6, 'train, L = 10', 'L=10', NULL, 'train loss'), (15, 7, 'train, L = 100', 'L=100', NULL, 'train loss'),
  (15, 8, 'train, L = 1000', 'L=1000', NULL, 'train loss')),
difference AS MATERIALIZED (SELECT * FROM dct_difference),
-- What Figure 2 says of thresholds: of every layer, in every step that was traced.
layer AS MATERIALIZED (SELECT * FROM dct_deviation),
step AS (
  SELECT size, seed, tensor, dropped_pct, threshold, lag(threshold) OVER (PARTITION BY seed, tensor, step
      ORDER BY dropped_pct) AS lesser FROM dct_figure_2),
mean AS (
  SELECT size, seed, avg(threshold) AS mean, avg(lesser) AS lesser, sum(threshold > lesser) AS above, count(*) AS steps
    FROM step WHERE lesser IS NOT NULL GROUP BY seed, tensor, dropped_pct),
pushed AS (
  SELECT a.size, a.seed, max(t.push_ratio) AS ratio, avg(max(t.push_ratio)) OVER (PARTITION BY a.size) AS mean
    FROM dct_point a JOIN trace_traffic t USING (point_id) WHERE a.table_id = '2' GROUP BY a.size, a.seed)
SELECT 'dct' AS paper, q.place, d.size, p.part, p.label, d.difference AS estimate, d.error, d.n,
       v.published - w.published AS effect, NULL AS holds, NULL AS shown, NULL AS censored
  FROM asked q JOIN part p USING (place)
  JOIN difference d ON d.table_id = q.table_id AND d.column_key = coalesce(p.column_key, q.column_key)
      AND d.row_key = p.row_key AND d.against = coalesce(p.against, 'baseline')
  LEFT JOIN paper_value v ON v.paper = 'dct' AND v.table_id = q.table_id AND v.column_key = d.column_key
      AND v.row_key = d.row_key
  LEFT JOIN paper_value w ON w.paper = 'dct' AND w.table_id = q.table_id AND w.column_key = d.column_key
      AND w.row_key = d.against
UNION ALL
SELECT 'dct', 16, o.size, 1, '', NULL, NULL, count(DISTINCT o.seed), NULL, max(o.most_pct) <= p.published,
       printf('%d of %d layers over all %d steps, at most %.0f to %.0f %%; %d over their second half, at most %.0f to '
           || '%.0f %%', sum(o.most_pct <= p.published), count(*), max(o.last_step) + 1, min(o.most_pct),
              max(o.most_pct), sum(o.most_late_pct <= p.published), min(o.most_late_pct), max(o.most_late_pct)), NULL
  FROM layer o JOIN paper_value p ON p.paper = 'dct' AND p.table_id = 'fig2' GROUP BY o.size
UNION ALL
SELECT 'dct', 17, size, 1, '', NULL, NULL, count(DISTINCT seed), NULL, min(mean > lesser),
       printf('%d of %d means above the next smaller share''s, %d of %d single steps', sum(mean > lesser), count(*),
              sum(above), sum(steps)), NULL
  FROM mean GROUP BY size
UNION ALL
SELECT 'dct', 18, size, 1, '', mean, sqrt(sum((ratio - mean) * (ratio - mean)) / nullif(count(*) - 1, 0) / count(*)),
       count(*), NULL, NULL, NULL, NULL
  FROM pushed GROUP BY size;
