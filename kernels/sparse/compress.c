/* compress.c - a payload, block by block. The bitmap and the values behind it go straight to where the bitmap form has
 * them; indices are noted in work as long as they could still be the smaller form. */
#include "kernels/shared/least.h"
#include "kernels/sparse/host.h"

size_t sparse_blocks(size_t n)
{
    return n / SPARSE_BLOCK + (n % SPARSE_BLOCK != 0);
}

size_t sparse_block_size(size_t n, size_t b)
{
    size_t from = b * SPARSE_BLOCK;

    return least(n - from, SPARSE_BLOCK);
}

static size_t index_bytes(size_t n)
{
    return (size_t)sparse_bitmap_bytes(n) / 64 * 64 + 64;
}

size_t sparse_bound(size_t n)
{
    return SPARSE_HEADER + (size_t)sparse_bitmap_bytes(n) + 4 * n;
}

/* Compressing needs scratch for each thread and indices; expanding a rank for each block, which is less. */
size_t sparse_work(size_t n)
{
    return least(sparse_blocks(n), SPARSE_THREADS) * sizeof(struct sparse_scratch) + index_bytes(n);
}

struct sparse_task sparse_begin(const struct sparse_isa *isa, uint8_t *payload, float *error, const float *change,
                                size_t n, const struct sparse_keep *keep, enum sparse_form form, void *work)
{
    struct sparse_task t = { isa, payload, error, change, n, *keep, 0, work, NULL };

    if (form == SPARSE_SMALLER && n <= (uint64_t)1 << 32 && n)
        t.most_indices = (sparse_bitmap_bytes(n) - 1) / 4;
    t.scratch = (struct sparse_scratch *)((uint8_t *)work + index_bytes(n));
    return t;
}

/* The block in which some ties are kept and some are not; there is one at most. */
static void mask_by_group(const struct sparse_task *t, struct sparse_scratch *s, size_t b, unsigned flags)
{
    size_t from = b * SPARSE_BLOCK, n = sparse_block_size(t->n, b);
    const float *change = t->change ? t->change + from : NULL;

    memset(s->count, 0, sizeof(s->count));
    for (size_t at = 0; at < n; at += 64)
        sparse_group_scalar(s, t->error + from, change, at, n - at < 64 ? n - at : 64, t->keep, from, flags);
}

uint64_t sparse_mask_block(const struct sparse_task *t, struct sparse_scratch *s, size_t b, struct sparse_course *c)
{
    size_t from = b * SPARSE_BLOCK, n = sparse_block_size(t->n, b);
    unsigned flags = SPARSE_CLEAR | (t->change ? SPARSE_ADD : 0u);
    uint64_t count = 0;

    /* On course: no more than a quarter above the density at which both forms are equal. */
    c->indices = c->indices && c->before <= t->most_indices && c->before <= from / 32 + from / 128 + SPARSE_BLOCK / 8;
    flags |= c->indices ? SPARSE_INDEX : 0u;
    if (from < t->keep.tie_end && t->keep.tie_end < from + n)
        mask_by_group(t, s, b, flags);
    else
        t->isa->block(s, t->error + from, t->change ? t->change + from : NULL, n, sparse_least(t->keep, from), from,
                      flags);
    for (int w = 0; w < SPARSE_WALKS; w++)
        count += s->count[w];
    return count;
}

/* Copying to the payload leaves reading idle: start on what this thread masks next, 256 bytes of each walk. */
void sparse_prefetch_block(const struct sparse_task *t, size_t b)
{
    size_t from = b * SPARSE_BLOCK;

    if (b >= t->n / SPARSE_BLOCK)
        return;
    for (size_t at = from; at < from + SPARSE_BLOCK; at += SPARSE_WALK)
        for (size_t i = 0; i < 64; i += 16) {
            __builtin_prefetch(t->error + at + i);
            if (t->change)
                __builtin_prefetch(t->change + at + i);
        }
}

void sparse_place_block(const struct sparse_task *t, const struct sparse_scratch *s, size_t b, uint64_t at,
                        struct sparse_course *c)
{
    size_t from = b * SPARSE_BLOCK, n = sparse_block_size(t->n, b);
    uint8_t *bitmap = t->payload + SPARSE_HEADER, *values = bitmap + sparse_bitmap_bytes(t->n);
    bool stream = t->n >= SPARSE_STREAM_MIN;

    t->isa->place(bitmap + from / 8, s->bitmap, (size_t)sparse_bitmap_bytes(n), stream);
    for (int w = 0; w < SPARSE_WALKS; w++) {
        t->isa->place(values + 4 * at, s->values[w], 4 * (size_t)s->count[w], stream);
        if (c->indices && at + s->count[w] <= t->most_indices)
            memcpy(t->index + at, s->index[w], 4 * (size_t)s->count[w]);
        at += s->count[w];
    }
    c->before = at;
}

/* The indices of all bits set. */
static void list_bits(uint32_t *index, const uint8_t *bitmap, size_t n)
{
    for (size_t i = 0; i < n; i += 64) {
        uint64_t word;

        memcpy(&word, bitmap + i / 8, 8);
        for (; word; word &= word - 1)
            *index++ = (uint32_t)(i + (size_t)__builtin_ctzll(word));
    }
}

uint64_t sparse_end(const struct sparse_task *t, uint64_t count, bool noted)
{
    uint64_t bitmap = sparse_bitmap_bytes(t->n);
    uint32_t form = t->most_indices && sparse_takes_indices(t->n, count), zero = 0;

    memcpy(t->payload, &form, 4);
    memcpy(t->payload + 4, &zero, 4);
    memcpy(t->payload + 8, &count, 8);
    if (!form)
        return SPARSE_HEADER + bitmap + 4 * count;
    if (!noted)
        list_bits(t->index, t->payload + SPARSE_HEADER, t->n);
    memcpy(t->payload + SPARSE_HEADER, t->index, 4 * count);
    memmove(t->payload + SPARSE_HEADER + 4 * count, t->payload + SPARSE_HEADER + bitmap, 4 * count);
    return SPARSE_HEADER + 8 * count;
}

void sparse_accumulate_serial(const struct sparse_isa *isa, float *error, const float *change, size_t n,
                              struct sparse_scratch *s)
{
    size_t blocks = sparse_blocks(n);

    for (size_t b = 0; b < blocks; b++)
        isa->block(s, error + b * SPARSE_BLOCK, change + b * SPARSE_BLOCK, sparse_block_size(n, b), SPARSE_NOTHING, 0,
                   SPARSE_ADD);
}

uint64_t sparse_compress_serial(const struct sparse_task *t)
{
    size_t blocks = sparse_blocks(t->n);
    struct sparse_course c = { 0, t->most_indices > 0 };

    for (size_t b = 0; b < blocks; b++) {
        sparse_mask_block(t, t->scratch, b, &c);
        sparse_prefetch_block(t, b + 1);
        sparse_place_block(t, t->scratch, b, c.before, &c);
    }
    t->isa->fence();
    return sparse_end(t, c.before, c.indices);
}
