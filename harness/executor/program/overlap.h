/* overlap.h - find areas of a plan that overlap while an operation runs. Such an overlap damages an operation's
 * result, or its workspace, before the result's checksum is taken, so that no later check can see it.
 * Refused    within one operation: two results that overlap, unless they are one storage; a workspace that overlaps a
 *            result or an input. While a copy is under way, from its start to the first wait for it: a result or a
 *            workspace that overlaps its source or its destination.
 * A valid placement with correct lifetimes contains none of these. */
#ifndef NARROWS_HARNESS_EXECUTOR_PROGRAM_OVERLAP_H
#define NARROWS_HARNESS_EXECUTOR_PROGRAM_OVERLAP_H

#include "harness/executor/program/program.h"

/* NW_EINPUT with the operation and both areas in why[]. */
int overlap_check(const struct program *p, char *why, size_t nwhy);

#endif
