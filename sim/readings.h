/* readings.h - what a play reports: named figures with units. The names are those of the database's measures. */
#ifndef NARROWS_SIM_READINGS_H
#define NARROWS_SIM_READINGS_H

#include <stddef.h>

enum { READINGS_MAX = 96, READING_NAME = 48 };

struct reading {
    char name[READING_NAME];
    double value;
    const char *unit; /* ms, B, GB/s (1e9), share, 1/s, x, %; a string constant */
};

struct readings {
    struct reading list[READINGS_MAX];
    size_t n;
};

/* Add one; the format makes its name. More than READINGS_MAX fail an assertion. */
__attribute__((format(printf, 4, 5))) void reading_add(struct readings *r, double value, const char *unit,
                                                       const char *format, ...);

/* The value of that name, NaN if there is none. */
double reading_value(const struct readings *r, const char *name);

#endif
