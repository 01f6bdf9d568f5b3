/* bench.h - the summary of a bench, out of the database. Errors: a negative nw_status with the message on stderr. */
#ifndef NARROWS_HARNESS_REPORT_BENCH_H
#define NARROWS_HARNESS_REPORT_BENCH_H

#include <stdint.h>

struct store;

/* The timings of run 'run_id', with machine and commit: a line for each kernel, case of the simulator, or side of the
 * trainer. */
enum bench_of { BENCH_KERNELS, BENCH_SIM, BENCH_TRAIN, BENCH_HOOK };
int report_bench_csv(struct store *s, enum bench_of of, int64_t run_id, const char *path);

/* For each group and number of threads that was timed the figure wall-GROUP-THREADS in 'dir': rates against sizes, with
 * the loops that only move bytes; and growth: what an event of the simulator costs against how many there are. 'plots'
 * holds the templates. NW_EDB if nothing was timed, NW_EENV without gnuplot. */
int report_bench_figures(struct store *s, const char *plots, const char *dir);

#endif
