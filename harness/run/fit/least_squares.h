/* least_squares.h - the constants that bring m residuals closest to zero: Levenberg and Marquardt's method with
 * differences for derivatives. For a handful of constants and residuals that cost a simulation each.
 * A residual that is no finite number is infinitely far: no step leads there, and no derivative comes from there. A
 * constant that no residual answers to stays where it is, and does not keep the others from moving.
 * Ownership  nothing is kept. */
#ifndef NARROWS_HARNESS_RUN_FIT_LEAST_SQUARES_H
#define NARROWS_HARNESS_RUN_FIT_LEAST_SQUARES_H

#include <stdbool.h>
#include <stddef.h>

enum { LEAST_SQUARES_MOST = 16 }; /* constants */

struct least_squares {
    size_t n, m; /* constants, residuals: m >= n */
    /* Residuals r[0..m) at x[0..n). A status that is not 0 ends the search and is returned. */
    int (*residuals)(void *context, const double x[], double r[]);
    void *context;
    double difference;   /* step of the derivatives; residuals that come in steps of their own need a wide one */
    double longest_step; /* that a constant takes in one round */
    double enough;       /* done when no residual is larger, or no constant moves by more */
    double worth_it; /* done when a round leaves more than this share of the sum of squares, unless it was cut short */
    int most_rounds;
    /* NULL, or n places, all 0: set for what no residual answered to when derivatives were last taken, once at
     * least. */
    bool *idle;
};

/* x[] comes as where to start and leaves as the best found, r[] as the residuals there. 0 however good that is, a
 * status of residuals(), or NW_ENOMEM. */
int least_squares_solve(const struct least_squares *s, double x[], double r[]);

#endif
