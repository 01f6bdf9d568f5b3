/* cases.h - how the benches of the simulator and of the trainer are asked for. What each of them does with it stands in
 * sim/sim.h and train/train.h. */
#ifndef NARROWS_HARNESS_BENCH_CASES_H
#define NARROWS_HARNESS_BENCH_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct store;

struct case_options {
    int reps;                 /* at least 1 */
    const char *const *cases; /* by name; none: all */
    size_t ncases;
    struct store *store; /* NULL: print only */
    int64_t run_id;
    FILE *out, *progress;
    bool (*stop)(void);  /* asked between repetitions; NULL: never */
    bool all;            /* simulator: also what takes minutes */
    int threads;         /* trainer: 0: one, then two */
    double turn_s;       /* trainer: least time of a turn */
    const char *backend; /* trainer: of operations, "dnnl"; NULL: the best */
    const char *python;  /* trainer: that has PyTorch; NULL: found */
};

#endif
