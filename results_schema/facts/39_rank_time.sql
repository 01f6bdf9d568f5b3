-- Where the time of a training goes that is spread over the ranks of an MPI program. Measured, so not a result: the same
-- training has other times when it is run again. Steps that an earlier process did, before a checkpoint, have none.

CREATE TABLE training_rank_time ( -- a step on one rank; whoever waits for others waits in push or pull
  point_id       INTEGER NOT NULL,
  rank           INTEGER NOT NULL CHECK (rank >= 0),           -- 0 is the server
  step           INTEGER NOT NULL,
  compute_ns     INTEGER NOT NULL CHECK (compute_ns >= 0),     -- forward and backward, of its own workers
  encode_ns      INTEGER NOT NULL CHECK (encode_ns >= 0),      -- of what they push
  push_ns        INTEGER NOT NULL CHECK (push_ns >= 0),
  update_ns      INTEGER NOT NULL CHECK (update_ns >= 0),      -- of the server: from decoding to the encoded pull
  pull_ns        INTEGER NOT NULL CHECK (pull_ns >= 0),
  decode_ns      INTEGER NOT NULL CHECK (decode_ns >= 0),      -- of the pull
  sent_bytes     INTEGER NOT NULL CHECK (sent_bytes >= 0),     -- in messages, to all other ranks together
  received_bytes INTEGER NOT NULL CHECK (received_bytes >= 0),
  PRIMARY KEY (point_id, rank, step),
  FOREIGN KEY (point_id, step) REFERENCES trace_step
) STRICT, WITHOUT ROWID;
