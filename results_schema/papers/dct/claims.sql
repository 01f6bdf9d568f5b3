CREATE TABLE dct_student (        -- half of the width of a mean's 95 % interval, in standard errors; between two
                                  -- rows the first holds
  n INTEGER NOT NULL PRIMARY KEY CHECK (n > 1),                     -- values
  t REAL    NOT NULL CHECK (t > 1.9)
) STRICT, WITHOUT ROWID;

INSERT INTO dct_student(n, t) VALUES
  (2, 12.706), (3, 4.303), (4, 3.182), (5, 2.776), (6, 2.571), (7, 2.447), (8, 2.365), (9, 2.306), (10, 2.262), (15,
    2.145), (20, 2.093),
  (30, 2.045), (60, 2.001);

-- What the paper says, and what must come out for it to hold here.
CREATE TABLE dct_claim (
  place  INTEGER NOT NULL PRIMARY KEY,
  source TEXT    NOT NULL CHECK (source <> ''),
  claim  TEXT    NOT NULL CHECK (claim <> ''),
  -- of all parts: no interval of a difference lies on the bad side of 0; all do; all lie on the good side
  takes  TEXT    NOT NULL CHECK (takes IN ('no worse', 'worse', 'better'))
) STRICT;

CREATE TABLE dct_claim_part (
  place      INTEGER NOT NULL REFERENCES dct_claim,
  part       INTEGER NOT NULL,
  label      TEXT    NOT NULL,
  table_id   TEXT    NOT NULL,
  column_key TEXT    NOT NULL,
  row_key    TEXT    NOT NULL,
  against    TEXT    NOT NULL,
  bad        INTEGER NOT NULL CHECK (bad IN (-1, 1)),   -- the sign of what is worse: 1 for losses, -1 for BLEU
  PRIMARY KEY (place, part)
) STRICT, WITHOUT ROWID;

INSERT INTO dct_claim(place, source, claim, takes) VALUES
  (1, 'Table 1', 'With one split, 75 to 95 % of the activations can be dropped.', 'no worse'),
  (2, 'Table 1', 'Dropping 75 to 95 % with one split even improves the test loss.', 'better'),
  (3, 'Table 1', 'With one split, dropping 98 % is too much.', 'worse'),
  (4, 'Table 1', 'With two splits, 75 and 90 % can be dropped.', 'no worse'),
  (5, 'Table 1', 'With two splits, dropping 95 % is too much.', 'worse'),
  (6, 'Table 1', 'Two splits cost more than one.', 'worse'),
  (7, 'Table 2', 'Up to 98 % of the gradients can be dropped.', 'no worse'),
  (8, 'Table 2', 'Dropping 99.5 % of the gradients is too much.', 'worse'),
  (9, 'Table 3', 'Up to 90 % of both can be dropped, with two splits.', 'no worse'),
  (10, 'Table 3', 'Dropping 95 % of both is too much.', 'worse'),
  (11, 'Table 4', 'A translator bears 95 % with one or two splits and 90 % with four.', 'no worse'),
  (12, 'Table 4', 'Nor does BLEU suffer from that.', 'no worse'),
  (13, 'Table 4', 'With four splits, dropping 95 % is too much.', 'worse'),
  (14, 'Figure 5', 'Where activations are dropped, their thresholds fall further.', 'better'),
  (15, 'Figure 7b', 'How long a threshold lives changes neither loss.', 'no worse');

INSERT INTO dct_claim_part(place, part, label, table_id, column_key, row_key, against, bad) VALUES
  (1, 1, '75 %', '1', 'test loss', '2 workers 75%', 'baseline', 1),
  (1, 2, '90 %', '1', 'test loss', '2 workers 90%', 'baseline', 1),
  (1, 3, '95 %', '1', 'test loss', '2 workers 95%', 'baseline', 1),
  (2, 1, '75 %', '1', 'test loss', '2 workers 75%', 'baseline', 1),
  (2, 2, '90 %', '1', 'test loss', '2 workers 90%', 'baseline', 1),
  (2, 3, '95 %', '1', 'test loss', '2 workers 95%', 'baseline', 1),
  (3, 1, '98 %', '1', 'test loss', '2 workers 98%', 'baseline', 1),
  (4, 1, '75 %', '1', 'test loss', '3 workers 75%', 'baseline', 1),
  (4, 2, '90 %', '1', 'test loss', '3 workers 90%', 'baseline', 1),
  (5, 1, '95 %', '1', 'test loss', '3 workers 95%', 'baseline', 1),
  (6, 1, '75 %', '1', 'test loss', '3 workers 75%', '2 workers 75%', 1),
  (6, 2, '90 %', '1', 'test loss', '3 workers 90%', '2 workers 90%', 1),
  (6, 3, '95 %', '1', 'test loss', '3 workers 95%', '2 workers 95%', 1),
  (7, 1, '75 %', '2', 'test loss', '75%', 'baseline', 1),
  (7, 2, '90 %', '2', 'test loss', '90%', 'baseline', 1),
  (7, 3, '95 %', '2', 'test loss', '95%', 'baseline', 1),
  (7, 4, '98 %', '2', 'test loss', '98%', 'baseline', 1),
  (8, 1, '99.5 %', '2', 'test loss', '99.5%', 'baseline', 1),
  (9, 1, '75 %', '3', 'test loss', '75%', 'baseline', 1),
  (9, 2, '90 %', '3', 'test loss', '90%', 'baseline', 1),
  (10, 1, '95 %', '3', 'test loss', '95%', 'baseline', 1),
  (11, 1, 'one, 95 %', '4', 'test loss', '2 workers 95%', 'baseline', 1),
  (11, 2, 'two, 95 %', '4', 'test loss', '3 workers 95%', 'baseline', 1),
  (11, 3, 'four, 90 %', '4', 'test loss', '5 workers 90%', 'baseline', 1),
  (12, 1, 'one, 95 %', '4', 'BLEU', '2 workers 95%', 'baseline', -1),
  (12, 2, 'two, 95 %', '4', 'BLEU', '3 workers 95%', 'baseline', -1),
  (12, 3, 'four, 90 %', '4', 'BLEU', '5 workers 90%', 'baseline', -1),
  (13, 1, '95 %', '4', 'test loss', '5 workers 95%', 'baseline', 1),
  (14, 1, '75 %', 'fig5', 'threshold', '75% applied', '75%', 1),
  (14, 2, '90 %', 'fig5', 'threshold', '90% applied', '90%', 1),
  (14, 3, '95 %', 'fig5', 'threshold', '95% applied', '95%', 1),
  (15, 1, 'test, L = 1', 'fig7b', 'test loss', 'L=1', 'baseline', 1),
  (15, 2, 'test, L = 10', 'fig7b', 'test loss', 'L=10', 'baseline', 1),
  (15, 3, 'test, L = 100', 'fig7b', 'test loss', 'L=100', 'baseline', 1),
  (15, 4, 'test, L = 1000', 'fig7b', 'test loss', 'L=1000', 'baseline', 1),
  (15, 5, 'train, L = 1', 'fig7b', 'train loss', 'L=1', 'baseline', 1),
  (15, 6, 'train, L = 10', 'fig7b', 'train loss', 'L=10', 'baseline', 1),
  (15, 7, 'train, L = 100', 'fig7b', 'train loss', 'L=100', 'baseline', 1),
  (15, 8, 'train, L = 1000', 'fig7b', 'train loss', 'L=1000', 'baseline', 1);
