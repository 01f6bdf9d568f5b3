/* least_squares.h - the constants that bring m residuals closest to zero: the Levenberg-Marquardt method with numerical
 * derivatives. For a few constants and residuals that need a simulation each. Points with a residual that is not finite
 * are never accepted, nor used for a derivative. A constant that no residual depends on keeps its value, and does not
 * stop the others from changing.
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
    double difference;   /* step of the derivatives; residuals that change in steps need a wide one */
    double longest_step; /* of a constant in one round */
    double enough;       /* done if no residual is larger, or no constant changes by more */
    double worth_it;     /* done if a round leaves more than this share of the sum of squares, unless its step was
                        limited */
    int most_rounds;
    /* NULL, or n flags, initially false: set for each constant that no residual depended on when derivatives were last
     * taken. */
    bool *idle;
};

/* x[] is the start, and then the best point found; r[] receives the residuals there. 0 (however good the point is), a
 * status of residuals(), or NW_ENOMEM. */
int least_squares_solve(const struct least_squares *s, double x[], double r[]);

/* The step of the normal equations at x from n x m derivatives (jacobian[i * n + k]: of residual i to constant k),
 * their diagonal raised by the share 'damping'; none for what nothing answers to. False if they are singular. Of *s
 * only n and m are looked at. */
bool least_squares_step(const struct least_squares *s, const double jacobian[], const double r[], double damping,
                        double step[LEAST_SQUARES_MOST]);

#endif
