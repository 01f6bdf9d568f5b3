INSERT INTO report_part(paper, section, place, name, heading, before, shape, format, after) VALUES
  ('dynprec', 'simulated', 1, 'figure-2a', 'Figure 2a: what a step''s multiply-adds are for, the paper''s networks '
      || '(%)', '', 'list', 's %.3f %.3f %.3f', ''),
  ('dynprec', 'simulated', 2, 'fmas', 'Multiply-adds (1e9), next to what Figure 2a''s instructions make', '', 'cells',
      'percent', ''),
  ('dynprec', 'trained', 1, 'table-1', 'Table 1: accuracy on test samples, and multiply-adds in BF16 (%)', '', 'cells',
      'points',
   '±: deviation over n seeds.'),
  ('dynprec', 'trained', 2, 'training-runs', '', '', 'text', '', ''),
  ('dynprec', 'trained', 3, 'differences', 'Table 1: difference from FP32 (points)', '', 'cells', 'points',
   '±: two standard errors of the mean difference, a seed''s training runs compared with each other. !: differs by '
       || 'more.'),
  ('dynprec', 'trained', 4, 'switches', 'What dynamic precision decided', '', 'list',
      's %.0f %.0f %.0f %.0f %.1f %.0f %.0f', ''),
  ('dynprec', 'trained', 5, 'switches-small', '', '', 'text', '', ''),
  ('dynprec', 'trained', 6, 'figure-2a-small', 'Figure 2a of the scaled-down networks (%)', '', 'list',
      's %.3f %.3f %.3f', ''),
  ('dynprec', 'paper', 1, 'instructions', 'What an FMA is', '', 'text', '', '');

-- A column for each network; the numbers are texts, as rows have different places.
CREATE VIEW dynprec_part AS
WITH row AS (
  SELECT size, part, part_label, network, printf(iif(part < 4, '%.2f', '%.3f'), pct) AS said, 0 AS rule FROM dynprec_mix
  UNION ALL SELECT size, 6, 'norm and update', network, printf('%.3f', ours), 1 FROM dynprec_fp32
  UNION ALL SELECT size, 7, 'what Table 1 leaves', network, printf('%.2f', published), 0 FROM dynprec_fp32)
SELECT size, part, part_label AS "multiply-adds", max(said) FILTER (WHERE network = 'AlexNet') AS "AlexNet",
       max(said) FILTER (WHERE network = 'Inception') AS "Inception V2",
           max(said) FILTER (WHERE network = 'ResNet-50') AS "ResNet-50", rule
  FROM row GROUP BY size, part;
CREATE VIEW "dynprec/figure-2a" AS
SELECT "multiply-adds", "AlexNet", "Inception V2", "ResNet-50", rule FROM dynprec_part WHERE size = 'paper'
    ORDER BY part;
CREATE VIEW "dynprec/figure-2a-small" AS
SELECT "multiply-adds", "AlexNet", "Inception V2", "ResNet-50", rule FROM dynprec_part WHERE size = 'small'
    ORDER BY part;

CREATE VIEW "dynprec/fmas" AS
SELECT table_id, row_key, row_label, column_key, column_label, published, ours, kind, unit, '%.2f' AS number
  FROM report_cell WHERE paper = 'dynprec' AND table_id = 'fig2a' AND column_key = 'FMAs an image' AND ours IS NOT NULL
      ORDER BY place;

CREATE VIEW "dynprec/table-1" AS
SELECT '1' AS table_id, row_key, label || ', ' || variant AS row_label, column_key, what AS column_label, published,
    mean AS ours, deviation AS half, n,
       kind, '%.2f' AS number, variant = 'FP32' AS rule
  FROM dynprec_table1 ORDER BY place, variant_place, what_place;

CREATE VIEW "dynprec/training-runs" AS
SELECT 'Other data and smaller networks than the paper''s: differences may be compared, accuracies may not.'
    FROM dynprec_size WHERE size <> 'paper'
UNION ALL
SELECT * FROM (SELECT printf('%s: %s on %s, batches of %d, %d steps.', label, model, data, batch, steps)
                 FROM dynprec_point WHERE size = (SELECT size FROM dynprec_size) GROUP BY place ORDER BY place);

CREATE VIEW "dynprec/differences" AS
SELECT row_key, label || ', ' || variant AS row_label, column_key || ' - FP32' AS column_key, what AS column_label,
    published_difference AS published,
       difference AS ours, 2 * standard_error AS half, n, kind, '%+.2f' AS number, variant = 'MP' AS rule,
       printf('%+.2f', difference) || iif(abs(difference) > 2 * standard_error, ' !', '') AS ours_text
  FROM dynprec_table1 WHERE difference IS NOT NULL ORDER BY place, variant_place, what_place;

CREATE VIEW "dynprec/switches" AS
SELECT label AS training, seed, first_bf16 AS "BF16 from", switches, mp_steps AS "in MP|steps", 100.0 * mp_steps /
    steps AS "in MP|%",
       mp_first_half AS "in MP|1st half", mp_steps - mp_first_half AS "in MP|2nd half", seed =
           min(seed) OVER (PARTITION BY network) AS rule
  FROM dynprec_switching WHERE size = (SELECT size FROM dynprec_size) ORDER BY place, seed;

CREATE VIEW "dynprec/switches-small" AS
SELECT 'The controller looks at the loss after every batch in MP and every hundred in BF16, a tenth of the paper''s '
    || 'ten and thousand, so its moving average is the loss of one batch. With BF16 alone, norms and the update are '
    || 'what is missing to 100 %. Their share is larger in small networks: with fewer channels, there are fewer '
    || 'multiplications for each normalized value.'
  FROM dynprec_size WHERE size = 'small';

CREATE VIEW "dynprec/instructions" AS
WITH cell AS (SELECT column_key, published FROM paper_value WHERE paper = 'dynprec' AND table_id = 'fig2a'
    AND row_key = 'ResNet-50'),
said AS (
  SELECT max(published) FILTER (WHERE column_key = 'instructions') AS billions,
      max(published) FILTER (WHERE column_key = 'WU and BN') AS small,
         max(published) FILTER (WHERE column_key = 'WU and BN share') AS share,
             max(published) FILTER (WHERE column_key = 'batch') AS batch FROM cell)
SELECT printf('Figure 2a counts instructions of AVX-512, an FMA of sixteen values each; we count multiply-adds, zeros '
    || 'of the padding among them. A '
              || 'norm''s value is counted with eight (three forward, five backward), a parameter with three a step. '
                  || 'Of ResNet-50 the paper has %.0f '
              || 'million instructions for both, which it calls %.2f %% of the floating-point ones; they are %.3f %% '
                  || 'of all %.0f billion, and Table 1 '
              || 'leaves %.2f %% of the FMAs. This is %.2f multiply-adds for each normalized value, the update '
                  || 'included, where we count eight.',
              1e3 * small, share, 100 * small / billions, billions, f.published, 16 * (small / s.batch) * 1e9 /
                  (m.fmas / m.batch / 8))
  FROM said s
  JOIN dynprec_mix m ON m.size = 'paper' AND m.network = 'ResNet-50' AND m.part = 4
  JOIN dynprec_fp32 f ON f.size = m.size AND f.network = m.network;
