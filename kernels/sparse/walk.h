/* walk.h - what the x86 files share: the walks through a block and copies past the caches. A file brings the group of
 * 64 values; it and the flags are constants where this is inlined. */
#ifndef NARROWS_KERNELS_SPARSE_WALK_H
#define NARROWS_KERNELS_SPARSE_WALK_H

#include <immintrin.h>

#include "kernels/shared/inline.h"
#include "kernels/sparse/host.h"

/* 64 values: returns their bits; values and, with SPARSE_INDEX, indices ('first' that of the first) are compacted. */
typedef uint64_t sparse_group_fn(uint32_t *values, uint32_t *index, float *error, const float *change,
                                 uint32_t threshold, uint32_t first, unsigned flags);

INLINE void walk_group(struct sparse_scratch *s, float *error, const float *change, size_t at, uint32_t threshold,
                       uint64_t base, unsigned flags, sparse_group_fn *group)
{
    size_t w = at / SPARSE_WALK;
    uint32_t count = s->count[w];
    uint64_t bits = group(s->values[w] + count, s->index[w] + count, error + at, change ? change + at : NULL, threshold,
                          (uint32_t)(base + at), flags);

    s->bitmap[at / 64] = bits;
    s->count[w] = count + (uint32_t)_mm_popcnt_u64(bits);
}

INLINE void walk_block(struct sparse_scratch *s, float *error, const float *change, size_t n, uint32_t threshold,
                       uint64_t base, unsigned flags, sparse_group_fn *group)
{
    size_t at = 0;

    memset(s->count, 0, sizeof(s->count));
    if (n == SPARSE_BLOCK) {
        for (size_t step = 0; step < SPARSE_WALK; step += 64)
            for (size_t w = 0; w < SPARSE_WALKS; w++)
                walk_group(s, error, change, w * SPARSE_WALK + step, threshold, base, flags, group);
        return;
    }
    for (; at + 64 <= n; at += 64)
        walk_group(s, error, change, at, threshold, base, flags, group);
    if (at < n)
        sparse_group_scalar(s, error, change, at, n - at, (struct sparse_keep){ UINT64_MAX, threshold }, base, flags);
}

/* The flags made constants. */
INLINE void walk_any(struct sparse_scratch *s, float *error, const float *change, size_t n, uint32_t threshold,
                     uint64_t base, unsigned flags, sparse_group_fn *group)
{
    switch (flags) {
    case 0: walk_block(s, error, NULL, n, threshold, base, 0, group); break;
    case 1: walk_block(s, error, change, n, threshold, base, 1, group); break;
    case 2: walk_block(s, error, NULL, n, threshold, base, 2, group); break;
    case 3: walk_block(s, error, change, n, threshold, base, 3, group); break;
    case 4: walk_block(s, error, NULL, n, threshold, base, 4, group); break;
    case 5: walk_block(s, error, change, n, threshold, base, 5, group); break;
    case 6: walk_block(s, error, NULL, n, threshold, base, 6, group); break;
    default: walk_block(s, error, change, n, threshold, base, 7, group); break;
    }
}

/* 64 bytes to an aligned address, past the caches. */
typedef void sparse_line_fn(uint8_t *dst, const uint8_t *src);

INLINE void place_lines(void *dst, const void *src, size_t nbytes, bool stream, sparse_line_fn *line)
{
    uint8_t *to = dst;
    const uint8_t *from = src;
    size_t head = -(uintptr_t)to % 64;

    if (stream && nbytes >= 256) {
        memcpy(to, from, head);
        to += head;
        from += head;
        nbytes -= head;
        for (; nbytes >= 64; nbytes -= 64, to += 64, from += 64)
            line(to, from);
    }
    memcpy(to, from, nbytes);
}

INLINE uint64_t count_words(const uint64_t *words, size_t nwords)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < nwords; i++)
        sum += (uint64_t)_mm_popcnt_u64(words[i]);
    return sum;
}

/* 64 values from their bits; returns the words behind theirs. */
typedef const uint8_t *sparse_spread_group_fn(float *to, enum codec_into into, uint64_t bits, const uint8_t *words,
                                              bool nt);

/* 'into' and 'nt' are constants where this is inlined. */
INLINE void spread_walks(float *values, size_t n, enum codec_into into, const uint64_t *bitmap, const uint8_t *words,
                         bool nt, sparse_spread_group_fn *group)
{
    const uint8_t *next[SPARSE_WALKS];
    size_t at = 0;

    if (n == SPARSE_BLOCK) {
        for (size_t w = 0; w < SPARSE_WALKS; w++) {
            next[w] = words;
            words += 4 * count_words(bitmap + w * (SPARSE_WALK / 64), SPARSE_WALK / 64);
        }
        for (size_t step = 0; step < SPARSE_WALK; step += 64)
            for (size_t w = 0; w < SPARSE_WALKS; w++) {
                at = w * SPARSE_WALK + step;
                next[w] = group(values + at, into, bitmap[at / 64], next[w], nt);
            }
        return;
    }
    for (; at + 64 <= n; at += 64)
        words = group(values + at, into, bitmap[at / 64], words, nt);
    if (at < n)
        sparse_spread_group_scalar(values + at, n - at, into, bitmap[at / 64], words);
}

#endif
