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
