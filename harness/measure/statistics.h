/* statistics.h - order statistics of repetitions. */
#ifndef NARROWS_HARNESS_MEASURE_STATISTICS_H
#define NARROWS_HARNESS_MEASURE_STATISTICS_H

#include <stddef.h>

/* The value below which the share 'q' (0..1) of the n >= 1 values lies, between neighbours by linear interpolation.
 * Sorts the values. */
double quantile(double *values, size_t n, double q);

#endif
