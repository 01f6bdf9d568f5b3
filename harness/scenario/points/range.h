/* range.h - "2..32 GB/s:log:8": eight points from 2 to 32 GB/s, evenly spaced in the logarithm; "1..4:lin:7" evenly in
 * the value. The unit of the upper end holds for a lower end without one. Points between the ends are rounded to 12
 * significant digits, so that they are the same with every libm; of a key that takes whole numbers, those of a
 * logarithmic range are rounded to whole ones, each once (sweep.c). */
#ifndef NARROWS_HARNESS_SCENARIO_POINTS_RANGE_H
#define NARROWS_HARNESS_SCENARIO_POINTS_RANGE_H

#include "harness/scenario/schema/units.h"

struct range {
    double low, high;        /* in the upper end's unit */
    const struct unit *unit; /* NULL for plain numbers */
    int logarithmic;
    size_t n;
};

/* Nonzero, with the reason in error, if text is no range of that dimension with 2 to 'most' points. */
int range_read(const char *text, enum dimension d, size_t most, struct range *out, struct quantity_error *error);

/* Point i as it would be written: "2 GB/s". */
void range_point(const struct range *r, size_t i, char *buf, size_t size);

#endif
