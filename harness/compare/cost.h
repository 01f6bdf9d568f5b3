/* cost.h - what a call of a codec costs, as a scenario has it: a latency, and a time by the bytes.
 * The line through the times of tensors of several sizes, by least squares: their sum is that of the times. Where they
 * have one size alone, or larger ones are not slower, or the latency would be below 0, all is in the rate. */
#ifndef NARROWS_HARNESS_COMPARE_COST_H
#define NARROWS_HARNESS_COMPARE_COST_H

#include <stddef.h>

struct call_cost {
    double latency_s, rate_Bps;
};

/* Calls of bytes[i] that took seconds[i]; the sum of the times is above 0. */
struct call_cost call_cost_of(const double *bytes, const double *seconds, size_t n);

#endif
