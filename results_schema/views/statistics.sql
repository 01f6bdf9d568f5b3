-- What training runs from several seeds can tell: quantiles of Student's t, and the power of a test.

-- The quantiles of df degrees of freedom that leave 2.5, 5 and 20 % above them. Of a df between two rows the smaller
-- one counts, which errs towards wider intervals.
CREATE VIEW student_t(df, two_sided_95, one_sided_95, one_sided_80) AS VALUES
  (1, 12.7062, 6.3138, 1.3764), (2, 4.3027, 2.9200, 1.0607), (3, 3.1824, 2.3534, 0.9785), (4, 2.7764, 2.1318, 0.9410),
  (5, 2.5706, 2.0150, 0.9195), (6, 2.4469, 1.9432, 0.9057), (7, 2.3646, 1.8946, 0.8960), (8, 2.3060, 1.8595, 0.8889),
  (9, 2.2622, 1.8331, 0.8834), (10, 2.2281, 1.8125, 0.8791), (11, 2.2010, 1.7959, 0.8755),
  (12, 2.1788, 1.7823, 0.8726), (13, 2.1604, 1.7709, 0.8702), (14, 2.1448, 1.7613, 0.8681),
  (15, 2.1314, 1.7531, 0.8662), (16, 2.1199, 1.7459, 0.8647), (17, 2.1098, 1.7396, 0.8633),
  (18, 2.1009, 1.7341, 0.8620), (19, 2.0930, 1.7291, 0.8610), (20, 2.0860, 1.7247, 0.8600),
  (21, 2.0796, 1.7207, 0.8591), (22, 2.0739, 1.7171, 0.8583), (23, 2.0687, 1.7139, 0.8575),
  (24, 2.0639, 1.7109, 0.8569), (25, 2.0595, 1.7081, 0.8562), (26, 2.0555, 1.7056, 0.8557),
  (27, 2.0518, 1.7033, 0.8551), (28, 2.0484, 1.7011, 0.8546), (29, 2.0452, 1.6991, 0.8542),
  (30, 2.0423, 1.6973, 0.8538), (40, 2.0211, 1.6839, 0.8507), (60, 2.0003, 1.6706, 0.8477),
  (120, 1.9799, 1.6577, 0.8446), (1000000000, 1.9600, 1.6449, 0.8416);
-- Row by row, up to which df it counts.
CREATE VIEW student_range AS SELECT *, lead(df, 1, 9e18) OVER (ORDER BY df) AS next FROM student_t;

-- Each part of a claim against what is asked of it. 'distance' is by how much the estimate lies on the claimed side of
-- its bound, 'expected' by how much it does if the paper is right: of a difference or a ratio by the paper's own
-- number, of 'no worse' and 'equivalence' by the whole margin, for the true difference is 0 then. t: two-sided 95 % of
-- differences, orders and ratios; one-sided 95 % of the others, twice for 'equivalence' (TOST).
CREATE VIEW claim_part_distance AS
SELECT p.paper, p.place, p.size, p.part, p.label, p.n, p.estimate, p.error, p.holds, p.shown, p.censored, c.form,
       c.sense, c.margin, c.unit, c.digits, coalesce(p.effect, c.effect) AS effect, t.one_sided_80,
       CASE WHEN c.form IN ('no worse', 'equivalence') THEN t.one_sided_95 ELSE t.two_sided_95 END AS t,
       CASE c.form WHEN 'no worse' THEN c.sense * p.estimate + c.margin
                   WHEN 'equivalence' THEN c.margin - abs(p.estimate)
                   ELSE c.sense * (p.estimate - c.margin) END AS distance,
       CASE WHEN c.form IN ('no worse', 'equivalence') THEN c.margin
            ELSE c.sense * (coalesce(p.effect, c.effect) - c.margin) END AS expected
  FROM claim_part p
  JOIN paper_claim c USING (paper, place)
  LEFT JOIN student_range t ON p.n - 1 >= t.df AND p.n - 1 < t.next;

-- Its power: how probable it is, of a difference as large as 'expected' and a spread as large as was seen, that the
-- test sees it. The normal distribution function is formula 26.2.17 of Abramowitz and Stegun, off by 7.5e-8 at most.
-- exact: a count, which needs none. 'least': what the test would see with 80 %.
CREATE VIEW claim_part_power AS
WITH argument AS MATERIALIZED (
  SELECT *, estimate IS NULL AND holds IS NOT NULL AS exact, (t + one_sided_80) * error AS least,
         CASE WHEN error > 0 THEN max(min(expected / error - t, 30), -30) END AS z
    FROM claim_part_distance),
tail AS MATERIALIZED (
  SELECT *, 1 / (1 + 0.2316419 * abs(z)) AS k FROM argument),
normal AS MATERIALIZED (
  SELECT *, exp(-z * z / 2) * 0.3989422804014327 * k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k *
             (-1.821255978 + k * 1.330274429)))) AS beyond
    FROM tail),
seen AS MATERIALIZED (
  SELECT *, CASE WHEN z < 0 THEN beyond ELSE 1 - beyond END AS below FROM normal)
SELECT *, CASE WHEN exact THEN 1.0
               WHEN error = 0 AND expected > 0 THEN 1.0
               WHEN form = 'equivalence' THEN max(0, 2 * below - 1) ELSE below END AS power
  FROM seen;

-- What comes of each part. A part that is not seen to lie on either side does not hold if the paper's effect would
-- have been seen with 80 %, else it is undecided. censored: so many values are bounds on the good side of what they
-- would be, so that the part cannot hold.
CREATE VIEW claim_part_verdict AS
SELECT *, t * error AS half,
       CASE WHEN exact THEN CASE WHEN holds THEN 'holds' ELSE 'does not hold' END
            WHEN error IS NULL OR t IS NULL THEN 'not run'
            WHEN distance > t * error AND NOT coalesce(censored, 0) THEN 'holds'
            WHEN distance < -t * error THEN 'does not hold'
            WHEN form NOT IN ('no worse', 'equivalence') AND power >= 0.8 AND distance <= t * error THEN 'does not hold'
            ELSE 'undecided' END AS verdict,
       -- the fewest seeds that would show the effect with 80 %, at the spread seen
       CASE WHEN error > 0 AND expected > 0 THEN
         (SELECT CAST(min(w.wanted) AS INTEGER)
            FROM (SELECT s.next, max(s.df + 1, ceil(p.n * p.error * p.error / (p.expected * p.expected) *
                           pow(CASE WHEN p.form IN ('no worse', 'equivalence') THEN s.one_sided_95
                                    ELSE s.two_sided_95 END + CASE p.form WHEN 'equivalence' THEN 1.2816 ELSE 0.8416
                                    END, 2))) AS wanted
                    FROM student_range s) w
           WHERE w.wanted - 1 < w.next) END AS seeds
  FROM claim_part_power p;
