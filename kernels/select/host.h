/* host.h - how the host implementations fit together; for kernels/select, the codecs built on it, and tests. */
#ifndef NARROWS_KERNELS_SELECT_HOST_H
#define NARROWS_KERNELS_SELECT_HOST_H

#include "kernels/select/select.h"
#include "kernels/select/select_lane.h"
#include "kernels/sparse/host.h"

enum { SELECT_SAMPLED_MIN = 1 << 11 }; /* values; fewer are counted at once */

/* The counts of a pass that looks for the threshold between lo and hi. */
struct select_counts {
    uint64_t above, at_hi, inside, at_lo; /* > hi; == hi; listed; == lo, if that is not hi */
};

/* n words, all of magnitude >= lo: count them and list the magnitudes up to hi. 'ends': count those that equal hi or lo
 * and leave them out, because there may be very many. 'inside' has SPARSE_SLACK words more than are listed. */
typedef void select_sift_fn(struct select_counts *c, uint32_t *inside, const uint32_t *words, size_t n, uint32_t lo,
                            uint32_t hi, bool ends);
/* Reduce a bitmap and its words to those of magnitude >= threshold; returns how many are left. May read and write 2
 * SPARSE_SLACK words after the last. 'dense': expect more than 8 for each word of the bitmap. */
typedef uint64_t select_refine_fn(uint32_t *to, uint64_t *bitmap, const uint32_t *words, size_t nwords,
                                  uint32_t threshold, bool dense);
/* Index of the count-th word (from 1) of that magnitude; there are so many. */
typedef size_t select_find_fn(const void *words, uint32_t magnitude, uint64_t count);

struct select_isa {
    const struct sparse_isa *sparse;
    select_sift_fn *sift;
    select_refine_fn *refine;
    select_find_fn *find;
};
extern const struct select_isa select_scalar, select_avx2, select_avx512;

/* What a selection works with. 'bitmap' and 'values' are NULL if only the threshold is sought. */
struct select_task {
    const struct select_isa *isa;
    const float *x;
    size_t n, k;
    uint64_t *bitmap;
    float *values;
    uint32_t lo, hi;
    bool ends; /* lo or hi came more than once in the sample */
    struct sparse_keep keep;
    size_t most_inside, most_rough;
    struct sparse_scratch *scratch; /* one per thread; the arrays below follow it in 'work' */
    uint64_t *bins;                 /* SELECT_BINS per thread */
    uint64_t *before, *listed;      /* words in 'rough' and in 'inside' before each block */
    uint32_t *sample, *inside, *rough;
    /* A list of at most so many words (0: none) is copied to as many and one more; 'spare' may be the list itself. */
    size_t most_spare;
    uint32_t *spare;
};

/* The loops that run on one thread or on all. */
struct select_loops {
    /* Count the magnitudes of n words, from lo on, in 'bins' of 2^shift magnitudes each. */
    void (*histogram)(const struct select_task *t, const uint32_t *words, size_t n, uint32_t lo, uint32_t hi,
                      int shift);
    void (*sample)(const struct select_task *t, size_t samples);
    /* Count and list everything >= lo; what does not fit in the list is only counted. */
    struct select_counts (*bracket)(const struct select_task *t);
    /* Takes what 'keep' names from the list (rough) or from x. */
    void (*refine)(const struct select_task *t, bool rough);
};
extern const struct select_loops select_serial, select_split;

void select_run(const struct select_isa *isa, const struct select_loops *loops, struct select_result *r,
                uint64_t *bitmap, float *values, const float *x, size_t n, size_t k, void *work);

/* The k-th largest (1 <= k <= n) of n words whose magnitude is in lo .. hi; *rank becomes k minus the number above it,
 * *equal the number equal to it. */
uint32_t select_radix(const struct select_task *t, const struct select_loops *loops, const uint32_t *words, size_t n,
                      uint32_t lo, uint32_t hi, uint64_t *rank, uint64_t *equal);
/* t's lo, hi and ends from a sample of n words: hi is the 'first' largest (0: no bound), lo the 'last' (more than n: no
 * bound). */
void select_ends(struct select_task *t, const struct select_loops *loops, const uint32_t *words, size_t n,
                 uint64_t first, uint64_t last);

size_t select_samples(size_t n); /* how many of n values */
/* Where the j-th of them is: select_sample_index() without its divisions, which take longer than the rest of a small
 * selection. Which values are in the sample changes nothing in what is found. 'step' is (n << 16) / samples. */
static inline uint64_t select_quick_index(uint64_t j, uint64_t step)
{
    uint64_t from = j * step >> 16, to = (j + 1) * step >> 16, h = (j + 1) * 0x9e3779b97f4a7c15u;

    h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9u;
    return from + ((h >> 32) * (to - from) >> 32);
}

/* One block of the loops above; the counts are added to. */
void select_bracket_block(const struct select_task *t, struct sparse_scratch *s, size_t b, struct select_counts *c,
                          uint64_t *found);
void select_list_block(const struct select_task *t, const struct sparse_scratch *s, size_t b, uint64_t rough,
                       uint64_t inside, const uint64_t *found);
/* Memory reads are idle while lists are copied: prefetch the next block. */
void select_prefetch_block(const struct select_task *t, size_t b);
uint64_t select_refine_block(const struct select_task *t, struct sparse_scratch *s, size_t b, bool rough);
void select_place_block(const struct select_task *t, const struct sparse_scratch *s, uint64_t at, uint64_t count);
void select_count_words(uint64_t *bins, const uint32_t *words, size_t n, uint32_t lo, uint32_t hi, int shift);

#endif
