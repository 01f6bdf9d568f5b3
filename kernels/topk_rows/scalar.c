/* scalar.c - the reference: a row's threshold by the lane, then the mask. */
#include "kernels/topk_rows/host.h"
#include "kernels/topk_rows/topk_lane.h"

static void row(uint64_t *mask, uint32_t *values, const float *x, size_t columns, size_t kept, uint32_t *list,
                struct topk_guess *guess)
{
    uint32_t threshold = topk_threshold(x, columns, kept);
    size_t ties = kept;

    (void)list;
    (void)guess;
    memset(mask, 0, 8 * topk_mask_words(columns));
    for (size_t j = 0; j < columns; j++)
        ties -= sparse_magnitude(sparse_word(x[j])) > threshold;
    for (size_t j = 0; j < columns; j++) {
        uint32_t word = sparse_word(x[j]), magnitude = sparse_magnitude(word);

        if (magnitude > threshold || (magnitude == threshold && ties)) {
            ties -= magnitude == threshold;
            mask[j / 64] |= (uint64_t)1 << j % 64;
            *values++ = word;
        }
    }
}

static size_t pick(uint32_t *to, const uint64_t *mask, const float *x, size_t columns)
{
    size_t count = 0;

    for (size_t j = 0; j < columns; j++)
        if (mask[j / 64] >> j % 64 & 1)
            to[count++] = sparse_word(x[j]);
    return count;
}

const struct topk_isa topk_scalar = { &sparse_scalar, row, pick };
