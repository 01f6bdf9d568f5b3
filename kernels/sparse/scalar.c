/* scalar.c - the reference: the lane, value by value. */
#include "kernels/sparse/host.h"

void sparse_group_scalar(struct sparse_scratch *s, float *error, const float *change, size_t at, size_t n,
                         struct sparse_keep keep, uint64_t base, unsigned flags)
{
    size_t walk = at / SPARSE_WALK;
    uint32_t count = s->count[walk];
    uint64_t bits = 0;

    for (size_t j = 0; j < n; j++) {
        size_t i = at + j;
        uint32_t word = flags & SPARSE_ADD ? sparse_sum(error[i], change[i]) : sparse_word(error[i]);
        bool kept = sparse_keeps(keep, word, base + i);

        if (kept) {
            bits |= (uint64_t)1 << j;
            s->values[walk][count] = word;
            if (flags & SPARSE_INDEX)
                s->index[walk][count] = (uint32_t)(base + i);
            count++;
        }
        if (flags & SPARSE_CLEAR && kept)
            error[i] = 0;
        else if (flags & SPARSE_ADD)
            error[i] = sparse_float(word);
    }
    s->bitmap[at / 64] = bits;
    s->count[walk] = count;
}

static void block(struct sparse_scratch *s, float *error, const float *change, size_t n, uint32_t threshold,
                  uint64_t base, unsigned flags)
{
    struct sparse_keep keep = { UINT64_MAX, threshold };

    memset(s->count, 0, sizeof(s->count));
    for (size_t at = 0; at < n; at += 64)
        sparse_group_scalar(s, error, change, at, n - at < 64 ? n - at : 64, keep, base, flags);
}

static void place(void *dst, const void *src, size_t nbytes, bool stream)
{
    (void)stream;
    memcpy(dst, src, nbytes);
}

static void fence(void)
{
}

/* Pairs, fours, then bytes: no processor need have an instruction for it. */
static uint64_t ones(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return x * 0x0101010101010101u >> 56;
}

static uint64_t count(const uint64_t *words, size_t nwords)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < nwords; i++)
        sum += ones(words[i]);
    return sum;
}

void sparse_spread_group_scalar(float *values, size_t n, enum codec_into into, uint64_t bits, const uint8_t *words)
{
    for (size_t j = 0; j < n; j++) {
        float sent = 0;

        if (bits >> j & 1) {
            memcpy(&sent, words, 4);
            words += 4;
            if (into == CODEC_ADD)
                sent = sparse_float(sparse_sum(values[j], sent));
        } else if (into == CODEC_ADD) {
            continue;
        }
        values[j] = sent;
    }
}

static void spread(float *values, size_t n, enum codec_into into, const uint64_t *bitmap, const uint8_t *words,
                   bool stream)
{
    (void)stream;
    for (size_t at = 0; at < n; at += 64) {
        sparse_spread_group_scalar(values + at, n - at < 64 ? n - at : 64, into, bitmap[at / 64], words);
        words += 4 * ones(bitmap[at / 64]);
    }
}

const struct sparse_isa sparse_scalar = { block, place, fence, count, spread };
