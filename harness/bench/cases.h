/* cases.h - how fast the simulator itself is (sim/sim.c), and the trainer (train/train.c), case by case.
 * Units      nanoseconds of wall time, bytes, seconds of simulated time, samples/s.
 * Errors     harness status; the message has been printed. NW_ESIM if an answer of the simulator is wrong. */
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

/* What takes over three seconds gets one repetition, the peer's over one second as well. Cases are "ring", "ring:1000":
 * with its size also what takes minutes. */
int sim_bench_run(const struct case_options *o);
int train_bench_run(const struct case_options *o);

/* Is there such a case? If not, list[] has the names of all, parted by blanks. */
bool sim_bench_has(const char *name, char *list, size_t nlist);
bool train_bench_has(const char *name, char *list, size_t nlist);

#endif
