/* run.h - run a memory plan and say what came of it. */
#ifndef NARROWS_HARNESS_COMMAND_PLAN_RUN_H
#define NARROWS_HARNESS_COMMAND_PLAN_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/executor/executor.h"
#include "harness/run/point/planned.h"
#include "sim/plan/play.h"

struct plan_run_options {
    bool real, on_gpu, verify;
    const char *ops; /* "": the best one here */
    double link_Bps; /* of the threads' link; 0: the platform's */
    int64_t pool_bytes;
    int64_t steps;
    uint64_t seed;
};

/* How long each operation of a plan takes here, of 'steps' steps the least: ns[0..plan->graph.noperations). */
int plan_profile(const struct memory_plan *plan, const struct plan_run_options *options, int64_t *ns);

/* NW_EIO if an operation found content that is not what was written for it: the plan is wrong. */
int plan_run(const struct planned *p, const struct plan_run_options *options, const struct plan_played *predicted,
             FILE *out);

/* The GPU's link as a plan's copies find it: what the host's memory lets pass counts. All zero if there is none.
 * 'link_Bps' takes the place of its rates, if above 0. */
struct executor_link plan_link(const struct platform *p, double link_Bps);

#endif
