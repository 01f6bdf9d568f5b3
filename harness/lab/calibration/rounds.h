/* rounds.h - which machines send to which at a time in a calibration, so that every direction of every link is measured
 * and none carries payload both ways: acknowledgements would take their share of it. */
#ifndef NARROWS_HARNESS_LAB_CALIBRATION_ROUNDS_H
#define NARROWS_HARNESS_LAB_CALIBRATION_ROUNDS_H

#include <stdbool.h>

#include "harness/lab/plan.h"

struct pair {
    int from, to;
};

struct round {
    int n;
    struct pair pairs[LAB_MACHINES];
    double expected_Bps[LAB_MACHINES]; /* payload of each by itself */
    bool together;                     /* they share an uplink: their sum is what is measured */
    double together_Bps;
};

/* Round k, from 0; false after the last one. A round may be empty. */
bool round_of(const struct lab_plan *p, int k, struct round *r);

/* Pair i of it by itself. */
void round_alone(const struct round *r, int i, struct round *alone);

#endif
