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

INSERT INTO paper_claim(paper, place, says, section, form, sense, effect, margin, unit, digits, parts, why, untestable,
                        size) VALUES
  ('sixth', 1, 'Packing pays on a slow wire', 'Table 1', 'count', 0, NULL, 0, 'x', '%.3f', 1, 'a speedup above 1', '', ''),
  ('sixth', 2, 'and on a fast one', 'Table 1', 'count', 0, NULL, 0, 'x', '%.3f', 1, 'a speedup above 1', '', '');
CREATE VIEW sixth_claim_part AS
SELECT 'sixth' AS paper, q.place, '' AS size, 1 AS part, '' AS label, NULL AS estimate, NULL AS error, 1 AS n,
       NULL AS effect, c.ours > 1 AS holds, printf('%.3f', c.ours) AS shown, NULL AS censored
  FROM (SELECT 1 AS place, '1 GB/s' AS row_key UNION ALL SELECT 2, '64 GB/s') q
  JOIN comparison c ON c.paper = 'sixth' AND c.table_id = '1' AND c.row_key = q.row_key;
