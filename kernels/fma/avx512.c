/* avx512.c - 16 values at a time, in groups of 64; the rest by the lane. */
#include "kernels/copy/order.h"
#include "kernels/fma/host.h"
#include "kernels/gemm/pack512.h"

#define INLINE __attribute__((always_inline)) static inline

/* 'mode' and 'stream' are constants where this is inlined. */
INLINE void sixteen(enum fma_mode mode, float *d, const float *a, const float *b, const float *c, bool stream)
{
    __m512 x = _mm512_loadu_ps(a), y = _mm512_loadu_ps(b), z = _mm512_loadu_ps(c);

    if (mode != FMA_FP32) {
        x = pack_round512(x);
        y = pack_round512(y);
    }
    z = _mm512_fmadd_ps(x, y, mode == FMA_BF16 ? pack_round512(z) : z);
    if (mode == FMA_BF16)
        z = pack_round512(z);
    z = _mm512_mask_mov_ps(z, _mm512_cmp_ps_mask(z, z, _CMP_UNORD_Q),
                           _mm512_castsi512_ps(_mm512_set1_epi32(0x7fc00000)));
    if (stream)
        _mm512_stream_ps(d, z);
    else
        _mm512_storeu_ps(d, z);
}

INLINE size_t whole(enum fma_mode mode, float *d, const float *a, const float *b, const float *c, size_t n, bool stream)
{
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t i = 64 * (stream ? stream_order(g, groups) : g), end = i + 64;

        for (; i < end; i += 16)
            sixteen(mode, d + i, a + i, b + i, c + i, stream);
    }
    return 64 * groups;
}

INLINE size_t any_mode(enum fma_mode mode, float *d, const float *a, const float *b, const float *c, size_t n,
                       bool stream)
{
    return mode == FMA_FP32 ? whole(FMA_FP32, d, a, b, c, n, stream)
           : mode == FMA_MP ? whole(FMA_MP, d, a, b, c, n, stream)
                            : whole(FMA_BF16, d, a, b, c, n, stream);
}

void fma_span_avx512(enum fma_mode mode, float *d, const float *a, const float *b, const float *c, size_t n,
                     bool stream)
{
    size_t head = stream ? (64 - (uintptr_t)d % 64) % 64 / 4 : 0, done;

    if (head > n)
        head = n;
    fma_span_scalar(mode, d, a, b, c, head, 0);
    d += head, a += head, b += head, c += head, n -= head;
    done = stream ? any_mode(mode, d, a, b, c, n, 1) : any_mode(mode, d, a, b, c, n, 0);
    fma_span_scalar(mode, d + done, a + done, b + done, c + done, n - done, 0);
    if (stream)
        _mm_sfence();
}
