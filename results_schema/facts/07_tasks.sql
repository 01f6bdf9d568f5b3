-- What ran when, for the points whose timeline was asked for.

CREATE TABLE timeline (         -- a point whose tasks are stored: all of them, or those that were asked for
  point_id INTEGER NOT NULL PRIMARY KEY REFERENCES point,
  from_ps  INTEGER NOT NULL CHECK (from_ps >= 0),      -- only tasks that touch this window of simulated time
  to_ps    INTEGER CHECK (to_ps > from_ps),            -- NULL: to the end
  left_out INTEGER NOT NULL CHECK (left_out >= 0)      -- tasks that touch it and were too many to keep
) STRICT, WITHOUT ROWID;

CREATE TABLE task (             -- one task, or one flow of given traffic
  point_id INTEGER NOT NULL REFERENCES timeline,
  place    INTEGER NOT NULL CHECK (place >= 0),        -- by start, from 0
  id       INTEGER NOT NULL,                           -- the flow's number in its file, else the task's in its graph
  name     TEXT    NOT NULL,                           -- what it does: 'push conv1', 'to 3'
  track    TEXT    NOT NULL CHECK (track <> ''),       -- resource, link or source that it ran on: 'gpu 3'
  slot     INTEGER NOT NULL CHECK (slot >= 0),         -- of a pool: tasks of one track and slot do not overlap
  start_ps INTEGER NOT NULL CHECK (start_ps >= 0),     -- simulated time, picoseconds
  end_ps   INTEGER NOT NULL CHECK (end_ps >= start_ps),
  bytes    INTEGER CHECK (bytes >= 0),                 -- that it transferred; NULL: no transfer
  PRIMARY KEY (point_id, place)
) STRICT, WITHOUT ROWID;
