-- Definitions (papers/, views/: what papers print, how reports show it, and every view) are no facts: a program that knows others makes
-- them anew. Those that older databases hold as facts go.
DROP TABLE IF EXISTS dct_claim_part;
DROP TABLE IF EXISTS dct_claim;
DROP TABLE IF EXISTS dct_student;
DROP TABLE IF EXISTS a2dtwp_training;
DROP TABLE IF EXISTS paper_chosen;
DROP TABLE IF EXISTS paper_note;
DROP TABLE IF EXISTS paper_system;
DROP TABLE IF EXISTS paper_row;
DROP TABLE IF EXISTS paper_value;

CREATE TABLE definition (       -- what was made by definitions, to be dropped before others are
  name   TEXT NOT NULL PRIMARY KEY,             -- a table, in 'place' order; '' for their digest
  place  INTEGER NOT NULL,
  digest TEXT NOT NULL                          -- of all their files; '' where some were added by hand
) STRICT, WITHOUT ROWID;
