/* scalar.c - the steps of a selection, word by word. */
#include "kernels/select/host.h"

static void sift(struct select_counts *c, uint32_t *inside, const uint32_t *words, size_t n, uint32_t lo, uint32_t hi,
                 bool ends)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t magnitude = sparse_magnitude(words[i]);

        if (magnitude > hi) {
            c->above++;
        } else if (ends && magnitude == hi) {
            c->at_hi++;
        } else if (ends && magnitude == lo) {
            c->at_lo++;
        } else {
            *inside++ = magnitude;
            c->inside++;
        }
    }
}

static uint64_t refine(uint32_t *to, uint64_t *bitmap, const uint32_t *words, size_t nwords, uint32_t threshold,
                       bool dense)
{
    uint64_t count = 0;

    (void)dense;
    for (size_t i = 0; i < nwords; i++)
        for (uint64_t bits = bitmap[i]; bits; bits &= bits - 1, words++) {
            if (sparse_magnitude(*words) >= threshold)
                to[count++] = *words;
            else
                bitmap[i] -= bits & -bits;
        }
    return count;
}

static size_t find(const void *words, uint32_t magnitude, uint64_t count)
{
    const uint8_t *from = words;
    size_t i = 0;

    for (;; i++) {
        uint32_t word;

        memcpy(&word, from + 4 * i, 4);
        count -= sparse_magnitude(word) == magnitude;
        if (!count)
            return i;
    }
}

const struct select_isa select_scalar = { &sparse_scalar, sift, refine, find };
