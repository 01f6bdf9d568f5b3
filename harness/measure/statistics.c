#include "harness/measure/statistics.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double quantile(double *values, size_t n, double q)
{
    double at = q * (double)(n - 1);
    size_t below = (size_t)at;

    qsort(values, n, sizeof(*values), ascending);
    if (below + 1 >= n)
        return values[n - 1];
    return values[below] + (at - (double)below) * (values[below + 1] - values[below]);
}
