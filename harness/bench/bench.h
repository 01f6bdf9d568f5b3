/* bench.h - how fast the kernels are here, against what memory allows. What is timed and how it is compared stands in
 * session.h; this is how a bench is asked for.
 * Units      GB is 1e9 bytes; a size is a number of fp32 values.
 * Errors     0 or a negative nw_status with the message on stderr. */
#ifndef NARROWS_HARNESS_BENCH_BENCH_H
#define NARROWS_HARNESS_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct session;
struct store;

/* A group: times its rows, once for each size and number of threads. groups.c lists them. */
struct group {
    const char *name, *what;
    int (*rows)(struct session *s);
};

/* One size: the values of a tensor, or of a model's layers, which lie one behind the other. */
struct bench_size {
    const size_t *layers;
    size_t nlayers;
};

struct bench_options {
    const struct group *const *groups; /* ends with NULL */
    const struct bench_size *sizes;
    size_t nsizes;
    const char *impl;          /* NULL: all. "avx2" also means "avx2+omp" */
    double density;            /* share of values that matter, 0..1; 0: each group's own list */
    int bytes_per_weight;      /* kept of a weight; 0: 1 to 4 */
    const struct model *model; /* whose layers the size is; NULL: none */
    int reps;                  /* at least 1; what takes over 3 times as long as its anchor gets at most 3 */
    int threads;               /* 0: one, and all */
    bool gpu;                  /* a device instead of the host */
    struct store *store;       /* NULL: print only */
    int64_t run_id;
    FILE *out, *progress; /* the table; a line now and then */
    bool (*stop)(void);   /* asked between repetitions; NULL: never */
};

/* All groups, in the order in which they run; ends with NULL. */
extern const struct group *const bench_groups[];

/* Can this be timed here at all? NW_EINPUT for more threads than one without OpenMP, NW_EENV for a device that is not
 * there. */
int bench_check(const struct bench_options *o);

/* Time the groups and print a table. What bench_check() says, NW_EINTR when stopped, or NW_EINPUT if there was nothing
 * to time: no implementation of the name asked for can run here. */
int bench_run(const struct bench_options *o);

#endif
