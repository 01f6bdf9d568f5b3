/* radix.c - the reference: count magnitudes in at most 2048 bins, go on with the bin in which the k-th is. 31 bits take
 * three rounds. */
#include "kernels/select/host.h"

/* 'words' may be floats: they are only copied. */
void select_count_words(uint64_t *bins, const uint32_t *words, size_t n, uint32_t lo, uint32_t hi, int shift)
{
    uint32_t range = hi - lo;
    const uint8_t *from = (const uint8_t *)words;

    for (size_t i = 0; i < n; i++) {
        uint32_t word, place;

        memcpy(&word, from + 4 * i, 4);
        place = sparse_magnitude(word) - lo;
        if (place <= range) /* in the first round all, in later ones few */
            bins[place >> shift]++;
    }
}

uint32_t select_radix(const struct select_task *t, const struct select_loops *loops, const uint32_t *words, size_t n,
                      uint32_t lo, uint32_t hi, uint64_t *rank, uint64_t *equal)
{
    do {
        int shift = select_shift(lo, hi);
        uint32_t bin = (hi - lo) >> shift;

        memset(t->bins, 0, 8 * SELECT_BINS);
        loops->histogram(t, words, n, lo, hi, shift);
        for (; *rank > t->bins[bin]; bin--)
            *rank -= t->bins[bin];
        *equal = t->bins[bin];
        lo += bin << shift;
        hi = hi - lo < (1u << shift) - 1 ? hi : lo + ((1u << shift) - 1);
    } while (lo < hi);
    return lo;
}
