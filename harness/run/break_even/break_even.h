/* break_even.h - where does it start to pay? The values of one number of a scenario at which a variant is as fast per
 * sample as another, times a target: every crossing in a range, with what binds on either side.
 * The number is given to both variants, unless they have different values of it to begin with (one of them sets it for
 * itself) or one of them has none: then it is changed in the asked variant alone, or in the one that has it.
 * Speedup    sample_us of the baseline over sample_us of the variant: above 1 the variant is the faster one.
 * Errors     harness status; the message has been printed. */
#ifndef NARROWS_HARNESS_RUN_BREAK_EVEN_BREAK_EVEN_H
#define NARROWS_HARNESS_RUN_BREAK_EVEN_BREAK_EVEN_H

#include "harness/run/break_even/crossing.h"
#include "harness/run/point/measures.h"
#include "harness/scenario/points/vary.h"
#include "harness/scenario/scenario.h"

enum { BREAK_EVEN_SCAN = 33, BREAK_EVEN_KIND = 48, BREAK_EVEN_WHY = 256 };

struct break_even_question {
    const char *path; /* may lack leading components */
    /* The range, as a file would write it; NULL: a 1000th and 1000 times of the present value, within its limits. */
    const char *from, *to;
    const char *variant, *baseline;
    size_t point;     /* whose combination of the axes is asked about */
    double target;    /* speedup that counts as paying */
    double tolerance; /* see crossing.h */
    size_t scan;      /* points of the scan */
    /* Give a bound point what its file leaves open (calibrated constants, measured rates). NULL: nothing. */
    int (*supply)(void *context, struct point *p);
    /* Called with everything simulated. NULL: not called. */
    int (*simulated)(void *context, const struct varied *v, double x, const struct point *p, const struct measures *m);
    void *context;
};

/* The main bottleneck of a step and its share: "nic-out", 0.83. The kind is empty where the method does not report
 * it. */
struct binding {
    char kind[BREAK_EVEN_KIND];
    double share;
};

struct break_even_side {
    double x, speedup; /* speedup NaN: no value there */
    struct binding variant, baseline;
};

/* Half the value, the ends of the bracket, twice the value: what binds, near and farther off. */
enum { SIDE_BELOW, SIDE_JUST_BELOW, SIDE_JUST_ABOVE, SIDE_ABOVE, SIDES };

struct break_even_crossing {
    struct crossing at;
    struct break_even_side sides[SIDES];
};

enum break_even_verdict {
    BREAK_EVEN_CROSSES,   /* at least once: see 'crossings' */
    BREAK_EVEN_ALWAYS,    /* pays at every point of the scan */
    BREAK_EVEN_NEVER,     /* at none */
    BREAK_EVEN_UNCHANGED, /* the number makes no difference at all */
};

/* Which of the two variants the number was changed in. */
enum break_even_scope { VARIED_BOTH, VARIED_VARIANT, VARIED_BASELINE };

struct break_even {
    char path[VARY_PATH]; /* full */
    struct varied number; /* for vary_print(), vary_unit() and vary_whole() alone */
    double present, low, high;
    double speedup; /* at 'present', NaN if it has no value there */
    double kept;    /* what the baseline keeps for its own, NaN if nothing */
    enum break_even_scope scope;
    enum break_even_verdict verdict;
    struct crossings found;
    struct break_even_crossing *crossings; /* found.n */
    struct break_even_side ends[2];        /* smallest and largest value of the scan that have one */
    size_t nsimulated;                     /* plays, of either variant */
    char refused[BREAK_EVEN_WHY];          /* why the first value that has no result has none; "" if all have one */
    double refused_at;
};

/* Are the variants, the path and the ends of the range right? Nothing is supplied or played. */
int break_even_check(const struct scenario_file *f, const struct break_even_question *q);

/* 'out' is to be freed also after an error. */
int break_even_find(const struct scenario_file *f, const struct break_even_question *q, struct break_even *out);
void break_even_free(struct break_even *b); /* accepts an all-zero one */

#endif
