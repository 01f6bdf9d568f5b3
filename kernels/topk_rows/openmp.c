/* openmp.c - the rows divided over the threads. */
#include <omp.h>

#include "kernels/topk_rows/host.h"

/* Below so many values the fork costs more than it brings. */
enum { SPLIT_MIN = 1 << 14 };

static int threads(size_t rows, size_t columns)
{
    size_t most = (size_t)omp_get_max_threads();

    most = most < SPARSE_THREADS ? most : SPARSE_THREADS;
    return (int)(rows * columns < SPLIT_MIN || !rows ? 1 : most < rows ? most : rows);
}

/* First row of this thread's share, and the row behind it. */
static size_t share(size_t rows, size_t *to)
{
    size_t part = (size_t)omp_get_thread_num(), parts = (size_t)omp_get_num_threads();
    size_t each = rows / parts, more = rows % parts;

    *to = each * (part + 1) + (part + 1 < more ? part + 1 : more);
    return each * part + (part < more ? part : more);
}

void topk_select_split(const struct topk_isa *isa, uint64_t *mask, float *values, const float *x, size_t rows,
                       size_t columns, size_t kept, void *work)
{
#pragma omp parallel num_threads(threads(rows, columns))
    {
        size_t to, from = share(rows, &to);

        topk_select_span(isa, mask, values, x, from, to, columns, kept,
                         (uint8_t *)work + (size_t)omp_get_thread_num() * topk_thread_bytes(columns));
    }
}

void topk_gather_split(const struct topk_isa *isa, float *values, const uint64_t *mask, const float *x, size_t rows,
                       size_t columns, size_t kept)
{
#pragma omp parallel num_threads(threads(rows, columns))
    {
        size_t to, from = share(rows, &to);

        topk_gather_span(isa, values, mask, x, from, to, columns, kept);
    }
}

void topk_scatter_split(const struct topk_isa *isa, float *x, enum codec_into into, const uint64_t *mask,
                        const float *values, size_t rows, size_t columns, size_t kept)
{
#pragma omp parallel num_threads(threads(rows, columns))
    {
        size_t to, from = share(rows, &to);

        topk_scatter_span(isa, x, into, mask, values, from, to, columns, kept);
    }
}
