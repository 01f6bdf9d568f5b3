/* figures.h - ranges of the figures that a scenario gives. Each check refuses the first figure that is out of its
 * range, with the key and what was expected: E_INVAL. */
#ifndef NARROWS_SIM_FIGURES_H
#define NARROWS_SIM_FIGURES_H

#include <stddef.h>
#include <stdint.h>

struct figure {
    const char *key;
    double value;
};

int figures_positive(const struct figure list[], size_t n, char *why, size_t nwhy); /* and finite */
int figures_not_negative(const struct figure list[], size_t n, char *why, size_t nwhy);

/* What to add to a message about this value: an explanation where it is NaN, else "". */
const char *uncalibrated(double value);

struct count {
    const char *key;
    int64_t value, least, most;
};

int counts_within(const struct count list[], size_t n, char *why, size_t nwhy);

#endif
