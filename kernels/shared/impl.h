/* impl.h - what every table of implementations says of a row. A row type embeds 'struct impl' as its first member, so
 * that whoever lists, chooses, tests or times implementations treats all tables alike. A table goes from the best row
 * to the reference, "scalar", and ends with a null name. */
#ifndef NARROWS_KERNELS_SHARED_IMPL_H
#define NARROWS_KERNELS_SHARED_IMPL_H

enum impl_memory { IMPL_HOST, IMPL_DEVICE };

struct impl {
    const char *name;       /* "avx512", "avx512+omp", "cuda", "scalar" */
    enum impl_memory where; /* where every buffer of the row lives; a device row works on the default stream */
    _Bool parallel;         /* splits the work over OpenMP threads, as many as omp_get_max_threads() says */
    _Bool (*usable)(void);  /* on this machine, now */
};

#endif
