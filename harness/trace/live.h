/* live.h - how much of a memory plan's pool is in use over time: a counter next to the operations of a trace.
 * Units      GB (1e9 bytes) over picoseconds of the played step.
 * Errors     harness status. */
#ifndef NARROWS_HARNESS_TRACE_LIVE_H
#define NARROWS_HARNESS_TRACE_LIVE_H

#include <stdint.h>

#include "harness/scenario/scenario.h"
#include "sim/engine/timeline.h"

struct live {
    int64_t *at_ps;
    double *GB;
    size_t n;
};

/* Of a point whose method is memory-plan, and its timeline; of any other, nothing. */
int live_of(const struct scenario *sc, const struct timeline *t, struct live *out);
void live_free(struct live *l); /* accepts an all-zero one */

#endif
