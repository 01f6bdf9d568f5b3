/* avx2.c - tiles of 4 rows by three vectors of places for sums; of 2 rows by three taps, each of 16 lanes, for
 * gradients. */
#include "kernels/conv/fold.h"
#include "kernels/conv/host.h"

enum { SUM_ROWS = 4, SUM_WIDE = 24, GRADIENT_ROWS = 2 };

#define ROWS(DO) DO(0) DO(1) DO(2) DO(3)

#define START(i) __m256 a##i = _mm256_set1_ps(s->start ? s->start[r + i] : 0), b##i = a##i, c##i = a##i;
#define TAP(i)                           \
    q = _mm256_broadcast_ss(w + i);      \
    a##i = _mm256_fmadd_ps(q, x0, a##i); \
    b##i = _mm256_fmadd_ps(q, x1, b##i); \
    c##i = _mm256_fmadd_ps(q, x2, c##i);
#define STORE(i)                                \
    _mm256_storeu_ps(y + i * s->ldy, a##i);     \
    _mm256_storeu_ps(y + i * s->ldy + 8, b##i); \
    _mm256_storeu_ps(y + i * s->ldy + 16, c##i);

static void sums_tile(const struct conv_sums *s, size_t r, size_t p)
{
    const float *w = s->w + r;
    float *y = s->y + r * s->ldy + p;
    ROWS(START)

    for (size_t t = 0; t < s->taps; t++, w += CONV_ROWS) {
        const float *x = s->x + p + s->at[t];
        __m256 x0 = _mm256_loadu_ps(x), x1 = _mm256_loadu_ps(x + 8), x2 = _mm256_loadu_ps(x + 16), q;

        ROWS(TAP)
    }
    ROWS(STORE)
}

void conv_sums_avx2(const struct conv_sums *s)
{
    for (size_t p = 0; p < s->places; p += SUM_WIDE)
        for (size_t r = 0; r < CONV_ROWS; r += SUM_ROWS)
            sums_tile(s, r, p);
}

/* The two halves of 16 lanes: those from 0 on, and those from 8 on. */
struct lanes {
    __m256 low, high;
};

FOLD_INLINE void add_products(struct lanes *sum, const struct lanes *a, const float *b)
{
    sum->low = _mm256_fmadd_ps(a->low, _mm256_loadu_ps(b), sum->low);
    sum->high = _mm256_fmadd_ps(a->high, _mm256_loadu_ps(b + 8), sum->high);
}

static void gradients_tile(const struct conv_gradients *g, size_t r, size_t t)
{
    struct lanes zero = { _mm256_setzero_ps(), _mm256_setzero_ps() }, a0 = zero, a1 = zero, a2 = zero, b0 = zero,
                 b1 = zero, b2 = zero;
    float totals[8];

    for (size_t i = 0; i < g->segments; i++) {
        const float *dy = g->dy + r * g->lddy + i * g->dy_step, *x = g->x + i * g->x_step;

        for (size_t p = 0; p < g->places; p += CONV_LANES) {
            struct lanes a = { _mm256_loadu_ps(dy + p), _mm256_loadu_ps(dy + p + 8) };
            struct lanes b = { _mm256_loadu_ps(dy + g->lddy + p), _mm256_loadu_ps(dy + g->lddy + p + 8) };
            const float *x0 = x + p + g->at[t], *x1 = x + p + g->at[t + 1], *x2 = x + p + g->at[t + 2];

            add_products(&a0, &a, x0), add_products(&b0, &b, x0);
            add_products(&a1, &a, x1), add_products(&b1, &b, x1);
            add_products(&a2, &a, x2), add_products(&b2, &b, x2);
        }
    }
    const __m256 halves[8] = { _mm256_add_ps(a0.low, a0.high),
                               _mm256_add_ps(a1.low, a1.high),
                               _mm256_add_ps(a2.low, a2.high),
                               _mm256_add_ps(b0.low, b0.high),
                               _mm256_add_ps(b1.low, b1.high),
                               _mm256_add_ps(b2.low, b2.high),
                               zero.low,
                               zero.low };

    _mm256_storeu_ps(totals, fold_8(halves));
    for (size_t k = 0; k < GRADIENT_ROWS * CONV_TAPS; k++)
        g->dw[(t + k % CONV_TAPS) * CONV_ROWS + r + k / CONV_TAPS] += totals[k];
}

void conv_gradients_avx2(const struct conv_gradients *g)
{
    for (size_t r = 0; r < CONV_ROWS; r += GRADIENT_ROWS)
        for (size_t t = 0; t < g->taps; t += CONV_TAPS)
            gradients_tile(g, r, t);
}
