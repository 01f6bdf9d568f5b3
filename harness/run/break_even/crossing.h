/* crossing.h - every crossing of a target by a function over a range, found by a scan and narrowed by bisection. Two
 * crossings between neighbouring points of the scan cancel out and are not found.
 * Errors     0, a negative status of the function (which stops the search), or NW_ENOMEM. */
#ifndef NARROWS_HARNESS_RUN_BREAK_EVEN_CROSSING_H
#define NARROWS_HARNESS_RUN_BREAK_EVEN_CROSSING_H

#include <stdbool.h>
#include <stddef.h>

/* y at x: 0 and *y set; 1 where the function has no value; or a negative status. */
typedef int crossing_fn(void *context, double x, double *y);

struct crossing_search {
    double low, high; /* low < high */
    bool logarithmic; /* spacing of the scan, and of bisection; low > 0 */
    bool whole;       /* x takes whole values only: the answer is exact */
    size_t points;    /* of the scan, at least 2; fewer where there are fewer whole values */
    double tolerance; /* width of the answer: relative to x (logarithmic), else to high - low */
    double target;
    crossing_fn *function;
    void *context;
};

struct crossing {
    double low, high;     /* the crossing is between them */
    double y_low, y_high; /* one is at or above the target, the other below */
    bool upwards;         /* the target is reached for greater x: y_high >= target */
    bool narrowed;        /* false: the function has no value within, so the bracket stayed wide */
    double x;             /* the answer: the first whole value that reaches the target, else the middle */
};

struct crossing_point {
    double x, y; /* y NaN: no value there */
};

struct crossings {
    struct crossing *list; /* in the order of x */
    size_t n;
    struct crossing_point *scan;
    size_t nscan, nvalued; /* points of the scan, and how many of them have a value */
};

/* Free 'out' even after an error. */
int crossings_find(const struct crossing_search *s, struct crossings *out);
void crossings_free(struct crossings *c); /* accepts an all-zero one */

#endif
