-- What the papers conclude, how that is tested, and what came of it. A paper's claims.sql fills the tables, and has a
-- view "PAPER_claim_part" (see claim_part in papers/tables.sql) with what was measured.

CREATE TABLE paper_claim (
  paper      TEXT    NOT NULL,
  place      INTEGER NOT NULL,                      -- its number in the report
  says       TEXT    NOT NULL CHECK (says <> ''),
  section    TEXT    NOT NULL CHECK (section <> ''),  -- where the paper says so
  -- difference   an estimate lies above (sense 1) or below (-1) 0
  -- order        the same, of each of several
  -- ratio        the same, for a bound other than 0, which is in 'margin'
  -- no worse     it is not worse by 'margin' (sense 1: the larger the better)
  -- equivalence  it lies within 'margin' of 0
  -- count        exact: parts either hold or do not
  form       TEXT    NOT NULL CHECK (form IN ('difference', 'order', 'ratio', 'no worse', 'equivalence', 'count')),
  sense      INTEGER NOT NULL CHECK (sense IN (-1, 0, 1)),
  effect     REAL,                                  -- by the paper's own numbers, unless a part has its own; NULL: none
  margin     REAL    NOT NULL,
  unit       TEXT    NOT NULL,                      -- of estimates; '' for numbers alone
  digits     TEXT    NOT NULL CHECK (digits LIKE '%.%f'),   -- what printf makes estimates with
  parts      INTEGER NOT NULL CHECK (parts >= 0),   -- asked for: with fewer, it was not tested; 0: nothing can be
  -- what effect and margin are taken from; of counts, what is counted
  why        TEXT    NOT NULL CHECK (why <> ''),
  untestable TEXT    NOT NULL,                      -- why no design within reach can decide it; '' for one that can
  size       TEXT    NOT NULL,                      -- of training_size, that speaks before others; '' for none
  PRIMARY KEY (paper, place),
  CHECK (form <> 'equivalence' OR sense = 0), CHECK (form IN ('equivalence', 'count') OR sense <> 0),
  CHECK (form NOT IN ('no worse', 'equivalence') OR margin > 0),
  CHECK (form NOT IN ('difference', 'order') OR margin = 0),
  CHECK (parts > 0 OR untestable <> '')
) STRICT, WITHOUT ROWID;

-- Training runs that change the one thing a claim's failure may come from. Two variants of a scenario are compared as
-- the claim compares its own, so that one sees whether the verdict turns.
CREATE TABLE claim_ablation (
  paper    TEXT    NOT NULL,
  place    INTEGER NOT NULL,                        -- the claim's
  ablation INTEGER NOT NULL,                        -- from 1
  what     TEXT    NOT NULL CHECK (what <> ''),     -- what is otherwise than in the claim's training runs
  scenario TEXT    NOT NULL,                        -- run.scenario, a GLOB
  variant  TEXT    NOT NULL,
  other    TEXT    NOT NULL,                        -- what it is compared with
  measure  TEXT    NOT NULL,
  at       TEXT    NOT NULL,                        -- training_place.place, a LIKE without the seed; '%' for all
  PRIMARY KEY (paper, place, ablation)
) STRICT, WITHOUT ROWID;

-- A claim is whole where all its parts are there: it holds if all hold, and does not if one does not. n: of the part
-- that has fewest; power: of the weakest.
CREATE VIEW claim AS
WITH part AS MATERIALIZED (
  SELECT paper, place, size, part, n, power, seeds, least, exact, verdict,
         coalesce(iif(label = '', '', label || ': ') || CASE WHEN exact THEN shown
           WHEN error IS NULL THEN printf(digits, estimate) || ', from one seed'
           ELSE printf(digits, estimate) || ' ± ' || printf(replace(digits, '+', ''), half)
             || CASE WHEN effect IS NULL OR form IN ('no worse', 'equivalence') THEN ''
                     ELSE printf(' (paper ' || digits || ')', effect) END
             || CASE WHEN censored > 0
                     THEN printf('; %d never got there and count as if they had at their end', censored) ELSE '' END
      END, '') AS said
    FROM claim_part_verdict
   UNION ALL                                        -- so that a claim without any part has a row
  SELECT paper, place, NULL, 0, NULL, NULL, NULL, NULL, NULL, '', NULL FROM paper_claim
   ORDER BY 1, 2, 3, 4),
whole AS (
  SELECT paper, place, size AS of_size, count(said) AS found, min(n) AS n, min(power) AS power, max(seeds) AS seeds,
         max(least) AS least, group_concat(said, '; ') AS outcome, min(exact) AS exact,
         sum(verdict = 'not run') AS absent, sum(verdict = 'holds') AS hold, sum(verdict = 'does not hold') AS fail
    FROM part GROUP BY paper, place, size),
of_sizes AS MATERIALIZED (SELECT *, count(*) OVER (PARTITION BY paper, place) AS sizes FROM whole),
judged AS (
  SELECT w.paper, w.place, c.says, c.section, c.form, c.sense, c.margin, c.unit, c.why, c.untestable, w.of_size, w.n,
         w.power, w.seeds, w.least, w.exact, w.outcome,
         CASE WHEN c.parts = 0 THEN 'not testable here' WHEN w.found < c.parts OR w.absent THEN 'not run'
              WHEN w.hold = w.found THEN 'holds' WHEN w.fail THEN 'does not hold'
              WHEN c.untestable <> '' THEN 'not testable here' ELSE 'undecided' END AS verdict
    FROM of_sizes w JOIN paper_claim c USING (paper, place) WHERE w.of_size IS NOT NULL OR w.sizes = 1)
SELECT paper, place, coalesce(of_size, '') AS size, says, section, form,
       CASE form WHEN 'count' THEN why
         ELSE CASE form WHEN 'equivalence' THEN printf('within %g', margin)
                        WHEN 'no worse' THEN printf('%s by less than %g', CASE sense WHEN 1 THEN 'below' ELSE 'above'
                            END, margin)
                        ELSE printf('%s %g', CASE sense WHEN 1 THEN 'above' ELSE 'below' END, margin) END
           || CASE unit WHEN '' THEN '' ELSE ' ' || unit END
           || CASE WHEN form IN ('no worse', 'equivalence') THEN ' at 95 %, one-sided (' ELSE ' at 95 %, two-sided ('
               END || why || ')' END AS criterion,
       CASE verdict WHEN 'not run' THEN coalesce(nullif(outcome, '') || '; the rest was not trained', 'not trained')
                    WHEN 'not testable here' THEN coalesce(outcome || '. ', '') || untestable ELSE outcome END
         AS outcome,
       verdict, coalesce(n, 0) AS n, CASE WHEN verdict <> 'not run' THEN power END AS power,
       verdict IN ('holds', 'does not hold') AS decided, CASE WHEN verdict <> 'not run' THEN exact END AS exact,
       CASE WHEN verdict <> 'not run' THEN least END AS least, CASE WHEN verdict <> 'not run' THEN seeds END AS seeds,
       unit
  FROM judged;

-- Of each claim what the leading size says: the one that the claim asks for, else the largest that has all its parts.
-- detail: how much stands behind the verdict; reason: what ablations came to, of those that were trained.
CREATE VIEW claim_told AS
WITH reason AS MATERIALIZED (
  SELECT paper, place, group_concat(says || ' (' || verdict || ')', '; ') AS says
    FROM (SELECT paper, place, ablation, verdict, says FROM claim_reason
           UNION ALL SELECT paper, place, ablation, verdict, says FROM counted_reason ORDER BY 1, 2, 3)
   WHERE verdict <> 'not run' GROUP BY paper, place),
ranked AS (
  SELECT c.*, row_number() OVER (PARTITION BY c.paper, c.place ORDER BY c.verdict = 'not run', c.size IS NOT p.size,
                                 coalesce(s.place, 0)) AS lead
    FROM claim c JOIN paper_claim p USING (paper, place) LEFT JOIN training_size s ON s.size = c.size)
SELECT t.*, CASE WHEN t.n > 0 THEN printf('n = %d', t.n) ELSE '' END
         || CASE WHEN t.exact OR t.power IS NULL THEN '' ELSE printf(', power %.0f %%', 100 * t.power) END
         || CASE WHEN t.verdict = 'undecided' AND t.seeds > t.n THEN printf(', 80 %% takes %d seeds', t.seeds) ELSE ''
            END AS detail,
       coalesce(r.says, '') AS reason
  FROM ranked t LEFT JOIN reason r USING (paper, place)
 WHERE t.lead = 1;

-- A paper's claims, each counted once. powered: of those decided, the ones that were counted exactly or whose training
-- runs had a power of 80 % for the paper's own effect; the others were seen all the same.
CREATE VIEW claim_summary AS
SELECT p.paper, p.place, p.label, count(*) AS claims, sum(c.decided) AS decided,
       sum(c.decided AND (c.exact OR coalesce(c.power >= 0.8, 0))) AS powered, sum(c.verdict = 'holds') AS hold,
       sum(c.verdict = 'does not hold') AS fail, sum(c.verdict = 'undecided') AS undecided,
       sum(c.verdict = 'not testable here') AS untestable, sum(c.verdict = 'not run') AS absent
  FROM paper p JOIN claim_told c USING (paper)
 GROUP BY p.paper;

-- What an ablation came to: the mean over the seeds that both variants have, and the verdict that the claim would have
-- by it. Without the training runs for it, a row of NULLs.
CREATE VIEW claim_reason AS
WITH point AS MATERIALIZED (
  SELECT a.paper, a.place, a.ablation, p.seed, p.variant, m.value
    FROM claim_ablation a
    JOIN chosen_run r ON r.scenario GLOB a.scenario
    JOIN training_place p ON p.run_id = r.run_id AND p.variant IN (a.variant, a.other) AND p.place LIKE a.at
    JOIN measure m ON m.point_id = p.point_id AND m.name = a.measure),
pair AS (
  SELECT a.paper, a.place, a.ablation, x.value - y.value AS d
    FROM claim_ablation a
    JOIN point x ON x.paper = a.paper AND x.place = a.place AND x.ablation = a.ablation AND x.variant = a.variant
    JOIN point y ON y.paper = a.paper AND y.place = a.place AND y.ablation = a.ablation AND y.variant = a.other
        AND y.seed = x.seed),
mean AS (
  SELECT paper, place, ablation, count(*) AS n, avg(d) AS estimate FROM pair GROUP BY paper, place, ablation),
spread AS (
  SELECT m.*, sqrt(sum((p.d - m.estimate) * (p.d - m.estimate)) / nullif(m.n - 1, 0) / m.n) AS error
    FROM mean m JOIN pair p USING (paper, place, ablation) GROUP BY paper, place, ablation)
SELECT a.paper, a.place, a.ablation, a.what, s.n, s.estimate, s.error, t.two_sided_95 * s.error AS half,
       CASE WHEN s.error IS NULL THEN 'not run'
            WHEN c.form = 'no worse' THEN
              CASE WHEN c.sense * s.estimate + c.margin > t.one_sided_95 * s.error THEN 'holds'
                   WHEN c.sense * s.estimate + c.margin < -t.one_sided_95 * s.error THEN 'does not hold' ELSE
                   'undecided' END
            WHEN c.form = 'equivalence' THEN
              CASE WHEN c.margin - abs(s.estimate) > t.one_sided_95 * s.error THEN 'holds'
                   WHEN c.margin - abs(s.estimate) < -t.one_sided_95 * s.error THEN 'does not hold' ELSE
                   'undecided' END
            WHEN c.sense * (s.estimate - c.margin) > t.two_sided_95 * s.error THEN 'holds'
            WHEN c.sense * (s.estimate - c.margin) < -t.two_sided_95 * s.error THEN 'does not hold'
            ELSE 'undecided' END AS verdict,
       a.what || CASE WHEN s.error IS NULL THEN ': not trained'
                      ELSE ': ' || printf(c.digits, s.estimate) || ' ± ' || printf(replace(c.digits, '+', ''),
                          t.two_sided_95 * s.error) || iif(c.unit = '', '', ' ' || c.unit) || printf(', n = %d', s.n)
                      END AS says
  FROM claim_ablation a
  JOIN paper_claim c USING (paper, place)
  LEFT JOIN spread s USING (paper, place, ablation)
  LEFT JOIN student_range t ON s.n - 1 >= t.df AND s.n - 1 < t.next;
