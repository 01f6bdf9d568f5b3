/* openmp.c - the loops of a selection on all threads; see kernels/sparse/openmp.c for how blocks find their places. */
#include <omp.h>

#include "kernels/select/host.h"

enum { SPLIT_MIN = 1 << 15 };

/* Each thread counts into its own bins; the first thread's hold the sum in the end. */
static void histogram(const struct select_task *t, const uint32_t *words, size_t n, uint32_t lo, uint32_t hi, int shift)
{
    int team = n < SPLIT_MIN ? 1 : sparse_threads(sparse_blocks(t->n)), had = 1;

#pragma omp parallel num_threads(team)
    {
        size_t part = (size_t)omp_get_thread_num(), parts = (size_t)omp_get_num_threads();
        size_t from = n / parts * part, to = part + 1 == parts ? n : from + n / parts;
        uint64_t *bins = t->bins + part * SELECT_BINS;

        if (part)
            memset(bins, 0, 8 * SELECT_BINS);
        else
            had = (int)parts;
        select_count_words(bins, words + from, to - from, lo, hi, shift);
    }
    for (int p = 1; p < had; p++)
        for (int i = 0; i < SELECT_BINS; i++)
            t->bins[i] += t->bins[p * SELECT_BINS + i];
}

static void sample(const struct select_task *t, size_t samples)
{
    uint64_t step = ((uint64_t)t->n << 16) / samples;

#pragma omp parallel for schedule(static)
    for (size_t j = 0; j < samples; j++)
        t->sample[j] = sparse_word(t->x[select_quick_index(j, step)]);
}

static struct select_counts bracket(const struct select_task *t)
{
    struct select_counts all = { 0, 0, 0, 0 };
    size_t blocks = sparse_blocks(t->n);

#pragma omp parallel num_threads(sparse_threads(blocks))
    {
        struct sparse_scratch *s = t->scratch + omp_get_thread_num();

#pragma omp for ordered schedule(static, 1)
        for (size_t b = 0; b < blocks; b++) {
            struct select_counts c = { 0, 0, 0, 0 };
            uint64_t found[SPARSE_WALKS], rough = 0, inside = 0;

            select_bracket_block(t, s, b, &c, found);
#pragma omp ordered
            {
                inside = all.inside;
                rough = all.above + all.at_hi + all.inside + all.at_lo;
                all.above += c.above;
                all.at_hi += c.at_hi;
                all.inside += c.inside;
                all.at_lo += c.at_lo;
            }
            select_prefetch_block(t, b + (size_t)omp_get_num_threads());
            select_list_block(t, s, b, rough, inside, found);
        }
        t->isa->sparse->fence();
    }
    return all;
}

static void refine(const struct select_task *t, bool rough)
{
    size_t blocks = sparse_blocks(t->n);
    uint64_t total = 0;

#pragma omp parallel num_threads(sparse_threads(blocks))
    {
        struct sparse_scratch *s = t->scratch + omp_get_thread_num();

#pragma omp for ordered schedule(static, 1)
        for (size_t b = 0; b < blocks; b++) {
            uint64_t count = select_refine_block(t, s, b, rough), at = 0;

#pragma omp ordered
            {
                at = total;
                total += count;
            }
            select_place_block(t, s, at, count);
        }
        t->isa->sparse->fence();
    }
}

const struct select_loops select_split = { histogram, sample, bracket, refine };
