-- Every table and figure of the papers, and every claim, a line each: what docs/PAPERS.md is made from.

CREATE TABLE paper_item (
  paper    TEXT    NOT NULL,
  place    INTEGER NOT NULL,                        -- in the paper
  item     TEXT    NOT NULL CHECK (item <> ''),     -- as it is cited: 'Table 1', 'Figure 7b', 'text'
  table_id TEXT    NOT NULL,                        -- of paper_value; '' where no number of it is compared
  note     TEXT    NOT NULL,                        -- why not, or what of it is shown elsewhere
  PRIMARY KEY (paper, place),
  CHECK (table_id <> '' OR note <> '')
) STRICT, WITHOUT ROWID;

INSERT INTO report_part(paper, section, place, name, heading, before, shape, format, after) VALUES
  ('', 'summary', 1, 'items', 'Every table and figure', 'Kinds of cells with their numbers; the mean error counts '
      || 'what is '
      || 'predicted. Claims: those that cite the item.', 'list', 's s s s s s', ''),
  ('', 'summary', 2, 'decided', 'Claims', 'Decided: seen at 95 %, refuted with a power of 80 %, or counted exactly. '
      || 'With 80 % power: counted, or decided by training runs that would have seen the paper''s own effect so often; '
      || 'the others were seen with less, or the paper prints no effect.',
      'list', 's %.0f %.0f %.0f %.0f %.0f %.0f %.0f %.0f', ''),
  ('', 'summary', 3, 'verdicts', 'Every claim', 'Intervals are two-sided at 95 %, of what is to be no worse one-sided. '
      || 'Seeds: how many take 80 % of power, at the spread seen.', 'list', 's %.0f s s s %.0f %.0f %.0f s', '');

CREATE VIEW "/items" AS
WITH cell AS MATERIALIZED (
  SELECT paper, table_id, kind, count(*) AS n, avg(abs(error)) FILTER (WHERE error_unit = '%') AS pct,
         avg(abs(error)) FILTER (WHERE error_unit = 'points') AS points
    FROM paper_cell GROUP BY paper, table_id, kind),
kinds AS (
  SELECT paper, table_id, group_concat(n || ' ' || kind, ', ') AS cells, sum(n) FILTER (WHERE kind = 'missing') AS
      missing,
         max(pct) FILTER (WHERE kind = 'predicted') AS pct, max(points) FILTER (WHERE kind = 'predicted') AS points
    FROM (SELECT * FROM cell ORDER BY kind) GROUP BY paper, table_id),
cited AS (
  SELECT i.paper, i.place, group_concat(c.place || ' ' || c.verdict, ', ') AS claims
    FROM paper_item i JOIN claim_told c ON c.paper = i.paper AND ', ' || c.section || ',' LIKE '%, ' || i.item || ',%'
   GROUP BY i.paper, i.place)
SELECT p.label AS paper, i.item, coalesce(k.cells, '') AS cells,
       iif(k.pct IS NULL, '', printf('%.1f %%', k.pct)) || iif(k.pct IS NULL OR k.points IS NULL, '', ', ')
         || iif(k.points IS NULL, '', printf('%.1f points', k.points)) AS error, coalesce(t.claims, '') AS claims,
      i.note
  FROM paper p JOIN paper_item i USING (paper)
  LEFT JOIN kinds k ON k.paper = i.paper AND k.table_id = i.table_id
  LEFT JOIN cited t ON t.paper = i.paper AND t.place = i.place
 ORDER BY p.place, i.place;

CREATE VIEW "/decided" AS
SELECT label AS paper, claims, decided, powered AS "with 80 % power", hold AS holds, fail AS "does not hold", undecided,
       untestable AS "not testable here",
       absent AS "not run"
  FROM claim_summary ORDER BY place;

CREATE VIEW "/verdicts" AS
SELECT p.label AS paper, c.place AS claim, c.says || ' (' || c.section || ')' AS "it says",
       c.outcome || iif(c.reason = '', '', '. With ' || c.reason) AS "what came", c.verdict, c.n,
       CASE WHEN NOT c.exact THEN 100 * c.power END AS "power (%)", CASE WHEN NOT c.decided THEN c.seeds END AS seeds,
       c.criterion AS "it takes"
  FROM paper p JOIN claim_told c USING (paper) ORDER BY p.place, c.place;
