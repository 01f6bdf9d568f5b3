/* openmp.c - Algorithm 3: the weights divided over threads. A piece starts at a multiple of 64 weights, so its place
 * relative to a cache line is that of the whole, packed or not, and two threads share at most one line. */
#include <omp.h>

#include "kernels/adt/host.h"

/* Below this the fork costs more than it brings. */
enum { SPLIT_MIN = 1 << 14 };

/* First weight of piece 'part' of 'parts', a multiple of 'unit'; piece 'parts' starts at the end. */
static size_t piece_start(size_t n, size_t unit, size_t part, size_t parts)
{
    size_t groups = n / unit;

    return part == parts ? n : unit * (groups / parts * part + (part < groups % parts ? part : groups % parts));
}

void adt_pack_split(adt_pack_span *span, uint8_t *dst, const void *src, size_t n, int keep)
{
    _Bool stream = n >= ADT_STREAM_MIN;

#pragma omp parallel if (n >= SPLIT_MIN)
    {
        size_t part = (size_t)omp_get_thread_num(), parts = (size_t)omp_get_num_threads();
        size_t from = piece_start(n, 64, part, parts), to = piece_start(n, 64, part + 1, parts);

        span(dst + (size_t)keep * from, (const uint8_t *)src + 4 * from, to - from, keep, stream);
    }
}

void adt_unpack_split(adt_unpack_span *span, void *dst, const uint8_t *src, size_t n, int keep)
{
    _Bool stream = n >= ADT_STREAM_MIN;

#pragma omp parallel if (n >= SPLIT_MIN)
    {
        size_t part = (size_t)omp_get_thread_num(), parts = (size_t)omp_get_num_threads();
        size_t from = piece_start(n, 64, part, parts), to = piece_start(n, 64, part + 1, parts);

        span((uint8_t *)dst + 4 * from, src + (size_t)keep * from, to - from, keep, stream);
    }
}

void adt_pack_norm_split(adt_pack_norm_span *span, uint8_t *dst, double *norm, const float *weights, size_t n, int keep,
                         double *work)
{
    _Bool stream = n >= ADT_STREAM_MIN;

#pragma omp parallel if (n >= 2 * ADT_NORM_PIECE)
    {
        size_t part = (size_t)omp_get_thread_num(), parts = (size_t)omp_get_num_threads();
        size_t from = piece_start(n, ADT_NORM_PIECE, part, parts), to = piece_start(n, ADT_NORM_PIECE, part + 1, parts);

        span(dst + (size_t)keep * from, work + from / L2NORM_BLOCK, weights + from, to - from, keep, stream);
    }
    l2norm_finish(norm, work, (n + L2NORM_BLOCK - 1) / L2NORM_BLOCK);
}
