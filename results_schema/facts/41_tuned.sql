-- Searches for the best layout (narrows tune), block by block: a search that was killed goes on behind the last one.

CREATE TABLE tuned_block (
  search  TEXT    NOT NULL,                             -- digest of the scenario, the axes, and the code that computes them
  block   INTEGER NOT NULL CHECK (block >= 0),
  layouts INTEGER NOT NULL CHECK (layouts >= 0),        -- of the space
  refused INTEGER NOT NULL CHECK (refused >= 0),        -- of them: their keys do not go together
  unfit   INTEGER NOT NULL CHECK (unfit >= 0),          -- of them: not enough memory
  slower  INTEGER NOT NULL CHECK (slower >= 0),         -- of them: their GPUs alone compute for longer than the best take
  PRIMARY KEY (search, block)
) STRICT, WITHOUT ROWID;

CREATE TABLE tuned_layout (                             -- the best of a block, in closed form
  search  TEXT    NOT NULL,
  block   INTEGER NOT NULL,
  place   INTEGER NOT NULL CHECK (place >= 0),          -- among them
  layout  INTEGER NOT NULL CHECK (layout >= 0),         -- its point's number
  step_ps REAL    NOT NULL CHECK (step_ps > 0),
  PRIMARY KEY (search, block, place),
  FOREIGN KEY (search, block) REFERENCES tuned_block
) STRICT, WITHOUT ROWID;
