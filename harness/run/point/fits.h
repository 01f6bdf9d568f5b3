/* fits.h - does a point fit in its GPUs' memory, by footprint.h, and if not, what is the least change that does? What
 * codecs keep between steps is not counted, since it is known only when the point was played. */
#ifndef NARROWS_HARNESS_RUN_POINT_FITS_H
#define NARROWS_HARNESS_RUN_POINT_FITS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/scenario/scenario.h"

/* NW_OK if it fits, counts by itself, computes on no GPU, cannot be counted, or is not to be checked
 * (platform.gpu.memory_checked). NW_EINPUT with "platform.gpu.memory: ", the bytes by class and the change. NW_ENOMEM.
 * The method must have accepted the point. */
int fits_check(const struct scenario *sc, const struct model *m, char *why, size_t nwhy);

/* Is this a reason of fits_check(), or of the method sharded, which has its own? */
bool fits_reason(const struct scenario *sc, const char *why);

#endif
