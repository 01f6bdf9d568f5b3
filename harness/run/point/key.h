/* key.h - the identity of a point: a hash of everything that its result depends on. */
#ifndef NARROWS_HARNESS_RUN_POINT_KEY_H
#define NARROWS_HARNESS_RUN_POINT_KEY_H

#include "harness/scenario/scenario.h"

enum { POINT_KEY_LENGTH = 32 }; /* hex digits of XXH3-128 */

/* A hash of the bound scenario (canonical text), the variant's name, and a digest of the code that computes it, so that
 * points are computed again after this code changes: the simulator's for a simulated point; for a trained one the
 * trainer's, and the name of the backend that would compute it here. NW_ENOMEM, or 0. */
int point_key(const struct point *p, char key[POINT_KEY_LENGTH + 1]);

/* The same with given digests; point_key() uses those of this program. */
struct source_digests {
    const char *sim, *train;
};
int point_key_of(const struct point *p, const struct source_digests *sources, char key[POINT_KEY_LENGTH + 1]);

#endif
