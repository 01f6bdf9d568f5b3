-- Predictions next to measurements. error: predicted over measured, less 1; kind: the class that errors are summed up
-- by.

CREATE VIEW validation_shaped_run AS
SELECT max(v.run_id) AS run_id, replace(r.scenario, '+changes', '') AS scenario
  FROM validation_run v JOIN run r ON r.id = v.run_id WHERE v.set_name = 'shaped'
 GROUP BY replace(r.scenario, '+changes', '');

CREATE VIEW validation_shaped_row AS
SELECT v.run_id, v.scenario, p.position, p.variant, p.point_id,
       coalesce((SELECT group_concat(text, ', ') FROM (SELECT text FROM point_param a
                  WHERE a.run_id = p.run_id AND a.position = p.position ORDER BY a.path)), '') AS place
  FROM validation_shaped_run v JOIN run_point p ON p.run_id = v.run_id;

CREATE VIEW measured_newest AS
SELECT max(v.run_id) AS run_id, r.scenario FROM measured_validation v JOIN run r ON r.id = v.run_id
 GROUP BY r.scenario;

CREATE VIEW validation_executed AS
SELECT 'shaped' AS set_name, w.scenario || ' ' || w.variant || ': ' || w.place AS row_key, e.simulated_ms AS predicted,
       e.step_ms AS measured, 'ms' AS unit, e.spread AS spread, e.error AS error,
       replace(w.scenario, 'shaped-', '') || ' ' || w.variant AS kind, e.load_before AS load,
       coalesce(e.outcome, CASE WHEN e.execution_id IS NULL THEN 'missing' ELSE 'killed' END) AS outcome,
       e.reason AS reason, w.run_id AS run_id, w.position AS position, e.execution_id AS execution_id
  FROM validation_shaped_row w
  LEFT JOIN executed e ON e.execution_id = (SELECT max(x.id) FROM execution x
       WHERE x.point_id = w.point_id AND x.id IN (SELECT execution_id FROM execution_end WHERE outcome = 'done'
              UNION SELECT max(id) FROM execution y WHERE y.point_id = w.point_id));

-- Executed here, or measured elsewhere: the newest run of each validation. What was calibrated has no error.
CREATE VIEW validation AS
SELECT set_name, row_key, predicted, measured, unit, spread, error, kind, load, outcome, reason, run_id, position,
       execution_id FROM validation_executed
UNION ALL
SELECT m.scenario, w.row_key, w.predicted, w.measured, w.unit, w.spread / w.measured,
       CASE w.kind WHEN 'predicted' THEN w.predicted / w.measured - 1 END, w.set_name, NULL, w.kind,
       nullif(w.reason, ''), w.run_id, w.place, NULL
  FROM measured_newest m JOIN measured_row w USING (run_id);

-- The share-th value of the sorted magnitudes of errors: the smallest that at least this share of them does not exceed.
CREATE VIEW validation_ranked AS
SELECT set_name, kind, row_key, abs(error) AS size,
       row_number() OVER (PARTITION BY set_name ORDER BY abs(error), row_key) AS place_in_set,
       count(*) OVER (PARTITION BY set_name) AS n_in_set,
       row_number() OVER (PARTITION BY set_name, kind ORDER BY abs(error), row_key) AS place_in_kind,
       count(*) OVER (PARTITION BY set_name, kind) AS n_in_kind
  FROM validation WHERE error IS NOT NULL;

CREATE VIEW validation_by_kind AS
SELECT set_name, kind, n_in_kind AS n, 100 * min(CASE WHEN 2 * place_in_kind >= n_in_kind THEN size END) AS median_pct,
       100 * min(CASE WHEN 20 * place_in_kind >= 19 * n_in_kind THEN size END) AS p95_pct, 100 * max(size) AS worst_pct
  FROM validation_ranked GROUP BY set_name, kind
UNION ALL
SELECT set_name, 'all', n_in_set, 100 * min(CASE WHEN 2 * place_in_set >= n_in_set THEN size END),
       100 * min(CASE WHEN 20 * place_in_set >= 19 * n_in_set THEN size END), 100 * max(size)
  FROM validation_ranked GROUP BY set_name;
