-- Points executed for real, next to what the simulation said of them before.

-- The newest execution that was done, of each point and setting.
CREATE VIEW executed_newest AS
SELECT max(e.id) AS execution_id, e.point_id, e.setting
  FROM execution e JOIN execution_end d ON d.execution_id = e.id AND d.outcome = 'done'
 GROUP BY e.point_id, e.setting;

CREATE VIEW executed_step_ranked AS
SELECT execution_id, step_ns, row_number() OVER (PARTITION BY execution_id ORDER BY step_ns, repetition) AS place,
       count(*) OVER (PARTITION BY execution_id) AS n
  FROM executed_step;

-- Median, smallest and largest time of a step, ms; spread: half of (largest - smallest) over the median.
CREATE VIEW executed_summary AS
SELECT execution_id, n AS repetitions,
       1e-6 * avg(CASE WHEN place IN ((n + 1) / 2, (n + 2) / 2) THEN step_ns END) AS step_ms,
       1e-6 * min(step_ns) AS least_ms, 1e-6 * max(step_ns) AS most_ms,
       0.5 * (max(step_ns) - min(step_ns))
         / avg(CASE WHEN place IN ((n + 1) / 2, (n + 2) / 2) THEN step_ns END) AS spread
  FROM executed_step_ranked GROUP BY execution_id;

-- Every execution; error: simulated over executed, less 1. Positive: the simulation is too slow.
CREATE VIEW executed AS
SELECT e.id AS execution_id, e.run_id, r.scenario, e.position, p.variant, e.setting, d.outcome, d.rank AS failed_rank,
       d.reason, x.ranks, x.compute, x.collective, 1e-6 * x.simulated_ns AS simulated_ms, s.step_ms, s.least_ms,
       s.most_ms, s.spread, s.repetitions, 1e-6 * x.simulated_ns / s.step_ms - 1 AS error, x.wrong,
       x.load_before, x.load_after
  FROM execution e
  JOIN run r ON r.id = e.run_id
  LEFT JOIN run_point p ON p.run_id = e.run_id AND p.position = e.position
  LEFT JOIN execution_end d ON d.execution_id = e.id
  LEFT JOIN executed_point x ON x.execution_id = e.id
  LEFT JOIN executed_summary s ON s.execution_id = e.id;

-- The newest execution of each variant at each place of a scenario's axes.
CREATE VIEW executed_at AS
SELECT max(e.execution_id) AS execution_id, replace(e.scenario, '+changes', '') AS scenario, e.variant,
       coalesce((SELECT group_concat(text, ', ') FROM (SELECT text FROM point_param a
                  WHERE a.run_id = e.run_id AND a.position = e.position ORDER BY a.path)), '') AS place,
       (SELECT text FROM point_param a WHERE a.run_id = e.run_id AND a.position = e.position
           AND a.path = 'platform.link.eth.bandwidth') AS bandwidth
  FROM executed e WHERE e.outcome = 'done'
 GROUP BY 2, 3, 4;

-- How many times as fast as the scenario's baseline a variant is; 'published': of the table that a scenario scales
-- down.
CREATE VIEW executed_speedup AS
SELECT a.scenario, a.place, a.variant, b.step_ms / x.step_ms AS executed, b.simulated_ms / x.simulated_ms AS simulated,
       v.published, x.step_ms AS step_ms
  FROM executed_at a
  JOIN executed x ON x.execution_id = a.execution_id
  JOIN run r ON r.id = x.run_id
  JOIN executed_at o ON o.scenario = a.scenario AND o.place = a.place AND o.variant = r.baseline
  JOIN executed b ON b.execution_id = o.execution_id
  LEFT JOIN paper_value v ON a.scenario = '3lc-table-1-small' AND v.paper = '3lc' AND v.table_id = '1'
                         AND v.row_key = a.variant AND v.column_key = a.bandwidth;

-- Pairs of variants of which the same one was faster. Those that were executed within 1 % of each other have no order.
CREATE VIEW executed_order AS
SELECT a.scenario, a.place, count(*) AS pairs,
       sum((a.executed > b.executed) = (a.simulated > b.simulated)) AS as_simulated,
       count(a.published + b.published) AS published_pairs,
       sum((a.executed > b.executed) = (a.published > b.published)) AS as_published
  FROM executed_speedup a
  JOIN executed_speedup b ON b.scenario = a.scenario AND b.place = a.place AND b.variant > a.variant
 WHERE abs(a.executed / b.executed - 1) > 0.01
 GROUP BY a.scenario, a.place;
