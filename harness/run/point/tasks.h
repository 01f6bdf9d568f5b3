/* tasks.h - a timeline as facts to be stored. */
#ifndef NARROWS_HARNESS_TASKS_H
#define NARROWS_HARNESS_TASKS_H

#include "harness/store/store.h"
#include "sim/engine/timeline.h"

/* 'out' refers to the timeline, which must outlive it; tasks_free() releases its tasks. NW_ENOMEM, or 0. */
int tasks_of(const struct timeline *t, struct timeline_fact *out);
void tasks_free(struct timeline_fact *f); /* accepts an all-zero one */

#endif
