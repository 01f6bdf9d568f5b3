-- Points with their variant's place, as sweeps are drawn.
CREATE VIEW sweep_gain AS
SELECT g.*, v.place AS variant_place, v.is_baseline FROM gain g JOIN run_variant v USING (run_id, variant);

CREATE VIEW sweep_plan AS
SELECT g.*, v.place AS variant_place, coalesce(nullif(g.variant, ''), 'the plan') AS line
  FROM plan_point g JOIN run_variant v USING (run_id, variant);
