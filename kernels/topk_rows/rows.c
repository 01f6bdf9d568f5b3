/* rows.c - row after row, on one thread. */
#include "kernels/shared/least.h"
#include "kernels/topk_rows/host.h"

enum { SLACK = 32 };

size_t topk_mask_words(size_t columns)
{
    return columns / 64 + (columns % 64 != 0);
}

/* A list and values of a row. */
size_t topk_thread_bytes(size_t columns)
{
    return 2 * 4 * ((columns + SLACK + 15) / 16 * 16);
}

size_t topk_work(size_t rows, size_t columns)
{
    return least(rows, SPARSE_THREADS) * topk_thread_bytes(columns);
}

void topk_select_span(const struct topk_isa *isa, uint64_t *mask, float *values, const float *x, size_t from, size_t to,
                      size_t columns, size_t kept, void *scratch)
{
    size_t words = topk_mask_words(columns);
    uint32_t *list = scratch, *chosen = list + topk_thread_bytes(columns) / 8;
    struct topk_guess guess = { 0, 0 };

    kept = least(kept, columns);
    for (size_t r = from; r < to; r++) {
        if (!kept) {
            memset(mask + r * words, 0, 8 * words);
            continue;
        }
        isa->row(mask + r * words, chosen, x + r * columns, columns, kept, list, &guess);
        memcpy(values + r * kept, chosen, 4 * kept);
    }
}

/* A row goes through a buffer as long as a block, because registers are stored whole. */
void topk_gather_span(const struct topk_isa *isa, float *values, const uint64_t *mask, const float *x, size_t from,
                      size_t to, size_t columns, size_t kept)
{
    enum { PART = 1024 };
    uint32_t chosen[PART + SLACK];

    for (size_t r = from; r < to; r++) {
        uint8_t *next = (uint8_t *)(values + r * least(kept, columns));

        for (size_t j = 0; j < columns; j += PART) {
            size_t count = isa->pick(chosen, mask + r * topk_mask_words(columns) + j / 64, x + r * columns + j,
                                     least(columns - j, PART));

            memcpy(next, chosen, 4 * count);
            next += 4 * count;
        }
    }
}

void topk_scatter_span(const struct topk_isa *isa, float *x, enum codec_into into, const uint64_t *mask,
                       const float *values, size_t from, size_t to, size_t columns, size_t kept)
{
    size_t words = topk_mask_words(columns);

    for (size_t r = from; r < to; r++) {
        const uint8_t *next = (const uint8_t *)(values + r * least(kept, columns));

        for (size_t j = 0; j < columns; j += SPARSE_BLOCK) {
            size_t n = least(columns - j, SPARSE_BLOCK);
            const uint64_t *bits = mask + r * words + j / 64;

            isa->sparse->spread(x + r * columns + j, n, into, bits, next, 0);
            next += 4 * isa->sparse->count(bits, topk_mask_words(n));
        }
    }
}

void topk_select_serial(const struct topk_isa *isa, uint64_t *mask, float *values, const float *x, size_t rows,
                        size_t columns, size_t kept, void *work)
{
    topk_select_span(isa, mask, values, x, 0, rows, columns, kept, work);
}

void topk_gather_serial(const struct topk_isa *isa, float *values, const uint64_t *mask, const float *x, size_t rows,
                        size_t columns, size_t kept)
{
    topk_gather_span(isa, values, mask, x, 0, rows, columns, kept);
}

void topk_scatter_serial(const struct topk_isa *isa, float *x, enum codec_into into, const uint64_t *mask,
                         const float *values, size_t rows, size_t columns, size_t kept)
{
    topk_scatter_span(isa, x, into, mask, values, 0, rows, columns, kept);
}
