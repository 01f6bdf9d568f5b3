/* impl.h - what every table of implementations says of a row. A row type embeds 'struct impl' as its first member, so
 * that whoever lists, chooses, tests or times implementations treats all tables alike. A table goes from the best row
 * to the reference, "scalar", and ends with a null name. kernels/shared/rows.h writes the rows.
 * Calls      a row's functions take the row's 'struct impl' first: row->run(&row->impl, ...). So one function serves
 *            the rows of all instruction sets, on one thread and on all. A device function asks it for the stream
 *            alone: 'with' of the caller's own copy of the row's struct impl. NULL, there or for the whole struct,
 *            is the default stream. */
#ifndef NARROWS_KERNELS_SHARED_IMPL_H
#define NARROWS_KERNELS_SHARED_IMPL_H

#include <stdbool.h>

enum impl_memory { IMPL_HOST, IMPL_DEVICE };

struct impl {
    /* "avx512", "avx512+omp", "cuda", "scalar" */
    const char *name;
    /* Where every buffer of the row lives. */
    enum impl_memory where;
    /* Splits the work over OpenMP threads, as many as omp_get_max_threads() says. */
    bool parallel;
    /* On this machine, now. */
    bool (*usable)(void);
    /* For the row's functions: the loops of an instruction set; of a device row a cudaStream_t. */
    const void *with;
};

/* Declares one function that both C and the C++ of a cuda.cu see (nvcc takes no second name). */
#ifdef __cplusplus
#define IMPL_C extern "C"
#else
#define IMPL_C extern
#endif

/* Is there a device that can run the code of this build? Asks the driver, without leaving an error behind. */
IMPL_C bool usable_cuda(void);

/* 'split' in a parallel row, else 'serial'. A build without OpenMP has no parallel rows, and need not have 'split'. */
#ifdef NW_OPENMP
#define IMPL_WAY(im, serial, split) ((im)->parallel ? (split) : (serial))
#else
#define IMPL_WAY(im, serial, split) ((void)(im), (serial))
#endif

#endif
