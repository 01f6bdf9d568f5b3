/* measures.h - simulate one bound point and name what came out. The names and units are those of the database. */
#ifndef NARROWS_HARNESS_MEASURES_H
#define NARROWS_HARNESS_MEASURES_H

#include <stddef.h>

#include "harness/scenario/scenario.h"
#include "harness/store/store.h"

enum { MAX_MEASURES = 24 };

struct measures {
    struct measure_fact list[MAX_MEASURES];
    size_t count;
};

/* NW_ESIM with the reason in why[] if the simulator refuses the point. */
int measures_of(const struct scenario *sc, struct measures *out, char *why, size_t nwhy);

/* Is there a measure of this name, or a derived one (gain_pct, speedup)? */
_Bool measure_known(const char *name);

/* Value of the measure called 'name', NaN if there is none. */
double measure_value(const struct measures *m, const char *name);

#endif
