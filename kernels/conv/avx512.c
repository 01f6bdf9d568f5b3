/* avx512.c - tiles of 8 rows: by three vectors of places for sums, by three taps for gradients. 24 accumulators keep
 * both multipliers busy; they are named one by one, so that they stay in registers. */
#include "kernels/conv/fold.h"
#include "kernels/conv/host.h"

enum { LINE = 16 };

FOLD_INLINE void fetch_line(struct conv_ahead *ahead)
{
    if (ahead->floats) {
        _mm_prefetch((const char *)ahead->from, _MM_HINT_T1);
        ahead->from += LINE;
        ahead->floats = ahead->floats > LINE ? ahead->floats - LINE : 0;
    }
}

#define ROWS(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)

#define START(i) __m512 a##i = _mm512_set1_ps(s->start ? s->start[i] : 0), b##i = a##i, c##i = a##i;
#define TAP(i)                           \
    q = _mm512_set1_ps(w[i]);            \
    a##i = _mm512_fmadd_ps(q, x0, a##i); \
    b##i = _mm512_fmadd_ps(q, x1, b##i); \
    c##i = _mm512_fmadd_ps(q, x2, c##i);
#define STORE(i)                                 \
    _mm512_storeu_ps(y + i * s->ldy, a##i);      \
    _mm512_storeu_ps(y + i * s->ldy + 16, b##i); \
    _mm512_storeu_ps(y + i * s->ldy + 32, c##i);

static void sums_tile(const struct conv_sums *s, size_t p, struct conv_ahead *ahead)
{
    const float *w = s->w;
    float *y = s->y + p;
    ROWS(START)

    for (size_t t = 0; t < s->taps; t++, w += CONV_ROWS) {
        const float *x = s->x + p + s->at[t];
        __m512 x0 = _mm512_loadu_ps(x), x1 = _mm512_loadu_ps(x + 16), x2 = _mm512_loadu_ps(x + 32), q;

        fetch_line(ahead);
        ROWS(TAP)
    }
    ROWS(STORE)
}

void conv_sums_avx512(const struct conv_sums *s)
{
    struct conv_ahead ahead[] = { s->ahead[0], s->ahead[1] };

    for (size_t p = 0; p < s->places; p += CONV_WIDE)
        sums_tile(s, p, &ahead[!ahead[0].floats]);
}

/* Compilers would rather load it again for each of its three products than keep it: more loads than the processor has
 * ports for. */
#define IN_A_REGISTER(x) __asm__("" : "+v"(x))
#define ZERO(i) __m512 a##i = _mm512_setzero_ps(), b##i = a##i, c##i = a##i;
#define PLACES(i)                              \
    q = _mm512_loadu_ps(dy + i * g->lddy + p); \
    IN_A_REGISTER(q);                          \
    a##i = _mm512_fmadd_ps(q, x0, a##i);       \
    b##i = _mm512_fmadd_ps(q, x1, b##i);       \
    c##i = _mm512_fmadd_ps(q, x2, c##i);
#define HALVES(v)                                                                                      \
    {                                                                                                  \
        half(v##0), half(v##1), half(v##2), half(v##3), half(v##4), half(v##5), half(v##6), half(v##7) \
    }

FOLD_INLINE void add_to(float *dw, __m256 totals)
{
    _mm256_storeu_ps(dw, _mm256_add_ps(_mm256_loadu_ps(dw), totals));
}

/* Lanes 8 apart are added. */
FOLD_INLINE __m256 half(__m512 v)
{
    __m256 upper = _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(v), 1));

    return _mm256_add_ps(_mm512_castps512_ps256(v), upper);
}

static void gradients_tile(const struct conv_gradients *g, size_t t, struct conv_ahead *ahead)
{
    float *dw = g->dw + t * CONV_ROWS;
    ROWS(ZERO)

    for (size_t i = 0; i < g->segments; i++) {
        const float *dy = g->dy + i * g->dy_step, *x = g->x + i * g->x_step;

        for (size_t p = 0; p < g->places; p += CONV_LANES) {
            __m512 x0 = _mm512_loadu_ps(x + p + g->at[t]), x1 = _mm512_loadu_ps(x + p + g->at[t + 1]);
            __m512 x2 = _mm512_loadu_ps(x + p + g->at[t + 2]), q;

            fetch_line(ahead);
            ROWS(PLACES)
        }
    }
    const __m256 a[] = HALVES(a), b[] = HALVES(b), c[] = HALVES(c);

    add_to(dw, fold_8(a));
    add_to(dw + CONV_ROWS, fold_8(b));
    add_to(dw + 2 * CONV_ROWS, fold_8(c));
}

void conv_gradients_avx512(const struct conv_gradients *g)
{
    struct conv_ahead ahead[] = { g->ahead[0], g->ahead[1] };

    for (size_t t = 0; t < g->taps; t += CONV_TAPS)
        gradients_tile(g, t, &ahead[!ahead[0].floats]);
}

/* Beyond 'width' lanes a load gives zeros. */
static __mmask16 first(size_t count)
{
    return count >= 16 ? 0xffff : (__mmask16)((1u << count) - 1);
}

void conv_lay_avx512(const struct conv_rectangle *r)
{
    for (size_t j = 0; j < r->width + r->zeros; j += 16) {
        __mmask16 load = first(j < r->width ? r->width - j : 0), store = first(r->width + r->zeros - j);

        for (size_t i = 0; i < r->height; i++)
            _mm512_mask_storeu_ps(r->to + i * r->to_pitch + j, store,
                                  _mm512_maskz_loadu_ps(load, r->from + i * r->from_pitch + j));
    }
}
