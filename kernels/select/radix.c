/* radix.c - the reference: count magnitudes in at most 2048 bins, go on with the bin in which the k-th is. 31 bits take
 * three rounds. Of few values more bins would take longer than one round more: they have 256. */
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

enum { FEW = 4096, FEW_BINS = 256 };

struct range {
    uint32_t lo, hi;
};

/* The bin in which the k-th is. */
static struct range closer(const struct select_task *t, const struct select_loops *loops, const uint32_t *words,
                           size_t n, struct range r, uint64_t *rank, uint64_t *equal)
{
    uint32_t bins = n < FEW ? FEW_BINS : SELECT_BINS;
    int shift = select_shift(r.lo, r.hi, bins);
    uint32_t bin = (r.hi - r.lo) >> shift, width = (1u << shift) - 1;

    memset(t->bins, 0, 8 * (size_t)bins);
    loops->histogram(t, words, n, r.lo, r.hi, shift);
    for (; *rank > t->bins[bin]; bin--)
        *rank -= t->bins[bin];
    *equal = t->bins[bin];
    r.lo += bin << shift;
    r.hi = r.hi - r.lo < width ? r.hi : r.lo + width;
    return r;
}

uint32_t select_radix(const struct select_task *t, const struct select_loops *loops, const uint32_t *words, size_t n,
                      uint32_t lo, uint32_t hi, uint64_t *rank, uint64_t *equal)
{
    struct range r = { lo, hi };

    do
        r = closer(t, loops, words, n, r, rank, equal);
    while (r.lo < r.hi);
    return r.lo;
}

uint32_t select_few(const struct select_task *t, const struct select_loops *loops, uint32_t *list,
                    const uint32_t *words, size_t n, uint64_t *rank, uint64_t *equal)
{
    struct range r = closer(t, loops, words, n, (struct range){ 0, 0x7fffffff }, rank, equal);
    const uint8_t *from = (const uint8_t *)words;
    size_t count = 0;

    for (size_t i = 0; i < n; i++) { /* without a branch: whether a value stays is a toss-up */
        uint32_t word;

        memcpy(&word, from + 4 * i, 4);
        list[count] = sparse_magnitude(word);
        count += list[count] - r.lo <= r.hi - r.lo;
    }
    return select_radix(t, loops, list, count, r.lo, r.hi, rank, equal);
}
