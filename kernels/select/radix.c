/* radix.c - the reference: count magnitudes in at most 2048 bins, go on with the bin in which the k-th is. 31 bits take
 * three rounds. A list that fits in 'spare' takes fewer passes over less: its bins lie between its smallest and
 * its largest value, few enough to be cleared and walked quickly, and each round copies what the next one counts. */
#include "kernels/select/host.h"

enum { FEW_BINS = 128 };

struct range {
    uint32_t lo, hi;
};

static const struct range every = { 0, 0x7fffffff };

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

/* The magnitudes of those in r, to a list of n words, which may be 'words'; returns how many. */
static size_t copy_within(uint32_t *list, const uint32_t *words, size_t n, struct range r)
{
    const uint8_t *from = (const uint8_t *)words;
    size_t count = 0;

    for (size_t i = 0; i < n; i++) { /* without a branch: whether a value stays is a toss-up */
        uint32_t word;

        memcpy(&word, from + 4 * i, 4);
        list[count] = sparse_magnitude(word);
        count += list[count] - r.lo <= r.hi - r.lo;
    }
    return count;
}

/* The smallest and the largest of these magnitudes. */
static struct range extent(const uint32_t *words, size_t n)
{
    const uint8_t *from = (const uint8_t *)words;
    int32_t lo = INT32_MAX, hi = 0; /* signed: what every processor compares in vectors */

    for (size_t i = 0; i < n; i++) {
        uint32_t word;
        int32_t magnitude;

        memcpy(&word, from + 4 * i, 4);
        magnitude = (int32_t)sparse_magnitude(word);
        lo = magnitude < lo ? magnitude : lo;
        hi = magnitude > hi ? magnitude : hi;
    }
    return (struct range){ (uint32_t)lo, (uint32_t)hi };
}

/* Count those in r, all if they are a list, whose extent r becomes; returns the width of a bin, as a shift. */
static int count_in(const struct select_task *t, const struct select_loops *loops, const uint32_t *words, size_t n,
                    struct range *r)
{
    uint32_t bins = SELECT_BINS;
    int shift;

    if (n <= t->most_spare) {
        *r = extent(words, n);
        bins = FEW_BINS;
    }
    shift = select_shift(r->lo, r->hi, bins);
    memset(t->bins, 0, 8 * (size_t)bins);
    loops->histogram(t, words, n, r->lo, r->hi, shift);
    return shift;
}

/* The bin in which the k-th is. */
static struct range closer(const struct select_task *t, struct range r, int shift, uint64_t *rank, uint64_t *equal)
{
    uint32_t bin = (r.hi - r.lo) >> shift, width = (1u << shift) - 1;

    for (; *rank > t->bins[bin]; bin--)
        *rank -= t->bins[bin];
    *equal = t->bins[bin];
    r.lo += bin << shift;
    r.hi = r.hi - r.lo < width ? r.hi : r.lo + width;
    return r;
}

/* Go on from the bin that the first round has found. */
static uint32_t finish(const struct select_task *t, const struct select_loops *loops, const uint32_t *words, size_t n,
                       struct range r, uint64_t *rank, uint64_t *equal)
{
    while (r.lo < r.hi) {
        int shift;

        if (n <= t->most_spare) {
            n = copy_within(t->spare, words, n, r);
            words = t->spare;
        }
        shift = count_in(t, loops, words, n, &r);
        r = closer(t, r, shift, rank, equal);
    }
    return r.lo;
}

uint32_t select_radix(const struct select_task *t, const struct select_loops *loops, const uint32_t *words, size_t n,
                      uint32_t lo, uint32_t hi, uint64_t *rank, uint64_t *equal)
{
    struct range r = { lo, hi };
    int shift = count_in(t, loops, words, n, &r);

    r = closer(t, r, shift, rank, equal);
    return finish(t, loops, words, n, r, rank, equal);
}

void select_ends(struct select_task *t, const struct select_loops *loops, const uint32_t *words, size_t n,
                 uint64_t first, uint64_t last)
{
    uint64_t at_hi = 1, at_lo = 1;
    struct range all = every, hi = { every.hi, every.hi }, lo = { 0, 0 };
    int shift = count_in(t, loops, words, n, &all);

    if (first)
        hi = closer(t, all, shift, &first, &at_hi);
    if (last <= n)
        lo = closer(t, all, shift, &last, &at_lo);
    t->hi = finish(t, loops, words, n, hi, &first, &at_hi);
    t->lo = finish(t, loops, words, n, lo, &last, &at_lo);
    t->ends = at_hi > 1 || at_lo > 1 || t->lo == t->hi;
}
