/* overlap.h - a plan's areas where no checksum can tell them apart: what happens to an operation's results, and in its workspace, while it
 * runs. The checksum of a result is taken behind the operation, so whatever damaged it before that passes for what was computed.
 * Refused    within one operation: two results that meet, unless they are one storage; a workspace that meets a result or what is
 *            read. While a copy is under way (from where it begins to the first wait for it): a result or a workspace where it lands,
 *            or where it leaves from.
 * A valid placement of right lifetimes has none of these. */
#ifndef NARROWS_HARNESS_EXECUTOR_PROGRAM_OVERLAP_H
#define NARROWS_HARNESS_EXECUTOR_PROGRAM_OVERLAP_H

#include "harness/executor/program/program.h"

/* NW_EINPUT with the operation and both areas in why[]. */
int apart_check(const struct program *p, char *why, size_t nwhy);

#endif
