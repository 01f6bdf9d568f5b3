/* point_key.h - what tells one point from another: a hash of everything its result depends on. */
#ifndef NARROWS_HARNESS_POINT_KEY_H
#define NARROWS_HARNESS_POINT_KEY_H

#include "harness/scenario/scenario.h"

enum { POINT_KEY_LENGTH = 32 }; /* hex digits of XXH3-128 */

/* Of the bound scenario (canonical text), the variant's name and the simulator's own sources, so that a changed simulator
 * computes anew. NW_ENOMEM, or 0. */
int point_key(const struct point *p, char key[POINT_KEY_LENGTH + 1]);

#endif
