/* forecast.h - what each codec would do to a step of a cluster: a scenario simulated once with each, as a codec of
 * one's own (format ratio) with the bytes, the header and the rates that were measured.
 * Edge       method.gradients of allreduce, method.push of a parameter server; all else is as in the scenario.
 * Level      of an allreduce that is simulated by one of its workers (symmetric, analytic), and is refused a codec so:
 *            flows.
 * Codec      ratio: fp32 bytes divided by payload bytes; header: that of a stream; aggregation: by the codec's class
 *            (powersgd's two rounds as one sum); place cpu, and one call at a time, since a call uses all threads that
 *            it was measured with; latency and rate: the line through the times of the tensors (cost.h).
 * Free       the same on the GPU, and in no time: what the bytes alone are worth.
 * Errors     NW_EINPUT where the scenario has no such edge, or is not simulated; NW_ESIM where the simulator refuses it
 *            even without a codec; the message has been printed, with the key. NW_ENOMEM. */
#ifndef NARROWS_HARNESS_COMPARE_FORECAST_H
#define NARROWS_HARNESS_COMPARE_FORECAST_H

#include "harness/compare/comparison.h"
#include "harness/compare/cost.h"

struct scenario_file;
struct point;

enum { FORECAST_WHY = 256, FORECAST_SETS = 11, FORECAST_SET = 96 };

/* Of one contender. NaN: refused, for the reason in why[]. */
struct forecast {
    struct call_cost encode, decode;
    double step_ms, free_step_ms;
    bool flows; /* at level flows, and not at the scenario's own */
    char why[FORECAST_WHY];
};

struct forecasts {
    struct forecast *list; /* [contenders.n] */
    double fp32_step_ms;
    const char *edge; /* "method.gradients" */
    const char *name; /* of the scenario; lives as long as its file */
};

/* Is there such an edge? Asks nothing of what a point leaves open. */
int forecasts_check(const struct scenario_file *f, const struct point *p);

/* 'p': bound, and supplied with what it leaves open. Free 'out' even after an error. */
int forecasts_make(const struct scenario_file *f, const struct point *p, const struct comparison *c,
                   struct forecasts *out);
void forecasts_free(struct forecasts *f); /* accepts an all-zero one */

/* The settings that make a scenario's codec what was simulated: "method.gradients.ratio=12.5", ... Returns how many. */
size_t forecast_sets(const struct comparison *c, const struct forecasts *f, size_t contender,
                     char sets[FORECAST_SETS][FORECAST_SET]);

#endif
