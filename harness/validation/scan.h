/* scan.h - the value of one constant, where the prediction answers to it in a part of its range alone: a link that is
 * hidden behind the computation has no say until it is slow enough. What a descent from one start cannot see. */
#ifndef NARROWS_HARNESS_VALIDATION_SCAN_H
#define NARROWS_HARNESS_VALIDATION_SCAN_H

#include <stddef.h>

struct scan {
    /* log(prediction / measured) of m rows at the logarithm of the constant; not finite where it cannot be simulated. A
     * status that is not 0 ends the search and is returned. */
    int (*residuals)(void *context, const double x[], double r[]);
    void *context;
    size_t m;
    double enough; /* done if no residual is larger, or the range is no wider */
};

/* Tries *x times powers of two, leaving *x at the best. Where the only residual changes its sign next to it, *x is the
 * place of that; else what a least-squares search has to begin from. 0, a status of residuals(), or NW_ENOMEM. */
int scan_constant(const struct scan *s, double *x);

#endif
