-- What the paper says, and what must come out for it to hold here. Of all parts of a claim that is 'no worse', no
-- interval of a difference lies on the bad side of 0; 'worse': all do; 'better': all lie on the good side. bad: the
-- sign of what is worse, 1 for losses, -1 for BLEU.

CREATE VIEW dct_claim AS
WITH asked(place, source, says, takes, table_id, column_key, bad) AS (VALUES
  (1, 'Table 1', 'With one split, 75 to 95 % of the activations can be dropped', 'no worse', '1', 'test loss', 1),
  (2, 'Table 1', 'Dropping 75 to 95 % with one split even improves the test loss', 'better', '1', 'test loss', 1),
  (3, 'Table 1', 'With one split, dropping 98 % is too much', 'worse', '1', 'test loss', 1),
  (4, 'Table 1', 'With two splits, 75 and 90 % can be dropped', 'no worse', '1', 'test loss', 1),
  (5, 'Table 1', 'With two splits, dropping 95 % is too much', 'worse', '1', 'test loss', 1),
  (6, 'Table 1', 'Two splits cost more than one', 'worse', '1', 'test loss', 1),
  (7, 'Table 2', 'Up to 98 % of the gradients can be dropped', 'no worse', '2', 'test loss', 1),
  (8, 'Table 2', 'Dropping 99.5 % of the gradients is too much', 'worse', '2', 'test loss', 1),
  (9, 'Table 3', 'Up to 90 % of both can be dropped, with two splits', 'no worse', '3', 'test loss', 1),
  (10, 'Table 3', 'Dropping 95 % of both is too much', 'worse', '3', 'test loss', 1),
  (11, 'Table 4', 'A translator tolerates 95 % with one or two splits and 90 % with four', 'no worse', '4',
      'test loss', 1),
  (12, 'Table 4', 'Nor does BLEU suffer from that', 'no worse', '4', 'BLEU', -1),
  (13, 'Table 4', 'With four splits, dropping 95 % is too much', 'worse', '4', 'test loss', 1),
  (14, 'Figure 5', 'Where activations are dropped, their thresholds fall further', 'better', 'fig5', 'threshold', 1),
  (15, 'Figure 7b', 'The lifespan of a threshold changes neither loss', 'no worse', 'fig7b', 'test loss', 1)),
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
compared AS MATERIALIZED (
  SELECT q.place, d.size, d.n, q.bad * d.difference AS worse, d.half,
         printf(CASE d.unit WHEN '%' THEN '%s: %+.2f ± %.2f' ELSE '%s: %+.4f ± %.4f' END, p.label, d.difference,
             d.half) AS came
    FROM asked q JOIN part p USING (place)
    LEFT JOIN difference d ON d.table_id = q.table_id AND d.column_key = coalesce(p.column_key, q.column_key)
        AND d.row_key = p.row_key
                          AND d.against = coalesce(p.against, 'baseline')
   ORDER BY q.place, p.part),
answer(place, size, n, outcome, holds) AS (
  SELECT place, max(size), min(n), group_concat(came, '; '),
         CASE takes WHEN 'no worse' THEN min(worse - half <= 0)
                    WHEN 'worse' THEN CASE WHEN min(worse - half > 0) THEN 1 WHEN max(worse + half < 0) THEN 0 END
                    ELSE CASE WHEN min(worse + half < 0) THEN 1 WHEN max(worse - half > 0) THEN 0 END END
    FROM compared JOIN asked USING (place) GROUP BY place HAVING count(half) = count(*)),
-- What Figure 2 says of thresholds: of every layer, in every step that was traced.
layer AS MATERIALIZED (SELECT * FROM dct_deviation),
step AS (
  SELECT size, seed, tensor, dropped_pct, threshold, lag(threshold) OVER (PARTITION BY seed, tensor, step
      ORDER BY dropped_pct) AS lesser FROM dct_figure_2),
mean AS (
  SELECT size, seed, avg(threshold) AS mean, avg(lesser) AS lesser, sum(threshold > lesser) AS above, count(*) AS steps
    FROM step WHERE lesser IS NOT NULL GROUP BY seed, tensor, dropped_pct),
lead AS (SELECT size FROM dct_run JOIN training_size USING (size) ORDER BY place LIMIT 1)
SELECT 'dct' AS paper, q.place, coalesce(a.size, l.size) AS size, q.says || ' (' || q.source || ')' AS says,
       CASE q.takes WHEN 'no worse' THEN 'no worse: no 95 % interval lies entirely on the bad side of 0'
                    ELSE printf('%s: every 95 %% interval lies entirely on the %s side of 0; open unless one lies '
                        || 'entirely on the other', q.takes,
                                CASE q.takes WHEN 'worse' THEN 'bad' ELSE 'good' END) END AS criterion,
       coalesce(a.outcome, 'not trained, or with one seed only') AS outcome, CASE a.holds WHEN 1 THEN 'holds' WHEN 0
           THEN 'does not hold' ELSE 'open' END AS verdict,
       coalesce(a.n, 0) AS n
  FROM asked q JOIN lead l LEFT JOIN answer a USING (place)
 UNION ALL
SELECT 'dct', 16, coalesce(max(o.size), l.size), printf('With 95 %% dropped, a threshold differs by at most %.0f %% '
    || 'from its running mean (Figure 2)', p.published), 'every layer',
       CASE WHEN count(o.size) THEN printf('%d of %d layers over all %d steps, at most %.0f to %.0f %%; %d over their '
           || 'second half, at most %.0f to %.0f %%',
              sum(o.most_pct <= p.published), count(*), max(o.last_step) + 1, min(o.most_pct), max(o.most_pct),
              sum(o.most_late_pct <= p.published), min(o.most_late_pct), max(o.most_late_pct)) ELSE 'not trained' END,
       CASE max(o.most_pct) <= p.published WHEN 1 THEN 'holds' WHEN 0 THEN 'does not hold' ELSE 'open' END,
           count(DISTINCT o.seed)
  FROM lead l JOIN paper_value p ON p.paper = 'dct' AND p.table_id = 'fig2' LEFT JOIN layer o GROUP BY l.size
 UNION ALL
SELECT 'dct', 17, coalesce(max(m.size), l.size), 'The more is dropped, the higher the threshold (Figure 2)',
    'mean of every layer',
       CASE WHEN count(m.size) THEN printf('%d of %d means above the next smaller share''s, %d of %d single steps',
           sum(m.mean > m.lesser), count(*), sum(m.above), sum(m.steps))
            ELSE 'not trained' END,
       CASE min(m.mean > m.lesser) WHEN 1 THEN 'holds' WHEN 0 THEN 'does not hold' ELSE 'open' END,
           count(DISTINCT m.seed)
  FROM lead l LEFT JOIN mean m GROUP BY l.size;
