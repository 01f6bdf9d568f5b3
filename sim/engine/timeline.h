/* timeline.h - what ran when and where in a played engine: for traces, figures and stored tasks.
 * Ownership  timeline_free() releases what timeline_take() made. */
#ifndef NARROWS_SIM_ENGINE_TIMELINE_H
#define NARROWS_SIM_ENGINE_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/engine/engine.h"

struct span {
    int64_t start_ps, end_ps;
    int64_t bytes; /* -1: not a transfer */
    int track;     /* index into tracks */
    int slot;      /* of a pool: spans of one track and slot do not overlap */
    int id;        /* the caller's number of a flow, else the task's */
    int after;     /* 1 + the id of the span whose end let it start; 0: no span of the timeline did */
    bool critical; /* on the critical path: the chain of such spans that ends last */
    char name[64]; /* "push conv1" */
};

struct track {
    char name[48]; /* "gpu 3", "nic-out 0" */
};

struct timeline {
    struct span *spans; /* sorted by start, then by task */
    size_t nspans;
    struct track *tracks;
    size_t ntracks;
    size_t most; /* input: keep at most so many spans, 0: all; the others are counted in left_out */
    size_t left_out;
    int64_t from_ps, to_ps; /* input: only spans that touch this window; to_ps 0: no end */
};

/* Writes the name of an item, which is 0 or more, into name[0..size). */
typedef void name_item_fn(const void *context, size_t item, char *name, size_t size);

/* Every task that took time. 'row' names the labels (0..nrows-1), its NULL entries name nothing. E_NOMEM. */
int timeline_take(struct timeline *t, const struct engine *e, const char *const *row, size_t nrows,
                  name_item_fn *name_item, const void *context);
void timeline_free(struct timeline *t); /* accepts an all-zero timeline */

/* For callers that fill spans and tracks themselves: gives overlapping spans of one track different slots. The spans
 * must be sorted by start. E_NOMEM. */
int timeline_spread(struct timeline *t);

#endif
