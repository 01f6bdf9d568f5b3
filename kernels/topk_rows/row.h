/* row.h - what the x86 files share: a row's choice. Rows are alike, so the last row's threshold says what to list of
 * this one; the threshold is then found among some dozens of magnitudes by halving, which ends as soon as exactly as
 * many as wanted are at or above the middle. A file brings loops over a row; they are constants where this is
 * inlined. */
#ifndef NARROWS_KERNELS_TOPK_ROWS_ROW_H
#define NARROWS_KERNELS_TOPK_ROWS_ROW_H

#include <immintrin.h>

#include "kernels/shared/inline.h"
#include "kernels/topk_rows/host.h"

/* List the magnitudes >= least, with whole registers behind; returns how many. *most: the largest of all. */
typedef size_t topk_list_fn(uint32_t *list, uint32_t *most, const float *x, size_t n, uint32_t least);
/* How many of a list are >= least. */
typedef size_t topk_reach_fn(const uint32_t *list, size_t n, uint32_t least);
/* Mask and values of those >= least. */
typedef void topk_mask_fn(uint64_t *mask, uint32_t *values, const float *x, size_t n, uint32_t least);

enum { MARGIN_FIRST = 1 << 20, MARGIN_LEAST = 1 << 12, MARGIN_MOST = 1 << 24 };

/* The largest 'least' that 'kept' of the list reach, or a lesser one that exactly as many reach. */
INLINE uint32_t halve(const uint32_t *list, size_t n, size_t kept, uint32_t low, uint32_t high, size_t *reached,
                      topk_reach_fn *reach)
{
    *reached = n;
    while (low < high && *reached != kept) {
        uint32_t middle = low + (high - low) / 2 + 1;
        size_t count = reach(list, n, middle);

        if (count >= kept) {
            low = middle;
            *reached = count;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

/* Of those equal to the threshold only the first 'ties' stay: of the mask and of the values. */
INLINE void drop_ties(uint64_t *mask, uint32_t *values, size_t words, uint32_t threshold, size_t ties)
{
    const uint32_t *from = values;

    for (size_t i = 0; i < words; i++)
        for (uint64_t bits = mask[i]; bits; bits &= bits - 1, from++) {
            bool equal = sparse_magnitude(*from) == threshold;

            if (equal && !ties) {
                mask[i] -= bits & -bits;
            } else {
                ties -= equal;
                *values++ = *from;
            }
        }
}

INLINE void choose_row(uint64_t *mask, uint32_t *values, const float *x, size_t columns, size_t kept, uint32_t *list,
                       struct topk_guess *guess, topk_list_fn *list_row, topk_reach_fn *reach, topk_mask_fn *mask_row)
{
    uint32_t margin = guess->margin ? guess->margin : MARGIN_FIRST, least = guess->least, most, threshold;
    size_t listed = list_row(list, &most, x, columns, least), reached;

    if (listed < kept) {
        margin = margin < MARGIN_MOST ? 2 * margin : margin;
        least = 0;
        listed = list_row(list, &most, x, columns, 0);
    } else if (listed > 2 * kept + 32 && margin > MARGIN_LEAST) {
        margin -= margin / 4;
    }
    threshold = halve(list, listed, kept, least, most, &reached, reach);
    mask_row(mask, values, x, columns, threshold);
    if (reached > kept)
        drop_ties(mask, values, topk_mask_words(columns), threshold,
                  kept - (threshold < most ? reach(list, listed, threshold + 1) : 0));
    guess->least = threshold > margin ? threshold - margin : 0;
    guess->margin = margin;
}

#endif
