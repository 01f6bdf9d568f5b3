INSERT INTO report_part(paper, section, place, name, heading, before, shape, format, after) VALUES
  ('sixth', 'simulated', 1, 'table-1', 'Table 1: speedup by packing (x)', 'Against bandwidth.', 'cells', 'percent', ''),
  ('sixth', 'simulated', 2, 'table-2', 'Table 2: a step on the slowest wire', '', 'list', 's %.1f %.1f', 'In ms.');
CREATE VIEW "sixth/table-1" AS SELECT * FROM report_cell WHERE paper = 'sixth' AND table_id = '1' ORDER BY place;
CREATE VIEW "sixth/table-2" AS
SELECT row_label AS design, published AS "step|paper", ours AS "step|ours" FROM report_cell
 WHERE paper = 'sixth' AND table_id = '2' AND column_key = 'step' ORDER BY place;

INSERT INTO report_figure(paper, section, place, name, template, header, caption, scenario) VALUES
  ('sixth', 'simulated', 1, 'sixth-speedup', 'lines', 'bandwidth (GB/s)|speedup (×)|Sixth: speedup by packing',
      'Speedup (x) against bandwidth.',
   'scenarios/papers/sixth/wire.yaml');
CREATE VIEW "sixth-speedup/data" AS SELECT variant, 1e-9 * x, speedup FROM figure_curve WHERE scenario = 'sixth-wire'
    ORDER BY variant, x;

CREATE VIEW sixth_claim AS
WITH claim(place, row_key, says) AS (VALUES (1, '1 GB/s', 'Packing pays on a slow wire'),
    (2, '64 GB/s', 'and on a fast one'))
SELECT 'sixth' AS paper, q.place, '' AS size, q.says, 'a speedup above 1' AS criterion,
    coalesce(printf('%.3f', c.ours), 'not run') AS outcome,
       CASE c.ours > 1 WHEN 1 THEN 'holds' WHEN 0 THEN 'does not hold' ELSE 'open' END AS verdict, 1 AS n
  FROM claim q LEFT JOIN comparison c ON c.paper = 'sixth' AND c.table_id = '1' AND c.row_key = q.row_key;
