/* vary.h - one number of a bound point, found by a path as --set finds it, to be changed without binding anew.
 * Units      base units throughout: bytes, bytes/s, FLOP/s, seconds.
 * Ownership  a struct varied points into the point that it was found in, and lives no longer.
 * Threads    each thread varies a point of its own. */
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

/* The number at 'path', which may lack leading components. NW_EINPUT, after a message to 'err' that begins with 'who', for
 * a path that leads nowhere, to several numbers, or to none. */
int vary_find(struct scenario *sc, const char *path, const char *who, FILE *err, struct varied *out);

/* The same number in another point, by its full path: 'at' is NULL where that point has none. */
struct varied vary_same(struct scenario *sc, const struct varied *v);

double vary_value(const struct varied *v); /* NaN: still to be calibrated, or a word */
void vary_set(const struct varied *v, double value);

bool vary_whole(const struct varied *v);       /* only whole values make sense */
const char *vary_unit(const struct varied *v); /* "bytes/s", "" for a plain number */

/* The least and the greatest value that the key allows, the least moved up where it is itself not allowed; INFINITY where
 * there is no greatest. */
void vary_range(const struct varied *v, double *least, double *greatest);

/* 'text' as the file would write it, checked against the key's range. NW_EINPUT after a message naming 'option'. */
int vary_read(const struct varied *v, const char *text, const char *option, FILE *err, double *out);

/* For a person: "1.25 GB/s (10 Gbit/s)". */
void vary_print(const struct varied *v, double value, char *text, size_t size);

#endif
