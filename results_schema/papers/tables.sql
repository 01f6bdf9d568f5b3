-- What a paper is to narrows: the values that it prints, and how its report shows them next to ours. Each folder here
-- holds one paper, as rows of these tables and views of its own; a new folder is a new paper, without a line of C.

CREATE TABLE paper (
  paper     TEXT    NOT NULL PRIMARY KEY               -- '3lc'; folders of scenarios and anchors have this name
            CHECK (paper GLOB '[a-z0-9]*' AND paper NOT GLOB '*[^a-z0-9-]*'),
  place     INTEGER NOT NULL,                                  -- in the order of reports
  label     TEXT    NOT NULL CHECK (label <> ''),              -- '3LC'
  title     TEXT    NOT NULL CHECK (title <> ''),              -- as published
  authors   TEXT    NOT NULL,
  summary   TEXT    NOT NULL                                   -- what it cuts and what it claims, in a sentence or two
) STRICT, WITHOUT ROWID;

CREATE TABLE paper_value (      -- what the papers print
  paper      TEXT NOT NULL CHECK (paper <> ''),
  table_id   TEXT NOT NULL CHECK (table_id <> ''),  -- as the paper numbers it: 'II', 'fig4'; 'text' for running text
  row_key    TEXT NOT NULL CHECK (row_key <> ''),
  column_key TEXT NOT NULL CHECK (column_key <> ''),
  published  REAL NOT NULL,
  unit       TEXT NOT NULL,                         -- ms, %, x, share, B/kFLOP
  source     TEXT NOT NULL CHECK (source <> ''),    -- section, table or figure
  PRIMARY KEY (paper, table_id, row_key, column_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE paper_row (        -- the order in which a table prints its rows
  paper    TEXT    NOT NULL,
  table_id TEXT    NOT NULL,
  row_key  TEXT    NOT NULL,
  place    INTEGER NOT NULL,                        -- from 1, top down
  label    TEXT    NOT NULL,                        -- what a report or a figure calls the row
  PRIMARY KEY (paper, table_id, row_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE paper_system (     -- the machines of a paper
  paper    TEXT    NOT NULL,
  system   TEXT    NOT NULL,                        -- column_key of the tables that compare machines
  place    INTEGER NOT NULL,                        -- from 1, as the paper lists them
  label    TEXT    NOT NULL,
  table_id TEXT    NOT NULL,                        -- table with the profile of one batch on it
  scenario TEXT    NOT NULL,                        -- run.scenario that reproduces that table
  PRIMARY KEY (paper, system)
) STRICT, WITHOUT ROWID;

CREATE TABLE paper_note (       -- why we may miss a cell; said where it is the worst one
  paper      TEXT NOT NULL,
  table_id   TEXT NOT NULL,
  row_key    TEXT NOT NULL,
  column_key TEXT NOT NULL,
  note       TEXT NOT NULL CHECK (note <> ''),
  PRIMARY KEY (paper, table_id, row_key, column_key),
  FOREIGN KEY (paper, table_id, row_key, column_key) REFERENCES paper_value
) STRICT, WITHOUT ROWID;

CREATE TABLE paper_input (      -- printed values that scenarios or views start from: nothing is to come out for them
  paper      TEXT NOT NULL,
  table_id   TEXT NOT NULL,
  row_key    TEXT NOT NULL,                         -- '*': every row
  column_key TEXT NOT NULL,                         -- '*': every column
  what       TEXT NOT NULL CHECK (what <> ''),      -- what for
  PRIMARY KEY (paper, table_id, row_key, column_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE training_size (    -- how large the training runs are that stand for a paper's
  size  TEXT    NOT NULL PRIMARY KEY,
  place INTEGER NOT NULL,                           -- of two that are there, the one to lead with has the smaller
  label TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO training_size(size, place, label) VALUES
  ('paper', 1, 'as the paper trained'), ('small', 2, 'scaled down'), ('longer', 3, 'scaled down, for longer'),
      ('quick', 4, 'a quick look');

-- A table or a paragraph of a report. Its rows are those of the view "PAPER/NAME", e.g. "3lc/table-1", in the view's
-- order; without rows it is left out, heading and all. 'shape':
--   cells  a row for each cell of a grid, in the order of rows and columns. Columns of the view, by name: row_label,
--          column_label, published, ours; and where there are any: kind, half (what to print after ±), n, unit,
--          least, largest (where ours goes with the fit's cells left out),
--          row_key, column_key (they give the cell its anchor), table_id, number (what printf takes, "%+.2f"), rule (1:
--          a line above this row), ours_text (instead of the number). 'format' is how differences count: percent (of
--          the published), points, share; none: there is no difference to print.
--   list   a row of the view is one of the table. A column's name is its head; "group|head" puts neighbours under one
--          group. 'format' has a word for each: s (text), or what printf takes (%.2f, %+.1f). A column named rule is
--          not printed: 1 draws a line above.
--   text   every row is a paragraph, of one column.
-- A part of the paper '*' belongs to every paper: its view has a column of_paper, by which rows are chosen and which is
-- not printed. A NULL prints as a dash. Paragraphs in 'before' and 'after' are a line each; '' for none.
CREATE TABLE report_part (
  paper   TEXT    NOT NULL,
  -- paper: what it contradicts or leaves open
  section TEXT    NOT NULL CHECK (section IN ('simulated', 'trained', 'fitted', 'paper',
                                            'scoreboard', 'summary', 'quick', 'validation')),      -- of no paper, ''
  place   INTEGER NOT NULL,                          -- in the section
  -- to ask for it, and its anchor: 'table-1'
  name    TEXT    NOT NULL CHECK (name GLOB '[a-z]*' AND name NOT GLOB '*[^a-z0-9-]*'),
  heading TEXT    NOT NULL,                          -- '' for a paragraph that belongs to what is before it
  before  TEXT    NOT NULL,
  shape   TEXT    NOT NULL CHECK (shape IN ('cells', 'list', 'text')),
  format  TEXT    NOT NULL,                          -- '' for text
  after   TEXT    NOT NULL,
  PRIMARY KEY (paper, name)
) STRICT, WITHOUT ROWID;

-- A figure. The view "NAME/data" has its rows, in their order; the first column names the block that the others belong
-- to. "NAME/marks", if there is one, has points to mark, in the same form. The first line of a block goes on with
-- 'header', or with the row of "NAME/header" if there is one: axes and title, as the template wants them.
-- "NAME/caption", if there is one, adds a sentence to the caption. For figures of a section that have none of their
-- own, "PAPER/SECTION/title" goes on with the title, and "PAPER/SECTION/caption" with the caption.
CREATE TABLE report_figure (
  paper    TEXT    NOT NULL,                         -- of no paper, '': those of the validation
  of_paper TEXT    AS (nullif(paper, '')) REFERENCES paper,  -- '' is none of them
  section  TEXT    NOT NULL CHECK (section IN ('simulated', 'trained', 'fitted', 'paper', 'validation')),
  place    INTEGER NOT NULL,
  -- of its files, and its anchor: '3lc-fig4'
  name     TEXT    NOT NULL CHECK (name GLOB '[a-z0-9]*' AND name NOT GLOB '*[^a-z0-9-]*'),
  template TEXT    NOT NULL,                         -- plots/TEMPLATE.gp
  header   TEXT    NOT NULL,                         -- parted by '|'; '' where the view has it
  caption  TEXT    NOT NULL CHECK (caption <> ''),   -- what to see, in which units, what bars mean
  -- what `narrows run` makes its data from: 'scenarios/papers/3lc/table-1.yaml'
  scenario TEXT    NOT NULL,
  PRIMARY KEY (paper, name),
  CHECK ((paper = '') = (section = 'validation'))
) STRICT, WITHOUT ROWID;

CREATE TABLE view_union (       -- a view that is made, after all others, of every view whose name ends so
  name    TEXT NOT NULL PRIMARY KEY,
  suffix  TEXT NOT NULL CHECK (suffix <> ''),
  columns TEXT NOT NULL CHECK (columns <> '')
) STRICT, WITHOUT ROWID;
INSERT INTO view_union(name, suffix, columns) VALUES
  -- what was measured for each claim (paper_claim), part by part: an estimate in the claim's unit, its standard error
  -- over n seeds, pairs or cells, and what the paper's numbers make of it ('effect', NULL: the claim's); of what is
  -- counted 'holds' and how to print it ('shown') instead. size: of training_size, '' where nothing was trained;
  -- censored: how many values are better than what they stand for
  ('claim_part', '_claim_part', 'paper, place, size, part, label, estimate, error, n, effect, holds, shown, censored'),
  -- what else was measured of why a claim comes out as it does, where no two variants are compared (claim_ablation):
  -- counts, shares, times. verdict: the claim's by it, 'not run' where it was not measured; places go on from those of
  -- the claim's ablations
  ('counted_reason', '_counted_reason', 'paper, place, ablation, verdict, says'),
  -- published figures that follow from several of our cells
  ('derived', '_derived', 'paper, table_id, row_key, column_key, published, ours, unit, kind');

CREATE TABLE report_once (      -- views that a report asks again and again: they are worked out when it begins
  name  TEXT    NOT NULL PRIMARY KEY,
  place INTEGER NOT NULL,                                -- in which order: later ones may be made of earlier ones
  whole INTEGER NOT NULL CHECK (whole IN (0, 1))         -- only for the report of all papers
) STRICT, WITHOUT ROWID;
INSERT INTO report_once(name, place, whole) VALUES
  ('run_source', 1, 0), ('chosen_run', 2, 0), ('cell_value', 3, 0), ('speaking', 4, 0), ('cell_seed', 5, 0),
      ('spoken', 6, 0), ('comparison', 7, 0), ('cell_refit', 7, 0), ('cell_range', 8, 0),
  ('comparison_spread', 8, 0), ('paper_cell', 9, 1), ('claim', 10, 1), ('claim_told', 11, 1);
