/* past.h - private to the fit: what its rows reached with the constants of the latest rounds, so that no round that the
 * search comes back to is simulated again: the start, and at the end the best of all. */
#ifndef NARROWS_HARNESS_RUN_FIT_PAST_H
#define NARROWS_HARNESS_RUN_FIT_PAST_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/run/fit/least_squares.h"

/* More than the rounds of one step of least squares, among which its best is: derivatives and shortened steps. */
enum { PAST_ROUNDS = 32, PAST_CONSTANTS = LEAST_SQUARES_MOST, PAST_ROWS = 64 };

/* All zero to begin with; of one fit, whose constants and rows stay as many. */
struct past {
    struct past_round {
        double values[PAST_CONSTANTS], reached[PAST_ROWS];
    } rounds[PAST_ROUNDS];
    size_t n; /* of all rounds so far */
};

void past_add(struct past *p, const double values[], size_t nvalues, const double reached[], size_t nreached);

/* Of the very same constants; false, and reached[] untouched, where there are none. */
bool past_find(const struct past *p, const double values[], size_t nvalues, double reached[], size_t nreached);

#endif
