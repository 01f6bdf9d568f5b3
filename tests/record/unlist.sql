-- Runs of scenarios of which there is a record list nothing any more: what views say of them, they have from the
-- record.
CREATE TEMP TABLE own AS
  SELECT id FROM run WHERE scenario IN (SELECT scenario FROM record_state)
      AND id NOT IN (SELECT run_id FROM run_record);
DELETE FROM cell WHERE run_id IN own;
DELETE FROM point_param WHERE run_id IN own;
DELETE FROM run_point WHERE run_id IN own;
