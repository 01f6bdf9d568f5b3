/* break_even.h - where does a variant start to pay? The values of one number of a scenario at which a variant reaches a
 * target speedup per sample over another: every crossing in a range, with the bottleneck on either side. The number is
 * changed in both variants. If their initial values differ (one variant sets it), it is changed in the given variant
 * only; if only one variant has it, in that one.
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
    const char *path; /* leading components may be omitted */
    /* The range, as written in a file; NULL: from a 1000th to 1000 times the present value, within its limits. */
    const char *from, *to;
    const char *variant, *baseline;
    size_t point;     /* the point whose combination of the axes is used */
    double target;    /* speedup that counts as paying */
    double tolerance; /* see crossing.h */
    size_t scan;      /* points of the scan */
    /* Supply a bound point with what its file leaves open (calibrated constants, measured rates). NULL: nothing. */
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

/* Bottlenecks are reported at half the value, both ends of the bracket, and twice the value. */
enum { SIDE_BELOW, SIDE_JUST_BELOW, SIDE_JUST_ABOVE, SIDE_ABOVE, SIDES };

struct break_even_crossing {
    struct crossing at;
    struct break_even_side sides[SIDES];
    /* Where it goes when the constants are fitted again without each of their cells, its own place among them; refits:
     * how many of these fits have as many crossings. 0: nothing was fitted, or not asked. */
    double least, largest;
    size_t refits;
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
    double kept;    /* the baseline's own value, which it keeps; NaN: none */
    enum break_even_scope scope;
    enum break_even_verdict verdict;
    struct crossings found;
    struct break_even_crossing *crossings; /* found.n */
    struct break_even_side ends[2];        /* smallest and largest value of the scan with a speedup */
    size_t nsimulated;                     /* plays, of either variant */
    size_t nrefits;                        /* fits again that break_even_widen() was given */
    char refused[BREAK_EVEN_WHY];          /* why the first value without a result has none; "" if all have one */
    double refused_at;
};

/* Checks the variants, the path and the ends of the range. Nothing is supplied or played. */
int break_even_check(const struct scenario_file *f, const struct break_even_question *q);

/* Free 'out' even after an error. */
int break_even_find(const struct scenario_file *f, const struct break_even_question *q, struct break_even *out);

/* Widen the ranges of the crossings of 'of' by those of 'again', the answer with other constants. */
void break_even_widen(struct break_even *of, const struct break_even *again);
void break_even_free(struct break_even *b); /* accepts an all-zero one */

#endif
