/* comparison.h - every codec on every tensor, summed up by class of tensor and over all.
 * Ownership  refers to contenders and steps, which must outlive it; comparison_free() releases the rest.
 * Errors     NW_EINPUT, NW_ENOMEM or NW_EINTR after a signal; the message has been printed. Progress goes to stderr. */
#ifndef NARROWS_HARNESS_COMPARE_COMPARISON_H
#define NARROWS_HARNESS_COMPARE_COMPARISON_H

#include "harness/compare/contender.h"
#include "harness/compare/outcome.h"
#include "harness/compare/shape.h"
#include "harness/compare/steps.h"

struct comparison {
    const struct contenders *contenders;
    const struct steps *steps;
    struct outcome *tensors;                  /* [contenders.n][steps.ntensors] */
    struct outcome (*classes)[SHAPE_CLASSES]; /* [contenders.n]; of a class without tensors all zero */
    struct outcome *whole;                    /* [contenders.n] */
    size_t *order;                            /* contenders by bits over all, fewest first */
};

/* 'seconds': of repeated calls for their times, in all. */
int comparison_make(const struct contenders *c, const struct steps *s, double seconds, struct comparison *out);
void comparison_free(struct comparison *c); /* accepts an all-zero one */

const struct outcome *comparison_tensor(const struct comparison *c, size_t contender, size_t tensor);

enum { COMPARISON_NONE = -1 };

/* Of those with a cosine of 'bar' or more, each step by itself or ('arrived') after all of them, the contender of the
 * fewest bits; of equal ones that of the greater cosine; COMPARISON_NONE. */
int comparison_best(const struct comparison *c, double bar, bool arrived);
/* The contender of the largest cosine; of equal ones that of the fewest bits. COMPARISON_NONE: none has one. */
int comparison_closest(const struct comparison *c, bool arrived);

#endif
