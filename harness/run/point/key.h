/* key.h - what tells one point from another: a hash of everything its result depends on. */
#ifndef NARROWS_HARNESS_RUN_POINT_KEY_H
#define NARROWS_HARNESS_RUN_POINT_KEY_H

#include "harness/scenario/scenario.h"

enum { POINT_KEY_LENGTH = 32 }; /* hex digits of XXH3-128 */

/* Of the bound scenario (canonical text), the variant's name, and the sources of what computes it, so that a changed
 * simulator or trainer computes again: the simulator's where it is simulated; where it is trained the trainer's, and
 * the name of the backend that would compute it here. NW_ENOMEM, or 0. */
int point_key(const struct point *p, char key[POINT_KEY_LENGTH + 1]);

/* The same with other sources: point_key() has those of this program. */
struct source_digests {
    const char *sim, *train;
};
int point_key_of(const struct point *p, const struct source_digests *sources, char key[POINT_KEY_LENGTH + 1]);

#endif
