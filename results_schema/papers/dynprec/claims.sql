-- What the paper concludes from its training runs, and whether ours bear it out, of each size. Effects are those of its
-- Table 1. It calls Dynamic as accurate as MP where it is 1.56 points below (ResNet-50, section 6), and 2.38 points a
-- loss (AlexNet's BF16): half way between, 1.97, is the margin of whatever is to be as accurate.
INSERT INTO paper_claim(paper, place, says, section, form, sense, effect, margin, unit, digits, parts, why, untestable,
                        size) VALUES
  ('dynprec', 1, 'MP is as accurate as FP32, in each network', 'section 6, Table 1', 'no worse', 1, NULL, 1.97,
      'points',
      '%+.2f', 3, 'half way between the largest difference that the paper calls the same and the smallest it calls a '
      || 'loss', '', ''),
  ('dynprec', 2, 'BF16 alone is less accurate than MP, in AlexNet and ResNet-50', 'sections 4 and 6, Table 1',
      'difference', -1,
      NULL, 0, 'points', '%+.2f', 2, 'effects of Table 1', '', ''),
  ('dynprec', 3, 'Dynamic is as accurate as MP, in each network', 'sections 1 and 6, Table 1', 'no worse', 1, NULL,
      1.97,
      'points', '%+.2f', 3, 'half way between the largest difference that the paper calls the same and the smallest it '
      || 'calls a loss', '', ''),
  ('dynprec', 4, 'Dynamic is more accurate than BF16 alone, in AlexNet and ResNet-50', 'section 6, Table 1',
      'difference', 1,
      NULL, 0, 'points', '%+.2f', 2, 'effects of Table 1', '', ''),
  ('dynprec', 5, 'Dynamic does more than 94 % of its FMAs in BF16, in each network', 'abstract, Table 1', 'ratio', 1,
      NULL, 94, '%', '%.2f', 3, 'shares of Table 1', '', ''),
  ('dynprec', 6, 'BF16 alone does more than 99 % of the FMAs, in each network', 'section 6, Table 1', 'count', 0,
      NULL, 0, '%',
      '%.2f', 3, 'counted from the paper''s own networks: of scaled ones norms and updates are a larger share', '', ''),
  ('dynprec', 7, 'Dynamic switches to BF16 early and returns to MP when the loss stalls', 'section 4', 'count', 0, NULL,
      0, '', '%.0f', 3, 'BF16 within the first tenth of the steps, and a return to MP, in every training run', '', ''),
  ('dynprec', 8, 'What stays in FP32 is small compared to the rest: 0.07 to 0.10 % of the FMAs', 'section 6, Table 1',
      'count',
      0, NULL, 0, '%', '%.3f', 3, 'of the paper''s own networks, between half and twice what Table 1 leaves, in each',
      '', ''),
  ('dynprec', 9, 'A batch has as many FMAs as Figure 2a''s instructions make', 'Figure 2a', 'count', 0, NULL, 0, '%',
      '%+.1f', 3, 'of the paper''s own networks, within 10 %, in each', '', ''),
  ('dynprec', 10, 'BF16 alone reaches the accuracy of MP in Inception V2', 'section 4, Table 1', 'no worse', 1, NULL,
      1.97,
      'points', '%+.2f', 1, 'half way between the largest difference that the paper calls the same and the smallest it '
      || 'calls a loss', '', '');

-- What may be why a claim fails.
INSERT INTO claim_ablation(paper, place, ablation, what, scenario, variant, other, measure, at) VALUES
  ('dynprec', 2, 1, 'chains of a whole batch of 32', 'dynprec-chains', 'BF16', 'MP', 'accuracy', '%batch 32,%'),
  ('dynprec', 2, 2, 'chains of a whole batch of 256', 'dynprec-chains', 'BF16', 'MP', 'accuracy', '%batch 256,%'),
  ('dynprec', 2, 3, 'cut at each of its 256 images', 'dynprec-chains', 'BF16, chains cut', 'MP', 'accuracy',
      '%batch 256,%'),
  ('dynprec', 2, 4, 'AlexNet in batches of 256', 'dynprec-ablation-alexnet', 'BF16', 'MP', 'accuracy', '%'),
  ('dynprec', 3, 1, 'stretches of 8 batches in BF16', 'dynprec-shares', 'Dynamic, 8', 'MP', 'accuracy', '%'),
  ('dynprec', 3, 2, 'stretches of 16 batches in BF16', 'dynprec-shares', 'Dynamic, 16', 'MP', 'accuracy', '%');

CREATE VIEW dynprec_claim_part AS
WITH pair(place, variant, other, network) AS (VALUES
  (1, 'MP', 'FP32', '%'), (2, 'BF16', 'MP', 'AlexNet'), (2, 'BF16', 'MP', 'ResNet-50'), (3, 'Dynamic', 'MP', '%'),
  (4, 'Dynamic', 'BF16', 'AlexNet'), (4, 'Dynamic', 'BF16', 'ResNet-50'), (10, 'BF16', 'MP', 'Inception')),
top1 AS (
  SELECT row_key AS network, replace(column_key, ' top-1', '') AS variant, published FROM paper_value
   WHERE paper = 'dynprec' AND table_id = '1' AND column_key LIKE '% top-1'),
whole AS (SELECT * FROM dynprec_fp32 WHERE size = 'paper')
SELECT 'dynprec' AS paper, p.place, d.size, d.place AS part, d.label, d.difference AS estimate,
       d.standard_error AS error, d.n, a.published - b.published AS effect, NULL AS holds, NULL AS shown,
       NULL AS censored
  FROM pair p
  JOIN dynprec_difference d ON d.variant = p.variant AND d.other = p.other AND d.network LIKE p.network
      AND d.name = 'accuracy'
  JOIN top1 a ON a.network = d.network AND a.variant = p.variant
  JOIN top1 b ON b.network = d.network AND b.variant = p.other
UNION ALL
SELECT 'dynprec', 5, s.size, s.place, s.label, s.mean, s.deviation / sqrt(s.n), s.n, v.published, NULL, NULL, NULL
  FROM dynprec_spread s
  JOIN paper_value v ON v.paper = 'dynprec' AND v.table_id = '1' AND v.row_key = s.network AND v.column_key =
      'Dynamic FMAs'
 WHERE s.name = 'bf16_fma_pct' AND s.variant = 'Dynamic'
UNION ALL
SELECT 'dynprec', 6, '', place, label, NULL, NULL, 1, NULL, 100 - ours > 99, printf('%.2f %%', 100 - ours), NULL
  FROM whole
UNION ALL
SELECT 'dynprec', 7, size, place, label, NULL, NULL, count(*), NULL,
       min(coalesce(first_bf16 < 0.1 * steps, 0) AND switches > 1),
       printf('%d of %d training runs, BF16 from step %d at the latest', sum(first_bf16 < 0.1 * steps AND switches > 1),
           count(*), max(first_bf16)), NULL
  FROM dynprec_switching GROUP BY size, network
UNION ALL
SELECT 'dynprec', 8, '', place, label, NULL, NULL, 1, NULL, ours BETWEEN published / 2 AND 2 * published,
       printf('%.3f %% (%.2f)', ours, published), NULL
  FROM whole
UNION ALL
SELECT 'dynprec', 9, '', place, row_label, NULL, NULL, 1, NULL, abs(ours / published - 1) <= 0.1,
       printf('%+.1f %%', 100 * (ours / published - 1)), NULL
  FROM report_spoken
 WHERE paper = 'dynprec' AND table_id = 'fig2a' AND column_key = 'FMAs an image' AND ours IS NOT NULL;

-- Claim 5: the share in a longer training. Claim 8: a norm counted as one multiply-add a value, where ours are eight
-- (one for the variance and two to normalize and scale, five in backward).
CREATE VIEW dynprec_counted_reason AS
WITH share AS (
  SELECT t.steps, m.value
    FROM chosen_run c JOIN run_point p USING (run_id) JOIN training t USING (point_id) JOIN measure m USING (point_id)
   WHERE c.scenario = 'dynprec-ablation-longer' AND m.name = 'bf16_fma_pct'),
counted AS (
  SELECT x.place, x.label, 100 - p.published AS published,
         100.0 * sum(CASE x.part WHEN 4 THEN x.fmas / 8 WHEN 5 THEN x.fmas END)
           / sum(CASE x.part WHEN 4 THEN x.fmas / 8 ELSE x.fmas END) AS ours
    FROM dynprec_mix x
    JOIN paper_value p ON p.paper = 'dynprec' AND p.table_id = '1' AND p.row_key = x.network AND p.column_key =
        'BF16 FMAs'
   WHERE x.size = 'paper' GROUP BY x.network)
SELECT 'dynprec' AS paper, 5 AS place, 1 AS ablation, iif(min(value) > 94, 'holds', 'does not hold') AS verdict,
       printf('AlexNet, %d steps: %.2f to %.2f %%, n = %d', steps, min(value), max(value), count(*)) AS says
  FROM share GROUP BY steps
UNION ALL
SELECT 'dynprec', 8, 1, iif(min(ours BETWEEN published / 2 AND 2 * published), 'holds', 'does not hold'),
       'norms counted as one multiply-add a value, not eight: '
         || group_concat(printf('%s %.3f %% (%.2f)', label, ours, published), ', ')
  FROM (SELECT * FROM counted ORDER BY place) HAVING count(*) > 0;
