-- What the paper concludes from its training runs, and whether ours bear it out, of each size. What a claim takes to
-- hold is the paper's words and two standard errors, whatever comes out; it is open where the training runs for it are
-- not there. SE: the standard error of a mean difference over seeds. All three networks are asked for.
CREATE VIEW dynprec_claim AS
WITH asked(place, says, criterion) AS (VALUES
  (1, 'MP is as accurate as FP32', 'top-1 at most 2 SE apart, in each network'),
  (2, 'BF16 alone is less accurate than MP', 'more than 2 SE below, in each'),
  (3, 'Dynamic is as accurate as MP', 'at most 2 SE below, in each'),
  (4, 'Dynamic is more accurate than BF16 alone', 'more than 2 SE above, in each'),
  (5, 'Dynamic does more than 94 % of its FMAs in BF16', 'that, on average over the seeds, in each'),
  (6, 'BF16 alone does more than 99 %', 'that, in each'),
  (7, 'Dynamic switches to BF16 early and returns to MP when the loss stalls',
      'BF16 within the first tenth, and a return to MP, in every training run'),
  (8, 'what stays in FP32 is small compared to the rest: in the paper''s networks 0.07 to 0.10 % of the FMAs',
   'between half and twice what Table 1 leaves, in each of them'),
  (9, 'a batch has as many FMAs as Figure 2a''s instructions make', 'within 10 %, in each')),
size(size) AS (SELECT DISTINCT size FROM dynprec_run),
pair(place, variant, other) AS (VALUES (1, 'MP', 'FP32'), (2, 'BF16', 'MP'), (3, 'Dynamic', 'MP'),
    (4, 'Dynamic', 'BF16')),
found(place, size, row, outcome, holds, n) AS (      -- of each network
  SELECT p.place, size, d.place, printf('%s %+.2f (2 SE %.2f)', label, difference, 2 * standard_error),
         CASE p.place WHEN 1 THEN abs(difference) <= 2 * standard_error WHEN 2 THEN difference < -2 * standard_error
                      WHEN 3 THEN difference >= -2 * standard_error ELSE difference > 2 * standard_error END, n
    FROM pair p JOIN dynprec_difference d USING (variant, other) WHERE name = 'accuracy' AND standard_error IS NOT NULL
  UNION ALL
  SELECT iif(variant = 'BF16', 6, 5), size, place, printf('%s %.2f %%', label, mean),
         mean > iif(variant = 'BF16', 99, (SELECT published FROM paper_value WHERE paper = 'dynprec' AND table_id =
             'text' AND row_key = 'any')), n
    FROM dynprec_spread WHERE name = 'bf16_fma_pct' AND variant IN ('Dynamic', 'BF16')
  UNION ALL
  SELECT 7, size, place, printf('%s: %d of %d training runs, BF16 from step %d at the latest', label,
      sum(first_bf16 < 0.1 * steps AND switches > 1), count(*),
         max(first_bf16)), min(coalesce(first_bf16 < 0.1 * steps, 0) AND switches > 1), count(*)
    FROM dynprec_switching GROUP BY size, network
  UNION ALL
  SELECT 8, z.size, f.place, printf('%s %.3f %% (%.2f)', label, ours, published), ours BETWEEN published / 2 AND 2 *
      published, 1
    FROM size z JOIN dynprec_fp32 f ON f.size = 'paper'
  UNION ALL
  SELECT 9, z.size, place, printf('%s %+.1f %%', row_label, 100 * (ours / published - 1)), abs(ours / published - 1) <=
      0.1, 1
    FROM size z JOIN report_cell ON paper = 'dynprec' AND table_id = 'fig2a' AND column_key = 'FMAs an image'
        AND ours IS NOT NULL),
answer AS (
  SELECT place, size, group_concat(outcome, ', ') || iif(place <= 4, ' points', '') AS outcome, min(holds) AS holds,
      sum(n) AS n
    FROM (SELECT * FROM found ORDER BY row) GROUP BY place, size HAVING count(*) = 3)
SELECT 'dynprec' AS paper, q.place, z.size, q.says, q.criterion, coalesce(a.outcome, 'not trained, or with one seed '
    || 'only') AS outcome,
       CASE a.holds WHEN 1 THEN 'holds' WHEN 0 THEN 'does not hold' ELSE 'open' END AS verdict, coalesce(a.n, 0) AS n
  FROM size z JOIN asked q LEFT JOIN answer a ON a.place = q.place AND a.size = z.size;
