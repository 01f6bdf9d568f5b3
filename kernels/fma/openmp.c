/* openmp.c - the values divided over threads, in multiples of 64 from the first. */
#include <omp.h>

#include "kernels/fma/host.h"

/* Below this the fork costs more than it brings. */
enum { SPLIT_MIN = 1 << 14 };

static size_t piece_start(size_t n, size_t part, size_t parts)
{
    size_t groups = n / 64;

    return part == parts ? n : 64 * (groups / parts * part + (part < groups % parts ? part : groups % parts));
}

void fma_split(fma_span *span, enum fma_mode mode, float *d, const float *a, const float *b, const float *c, size_t n)
{
    _Bool stream = n >= FMA_STREAM_MIN;

#pragma omp parallel if (n >= SPLIT_MIN)
    {
        size_t part = (size_t)omp_get_thread_num(), parts = (size_t)omp_get_num_threads();
        size_t from = piece_start(n, part, parts), to = piece_start(n, part + 1, parts);

        span(mode, d + from, a + from, b + from, c + from, to - from, stream);
    }
}
