/* timeline_store.h - put a timeline into the database, under its point. */
#ifndef NARROWS_HARNESS_TRACE_TIMELINE_STORE_H
#define NARROWS_HARNESS_TRACE_TIMELINE_STORE_H

#include "harness/run/point/measures.h"
#include "harness/scenario/scenario.h"
#include "harness/store/store.h"
#include "sim/engine/timeline.h"

/* Store the point, unless it is there, list it under the run, and store its timeline, unless it has one. Harness
 * status; the message has been printed. */
int timeline_store(struct store *s, int64_t run_id, const struct point *p, const struct measures *m,
                   const struct timeline *t);

#endif
