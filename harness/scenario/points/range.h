/* range.h - "2..32 GB/s:log:8": eight points from 2 to 32 GB/s, evenly spaced in the logarithm; "1..4:lin:7": seven,
 * evenly spaced in the value. A lower end without a unit has that of the upper end. Points between the ends are rounded
 * to 12 significant digits, so that they are the same with every libm. If the key takes whole numbers, the points of a
 * logarithmic range are rounded to whole numbers, and duplicates dropped (sweep.c). */
#ifndef NARROWS_HARNESS_SCENARIO_POINTS_RANGE_H
#define NARROWS_HARNESS_SCENARIO_POINTS_RANGE_H

#include <stdbool.h>

#include "harness/scenario/schema/units.h"

struct range {
    double low, high;        /* in the upper end's unit */
    const struct unit *unit; /* NULL for plain numbers */
    bool logarithmic;
    size_t n;
};

/* Nonzero, with the reason in error, if text is not a range of that dimension with 2 to 'most' points. */
int range_read(const char *text, enum dimension d, size_t most, struct range *out, struct quantity_error *error);

/* Point i as it would be written: "2 GB/s". */
void range_point(const struct range *r, size_t i, char *buf, size_t size);

#endif
