/* serial.c - the loops of a selection on one thread, and the work on a block that all loops share. */
#include "kernels/select/host.h"

static void histogram(const struct select_task *t, const uint32_t *words, size_t n, uint32_t lo, uint32_t hi, int shift)
{
    select_count_words(t->bins, words, n, lo, hi, shift);
}

static void sample(const struct select_task *t, size_t samples)
{
    uint64_t step = ((uint64_t)t->n << 16) / samples;

    for (size_t j = 0; j < samples; j++)
        t->sample[j] = sparse_word(t->x[select_quick_index(j, step)]);
}

/* Blocks only read x when nothing is added and nothing cleared. */
static float *read_only(const float *x)
{
    return (float *)(uintptr_t)x;
}

void select_bracket_block(const struct select_task *t, struct sparse_scratch *s, size_t b, struct select_counts *c,
                          uint64_t *found)
{
    size_t from = b * SPARSE_BLOCK;

    t->isa->sparse->block(s, read_only(t->x) + from, NULL, sparse_block_size(t->n, b), t->lo, from, 0);
    for (int w = 0; w < SPARSE_WALKS; w++) {
        uint64_t before = c->inside;

        t->isa->sift(c, s->index[w], s->values[w], s->count[w], t->lo, t->hi, t->ends);
        found[w] = c->inside - before;
    }
}

void select_prefetch_block(const struct select_task *t, size_t b)
{
    const float *x = t->x + b * SPARSE_BLOCK;

    if (b < t->n / SPARSE_BLOCK)
        for (size_t at = 0; at < SPARSE_BLOCK; at += SPARSE_WALK)
            for (size_t i = 0; i < 64; i += 16)
                __builtin_prefetch(x + at + i);
}

void select_list_block(const struct select_task *t, const struct sparse_scratch *s, size_t b, uint64_t rough,
                       uint64_t inside, const uint64_t *found)
{
    size_t bytes = (size_t)sparse_bitmap_bytes(sparse_block_size(t->n, b));

    t->listed[b] = inside;
    for (int w = 0; w < SPARSE_WALKS; inside += found[w++])
        if (inside + found[w] <= t->most_inside)
            memcpy(t->inside + inside, s->index[w], 4 * (size_t)found[w]);
    if (!t->bitmap)
        return;
    t->before[b] = rough;
    t->isa->sparse->place(t->bitmap + b * (SPARSE_BLOCK / 64), s->bitmap, bytes, t->n >= SPARSE_STREAM_MIN);
    for (int w = 0; w < SPARSE_WALKS; rough += s->count[w++])
        if (rough + s->count[w] <= t->most_rough)
            t->isa->sparse->place(t->rough + rough, s->values[w], 4 * (size_t)s->count[w], t->n >= SPARSE_STREAM_MIN);
}

static struct select_counts bracket(const struct select_task *t)
{
    struct select_counts c = { 0, 0, 0, 0 };
    size_t blocks = sparse_blocks(t->n);
    uint64_t rough = 0;

    for (size_t b = 0; b < blocks; b++) {
        uint64_t found[SPARSE_WALKS], before = c.inside;

        select_bracket_block(t, t->scratch, b, &c, found);
        select_prefetch_block(t, b + 1);
        select_list_block(t, t->scratch, b, rough, before, found);
        rough = c.above + c.at_hi + c.inside + c.at_lo;
    }
    t->isa->sparse->fence();
    return c;
}

/* The block in which some ties are kept and some are not. */
static void mask_by_group(const struct select_task *t, struct sparse_scratch *s, size_t b)
{
    size_t from = b * SPARSE_BLOCK, n = sparse_block_size(t->n, b);

    memset(s->count, 0, sizeof(s->count));
    for (size_t at = 0; at < n; at += 64)
        sparse_group_scalar(s, read_only(t->x) + from, NULL, at, n - at < 64 ? n - at : 64, t->keep, from, 0);
}

/* Without gaps between the walks; returns how many. */
static uint64_t close_gaps(struct sparse_scratch *s)
{
    uint64_t count = s->count[0];

    for (int w = 1; w < SPARSE_WALKS; count += s->count[w++])
        memmove(&s->values[0][0] + count, s->values[w], 4 * (size_t)s->count[w]);
    return count;
}

uint64_t select_refine_block(const struct select_task *t, struct sparse_scratch *s, size_t b, bool rough)
{
    size_t from = b * SPARSE_BLOCK, n = sparse_block_size(t->n, b), words = (size_t)sparse_bitmap_bytes(n) / 8;
    uint64_t *bitmap = t->bitmap + from / 64;
    uint32_t threshold = sparse_least(t->keep, from);
    bool mixed = from < t->keep.tie_end && t->keep.tie_end < from + n;

    if (rough && !mixed)
        return t->isa->refine(&s->values[0][0], bitmap, t->rough + t->before[b], words, threshold,
                              t->k / 8 > t->n / 64);
    if (mixed)
        mask_by_group(t, s, b);
    else
        t->isa->sparse->block(s, read_only(t->x) + from, NULL, n, threshold, from, 0);
    t->isa->sparse->place(bitmap, s->bitmap, 8 * words, t->n >= SPARSE_STREAM_MIN);
    return close_gaps(s);
}

void select_place_block(const struct select_task *t, const struct sparse_scratch *s, uint64_t at, uint64_t count)
{
    t->isa->sparse->place(t->values + at, &s->values[0][0], 4 * (size_t)count, t->n >= SPARSE_STREAM_MIN);
}

static void refine(const struct select_task *t, bool rough)
{
    size_t blocks = sparse_blocks(t->n);
    uint64_t at = 0;

    for (size_t b = 0; b < blocks; b++) {
        uint64_t count = select_refine_block(t, t->scratch, b, rough);

        select_place_block(t, t->scratch, at, count);
        at += count;
    }
    t->isa->sparse->fence();
}

const struct select_loops select_serial = { histogram, sample, bracket, refine };
