/* avx2.c - 8 values at a time, in groups of 64; the rest by the lane. */
#include <immintrin.h>
#include <stdint.h>

#include "kernels/copy/order.h"
#include "kernels/fma/host.h"

#define INLINE __attribute__((always_inline)) static inline

/* To bf16, nearest even, as bf16_lane.h: any word. */
INLINE __m256 round8(__m256 x)
{
    const __m256i upper = _mm256_set1_epi32((int)0xffff0000);
    __m256i bits = _mm256_castps_si256(x), odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    __m256i up = _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7fff)), odd);
    __m256i quiet = _mm256_or_si256(bits, _mm256_set1_epi32(0x400000));

    return _mm256_blendv_ps(_mm256_castsi256_ps(_mm256_and_si256(up, upper)),
                            _mm256_castsi256_ps(_mm256_and_si256(quiet, upper)), _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
}

/* 'mode' and 'stream' are constants where this is inlined. */
INLINE void eight(enum fma_mode mode, float *d, const float *a, const float *b, const float *c, bool stream)
{
    __m256 x = _mm256_loadu_ps(a), y = _mm256_loadu_ps(b), z = _mm256_loadu_ps(c);

    if (mode != FMA_FP32) {
        x = round8(x);
        y = round8(y);
    }
    z = _mm256_fmadd_ps(x, y, mode == FMA_BF16 ? round8(z) : z);
    if (mode == FMA_BF16)
        z = round8(z);
    z = _mm256_blendv_ps(z, _mm256_castsi256_ps(_mm256_set1_epi32(0x7fc00000)), _mm256_cmp_ps(z, z, _CMP_UNORD_Q));
    if (stream)
        _mm256_stream_ps(d, z);
    else
        _mm256_storeu_ps(d, z);
}

INLINE size_t whole(enum fma_mode mode, float *d, const float *a, const float *b, const float *c, size_t n, bool stream)
{
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t i = 64 * (stream ? stream_order(g, groups) : g), end = i + 64;

        for (; i < end; i += 8)
            eight(mode, d + i, a + i, b + i, c + i, stream);
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

void fma_span_avx2(enum fma_mode mode, float *d, const float *a, const float *b, const float *c, size_t n, bool stream)
{
    size_t head = stream ? (32 - (uintptr_t)d % 32) % 32 / 4 : 0, done;

    if (head > n)
        head = n;
    fma_span_scalar(mode, d, a, b, c, head, 0);
    d += head, a += head, b += head, c += head, n -= head;
    done = stream ? any_mode(mode, d, a, b, c, n, 1) : any_mode(mode, d, a, b, c, n, 0);
    fma_span_scalar(mode, d + done, a + done, b + done, c + done, n - done, 0);
    if (stream)
        _mm_sfence();
}
