/* vary.h - one number of a bound point, found by a path like that of --set, to be changed without binding again.
 * Units      base units throughout: bytes, bytes/s, FLOP/s, seconds.
 * Ownership  a struct varied points into the point in which it was found, and is valid as long as that point.
 * Threads    each thread varies its own point. */
#ifndef NARROWS_HARNESS_SCENARIO_POINTS_VARY_H
#define NARROWS_HARNESS_SCENARIO_POINTS_VARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/scenario/scenario.h"

struct field;

enum { VARY_PATH = 256 };

struct varied {
    char path[VARY_PATH]; /* full */
    const struct field *field;
    void *at; /* NULL: this point has no such number */
};

/* The number at 'path', which may omit leading components. NW_EINPUT, after a message to 'err' that begins with 'who',
 * if the path leads nowhere, to several numbers, or to something else. */
int vary_find(struct scenario *sc, const char *path, const char *who, FILE *err, struct varied *out);

/* The same number in another point, by its full path: 'at' is NULL where that point has none. */
struct varied vary_same(struct scenario *sc, const struct varied *v);

double vary_value(const struct varied *v); /* NaN: still to be calibrated, or a word */
void vary_set(const struct varied *v, double value);

bool vary_whole(const struct varied *v);       /* only whole values make sense */
const char *vary_unit(const struct varied *v); /* "bytes/s", "" for a plain number */

/* The smallest and the largest value that the key allows; INFINITY if there is no largest. */
void vary_range(const struct varied *v, double *smallest, double *largest);

/* 'text' as in a file, checked against the key's range. NW_EINPUT after a message that begins with 'option'. */
int vary_read(const struct varied *v, const char *text, const char *option, FILE *err, double *out);

/* For a person: "1.25 GB/s (10 Gbit/s)". */
void vary_print(const struct varied *v, double value, char *text, size_t size);

#endif
