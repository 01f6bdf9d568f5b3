/* bench.h - how fast the kernels are here, against what memory allows. What is timed and how it is compared stands in
 * work.h; this is how a bench is asked for.
 * Units      GB is 1e9 bytes; a size is a number of fp32 values.
 * Errors     0 or a negative nw_status with the message on stderr. */
#ifndef NARROWS_HARNESS_BENCH_BENCH_H
#define NARROWS_HARNESS_BENCH_BENCH_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct store;
struct group;

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
    int keep;                  /* bytes kept of a weight; 0: 1 to 4 */
    const struct model *model; /* whose layers the size is; NULL: none */
    int reps;                  /* at least 1; what takes over 3 times as long as its anchor gets at most 3 */
    int threads;               /* 0: one, and all */
    _Bool gpu;                 /* a device instead of the host */
    struct store *store;       /* NULL: print only */
    int64_t run_id;
    FILE *out, *progress; /* the table; a line now and then */
    _Bool (*stop)(void);  /* asked between repetitions; NULL: never */
};

/* All groups, in the order in which they run; ends with NULL. */
extern const struct group *const bench_groups[];

/* Can this be timed here at all? NW_EINPUT for more threads than one without OpenMP, NW_EENV for a device that is not
 * there. */
int bench_check(const struct bench_options *o);

/* Time the groups and print a table. What bench_check() says, NW_EINTR when stopped, or NW_EINPUT if there was nothing
 * to time: no implementation of the name asked for can run here. */
int bench_run(const struct bench_options *o);

/* About a second: the rate at which the best implementation here packs n weights to 'keep' bytes on 'threads' threads,
 * in bytes that must move per second, and its name (static text). */
int bench_measure_pack(int keep, size_t n, int threads, double *Bps, const char **impl);

struct codec;
struct codec_params;

/* A tensor of n values, compressed into a sealed stream, and opened and decompressed: medians, of an average step where a
 * codec does not send in every one. */
struct bench_codec_time {
    size_t n; /* given */
    double compress_s, decompress_s;
    double bits; /* a value on the wire, header included, of the last one */
};

/* About 0.2 s for each size: time a codec on one thread, by its best implementation here or the one called 'impl' (NULL:
 * any), whose name is set (static text). An exact threshold is found before the clock runs. */
int bench_measure_codec(const struct codec *c, const struct codec_params *p, const char *impl,
                        struct bench_codec_time *times, size_t ntimes, const char **row);

int bench_all_threads(void); /* processors online: what "all" means */

#endif
