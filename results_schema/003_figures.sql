-- 003_figures.sql - what the templates in plots/ draw, a view per kind of figure.

-- One batch as stacked bars, ms: a row per bar, a column per row of the profile tables; NULL where nothing is known.
CREATE VIEW figure_profile AS
WITH value AS (
  SELECT y.paper, y.place, y.label, p.column_key, 'paper' AS origin, w.place AS row_place, p.published AS ms
    FROM paper_system y
    JOIN paper_row w ON w.paper = y.paper AND w.table_id = y.table_id
    JOIN paper_value p ON p.paper = y.paper AND p.table_id = y.table_id AND p.row_key = w.row_key
  UNION ALL
  SELECT y.paper, y.place, y.label, s.column_key, 'ours', w.place, s.ours
    FROM paper_system y
    JOIN paper_row w ON w.paper = y.paper AND w.table_id = y.table_id
    JOIN spoken s ON s.paper = y.paper AND s.table_id = y.table_id AND s.row_key = w.row_key)
SELECT paper, place, label AS system, column_key, origin,
       sum(ms) FILTER (WHERE row_place = 1) AS row_1, sum(ms) FILTER (WHERE row_place = 2) AS row_2,
       sum(ms) FILTER (WHERE row_place = 3) AS row_3, sum(ms) FILTER (WHERE row_place = 4) AS row_4,
       sum(ms) FILTER (WHERE row_place = 5) AS row_5, sum(ms) FILTER (WHERE row_place = 6) AS row_6,
       sum(ms) FILTER (WHERE row_place = 7) AS row_7, sum(ms) FILTER (WHERE row_place = 8) AS row_8,
       sum(ms) AS total
  FROM value
 GROUP BY paper, place, column_key, origin;

-- Figure 4: time over the baseline's time (share), as published and as simulated, the averages last.
CREATE VIEW figure_normalized AS
SELECT y.paper, y.place AS system_place, y.label AS system, w.place AS row_place, w.label AS row_label,
       1.0 - p.published / 100.0 AS published, 1.0 - c.ours / 100.0 AS ours
  FROM paper_system y
  JOIN paper_row w ON w.paper = y.paper AND w.table_id = 'fig4'
  JOIN paper_value p ON p.paper = y.paper AND p.table_id = 'fig4' AND p.row_key = w.row_key
                    AND p.column_key = y.system
  LEFT JOIN comparison c ON c.paper = p.paper AND c.table_id = p.table_id AND c.row_key = p.row_key
                        AND c.column_key = p.column_key;

-- The newest run of each scenario that has a gain to draw. A run whose keys were changed on the command line is stored
-- under the scenario's name and '+changes': it is another experiment and is not drawn with the paper's.
CREATE VIEW newest_gain_run AS
SELECT r.scenario, max(r.id) AS run_id
  FROM run r
 WHERE r.scenario <> '' AND r.scenario NOT LIKE '%+changes'
   AND EXISTS (SELECT 1 FROM gain g WHERE g.run_id = r.id AND g.variant = 'A2DTWP')
 GROUP BY r.scenario;

-- The speedup of A2DTWP with the figures it may be drawn against. 'series' is what follows the figure's name in the
-- scenario's: a2dtwp-bandwidth-x86-k80 of figure bandwidth is x86-k80.
CREATE VIEW a2dtwp_speedup AS
SELECT g.run_id, g.scenario, g.figure, g.position, g.speedup,
       CASE WHEN g.figure <> '' AND instr(g.scenario, replace(g.figure, '_', '-') || '-') > 0
            THEN substr(g.scenario, instr(g.scenario, replace(g.figure, '_', '-') || '-') + length(g.figure) + 1)
            ELSE g.scenario END AS series,
       coalesce((SELECT m.value FROM measure m WHERE m.point_id = p.point_id AND m.name = 'link_bandwidth_GBps'),
                (SELECT q.value / 1e9 FROM point_param q WHERE q.run_id = g.run_id AND q.position = g.position
                    AND q.unit = 'B/s' AND q.path LIKE '%.bandwidth' ORDER BY q.path LIMIT 1)) AS bandwidth_GBps,
       (SELECT m.value FROM measure m WHERE m.point_id = p.point_id AND m.name = 'bytes_per_kflop') AS bytes_per_kflop,
       (SELECT m.value FROM measure m WHERE m.point_id = p.point_id AND m.name = 'bytes_per_weight') AS bytes_per_weight
  FROM newest_gain_run n
  JOIN gain g ON g.run_id = n.run_id AND g.variant = 'A2DTWP'
  JOIN run_point p ON p.run_id = g.run_id AND p.position = g.position;

-- x: GB/s (1e9), bytes per kFLOP, bytes per weight; y: x times the 32-bit baseline.
CREATE VIEW figure_sweep AS
SELECT v.figure, v.series, coalesce(y.place, 99) AS place, coalesce(y.label, v.series) AS label, v.position, v.x,
       v.speedup
  FROM (
  SELECT figure, series, position, speedup,
         CASE figure WHEN 'bandwidth' THEN bandwidth_GBps
                     WHEN 'bytes_per_flop' THEN bytes_per_kflop
                     WHEN 'bytes_per_weight' THEN bytes_per_weight END AS x
    FROM a2dtwp_speedup) v
  LEFT JOIN paper_system y ON y.paper = 'a2dtwp' AND y.system = v.series
 WHERE v.x IS NOT NULL;

-- The machines as they are, to be marked on the curves.
CREATE VIEW figure_machine AS
SELECT y.paper, y.system AS series, y.place, y.label, s.bandwidth_GBps, s.bytes_per_kflop, s.bytes_per_weight,
       s.speedup
  FROM paper_system y
  JOIN a2dtwp_speedup s ON s.scenario = y.scenario;
