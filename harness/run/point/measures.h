/* measures.h - simulate one bound point and name its results (trained.h does so for training). Names and units are
 * those of the database. */
#ifndef NARROWS_HARNESS_RUN_POINT_MEASURES_H
#define NARROWS_HARNESS_RUN_POINT_MEASURES_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/scenario/scenario.h"
#include "harness/store/store.h"
#include "sim/engine/timeline.h"
#include "sim/readings.h"

/* The names in the list point into the readings: it is filled in place and never copied. */
struct measures {
    struct measure_fact list[READINGS_MAX];
    size_t count;
    struct readings readings;
};

/* The point's model; some methods have none (method_has_model()), and *out is then all zero. A simulator's status; the
 * reason in why[] begins with the key of the layer, "model.layers[3]: ...". */
int measures_model(const struct scenario *sc, struct model *out, char *why, size_t nwhy);

/* NW_ESIM with the reason in why[] if the simulator refuses the point, or if it simulates nothing. */
int measures_of(const struct scenario *sc, struct measures *out, char *why, size_t nwhy);

/* The same, and what ran when and where. The caller frees the timeline, after a failure too. */
int measures_and_timeline(const struct scenario *sc, struct measures *out, struct timeline *timeline, char *why,
                          size_t nwhy);

/* Rebuild the list from the readings. */
void measures_list(struct measures *m);

/* Is there a measure of this name, or a derived one (gain_pct, speedup, loss_pct, batch_ratio)? */
bool measure_known(const char *name);
bool measure_derived(const char *name); /* from two points, one of them the baseline's */

/* Value of the measure called 'name', NaN if there is none. */
double measure_value(const struct measures *m, const char *name);

#endif
