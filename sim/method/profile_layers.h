/* profile_layers.h - private to profile.h: what part of a pass's time a layer has. */
#ifndef NARROWS_SIM_METHOD_PROFILE_LAYERS_H
#define NARROWS_SIM_METHOD_PROFILE_LAYERS_H

#include "sim/method/profile.h"

/* E_INVAL for a row without a layer, for a second one of a layer, and for rows that take longer than their pass. */
int profile_layers_check(const struct compute_profile *c, const struct model *m, char *why, size_t nwhy);

/* The time that the rows take together: of a pass whose own time is not given. */
double profile_layers_s(const struct compute_profile *c, bool backward);

/* The layer's part of a pass of total_ps: the rounded time up to its end less that up to its beginning, so that no
 * picosecond is lost or counted twice. A model without FLOPs spends what has no row in its last layer. */
int64_t profile_share_ps(const struct compute_profile *c, int64_t total_ps, const struct model *m, size_t layer,
                         bool backward);

#endif
