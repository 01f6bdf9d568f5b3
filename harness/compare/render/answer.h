/* answer.h - the question that a comparison answers, in sentences: which codec keeps a cosine in the fewest bits? */
#ifndef NARROWS_HARNESS_COMPARE_RENDER_ANSWER_H
#define NARROWS_HARNESS_COMPARE_RENDER_ANSWER_H

#include <stdio.h>

#include "harness/compare/comparison.h"
#include "harness/compare/forecast.h"

/* A line each: of single steps; of what arrived after all of them, if there are several; and with forecasts (NULL:
 * none), which of those that keep the cosine makes the cluster's step shortest. */
void answer_each(const struct comparison *c, double bar, FILE *out);
void answer_arrived(const struct comparison *c, double bar, FILE *out);
void answer_forecast(const struct comparison *c, const struct forecasts *f, double bar, FILE *out);

/* All of them. */
void answer_print(const struct comparison *c, const struct forecasts *f, double bar, FILE *out);

/* Of the contenders that keep the cosine, the one of the shortest step, codecs' time included or not;
 * COMPARISON_NONE. */
int answer_fastest(const struct comparison *c, const struct forecasts *f, double bar, bool free);

#endif
