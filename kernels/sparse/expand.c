/* expand.c - a payload is checked whole, then spread block by block. */
#include "kernels/sparse/host.h"

static uint64_t bitmap_word(const uint8_t *at)
{
    uint64_t word;

    memcpy(&word, at, 8);
    return word;
}

static uint32_t index_at(const struct sparse_parts *p, uint64_t i)
{
    uint32_t index;

    memcpy(&index, p->places + 4 * i, 4);
    return index;
}

static bool bitmap_is_right(const struct sparse_isa *isa, struct sparse_parts *p, size_t n)
{
    size_t blocks = sparse_blocks(n), words = (size_t)sparse_bitmap_bytes(n) / 8, step = SPARSE_BLOCK / 64;

    p->first[0] = 0;
    for (size_t b = 0; b < blocks; b++) {
        size_t from = b * step;

        /* The payload starts on 64 bytes and its header has 16: words are aligned. */
        p->first[b + 1] = p->first[b] + isa->count((const uint64_t *)(const void *)(p->places + 8 * from),
                                                   words - from < step ? words - from : step);
    }
    return p->first[blocks] == p->count && (n % 64 == 0 || bitmap_word(p->places + 8 * (n / 64)) >> n % 64 == 0);
}

static bool indices_are_right(struct sparse_parts *p, size_t n)
{
    uint64_t blocks = sparse_blocks(n), b = 0;
    uint32_t last = 0;

    for (uint64_t i = 0; i < p->count; i++) {
        uint32_t index = index_at(p, i);

        if ((i && index <= last) || index >= n)
            return 0;
        for (last = index; b <= index / SPARSE_BLOCK; b++)
            p->first[b] = i;
    }
    for (; b <= blocks; b++)
        p->first[b] = p->count;
    return 1;
}

enum codec_error sparse_open(const struct sparse_isa *isa, struct sparse_parts *p, size_t n, const uint8_t *payload,
                             size_t nbytes, enum sparse_form form, void *work)
{
    uint32_t head[2];
    uint64_t size;
    enum codec_error error;

    if (nbytes < SPARSE_HEADER)
        return CODEC_SHORT;
    memcpy(head, payload, 8);
    memcpy(&p->count, payload + 8, 8);
    if (p->count > n || head[1] || head[0] != (form == SPARSE_SMALLER && sparse_takes_indices(n, p->count)))
        return CODEC_CONTENT;
    p->indices = head[0];
    size = p->indices ? 4 * p->count : sparse_bitmap_bytes(n);
    error = codec_size_error(nbytes, SPARSE_HEADER + size + 4 * p->count);
    if (error)
        return error;
    p->places = payload + SPARSE_HEADER;
    p->words = p->places + size;
    p->first = work;
    return (p->indices ? indices_are_right(p, n) : bitmap_is_right(isa, p, n)) ? CODEC_OK : CODEC_CONTENT;
}

static void add_indices(const struct sparse_parts *p, float *values, size_t b)
{
    for (uint64_t i = p->first[b]; i < p->first[b + 1]; i++)
        sparse_spread_group_scalar(values + index_at(p, i), 1, CODEC_ADD, 1, p->words + 4 * i);
}

/* By way of a bitmap, so that every line is written once and can bypass the caches. */
static void store_indices(const struct sparse_isa *isa, const struct sparse_parts *p, float *values, size_t n, size_t b)
{
    uint64_t bitmap[SPARSE_BLOCK / 64] = { 0 };
    size_t from = b * SPARSE_BLOCK;

    for (uint64_t i = p->first[b]; i < p->first[b + 1]; i++) {
        size_t place = index_at(p, i) - from;

        bitmap[place / 64] |= (uint64_t)1 << place % 64;
    }
    isa->spread(values + from, sparse_block_size(n, b), CODEC_STORE, bitmap, p->words + 4 * p->first[b],
                n >= SPARSE_STREAM_MIN);
}

void sparse_spread_block(const struct sparse_isa *isa, const struct sparse_parts *p, float *values, size_t n,
                         enum codec_into into, size_t b)
{
    size_t from = b * SPARSE_BLOCK;

    if (p->indices && into == CODEC_ADD)
        add_indices(p, values, b);
    else if (p->indices)
        store_indices(isa, p, values, n, b);
    else
        isa->spread(values + from, sparse_block_size(n, b), into,
                    (const uint64_t *)(const void *)(p->places + from / 8), p->words + 4 * p->first[b],
                    n >= SPARSE_STREAM_MIN);
}

void sparse_spread_serial(const struct sparse_isa *isa, const struct sparse_parts *p, float *values, size_t n,
                          enum codec_into into)
{
    size_t blocks = sparse_blocks(n);

    for (size_t b = 0; b < blocks; b++)
        sparse_spread_block(isa, p, values, n, into, b);
}
