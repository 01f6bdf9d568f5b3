/* bench.h - the summary of a bench, out of the database. Errors: a negative nw_status with the message on stderr. */
#ifndef NARROWS_HARNESS_REPORT_BENCH_H
#define NARROWS_HARNESS_REPORT_BENCH_H

#include <stdint.h>

struct store;

/* What run 'run_id' timed, a line for each kernel, with machine and commit; by way of a temporary name. */
int report_bench_csv(struct store *s, int64_t run_id, const char *path);

/* The same of a bench of the simulator. */
int report_sim_csv(struct store *s, int64_t run_id, const char *path);

/* The same of a bench of the trainer: a line for each side. */
int report_train_csv(struct store *s, int64_t run_id, const char *path);

/* The figure growth in 'dir': what an event costs against how many there are, from the newest bench of the simulator.
 * Without one nothing is drawn, and that is no error. */
int report_growth_figure(struct store *s, const char *plots, const char *dir);

/* For each group and number of threads that was timed the figure wall-GROUP-THREADS in 'dir': rates against sizes, beside
 * the loops that only move bytes. 'plots' holds the templates. NW_EDB if nothing was timed, NW_EENV without gnuplot. */
int report_bench_figures(struct store *s, const char *plots, const char *dir);

#endif
