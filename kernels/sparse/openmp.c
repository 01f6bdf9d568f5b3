/* openmp.c - blocks dealt out to the threads in turn. Masking runs side by side; then a block waits for the number of
 * values sent before it, and is copied to its place side by side again. */
#include <omp.h>

#include "kernels/shared/least.h"
#include "kernels/sparse/host.h"

int sparse_threads(size_t blocks)
{
    size_t most = least((size_t)omp_get_max_threads(), SPARSE_THREADS);

    return (int)(blocks ? least(most, blocks) : 1);
}

uint64_t sparse_compress_split(const struct sparse_task *t)
{
    size_t blocks = sparse_blocks(t->n);
    uint64_t total = 0;
    int noted = 1;

#pragma omp parallel num_threads(sparse_threads(blocks)) reduction(&& : noted)
    {
        struct sparse_scratch *s = t->scratch + omp_get_thread_num();
        struct sparse_course c = { 0, t->most_indices > 0 };

#pragma omp for ordered schedule(static, 1)
        for (size_t b = 0; b < blocks; b++) {
            uint64_t count = sparse_mask_block(t, s, b, &c), at = 0;

#pragma omp ordered
            {
                at = total;
                total += count;
            }
            sparse_prefetch_block(t, b + (size_t)omp_get_num_threads());
            sparse_place_block(t, s, b, at, &c);
        }
        t->isa->fence();
        noted = c.indices;
    }
    return sparse_end(t, total, noted);
}

void sparse_accumulate_split(const struct sparse_isa *isa, float *error, const float *change, size_t n,
                             struct sparse_scratch *s)
{
    size_t blocks = sparse_blocks(n);

#pragma omp parallel for schedule(static) num_threads(sparse_threads(blocks))
    for (size_t b = 0; b < blocks; b++)
        isa->block(s + omp_get_thread_num(), error + b * SPARSE_BLOCK, change + b * SPARSE_BLOCK,
                   sparse_block_size(n, b), SPARSE_NOTHING, 0, SPARSE_ADD);
}

void sparse_spread_split(const struct sparse_isa *isa, const struct sparse_parts *p, float *values, size_t n,
                         enum codec_into into)
{
    size_t blocks = sparse_blocks(n);

#pragma omp parallel for schedule(static) num_threads(sparse_threads(blocks))
    for (size_t b = 0; b < blocks; b++)
        sparse_spread_block(isa, p, values, n, into, b);
}
