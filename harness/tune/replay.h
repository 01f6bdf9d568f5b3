/* replay.h - the best layouts of a search once more, by events: that is what they are ranked by.
 * Ownership  replay_free() releases the rows.
 * Errors     harness status; the message has been printed. */
#ifndef NARROWS_HARNESS_TUNE_REPLAY_H
#define NARROWS_HARNESS_TUNE_REPLAY_H

#include "harness/tune/search.h"
#include "sim/method/sharded/survey.h"

enum { BINDS = 256 };

struct tuned_row {
    size_t layout; /* its point's number */
    struct sharded m;
    struct survey_view closed;
    double step_ms;           /* by events */
    double tokens_per_s, mfu; /* of a GPU; NaN: not of this model */
    double memory_bytes, memory_limit_bytes;
    char binds[BINDS];
};

struct replay {
    struct tuned_row *rows; /* the fastest first */
    size_t n;
};

/* Plays the best of a search on so many threads and stores them as points of the space's run. */
int replay_run(struct layouts *s, const struct search_result *found, int jobs, struct replay *out);
void replay_free(struct replay *r);

#endif
