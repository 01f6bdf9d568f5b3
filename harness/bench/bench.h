/* bench.h - how fast the kernels are here, against what memory allows.
 * Anchor     a copy of the same fp32 weights, non-temporal where the processor has it, by as many threads. It is timed
 *            in the same run, interleaved: copy, pack, unpack, copy, pack, unpack ... Each repetition is compared with
 *            the copy right before it, so that what slows the machine for a moment slows both. A device is compared
 *            with its own copy.
 * Bytes      that must move: read and written by the task itself, 4 + keep a weight for ADT, 8 for a copy, 4 for a
 *            norm. A read of a line that an ordinary store causes does not count.
 * Units      GB is 1e9 bytes.
 * Errors     0 or a negative nw_status with the message on stderr. */
#ifndef NARROWS_HARNESS_BENCH_H
#define NARROWS_HARNESS_BENCH_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct store;

enum bench_group { BENCH_COPY = 1, BENCH_ADT = 2, BENCH_L2NORM = 4 };

struct bench_options {
    unsigned groups;     /* of enum bench_group */
    const size_t *sizes; /* weights of each layer, packed one call each; they lie one behind the other */
    size_t nsizes;
    const char *impl;    /* NULL: all. "avx2" also means "avx2+omp" */
    int keep;            /* 0: 1 to 4 */
    int reps;            /* at least 1; what takes over 3 times as long as the copy gets at most 3 */
    int threads;         /* 0: one, and all */
    struct store *store; /* NULL: print only */
    int64_t run_id;
    FILE *out, *progress; /* the table; a line now and then */
    _Bool (*stop)(void);  /* asked between repetitions; NULL: never */
};

/* Can this be timed here at all? NW_EINPUT if no implementation of that name can run, or for more threads than one
 * without OpenMP. */
int bench_check(const struct bench_options *o);

/* Time the groups and print a table. What bench_check() says, or NW_EINTR when stopped. */
int bench_run(const struct bench_options *o);

/* About a second: the rate at which the best implementation here packs n weights to 'keep' bytes on 'threads' threads,
 * in bytes that must move per second, and its name (static text). */
int bench_measure_pack(int keep, size_t n, int threads, double *Bps, const char **impl);

int bench_all_threads(void); /* processors online: what "all" means */

#endif
