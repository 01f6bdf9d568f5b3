-- What was measured of the network under MPI, repetition by repetition.

CREATE TABLE network_rank (        -- the ranks of a run's world
  run_id           INTEGER NOT NULL REFERENCES run,
  rank             INTEGER NOT NULL CHECK (rank >= 0),
  host             TEXT    NOT NULL,
  member           INTEGER NOT NULL CHECK (member >= -1),  -- its number where streams flow; -1: none
  offset_before_ns INTEGER NOT NULL,                       -- its clock less that of rank 0, before all trials
  offset_after_ns  INTEGER NOT NULL,                       -- and after them
  error_ns         INTEGER NOT NULL CHECK (error_ns >= 0), -- either is wrong by no more, nanoseconds
  PRIMARY KEY (run_id, rank)
) STRICT, WITHOUT ROWID;

CREATE TABLE network_setting (     -- what MPI was told by the environment, and which MPI it is
  run_id INTEGER NOT NULL REFERENCES run,
  name   TEXT    NOT NULL,         -- of the variable; 'library'
  value  TEXT    NOT NULL,
  PRIMARY KEY (run_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE network_sample (      -- one repetition, of one flow where there are several
  run_id        INTEGER NOT NULL REFERENCES run,
  pattern       TEXT    NOT NULL,                                -- 'ping-pong', 'one-way', 'allreduce', ...
  ranks         INTEGER NOT NULL CHECK (ranks > 0),              -- that take part
  peer          INTEGER NOT NULL CHECK (peer >= 0),              -- ping-pong: the member that answers; else 0
  bytes         INTEGER NOT NULL CHECK (bytes >= 0),             -- of the message, the flow, the collective
  message_bytes INTEGER NOT NULL CHECK (message_bytes >= 0),     -- streams: of each message; else 0
  flow          INTEGER NOT NULL CHECK (flow >= 0),              -- streams: its number; barrier: the rank; else 0
  repetition    INTEGER NOT NULL CHECK (repetition >= 0),
  elapsed_ns    INTEGER NOT NULL,                                -- barrier: after the first rank left it
  wrong         INTEGER NOT NULL CHECK (wrong >= 0),             -- elements of this size's result that were wrong
  PRIMARY KEY (run_id, pattern, ranks, peer, bytes, message_bytes, flow, repetition)
) STRICT, WITHOUT ROWID;
