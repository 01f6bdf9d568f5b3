INSERT INTO report_figure(paper, section, place, name, template, header, caption, scenario) VALUES
  ('a2dtwp', 'simulated', 1, 'a2dtwp-profile', 'profile', '',
   'Where the time of one batch of VGG goes (ms), as the paper measured it and as simulated, at 32 bits and with '
       || 'A2DTWP. Tables II and III.',
   'scenarios/papers/a2dtwp/table-ii.yaml'),
  ('a2dtwp', 'simulated', 2, 'a2dtwp-fig4', 'fig4', '',
   'Time over the 32-bit baseline''s for each network and batch size; less is better. Published: until an accuracy is '
       || 'reached. Ours: simulated, of one batch. Oracle: the best of the formats that stay, which of one batch is '
       || '8 bits; the paper draws its own without numbers.',
   'scenarios/papers/a2dtwp/figure-4.yaml'),
  ('a2dtwp', 'simulated', 3, 'a2dtwp-bandwidth', 'bandwidth', 'speedup at this many GB/s',
   'Simulated speedup over the 32-bit baseline (VGG, batch 64) were the CPU–GPU links slower or faster, GB/s one way; '
       || 'the machines as they are are marked.',
   'scenarios/papers/a2dtwp/bandwidth-x86-k80.yaml'),
  ('a2dtwp', 'simulated', 4, 'a2dtwp-bytes-per-flop', 'bytes_per_flop', 'speedup at this many bytes per kFLOP',
   'The same against the link''s bandwidth over the peak arithmetic (bytes per kFLOP): the fewer, the more a machine '
       || 'is out of balance.',
   'scenarios/papers/a2dtwp/bytes-per-flop-x86-k80.yaml'),
  ('a2dtwp', 'simulated', 5, 'a2dtwp-bytes-per-weight', 'bytes_per_weight', 'speedup at this many bytes per weight',
   'The same against the bytes that a weight is packed to: 4 is the baseline''s.',
       'scenarios/papers/a2dtwp/bytes-per-weight-x86-k80.yaml'),
  ('a2dtwp', 'trained', 1, 'a2dtwp-trained', 'fig4-trained',
   'time / 32-bit baseline''s time|A²DTWP, Figure 4: time until an error, trained',
   'Time until the error is reached, over the 32-bit baseline''s; less is better. Ours is trained and timed by '
       || 'simulation, the oracle the best of the formats '
   || 'that stay. Bars: deviation over the seeds.',
   'scenarios/training/a2dtwp/small/alexnet.yaml'),
  ('a2dtwp', 'trained', 2, 'a2dtwp-error', 'error', '',
   'Top-5 error on test samples (%) against simulated time (s); means over the seeds. Dashed: the error that is to be '
       || 'reached.',
   'scenarios/training/a2dtwp/small/alexnet.yaml'),
  ('a2dtwp', 'trained', 3, 'a2dtwp-epochs', 'bars',
   'time / 32-bit baseline''s time|A²DTWP, Figure 5: time after so many epochs, x86, trained',
   'Time after a number of the paper''s epochs, over the 32-bit baseline''s, published and ours; less is better. '
       || 'ImageNet with 1000 classes on x86.',
   'scenarios/training/a2dtwp/small/resnet.yaml'),
  ('a2dtwp', 'trained', 4, 'a2dtwp-bits', 'bits',
   'share of the training''s steps (%)|A²DTWP: bits that AWP gave to each layer''s weights',
   'Bits that AWP gave to each layer''s weights as training went, of the first seed and the largest batch.',
   'scenarios/training/a2dtwp/small/vgg.yaml');

-- The rows of a profile table are the columns of its figure, NULL where nothing is known; their labels are data.
CREATE VIEW "a2dtwp-profile/header" AS
SELECT 'origin', group_concat(label, char(9)), 'total' FROM (SELECT label FROM paper_row WHERE paper = 'a2dtwp'
    AND table_id = 'II' ORDER BY place);
CREATE VIEW "a2dtwp-profile/data" AS
WITH cell AS MATERIALIZED (SELECT * FROM a2dtwp_profile WHERE place < 99),
value AS (SELECT table_id, column_key, 'paper' AS origin, place, published AS ms FROM cell UNION ALL
          SELECT table_id, column_key, 'ours', place, ours FROM cell)
SELECT y.label, column_key, origin, sum(ms) FILTER (WHERE v.place = 1), sum(ms) FILTER (WHERE v.place = 2),
    sum(ms) FILTER (WHERE v.place = 3),
       sum(ms) FILTER (WHERE v.place = 4), sum(ms) FILTER (WHERE v.place = 5), sum(ms) FILTER (WHERE v.place = 6),
       sum(ms) FILTER (WHERE v.place = 7), sum(ms) FILTER (WHERE v.place = 8), sum(ms)
  FROM value v JOIN paper_system y ON y.paper = 'a2dtwp' AND y.table_id = v.table_id
 WHERE EXISTS (SELECT 1 FROM cell WHERE ours IS NOT NULL)
 GROUP BY v.table_id, column_key, origin
HAVING sum(ms) IS NOT NULL
 ORDER BY y.place, column_key = 'A2DTWP', origin = 'ours';

CREATE VIEW "a2dtwp-fig4/header" AS
WITH kind AS (
  SELECT group_concat(kind, ', ') AS kind FROM (SELECT DISTINCT kind FROM comparison
      WHERE paper = 'a2dtwp' AND table_id = 'fig4' ORDER BY kind))
SELECT 'published', 'ours, ' || kind, 'oracle, ours' FROM kind;
CREATE VIEW "a2dtwp-fig4/data" AS
WITH cell AS MATERIALIZED (SELECT * FROM report_cell WHERE paper = 'a2dtwp' AND table_id = 'fig4')
SELECT y.label, c.row_label, 1.0 - c.published / 100.0, 1.0 - c.ours / 100.0,
       (SELECT min(s.bits8_ms, s.bits16_ms, s.bits24_ms) / s.step_ms FROM a2dtwp_figure4_step s
         WHERE s.row_key = c.row_key AND s.system = c.column_key)
  FROM cell c JOIN paper_system y ON y.paper = c.paper AND y.system = c.column_key
 WHERE EXISTS (SELECT 1 FROM cell WHERE ours IS NOT NULL)
 ORDER BY y.place, c.place;

CREATE VIEW "a2dtwp-bandwidth/data" AS
SELECT label, bandwidth_GBps, speedup FROM a2dtwp_speedup WHERE figure = 'bandwidth' AND bandwidth_GBps IS NOT NULL
 ORDER BY place, label, bandwidth_GBps, position;
CREATE VIEW "a2dtwp-bandwidth/marks" AS
SELECT printf('%s as it is: %.3g GB/s, %.2f×', label, bandwidth_GBps, speedup), bandwidth_GBps, speedup
    FROM a2dtwp_speedup
 WHERE as_it_is AND bandwidth_GBps IS NOT NULL AND label IN (SELECT label FROM a2dtwp_speedup WHERE figure =
     'bandwidth') ORDER BY place;

CREATE VIEW "a2dtwp-bytes-per-flop/data" AS
SELECT label, bytes_per_kflop, speedup FROM a2dtwp_speedup WHERE figure = 'bytes_per_flop'
    AND bytes_per_kflop IS NOT NULL
 ORDER BY place, label, bytes_per_kflop, position;
CREATE VIEW "a2dtwp-bytes-per-flop/marks" AS
SELECT printf('%s as it is: %.3g bytes/kFLOP, %.2f×', label, bytes_per_kflop, speedup), bytes_per_kflop, speedup
    FROM a2dtwp_speedup
 WHERE as_it_is AND bytes_per_kflop IS NOT NULL AND label IN (SELECT label FROM a2dtwp_speedup WHERE figure =
     'bytes_per_flop') ORDER BY place;

-- Section V-B says that the machine with fewer bytes per FLOP gains more by it; what ours do, as they are.
CREATE VIEW "a2dtwp-bytes-per-flop/caption" AS
WITH machine AS (
  SELECT label, bytes_per_kflop, speedup, rank() OVER (ORDER BY bytes_per_kflop) AS ratio_place
    FROM a2dtwp_speedup WHERE as_it_is AND bytes_per_kflop IS NOT NULL)
SELECT printf('Section V-B has %s gain more than %s, as it has fewer bytes per FLOP (%.2f and %.2f per thousand); here '
    || 'it gains %s, %.2f× and %.2f×%s.', a.label, b.label, a.bytes_per_kflop, b.bytes_per_kflop,
    iif(a.speedup < b.speedup, 'less', 'more'), a.speedup, b.speedup,
    iif(a.speedup < b.speedup, ': between the machines, this figure shows the reverse of section V-B, though each of '
    || 'them gains more the fewer it has', ''))
  FROM machine a JOIN machine b ON a.ratio_place = 1 AND b.ratio_place = 2;

CREATE VIEW "a2dtwp-bytes-per-weight/data" AS
SELECT label, bytes_per_weight, speedup FROM a2dtwp_speedup WHERE figure = 'bytes_per_weight'
    AND bytes_per_weight IS NOT NULL
 ORDER BY place, label, bytes_per_weight, position;
CREATE VIEW "a2dtwp-bytes-per-weight/marks" AS
SELECT printf('%s as it is: %.3g bytes, %.2f×', label, bytes_per_weight, speedup), bytes_per_weight, speedup
    FROM a2dtwp_speedup
 WHERE as_it_is AND bytes_per_weight IS NOT NULL AND label IN (SELECT label FROM a2dtwp_speedup WHERE figure =
     'bytes_per_weight') ORDER BY place;

-- What was trained, for titles and captions.
CREATE VIEW "a2dtwp/trained/title" AS
SELECT printf(', %s, n=%s%d seed%s', label, iif(least < most, least || ' to ', ''), most, iif(most = 1, '', 's'))
  FROM (SELECT min(n) AS least, max(n) AS most
          FROM (SELECT count(DISTINCT seed) AS n FROM a2dtwp_point GROUP BY network, batch))
  JOIN training_size ON size = (SELECT max(size) FROM a2dtwp_point);
CREATE VIEW "a2dtwp/trained/caption" AS
SELECT printf('n = %s seeds.', iif(min(n) = max(n), '', min(n) || ' to ') || max(n))
  FROM (SELECT count(DISTINCT seed) AS n FROM a2dtwp_point GROUP BY network, batch) HAVING count(*) > 0;

CREATE VIEW "a2dtwp-trained/data" AS
SELECT system_label, label, 1.0 - published / 100.0, 1.0 - ours / 100.0, deviation / 100.0, 1.0 - oracle_ours / 100.0,
    reached < seeds
  FROM a2dtwp_gain ORDER BY system_place, place;

CREATE VIEW "a2dtwp-error/header" AS
SELECT 'simulated time (s)', 'top-5 error (%)', 'A²DTWP, Figure 3: Alexnet on x86 + K80, trained and simulated'
    || (SELECT * FROM "a2dtwp/trained/title"),
       max(threshold_pct) FROM a2dtwp_point WHERE reaches AND network = 'alexnet-a2dtwp';
CREATE VIEW "a2dtwp-error/data" AS
WITH oracle AS MATERIALIZED (SELECT network, batch, system, variant FROM a2dtwp_policy WHERE oracle)
SELECT 'batch ' || s.batch AS panel, CASE s.variant WHEN '32-bit FP' THEN 'baseline' WHEN 'A2DTWP' THEN 'A2DTWP'
    ELSE 'oracle (' || s.variant || ')' END,
       avg(s.seconds), avg(s.error_pct)
  FROM a2dtwp_sample s LEFT JOIN oracle o ON o.network = s.network AND o.batch = s.batch AND o.system = s.system
 WHERE s.network = 'alexnet-a2dtwp' AND s.system = 'x86-k80' AND s.batch IN (16, 32)
     AND s.variant IN ('32-bit FP', 'A2DTWP', o.variant)
 GROUP BY s.batch, s.variant, s.after_steps
 ORDER BY s.batch DESC, CASE s.variant WHEN '32-bit FP' THEN 1 WHEN 'A2DTWP' THEN 2 ELSE 3 END, s.after_steps;

CREATE VIEW "a2dtwp-epochs/data" AS
SELECT 'all', replace(label, ' epochs', ''), published, ours, 0, 2 * deviation / sqrt(seeds)
  FROM a2dtwp_elapsed ORDER BY place;

-- Biases travel as they are, and are not drawn.
CREATE VIEW "a2dtwp-bits/data" AS
WITH point AS MATERIALIZED (
  SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY network ORDER BY batch DESC, seed) AS n
                   FROM a2dtwp_point WHERE variant = 'A2DTWP' AND reaches) WHERE n = 1)
SELECT k.label || ', batch ' || k.batch, replace(w.name, '.weights', ''),
    dense_rank() OVER (PARTITION BY k.network ORDER BY w.tensor),
       100.0 * w.from_step / k.steps, 100.0 * w.to_step / k.steps, w.bits
  FROM point k JOIN trace_width w USING (point_id)
 ORDER BY k.place, w.tensor, w.from_step;
