/* vectors.c - eight values at a time are one vector of the compiler's, which makes of it what the processor has. */
#include "train/ops/vectors.h"

#include <string.h>

#include "train/ops/cpu/cpu.h"
#include "train/ops/dot_lane.h"

/* At any address, of any floats; and four of them. */
typedef float eight __attribute__((vector_size(4 * DOT_LANES), aligned(4), may_alias));
typedef float four __attribute__((vector_size(16)));

/* Vectors that are multiplied, and eights that are summed, at a time. */
enum { ROWS = 4, EIGHTS = 4 };

/* dot_lane()'s sums of four vectors, each added up in its order; compilers make turns of registers of it. */
static inline void add_up(const eight *sum, float *y)
{
    four half[ROWS], all, a, b;

    for (int r = 0; r < ROWS; r++) {
        const eight s = sum[r];

        half[r] = (four){ s[0], s[1], s[2], s[3] } + (four){ s[4], s[5], s[6], s[7] };
    }
    a = (four){ half[0][0], half[0][2], half[1][0], half[1][2] } +
        (four){ half[0][1], half[0][3], half[1][1], half[1][3] };
    b = (four){ half[2][0], half[2][2], half[3][0], half[3][2] } +
        (four){ half[2][1], half[2][3], half[3][1], half[3][3] };
    all = (four){ a[0], a[2], b[0], b[2] } + (four){ a[1], a[3], b[1], b[3] };
    memcpy(y, &all, sizeof(all));
}

/* Of whole eights. */
static inline void products_of_four(const float *x, const float *row, int64_t stride, int64_t n, float *y)
{
    eight sum[ROWS];

    for (int r = 0; r < ROWS; r++)
        sum[r] = (eight){ 0 };
    for (int64_t i = 0; i < n; i += DOT_LANES)
        for (int r = 0; r < ROWS; r++)
            sum[r] += *(const eight *)(x + i) * *(const eight *)(row + r * stride + i);
    add_up(sum, y);
}

/* The last four may have been among those before them. */
CPU_CLONES void vectors_products(const float *x, const float *rows, int64_t stride, int64_t count, int64_t n, float *y)
{
    bool even = n % DOT_LANES == 0 && count >= ROWS;

    for (int64_t j = 0; j < count && even; j += ROWS) {
        int64_t at = j < count - ROWS ? j : count - ROWS;

        products_of_four(x, rows + at * stride, stride, n, y + at);
    }
    for (int64_t j = 0; j < count && !even; j++)
        y[j] = dot_lane(x, rows + j * stride, n);
}

CPU_CLONES void vectors_sum(const float *w, int64_t wstride, const float *rows, int64_t stride, int64_t count,
                            int64_t n, float *y)
{
    int64_t i = 0;

    for (; i + EIGHTS * DOT_LANES <= n; i += EIGHTS * DOT_LANES) {
        eight sum[EIGHTS];

        for (int k = 0; k < EIGHTS; k++)
            sum[k] = *(const eight *)(y + i + k * DOT_LANES);
        for (int64_t j = 0; j < count; j++)
            for (int k = 0; k < EIGHTS; k++)
                sum[k] += w[j * wstride] * *(const eight *)(rows + j * stride + i + k * DOT_LANES);
        for (int k = 0; k < EIGHTS; k++)
            *(eight *)(y + i + k * DOT_LANES) = sum[k];
    }
    for (; i + DOT_LANES <= n; i += DOT_LANES) {
        eight sum = *(const eight *)(y + i);

        for (int64_t j = 0; j < count; j++)
            sum += w[j * wstride] * *(const eight *)(rows + j * stride + i);
        *(eight *)(y + i) = sum;
    }
    for (; i < n; i++)
        for (int64_t j = 0; j < count; j++)
            y[i] += w[j * wstride] * rows[j * stride + i];
}
