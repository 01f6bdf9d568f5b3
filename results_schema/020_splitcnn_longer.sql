-- 020_splitcnn_longer.sql - networks in the small that were trained on patches for longer: a size of their own, 4, as nothing of them may
-- be compared with what was trained for less. The other views of 019 take it as they take any.
DROP VIEW splitcnn_run;
CREATE VIEW splitcnn_run AS
SELECT s.size, w.row_key, w.label AS network, w.place, max(r.id) AS run_id
  FROM run r
  JOIN paper_row w ON w.paper = 'splitcnn' AND w.table_id = '1'
  JOIN (SELECT 1 AS size, 'splitcnn-paper-' AS begins UNION ALL SELECT 2, 'splitcnn-small-' UNION ALL SELECT 3, 'splitcnn-quick-'
        UNION ALL SELECT 4, 'splitcnn-longer-') s
    ON r.scenario = s.begins || lower(w.label)
 GROUP BY s.size, w.row_key;
