/* bench.h - the summary of a bench, out of the database. Errors: a negative nw_status with the message on stderr. */
#ifndef NARROWS_HARNESS_REPORT_BENCH_H
#define NARROWS_HARNESS_REPORT_BENCH_H

#include <stdint.h>

struct store;

/* What run 'run_id' timed, a line for each kernel, with machine and commit; by way of a temporary name. */
int report_bench_csv(struct store *s, int64_t run_id, const char *path);

#endif
